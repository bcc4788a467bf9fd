// Is a model inside the profile SONNX?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/onnx.hpp"
#include "model/problem.hpp"
#include "model/range.hpp"

namespace hadamard::model {

struct CheckOptions {
  std::map<std::string, GivenRange> ranges;  // by input
  bool all_values = false;  // look at values also where no range is given: inputs may have any
  bool strict = false;      // also tensors between nodes must be declared, with type and shape
};

// Everything that is wrong, in the order of the graph. Violations first decide; warnings are legal.
// Throws bad_argument for ranges of inputs that there are not.
std::vector<Problem> check(const io::OnnxModel& model, const CheckOptions& options);

}  // namespace hadamard::model
