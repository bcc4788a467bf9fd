// Functions that print, or change how the session goes.
#include <fmt/format.h>
#include <fnmatch.h>

#include <chrono>
#include <cmath>

#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

Result disp_(Workspace& workspace, Arguments a) {
  std::string text = disp(a[0], workspace.display);
  if (workspace.is_value_wanted) {
    Value y = Value::text(text);
    workspace.rules.room.require(y.size(), DType::uint16);
    return y;
  }
  workspace.out(text);
  return std::nullopt;
}

Result format(Workspace& workspace, Arguments a) {
  const std::string wanted = a.empty() ? "short" : text_of(a[0], "format");
  if (wanted == "short") {
    workspace.display.format = Format::short_;
  } else if (wanted == "long") {
    workspace.display.format = Format::long_;
  } else if (wanted == "hex") {
    workspace.display.format = Format::hex;
  } else {
    throw Fault{"MATLAB:format",
                fmt::format("format: '{}' is neither short nor long nor hex", wanted)};
  }
  return std::nullopt;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
Result who(Workspace& workspace, Arguments) {
  if (workspace.variables.empty()) return std::nullopt;
  std::string text = "Variables:\n\n";
  for (const auto& [name, value] : workspace.variables) {
    text += fmt::format("{:<12} {:>10}  {}{}{}\n", name, size_text(value.size()),
                        matlab::name(value.cls()), value.is_complex() ? ", complex" : "",
                        value.residency() == Residency::device ? ", gpuArray" : "");
  }
  workspace.out(text + '\n');
  return std::nullopt;
}

Result clear(Workspace& workspace, Arguments a) {
  for (const Value& word : a) {
    const std::string pattern = text_of(word, "clear");  // * and ? stand for others
    std::erase_if(workspace.variables, [&](const auto& variable) {
      return pattern == "all" || fnmatch(pattern.c_str(), variable.first.c_str(), 0) == 0;
    });
  }
  if (a.empty()) workspace.variables.clear();
  return std::nullopt;
}

Result quit(Workspace& workspace, Arguments a) {
  const double code = a.empty() ? 0 : number_of(a[0], "quit");
  if (!(code >= 0 && code <= 255 && code == std::trunc(code))) {
    throw Fault{"MATLAB:quit:invalidCode", "quit: the exit code must be a number from 0 to 255"};
  }
  workspace.exit_code = static_cast<int>(code);
  return std::nullopt;
}

// What scripts begin with, and what has nothing to do here: there are no figures, no pages, and the
// screen is the terminal's.
Result nothing(Workspace&, Arguments) { return std::nullopt; }

Result tic(Workspace& workspace, Arguments) {
  workspace.tic = seconds();
  if (workspace.is_value_wanted) return Value::scalar(*workspace.tic);
  return std::nullopt;
}
Result toc(Workspace& workspace, Arguments a) {
  if (a.empty() && !workspace.tic) {
    throw Fault{"MATLAB:toc:callTicFirstNoInputs", "toc: call tic first"};
  }
  const double elapsed = seconds() - (a.empty() ? *workspace.tic : number_of(a[0], "toc"));
  if (workspace.is_value_wanted) return Value::scalar(elapsed);
  workspace.out(fmt::format("Elapsed time is {:.6g} seconds.\n", elapsed));
  return std::nullopt;
}

Result integers(Workspace& workspace, Arguments a) {
  if (a.empty()) {
    return Value::text(workspace.rules.integers == Integers::as_matlab ? "matlab" : "double");
  }
  const std::string wanted = text_of(a[0], "integers");
  if (wanted != "matlab" && wanted != "double") {
    throw Fault{"Hadamard:integers",
                fmt::format("integers: '{}' is neither 'matlab' nor 'double'", wanted)};
  }
  workspace.rules.integers = wanted == "matlab" ? Integers::as_matlab : Integers::as_double;
  return std::nullopt;
}

Result help(Workspace& workspace, Arguments a) {
  if (!a.empty()) {
    const std::string wanted = text_of(a[0], "help");
    const Function* const function = find_function(wanted);
    if (function == nullptr) {
      const std::string_view why = why_absent(wanted);
      throw Fault{"MATLAB:help", fmt::format("help: there is no function '{}'{}{}", wanted,
                                             why.empty() ? "" : ": ", why)};
    }
    workspace.out(fmt::format("{}: {}{}\n", function->name, function->help,
                              function->takes_like ? "; with 'like', P at the end the result is "
                                                     "on the device where P is, complex where P is"
                                                   : ""));
    return std::nullopt;
  }
  std::string line = "Functions (help NAME says more):\n ";
  for (const Function& function : functions()) {
    if (line.size() - line.rfind('\n') + function.name.size() > 78) line += "\n ";
    line += fmt::format(" {}", function.name);
  }
  workspace.out(line + '\n');
  return std::nullopt;
}

}  // namespace

std::span<const Function> session_functions() {
  static constexpr Function kTable[] = {
      {"disp", 1, 1, "prints the value without its name; x = disp(A) gives the text", disp_},
      {"format", 0, 1, "format short, long or hex: how numbers are shown", format},
      {"tic", 0, 0, "starts the clock of toc", tic},
      {"toc", 0, 1, "seconds since tic; toc(t) since t = tic", toc},
      {"quit", 0, 1, "ends, with the exit code that is given", quit},
      {"exit", 0, 1, "ends, with the exit code that is given", quit},
      {"clc", 0, 0, "nothing: it is there for scripts that begin with it", nothing},
      {"close", 0, 1, "nothing: there are no figures here", nothing},
      {"more", 0, 1, "nothing: there are no pages here", nothing},
      {"who", 0, 0, "the variables", who},
      {"whos", 0, 0, "the variables", who},
      {"clear", 0, -1, "forgets variables: all, or those named; * and ? stand for others", clear},
      {"integers", 0, 1,
       "integers('matlab'): class kept, rounded, saturated; integers('double'): promoted",
       integers},
      {"help", 0, 1, "help NAME", help},
  };
  return kTable;
}

}  // namespace hadamard::matlab
