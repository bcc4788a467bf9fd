// hadamard: element-wise tensor arithmetic on the command line.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"
#include "hadamard/error.hpp"
#include "hadamard/hadamard.hpp"
#include "num/text.hpp"
#include "signals.hpp"

namespace hadamard::app {
namespace {

// "-6" and "-inf" are operands, not options; with a space in front the parser takes them as such.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.size() > 1 && arg[0] == '-' && text::is_number(arg)) {
      arg.insert(arg.begin(), ' ');
    }
    args.push_back(std::move(arg));
  }
  if (!args.empty() && args[0] == "help") {  // hadamard help div
    args.erase(args.begin());
    args.resize(std::min<std::size_t>(args.size(), 1));
    args.push_back("--help");
  }
  return args;
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
  if (command == nullptr) return "'" + args[0] + "' is no command; expected one of: " + names;
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

int run(int argc, char** argv) {
  CLI::App app{
      "Element-wise tensor arithmetic: every element right to the last bit, on every machine."};
  app.name("hadamard");
  app.footer(
      "Example:\n"
      "  hadamard div '[6.1 9.5 35.7]' '[3.0 3.3 5.1]'\n"
      "Help on a command: hadamard div --help");
  app.set_version_flag("--version", "hadamard " + std::string(version()));
  app.require_subcommand(1);
  int exit_code = 0;
  add_apply_commands(app);
  add_explain_command(app);
  add_diff_command(app, exit_code);
  add_conform_command(app, exit_code);
  add_info_command(app);
  add_run_command(app);
  add_check_command(app, exit_code);
  std::vector<std::string> args = arguments(argc, argv);
  if (const std::string what = misuse(app, args); !what.empty()) return complain(what);
  std::reverse(args.begin(), args.end());  // as CLI11 wants them
  try {
    app.parse(args);
  } catch (const CLI::Success& asked_for_help) {
    app.exit(asked_for_help);
  } catch (const CLI::ExtrasError&) {
    return complain(too_many(app, arguments(argc, argv)));
  } catch (const CLI::ParseError& error) {
    std::string command;
    for (const CLI::App* chosen : app.get_subcommands()) command = chosen->get_name() + ' ';
    return complain(std::string(error.what()) + " (try: hadamard " + command + "--help)");
  }
  if (std::fflush(stdout) != 0) {
    return complain(std::string("cannot write to standard output: ") + std::strerror(errno));
  }
  return exit_code;
}

}  // namespace
}  // namespace hadamard::app

int main(int argc, char** argv) {
  using hadamard::app::complain;
  try {
    hadamard::app::install_signal_handlers();
    hadamard::app::install_memory_handlers();
    return hadamard::app::run(argc, argv);
  } catch (const hadamard::Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
