// where and clip, which are programs of one node under every dialect.
#include <array>

#include "hadamard/hadamard.hpp"

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

Tensor where(const ConstView& condition, const ConstView& a, const ConstView& b,
             const Options& options) {
  return apply(Op::where, std::array{condition, a, b}, without_names(options));
}

Tensor clip(const ConstView& a, const ConstView& low, const ConstView& high,
            const Options& options) {
  return apply(Op::clip, std::array{a, low, high}, without_names(options));
}

}  // namespace hadamard
