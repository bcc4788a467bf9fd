// cast; where and clip, which are programs of one node under every dialect.
#include <array>

#include "base/float_env.hpp"
#include "exec/elements.hpp"
#include "hadamard/hadamard.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

// Dialect matlab has no names for them: what there is of its rules is how sizes expand.
Options without_names(Options options) {
  if (options.dialect != Dialect::matlab) return options;
  options.dialect = Dialect::native;
  options.broadcast = options.broadcast.value_or(Broadcast::matlab);
  return options;
}

}  // namespace

Tensor cast(const ConstView& a, DType to, Order order) {
  const ScopedFloatEnv env;
  require_valid(a.layout());
  Tensor y = Tensor::uninitialized(to, a.shape(), order);
  exec::convert(a, y.view());
  return y;
}

Tensor where(const ConstView& condition, const ConstView& a, const ConstView& b,
             const Options& options) {
  return apply(Op::where, std::array{condition, a, b}, without_names(options));
}

Tensor clip(const ConstView& a, const ConstView& low, const ConstView& high,
            const Options& options) {
  return apply(Op::clip, std::array{a, low, high}, without_names(options));
}

}  // namespace hadamard
