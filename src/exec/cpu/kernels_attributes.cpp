// Operators with attributes that are not their defaults: any values, element by element.
#include "base/float_env.hpp"
#include "exec/cpu/kernel.hpp"
#include "op/attributed.hpp"

namespace hadamard::exec::cpu {
namespace {

template <class Operator, class T>
bool run_with_attributes(const Line& line) {
  const ScopedExtendedPrecision extended;
  const auto* a = static_cast<const T*>(line.a);
  auto* y = static_cast<T*>(line.y);
  const std::int64_t step = line.a_is_scalar ? 0 : 1;
  for (std::int64_t i = 0; i < line.n; ++i) {
    y[i] = op::with_attributes_rounded<Operator>(a[i * step], *line.attributes);
  }
  return false;
}

}  // namespace

Kernel attribute_kernel(Op op, DType type) {
  return op::with_op(op, [&](auto o) {
    return with_type(type, [&](auto t) -> Kernel {
      using Operator = typename decltype(o)::type;
      using T = typename decltype(t)::type;
      if constexpr (op::has_attributes<Operator> && op::defined_for<Operator, T>) {
        return &run_with_attributes<Operator, T>;
      } else {
        return nullptr;
      }
    });
  });
}

}  // namespace hadamard::exec::cpu
