#include "plan/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/fail.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "plan/distinct.hpp"
#include "tensor/element.hpp"

namespace hadamard::plan {
Dims result_shape(const Request& request, const Layout& a, const Layout& b) {
  return broadcast(request.rule, request.axis, a, b).shape;
}

Plan make_plan(const Request& request, const Layout& a, const Layout& b, const Layout& y) {
  require_valid(y);
  const bool two = op::arity(request.op) == 2;
  if (a.dtype != b.dtype || a.dtype != y.dtype) {
    fail(ErrorCode::type_mismatch,
         "the operand{}, and the output is {}: they must be of the same type",
         two ? fmt::format("s are {} and {}", name(a.dtype), name(b.dtype))
             : fmt::format(" is {}", name(a.dtype)),
         name(y.dtype));
  }
  Aligned aligned = broadcast(request.rule, request.axis, a, b);
  if (aligned.shape != y.shape) {
    fail(ErrorCode::shape_mismatch, "the result{} has shape {}, but the output is {}",
         two ? fmt::format(" of shapes {} and {}", to_string(a.shape), to_string(b.shape)) : "",
         to_string(aligned.shape), to_string(y.shape));
  }
  require_distinct_elements(y);
  Plan plan;
  plan.op = request.op;
  plan.dtype = a.dtype;
  plan.int_division = request.int_division;
  plan.rule = request.rule;
  plan.axis = request.axis;
  plan.then = request.then;
  plan.operand_shapes = {a.shape, b.shape, y.shape};
  plan.count = element_count(aligned.shape);
  plan.shape = std::move(aligned.shape);
  plan.strides = {std::move(aligned.a_strides), std::move(aligned.b_strides), y.strides};
  plan.loops = make_loops(plan.shape, plan.strides);
  return plan;
}

std::int64_t bytes_moved(const Plan& plan) noexcept {
  if (plan.count == 0) return 0;
  std::int64_t bytes = 0;
  for (const std::size_t k : {kA, kB, kY}) {
    if (k == kB && op::arity(plan.op) == 1) continue;  // it is A
    double elements = 1;  // a product of extents can be larger than any memory
    for (std::size_t i = 0; i < plan.shape.size(); ++i) {
      if (plan.strides[k][i] != 0) elements *= static_cast<double>(plan.shape[i]);
    }
    bytes += static_cast<std::int64_t>(std::min(elements * bits(plan.dtype) / 8, 0x1p60));
  }
  return bytes;
}

std::string to_text(const Plan& plan) {
  std::string text;
  const auto line = [&text](std::string_view key, std::string_view value) {
    text += fmt::format("{:<10}{}\n", key, value);
  };
  line("operator", fmt::format("{}  ({})", name(plan.op), op::notation(plan.op)));
  if (plan.then) line("then", name(*plan.then));
  line("type", name(plan.dtype));
  if (op::rounds_quotients(plan.op) && kind(plan.dtype) == Kind::integer) {
    line("rounding", name(plan.int_division));
  }
  const bool two = op::arity(plan.op) == 2;
  const auto operands = [&](std::span<const Dims> of) {
    return fmt::format("A {}{}", to_string(of[kA]), two ? "  B " + to_string(of[kB]) : "");
  };
  line("shapes", fmt::format("{}  ->  Y {}", operands(plan.operand_shapes), to_string(plan.shape)));
  if (two) {
    line("broadcast", plan.rule == Broadcast::paddle
                          ? fmt::format("{}, axis {}", name(plan.rule), plan.axis)
                          : std::string(name(plan.rule)));
  }
  line("loop", fmt::format("{} {}", name(plan.loops.kind), to_string(plan.loops.extents)));
  line("strides",
       fmt::format("{}  Y {}", operands(plan.loops.strides), to_string(plan.loops.strides[kY])));
  return text;
}

}  // namespace hadamard::plan
