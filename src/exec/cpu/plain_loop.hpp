// Kernels without vector code: a world of single values, and a loop over a line.
#pragma once

#include <cstdint>

#include "exec/cpu/kernel.hpp"
#include "op/formula.hpp"

namespace hadamard::exec::cpu {

template <class Operator, class World>
bool run_plain(const Line& line) {
  using T = typename World::T;
  const World world;
  const auto* a = static_cast<const T*>(line.a);
  const auto* b = static_cast<const T*>(line.b);
  auto* y = static_cast<T*>(line.y);
  const std::int64_t a_step = line.a_is_scalar ? 0 : 1;
  const std::int64_t b_step = line.b_is_scalar ? 0 : 1;
  for (std::int64_t i = 0; i < line.n; ++i) {
    y[i] = op::apply_to<Operator>(world, a[i * a_step], b[i * b_step]);
  }
  return world.zero_divisor();
}

// Enters the kernels of every operator that the world has. `World::T` is what lies in a line,
// `World::Element` the element type.
template <class World>
void enter_plain(DType type, KernelSet& set) {
  for (const Op op : op::kPlainOps) {
    op::with_op(op, [&](auto o) {
      using Operator = typename decltype(o)::type;
      if constexpr (op::is_plain_operator<Operator> &&
                    op::defined_for<Operator, typename World::Element> &&
                    op::offers<World, typename World::T, Operator>) {
        Kernel(&slot)[2] =
            set.kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
        slot[0] = slot[1] = &run_plain<Operator, World>;
      }
    });
  }
}

}  // namespace hadamard::exec::cpu
