// The operators of the list with one operand, and transposition.
#include <algorithm>
#include <optional>

#include "hadamard/matlab.hpp"
#include "hadamard/number.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/device.hpp"
#include "matlab/engine.hpp"
#include "matlab/fault.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {

namespace {

// Room for the result, and for an operand of another class as double. Where a real operand leaves
// the reals it is computed as a complex one, which lies beside it, and so do the elements that stay
// real.
void require_room(Op op, const Value& x, const Room& room) {
  const bool narrow = x.cls() == Class::single_;
  const DType real = narrow ? DType::fp32 : DType::fp64;
  const DType complex = narrow ? DType::complex64 : DType::complex128;
  const std::optional<double> least = op::matlab_rules(op).least;
  if (x.is_complex()) return room.require(x.size(), complex);
  const int promoted = is_float(x.cls()) ? 0 : 1;
  room.require(x.size(), real, 1 + promoted);
  if (!least || x.cls() == Class::logical) return;
  try {
    room.require(x.size(), complex, 3 + promoted);
  } catch (const Fault&) {
    const Value y = is_float(x.cls()) ? x : convert(x, Class::double_);
    const Tensor below = lt(y.elements(), *least);
    const auto* const truth = static_cast<const bool*>(below.data());
    if (std::any_of(truth, truth + below.count(), [](bool b) { return b; })) throw;
  }
}

}  // namespace

Value function_of_one(Op op, const Value& a, const Rules& rules) {
  if (a.cls() == Class::string) {
    throw Fault{"MATLAB:UndefinedFunction",
                std::string(op::names(op).matlab) + " is not for strings"};
  }
  const Hook hook{Hook::Form::unary, op};
  if (a.residency() == Residency::device && device().has(hook)) {
    return on_device(asked([&] {
      return device().run(hook, *a.handle(), nullptr, nullptr, {.integers = rules.integers});
    }));
  }
  const Value x = a.cls() == Class::char_ ? convert(a, Class::double_) : a;
  require_room(op, x, rules.room);
  Tensor y = asked([&] { return compute(op, x.elements(), {.integers = rules.integers}); });
  const Class cls = class_of(y.dtype());
  return {cls, std::move(y)};
}

Value transposed(const Value& value, bool conjugated) {
  if (value.size().size() > 2) {
    throw Fault{"MATLAB:transposeOnND",
                "transpose not defined for N-D arrays: A is " + size_text(value.size())};
  }
  const Value x = conjugated ? conjugate(value) : value;
  Tensor y(x.elements().view().transposed(), Order::column_major);
  return {x.cls(), std::move(y), x.residency()};
}

}  // namespace hadamard::matlab
