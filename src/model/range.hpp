// Between what numbers the values of a graph lie, before anything runs: interval arithmetic.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.hpp"
#include "model/graph.hpp"
#include "num/dtype.hpp"

namespace hadamard::model {

// All numbers from low to high. Of an integer type they are exact; of a float type they are the
// type's own numbers (infinities included), and `nan` says that NaN may be among the values.
struct Range {
  bool whole = false;
  int128 low = 0, high = 0;    // where whole
  double from = 0, until = 0;  // where not
  bool nan = false;

  bool contains_zero() const noexcept {
    return whole ? low <= 0 && high >= 0 : from <= 0 && until >= 0;
  }
};
std::string to_text(const Range& range);  // "[1, 2]"

// All values of a type. Nothing for types without an order.
std::optional<Range> full_range(DType type);

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
