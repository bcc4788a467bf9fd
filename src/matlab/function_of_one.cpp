// The operators of the list with one operand, and transposition.
#include "hadamard/matlab.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/device.hpp"
#include "matlab/engine.hpp"
#include "matlab/fault.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {

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
