// Runs statements: the variables, the functions, what is printed.
//
//   Interpreter interpreter([](std::string_view text) { std::fwrite(text.data(), 1, text.size(),
//   stdout); }); interpreter.run("A = magic(3); A ./ 2", "-e");
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "matlab/arithmetic.hpp"
#include "matlab/display.hpp"
#include "matlab/fault.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

using Sink = std::function<void(std::string_view)>;

// What functions may see and change.
struct Workspace {
  std::map<std::string, Value, std::less<>> variables;
  Rules rules;
  DisplayOptions display;
  std::uint64_t random_state = 42;
  std::optional<double> tic;  // when it was called, in seconds
  Sink out;
  Sink warn;  // a line, without its end
  // Will the function that runs now have its value used? load and toc ask.
  bool is_value_wanted = true;
  // How many results of it will be, and those after the first that it gives: [m, i] = max(A).
  std::size_t results_wanted = 1;
  std::vector<Value> more_results;
  bool is_like_given = false;  // was it called with 'like', P? max and min ask
  bool may_use_files = true;
  bool is_last_shown = true;  // whether the last statement of a text shows its value without ';'
  // The variable that has the value of the statement that ran last; empty where it has none.
  std::string answer;
  std::optional<int> exit_code;  // set by quit: nothing more is to be run
};

// A function of the language. Nothing comes back from those that only do something (disp, clear).
struct Function {
  std::string_view name;
  int fewest, most;  // arguments; most < 0: any number
  std::string_view help;
  std::optional<Value> (*run)(Workspace& workspace, std::span<const Value> arguments);
  // f(…, 'like', P): the result on the device where P is, complex where P is. `run` sees neither.
  bool takes_like = false;
};
// All of them, sorted by name; one table for each file functions_*.cpp.
std::span<const Function> functions();
const Function* find_function(std::string_view name);
// One whose name is nearly that, for a message; empty where there is none.
std::string_view similar_function(std::string_view name);
// Why a function of MATLAB is left out, for a message; empty where it is not known as such.
std::string_view why_absent(std::string_view name);

class Interpreter {
 public:
  explicit Interpreter(Sink out, DisplayOptions display = {});
  // Runs all statements; at the first fault what came before has been done. Returns false, and has
  // reported to `errors`, where there was one. All of it, the calls of the sinks too, has the float
  // environment of ScopedFloatEnv; the caller's is back when run() returns.
  bool run(std::string_view source, std::string_view name_of_source, const Sink& errors,
           std::size_t first_line = 1);
  Workspace& workspace() { return workspace_; }

 private:
  Workspace workspace_;
};

}  // namespace hadamard::matlab
