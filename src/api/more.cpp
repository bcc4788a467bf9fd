// The functions that are no rows of the list of operators: cast, where, clip.
#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/dialect.hpp"
#include "exec/elements.hpp"
#include "hadamard/hadamard.hpp"
#include "op/clip.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

// The world of whole tensors.
struct TensorWorld {
  const Options& options;
  Tensor max(const ConstView& a, const ConstView& b) const { return hadamard::max(a, b, options); }
  Tensor min(Tensor a, const ConstView& b) const {
    // In place where the shape stays the same.
    if (!(result_layout(Op::min, a.layout(), b.layout(), options).shape == a.shape())) {
      return hadamard::min(a, b, options);
    }
    min_into(a.view(), a, b, options);
    return a;
  }
};

// A view as one of `shape`, with stride 0 where it is stretched.
ConstView stretched(const ConstView& view, const Dims& shape, Broadcast rule) {
  const Layout whole(view.dtype(), shape);
  return ConstView(
      view.data(),
      Layout(view.dtype(), shape, plan::broadcast(rule, -1, view.layout(), whole).a_strides),
      view.offset());
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
  if (condition.dtype() != DType::bool_) {
    dialect::fail_violation(
        options.dialect, dialect::Violation::type, ErrorCode::type_mismatch,
        fmt::format("the condition of where is {}: it must be bool", name(condition.dtype())));
  }
  if (a.dtype() != b.dtype()) {
    dialect::fail_violation(
        options.dialect, dialect::Violation::type, ErrorCode::type_mismatch,
        fmt::format("the operands of where are {} and {}: they must have the same type",
                    name(a.dtype()), name(b.dtype())));
  }
  const Broadcast rule = options.broadcast.value_or(dialect::rules(options.dialect).broadcast);
  try {
    const Dims both = plan::broadcast(rule, -1, a.layout(), b.layout()).shape;
    const Dims shape = plan::broadcast(rule, -1, condition.layout(), Layout(a.dtype(), both)).shape;
    Tensor y = Tensor::uninitialized(a.dtype(), shape, options.order);
    exec::select(stretched(condition, shape, rule), stretched(a, shape, rule),
                 stretched(b, shape, rule), y.view());
    return y;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::shape_mismatch) throw;
    dialect::fail_violation(
        options.dialect, dialect::Violation::shape, error.code(),
        fmt::format(
            "the shapes of where, condition {}, A {} and B {}, do not fit together ({} rule)",
            to_string(condition.shape()), to_string(a.shape()), to_string(b.shape()), name(rule)));
  }
}

Tensor clip(const ConstView& a, const ConstView& low, const ConstView& high,
            const Options& options) {
  if (low.dtype() != a.dtype() || high.dtype() != a.dtype()) {
    dialect::fail_violation(
        options.dialect, dialect::Violation::type, ErrorCode::type_mismatch,
        fmt::format(
            "A is {}, low is {} and high is {}: the operands of clip must have the same type",
            name(a.dtype()), name(low.dtype()), name(high.dtype())));
  }
  return op::Clip::apply(TensorWorld{options}, a, low, high);
}

}  // namespace hadamard
