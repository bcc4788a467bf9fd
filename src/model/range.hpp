// Between what numbers the values of a graph lie, before anything runs: interval arithmetic.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/graph.hpp"
#include "num/dtype.hpp"

namespace hadamard::model {

// What the caller says of an input: "[1,2]", "[-1e3, 5]", "[0,inf]". Throws bad_argument.
struct GivenRange {
  std::string low, high;  // as text: a number means something only with its type
};
GivenRange parse_range(std::string_view text);

// Finds divisors that may be 0 and integer operations that may overflow, and appends them. A
// constant counts with its own values. Without any range given, and not `all_values`, only constant
// divisors are looked at; else an input without one counts with all values of its type. Ranges only
// grow: where nothing is found, nothing can happen.
// In profile onnx an overflow is a warning: it has a result there.
void check_ranges(const Graph& graph, const Facts& facts,
                  const std::map<std::string, GivenRange, std::less<>>& given, bool all_values,
                  Problems& problems);

}  // namespace hadamard::model
