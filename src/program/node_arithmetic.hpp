// The arithmetic of programs: what a record's formula asks for becomes a node.
#pragma once

#include "op/ops.hpp"
#include "program/program.hpp"

namespace hadamard::program {

// `Nodes` makes them: apply(Op, {operands}) and number(value, like), a constant of the type of the
// value `like`.
template <class Nodes>
struct NodeArithmetic {
  Nodes nodes;

#define HADAMARD_NODE_1(method, op) \
  ValueId method(ValueId a) const { return nodes.apply(Op::op, {a}); }
#define HADAMARD_NODE_2(method, op) \
  ValueId method(ValueId a, ValueId b) const { return nodes.apply(Op::op, {a, b}); }
  HADAMARD_NODE_2(max, max)
  HADAMARD_NODE_2(min, min)
  HADAMARD_NODE_2(mod, mod)
  HADAMARD_NODE_2(rem, rem)
  HADAMARD_NODE_2(eq, eq)
  HADAMARD_NODE_1(sign, sign)
  HADAMARD_NODE_1(floor, floor)
  HADAMARD_NODE_1(ceil, ceil)
  HADAMARD_NODE_1(trunc, trunc)
  HADAMARD_NODE_1(real, real)
  HADAMARD_NODE_1(imag, imag)
  HADAMARD_NODE_2(complex_hypot, complex_hypot)
  HADAMARD_NODE_2(saturating_add, saturating_add)
  HADAMARD_NODE_2(saturating_sub, saturating_sub)
  HADAMARD_NODE_2(saturating_mul, saturating_mul)
  HADAMARD_NODE_2(saturating_div, saturating_div)
  HADAMARD_NODE_2(saturating_pow, saturating_pow)
#undef HADAMARD_NODE_2
#undef HADAMARD_NODE_1
  ValueId select(ValueId condition, ValueId a, ValueId b) const {
    return nodes.apply(Op::where, {condition, a, b});
  }
  template <class Record>
  ValueId function(ValueId a) const {
    return nodes.apply(op::op_of<Record>, {a});
  }
  template <class Record>
  ValueId function(ValueId a, ValueId b) const {
    return nodes.apply(op::op_of<Record>, {a, b});
  }
  ValueId zero(ValueId like) const { return nodes.number(0, like); }
  ValueId one(ValueId like) const { return nodes.number(1, like); }
};

}  // namespace hadamard::program
