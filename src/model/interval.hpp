// Interval arithmetic: what operators make of ranges of numbers. Results only grow: every number
// that can come out is in them.
#pragma once

#include <optional>

#include "base/int128.hpp"
#include "hadamard/types.hpp"
#include "model/range.hpp"

namespace hadamard::model {

Range whole_range(int128 low, int128 high);
Range float_range(double from, double until, bool nan);
Range join(const Range& a, const Range& b);  // both whole or both not

// The type's number for `x`: rounding is monotone, so an end that is rounded is an end still.
double rounded(DType type, double x);

// The exact results for integers, before any wrap. Ends beyond kBeyond are kBeyond. A zero divisor
// has no result; nothing where no other divisor is left, and for operators without an order.
inline constexpr int128 kBeyond = static_cast<int128>(~uint128{0} >> 1);  // 2^127 - 1
std::optional<Range> whole_result(Op op, const Range& a, const Range& b);
std::optional<Range> whole_result(Op op, const Range& a);

// Of integers to the power of floats, where both lie in ranges: whole exponents have the integer
// power, others the cast of the real one. `type` is the base's.
std::optional<Range> mixed_power_result(const Range& base, const Range& exponent, DType type);

// The rounded results for floats. Nothing: any of the type may come out. Needs the default
// floating-point environment.
std::optional<Range> float_result(DType type, Op op, const Range& a, const Range& b);
std::optional<Range> float_result(DType type, Op op, const Range& a);

// What Cast would give if the integers had no ends. Nothing for types without an order.
std::optional<Range> cast_result(const Range& a, DType type);

}  // namespace hadamard::model
