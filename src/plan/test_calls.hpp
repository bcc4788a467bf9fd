// Plans of one operator, for tests below the dialects.
#pragma once

#include <memory>
#include <utility>

#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "plan/plan.hpp"
#include "program/builder.hpp"

namespace hadamard::plan {

// A call with NumPy's broadcasting; of an operator with one operand `b` is not looked at.
inline Plan plan_of_call(Op op, const Layout& a, const Layout& b, const Layout& y,
                         IntDivision rounding = IntDivision::trunc) {
  const Aligned aligned = broadcast(Broadcast::numpy, -1, a, op::arity(op) == 2 ? b : a);
  const std::size_t rank = aligned.shape.size();
  Lowered lowered;
  program::Builder builder;
  std::vector<Layout> inputs{a};
  const program::ValueId x = builder.input("A", a.dtype);
  lowered.input_strides = {aligned.a_strides};
  program::ValueId value = 0;
  if (op::arity(op) == 2) {
    inputs.push_back(b);
    lowered.input_strides.push_back(aligned.b_strides);
    value = builder.apply(op, {x, builder.input("B", b.dtype)}, {.int_division = rounding});
  } else {
    value = builder.apply(op, {x}, {.int_division = rounding});
  }
  builder.output("Y", value);
  lowered.program = builder.finish();
  lowered.rank = rank;
  lowered.shapes.assign(lowered.program.nodes().size(), aligned.shape);
  lowered.own.assign(lowered.program.nodes().size(), {0, rank});
  lowered.outputs = {{aligned.shape, 0}};
  lowered.rule = Broadcast::numpy;
  return make_plan(std::move(lowered), std::move(inputs), {y});
}

}  // namespace hadamard::plan
