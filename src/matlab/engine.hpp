// Calls of the engine by the interpreter.
#pragma once

#include <string>
#include <string_view>

#include "hadamard/error.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {

// f(), whose errors with an identifier of MATLAB's leave it as a Fault.
template <class F>
auto asked(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.requirement().empty()) throw;
    std::string_view message = error.what();  // it ends with " [identifier]"
    message.remove_suffix(error.requirement().size() + 3);
    throw Fault{error.requirement(), std::string(message)};
  }
}

}  // namespace hadamard::matlab
