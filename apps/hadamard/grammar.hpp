// The words that may stand behind "hadamard". CLI11 is behind it, in grammar.cpp alone: it takes
// ten seconds in every file that sees it.
//
//   CommandLine line("what the program does", "an example");
//   Command diff = line.add("diff", "Compare two tensors");
//   diff.operand("A", a, "A .npy file");
//   diff.flag("-q,--quiet", quiet, "Say it by the exit code only");
//   diff.action([&] { … });
//   line.run(argc, argv);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hadamard::app {

// What is bound to a name must live until the command line was run.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // An operand that must be there; of a list, at least one.
  void operand(const std::string& name, std::string& value, const std::string& help);
  void operand(const std::string& name, std::vector<std::string>& values, const std::string& help);

  // Names that begin with '-' are options ("-o,--output"), others are operands that may be missing.
  void option(const std::string& names, std::string& value, const std::string& help);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& help);
  void option(const std::string& names, std::optional<int>& value, const std::string& help);
  void option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  // Once for each value.
  void repeated(const std::string& names, std::vector<std::string>& values,
                const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);

  void footer(const std::string& text);  // of its help
  void action(std::function<void()> run);

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& footer);
  ~CommandLine();

  Command add(const std::string& name, const std::string& description);

  // Runs the action of the command that is named, or prints the help that is asked for. Throws
  // bad_argument.
  void run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace hadamard::app
