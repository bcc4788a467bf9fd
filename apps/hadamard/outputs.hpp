// The results of models and programs, by name.
#pragma once

#include <span>
#include <string>

#include "hadamard/tensor.hpp"

namespace hadamard::app {

struct NamedView {
  std::string name;
  ConstView view;
};

// A line with name, type and shape before the elements of each; or as JSON,
// {"outputs":[{"name":"Y","shape":…},…]}, with "plan" in front where it is not empty.
void print_outputs(std::span<const NamedView> outputs, bool hex, bool json,
                   const std::string& plan = {});

}  // namespace hadamard::app
