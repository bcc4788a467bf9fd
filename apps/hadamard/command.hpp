// What the subcommands share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grammar.hpp"
#include "hadamard/error.hpp"
#include "hadamard/options.hpp"
#include "hadamard/types.hpp"

namespace hadamard::app {

// As diff has them: 0 fine, 1 different, 2 an error.
inline constexpr int kDifferent = 1;
inline constexpr int kTrouble = 2;

// Each adds its subcommand(s); a subcommand's callback sets `exit_code` where it is not 0.
void add_apply_commands(CommandLine& line);
void add_explain_command(CommandLine& line);
void add_diff_command(CommandLine& line, int& exit_code);
void add_conform_command(CommandLine& line, int& exit_code);
void add_info_command(CommandLine& line);
void add_eval_command(CommandLine& line);
void add_run_command(CommandLine& line);
void add_check_command(CommandLine& line, int& exit_code);
void add_matlab_command(CommandLine& line, int& exit_code);

// The options that say what a binary operation means.
struct OperationOptions {
  std::optional<std::string> type;
  std::optional<std::string> dialect;  // else that of Options
  std::optional<std::string> broadcast;
  std::optional<std::string> int_division;
  std::optional<std::string> integers;  // of dialect matlab
  std::optional<int> axis;
  std::optional<std::string> act;

  void add_to(Command& command, bool two_operands = true);
  Options settle() const;                     // throws bad_argument with the names that there are
  std::optional<DType> element_type() const;  // of --type
};

// The error, and which option would help, where one does.
Error with_advice(const Error& error, const Options& options);

// Throws bad_argument, listing the types, where `name` is none.
DType parse_type(std::string_view name);

// sonnx or onnx; throws bad_argument for another one.
Dialect parse_profile(const std::string& name);

// A type's help text: "real, fp16, …".
std::string all_type_names();

// The number of --ulp; nothing where it is not given. Throws bad_argument.
std::optional<std::uint64_t> parse_ulp(const std::optional<std::string>& argument);

// One line on standard error, whatever the text holds; returns kTrouble.
int complain(std::string text);

// Writes to standard output; throws io where it cannot take the text (a full disk, say).
void print(std::string_view text);

}  // namespace hadamard::app
