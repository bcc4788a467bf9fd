// Is a model inside a profile?
#pragma once

#include <functional>
#include <map>
#include <string>

#include "io/onnx.hpp"
#include "model/problem.hpp"
#include "model/range.hpp"

namespace hadamard::model {

struct CheckOptions {
  // sonnx: the safety-related profile. onnx: what ONNX itself demands and this program computes;
  // shapes need not be known.
  Dialect profile = Dialect::sonnx;
  std::map<std::string, GivenRange, std::less<>> ranges = {};  // by input
  bool all_values = false;  // look at values also where no range is given: inputs may have any
  bool strict = false;      // also tensors between nodes must be declared, with type and shape
};

// Everything that is wrong, in the order of the graph. Violations decide; warnings are legal. Where
// there are more violations in the structure than are kept, nothing else is looked at. Throws
// bad_argument for ranges of inputs that there are not.
Problems check(const io::OnnxModel& model, const CheckOptions& options);

}  // namespace hadamard::model
