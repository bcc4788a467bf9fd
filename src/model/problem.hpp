// What is wrong with a model, where, and which requirement says so.
#pragma once

#include <string>
#include <string_view>

#include "hadamard/error.hpp"

namespace hadamard::model {

struct Problem {
  ErrorCode code = ErrorCode::bad_file;  // of the error, where the model is to be run
  std::string requirement;               // "SONNX-DIV-INT-C3"; empty: the profile has no id for it
  std::string node;                      // "node 3 'd' (Div)"; empty: of the graph
  std::string tensor;                    // its name; empty: of none
  std::string found;                     // what is there
  std::string demanded;                  // what should be
  bool warning = false;                  // legal, but worth knowing before anything runs
};

// "node 3 'd' (Div), tensor 'B': found; demanded [SONNX-…]"
std::string to_text(const Problem& problem);

// Throws hadamard::Error.
[[noreturn]] void fail_with(const Problem& problem);

}  // namespace hadamard::model
