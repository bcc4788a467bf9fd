// hadamard matlab: a prompt, a script, a line.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <system_error>

#include "base/fail.hpp"
#include "command.hpp"
#include "line_editor.hpp"
#include "matlab/interpreter.hpp"
#include "program/syntax/syntax.hpp"

namespace hadamard::app {
namespace {

struct MatlabArguments {
  std::optional<std::string> file;
  std::optional<std::string> line;
};

int terminal_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

// Where lines come from: a terminal with an editor, one without, or no terminal at all.
class Lines {
 public:
  explicit Lines(LineEditor::Complete complete) : editor_(LineEditor::make(std::move(complete))) {}

  bool asks() const { return asks_; }
  std::optional<LineEditor::Line> next(const char* prompt) {
    std::fflush(stdout);
    if (editor_ != nullptr) {
      auto line = editor_->read(prompt);
      if (line && !line->is_abandoned) editor_->remember(line->text);
      return line;
    }
    if (asks_) print(prompt);
    std::fflush(stdout);
    LineEditor::Line line;
    if (!std::getline(std::cin, line.text)) return std::nullopt;
    return line;
  }

 private:
  bool asks_ = isatty(STDIN_FILENO) != 0;
  std::unique_ptr<LineEditor> editor_;
};

// Variables and functions, in order.
std::vector<std::string> names_with(matlab::Interpreter& interpreter, std::string_view beginning) {
  std::set<std::string> names;
  const auto consider = [&](std::string_view name) {
    if (name.starts_with(beginning)) names.emplace(name);
  };
  for (const auto& [name, value] : interpreter.workspace().variables) consider(name);
  for (const matlab::Function& function : matlab::functions()) consider(function.name);
  return {names.begin(), names.end()};
}

// Statements from standard input, each run when it is whole.
int prompt(matlab::Interpreter& interpreter, const matlab::Sink& errors) {
  Lines lines([&](std::string_view beginning) { return names_with(interpreter, beginning); });
  const bool asks = lines.asks();
  bool is_fine = true;
  std::size_t lines_read = 0, first_line = 1;
  bool is_unfinished = false, is_continued = false;
  std::string source;
  while (const auto line = lines.next(source.empty() ? ">> " : ".. ")) {
    if (line->is_abandoned) {
      source.clear();
      first_line = lines_read + 1;
      is_unfinished = false;
      continue;
    }
    source += line->text + '\n';
    ++lines_read;
    // What began before ends with a bracket, or after "...": other lines need not be looked at,
    // which would take long for each row of a long matrix.
    const bool has_bracket = line->text.find_first_of("])}") != std::string::npos;
    const bool may_end = !is_unfinished || has_bracket || is_continued;
    is_continued = line->text.find("...") != std::string::npos;
    is_unfinished = !may_end || matlab::is_unfinished(source);
    if (is_unfinished) continue;
    is_fine = interpreter.run(source, "stdin", errors, first_line) && is_fine;
    if (interpreter.workspace().exit_code) return *interpreter.workspace().exit_code;
    first_line = lines_read + 1;
    source.clear();
  }
  if (!source.empty()) is_fine = interpreter.run(source, "stdin", errors, first_line) && is_fine;
  if (asks) print("\n");
  return is_fine || asks ? 0 : kTrouble;
}

std::string text_of(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    fail(ErrorCode::io, "cannot read '{}': it is a folder", path);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(matlab::kLongestSource + 1, '\0');  // one more is refused by the parser
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) {
    fail(ErrorCode::io, "cannot read '{}': {}", path,
         errno != 0 ? std::strerror(errno) : "the reason is not known");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

int run(const MatlabArguments& args) {
  const matlab::Sink errors = [](std::string_view text) {
    std::fflush(stdout);
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  matlab::Interpreter interpreter([](std::string_view text) { print(text); },
                                  {.width = terminal_width()});
  if (args.line && args.file) {
    fail(ErrorCode::bad_argument, "a script or -e, not both");
  }
  if (!args.line && !args.file) return prompt(interpreter, errors);
  std::string source = args.line.value_or("");
  if (args.file) {
    source = text_of(*args.file);
  }
  const bool is_fine = interpreter.run(source, args.file.value_or("-e"), errors);
  return interpreter.workspace().exit_code.value_or(is_fine ? 0 : kTrouble);
}

}  // namespace

void add_matlab_command(CommandLine& line, int& exit_code) {
  auto args = std::make_shared<MatlabArguments>();
  Command command =
      line.add("matlab", "MATLAB's element-wise expressions: a prompt, a script, or a line (-e)");
  command.option("FILE", args->file, "A script; without one, statements come from standard input");
  command.option("-e,--eval", args->line, "Run this text");
  command.footer(
      "Exit code: 0 fine, 2 an error.\n"
      "Examples:\n"
      "  hadamard matlab -e 'A = magic(3); A ./ 2'\n"
      "  hadamard matlab script.m");
  command.action([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
