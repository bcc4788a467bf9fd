// What the operators of programs make of ranges, by their own records: `apply` in interval
// arithmetic, or what the record says of its order.
//
// Ranges only grow: every result that can come out is in them. An operator of primitives, or a
// function, that interval arithmetic knows nothing of has any result of its type.
#pragma once

#include <optional>
#include <span>

#include "bound/interval.hpp"
#include "program/program.hpp"

namespace hadamard::bound {

struct OperatorRange {
  std::optional<Interval> range;  // nothing for types without intervals
  // Where a result may not fit an integer type: what it lies in, exactly. It wraps, or saturates
  // where a float is cast; `range` is what comes out then.
  std::optional<Interval> overflow;
  // A divisor may be 0. Where the type has no result for that, `range` is that of the others.
  bool zero_divisor = false;
};

// Of a node of operator, type and attributes, whose operands have these types and lie in these
// intervals. Needs the default floating-point environment.
OperatorRange operator_range(const program::Node& node, std::span<const DType> types,
                             std::span<const Interval> operands);

}  // namespace hadamard::bound
