#include "grammar.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "base/fail.hpp"
#include "command.hpp"
#include "hadamard/hadamard.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"

namespace hadamard::app {
namespace {

// "-6" and "-inf" are operands, not options; with a space in front the parser takes them as such.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    const bool is_text = i > 1 && std::string_view(argv[i - 1]) == "-e";
    if (!is_text && arg.size() > 1 && arg[0] == '-' && text::is_number(arg)) {
      arg.insert(arg.begin(), ' ');
    }
    args.push_back(std::move(arg));
  }
  if (!args.empty() && args[0] == "matlab") {  // the text of -e may begin with a minus
    const auto option = std::find(args.begin(), args.end(), "-e");
    if (option != args.end() && option + 1 != args.end()) {
      option[1] = "--eval=" + option[1];
      args.erase(option);
    }
    const auto empty = std::find(args.begin(), args.end(), "--eval=");
    if (empty != args.end()) *empty += ' ';  // an empty text would be taken for none
  }
  if (!args.empty() && args[0] == "help") {  // hadamard help div
    args.erase(args.begin());
    args.resize(std::min<std::size_t>(args.size(), 1));
    args.push_back("--help");
  }
  return args;
}

// "; Paddle's elementwise_div is: hadamard div --dialect paddle", of a name that others have for an
// operator; else nothing.
std::string as_command(std::string_view word) {
  for (const Op op : op::kPlainOps) {
    const op::OpNames& names = op::names(op);
    const std::pair<std::string_view, Dialect> ones[] = {{names.paddle, Dialect::paddle},
                                                         {names.onnx, Dialect::onnx},
                                                         {names.matlab, Dialect::matlab}};
    for (const auto& [one, dialect] : ones) {
      if (one.empty() || one != word) continue;
      return fmt::format("; that of dialect {} is: hadamard {} --dialect {}", name(dialect),
                         name(op), name(dialect));
    }
  }
  return {};
}

// What CLI11 would word badly: a first word that is no command, and options that do not exist.
std::string misuse(CLI::App& app, const std::vector<std::string>& args) {
  if (args.empty() || args[0][0] == '-') return {};
  std::string names;
  CLI::App* command = nullptr;
  for (CLI::App* one : app.get_subcommands({})) {
    if (one->get_name() == args[0]) command = one;
    names += (names.empty() ? "" : ", ") + one->get_name();
  }
  if (command == nullptr) {
    const std::string known = as_command(args[0]);
    return "'" + args[0] + "' is no command" +
           (known.empty() ? "; expected one of: " + names : known);
  }
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string option = args[i].substr(0, args[i].find('='));
    if (option == "--") break;
    if (option.size() < 2 || option[0] != '-' || command->get_option_no_throw(option) != nullptr) {
      continue;
    }
    const bool attached = option[1] != '-' && option.size() > 2 &&
                          command->get_option_no_throw(option.substr(0, 2)) != nullptr;
    if (!attached) return "'" + option + "' is no option (try: hadamard " + args[0] + " --help)";
  }
  return {};
}

// The operands that were too many, most likely a literal whose quotes were forgotten.
std::string too_many(const CLI::App& app, const std::vector<std::string>& args) {
  std::string command;
  for (const CLI::App* chosen : app.get_subcommands()) command = chosen->get_name();
  const bool bracket = std::any_of(args.begin(), args.end(), [](const std::string& arg) {
    return arg.starts_with('[') && !arg.ends_with(']');
  });
  return "too many operands" +
         std::string(bracket ? "; quote a literal that has spaces: '[1 2 3]'" : "") +
         " (try: hadamard " + command + " --help)";
}

}  // namespace

void Command::operand(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->required();
}
void Command::operand(const std::string& name, std::vector<std::string>& values,
                      const std::string& help) {
  app_->add_option(name, values, help)->required();
}
void Command::option(const std::string& names, std::string& value, const std::string& help) {
  app_->add_option(names, value, help);
}
void Command::option(const std::string& names, std::optional<std::string>& value,
                     const std::string& help) {
  app_->add_option(names, value, help);
}
void Command::option(const std::string& names, std::optional<int>& value, const std::string& help) {
  // CLI11 takes an empty text for 0, and takes 0x1.
  const auto problem = [](const std::string& argument) -> std::string {
    std::string_view text = argument;
    if (text.starts_with(' ')) text.remove_prefix(1);  // main() puts one before a minus
    int number = 0;
    const auto [stop, error] = std::from_chars(text.begin(), text.end(), number);
    if (error == std::errc() && stop == text.end()) return {};
    const bool large = error == std::errc::result_out_of_range;
    return fmt::format("'{}' is {}", text, large ? "too large" : "no whole number such as 1 or -1");
  };
  app_->add_option(names, value, help)->check(problem);
}
void Command::option(const std::string& names, std::vector<std::string>& values,
                     const std::string& help) {
  app_->add_option(names, values, help);
}
void Command::repeated(const std::string& names, std::vector<std::string>& values,
                       const std::string& help) {
  app_->add_option(names, values, help)->allow_extra_args(false);
}
void Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}
void Command::footer(const std::string& text) { app_->footer(text); }
void Command::action(std::function<void()> run) { app_->callback(std::move(run)); }

CommandLine::CommandLine(const std::string& description, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, "hadamard")) {
  app_->footer(footer);
  app_->set_version_flag("--version", "hadamard " + std::string(version()));
  app_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description));
}

void CommandLine::run(int argc, char** argv) {
  const std::vector<std::string> words = words_of(argc, argv);
  if (const std::string what = misuse(*app_, words); !what.empty()) {
    fail(ErrorCode::bad_argument, "{}", what);
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
    app_->parse(reversed);
  } catch (const CLI::Success& asked_for_help) {
    std::ostringstream out;  // not std::cout, which tells nobody when it cannot write
    app_->exit(asked_for_help, out, out);
    print(out.str());
  } catch (const CLI::ExtrasError&) {
    fail(ErrorCode::bad_argument, "{}", too_many(*app_, words));
  } catch (const CLI::ParseError& error) {
    std::string command;
    for (const CLI::App* chosen : app_->get_subcommands()) command = chosen->get_name() + ' ';
    fail(ErrorCode::bad_argument, "{} (try: hadamard {}--help)", error.what(), command);
  }
}

}  // namespace hadamard::app
