// Gradients of Paddle's element-wise operators: the formulas of the operators' records, each summed
// over the dimensions that its operand was stretched in.
#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "base/fail.hpp"
#include "dialect/dialect.hpp"
#include "dialect/paddle/paddle.hpp"
#include "exec/gradient.hpp"
#include "hadamard/paddle.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::paddle {
namespace {

using exec::Term;
using op::Arg;
using op::Call;
namespace prim = op::prim;

// What a gradient is a formula of, as its record has them: g, a, b, y.
enum Tensors : std::size_t { kDout, kX, kY, kOut, kTensors };

// How a formula is summed: as which term, of which tensors. Where nothing is summed it is `op`, if
// it is one operation. A formula that no term computes does not compile.
template <class Formula>
struct Summand;
template <std::size_t a>
struct Summand<Arg<a>> {
  static constexpr Term term = Term::copy;
  static constexpr std::optional<Op> op = op::op_of<op::Identity>;
  static constexpr std::array tensors = {a};
};
template <std::size_t a>
struct Summand<Call<prim::Neg, Arg<a>>> {
  static constexpr Term term = Term::negative;
  static constexpr std::optional<Op> op = op::op_of<op::Neg>;
  static constexpr std::array tensors = {a};
};
template <std::size_t a, std::size_t b>
struct Summand<Call<prim::Mul, Arg<a>, Arg<b>>> {
  static constexpr Term term = Term::product;
  static constexpr std::optional<Op> op = op::op_of<op::Mul>;
  static constexpr std::array tensors = {a, b};
};
template <std::size_t a, std::size_t b>
struct Summand<Call<prim::Div, Arg<a>, Arg<b>>> {
  static constexpr Term term = Term::quotient;
  static constexpr std::optional<Op> op = op::op_of<op::Div>;
  static constexpr std::array tensors = {a, b};
};
template <std::size_t a, std::size_t b, std::size_t c>
struct Summand<Call<prim::Div, Call<prim::Mul, Call<prim::Neg, Arg<a>>, Arg<b>>, Arg<c>>> {
  static constexpr Term term = Term::negative_quotient;
  static constexpr std::optional<Op> op = std::nullopt;
  static constexpr std::array tensors = {a, b, c};
};

// One of the tensors of a gradient, by its name in Paddle.
struct Named {
  std::string_view name;
  const ConstView& view;
};

void require_floats(std::initializer_list<Named> tensors) {
  const Named& first = *tensors.begin();
  for (const Named& tensor : tensors) {
    require_valid(tensor.view.layout());
    if (kind(tensor.view.dtype()) != Kind::floating) {
      fail(ErrorCode::unsupported_type, "{} is {}: gradients are of fp16, bf16, fp32 and fp64",
           tensor.name, name(tensor.view.dtype()));
    }
    if (tensor.view.dtype() != first.view.dtype()) {
      fail(ErrorCode::type_mismatch,
           "{} is {} and {} is {}: the tensors of a gradient have one type", first.name,
           name(first.view.dtype()), tensor.name, name(tensor.view.dtype()));
    }
  }
}

void require_shape(const Named& tensor, const Dims& shape, std::string_view whose) {
  if (tensor.view.shape() == shape) return;
  fail(ErrorCode::shape_mismatch, "{} has shape {}, but it must have that of {}: {}", tensor.name,
       to_string(tensor.view.shape()), whose, to_string(shape));
}

enum class Role { x, y, out };

// X, Y and their result: how each, and what is shaped like it, is stretched to the result.
class Stretch {
 public:
  Stretch(const Layout& x, const Layout& y, int axis)
      : x_(x), y_(y), axis_(axis), shape_(plan::broadcast(Broadcast::paddle, axis, x, y).shape) {}
  const Dims& shape() const { return shape_; }
  const Dims& shape_of(Role role) const {
    return role == Role::x ? x_.shape : role == Role::y ? y_.shape : shape_;
  }
  // With stride 0 where it is stretched.
  ConstView operator()(Role role, const ConstView& own) const {
    return ConstView(own.data(), stretched(role, own.layout()), own.offset());
  }

  // The sum of a term of stretched operands, with the shape of `role`.
  Tensor sum(Term term, Role role, std::span<const ConstView> operands) const {
    Tensor result = Tensor::uninitialized(operands[0].dtype(), shape_of(role));
    exec::sum_terms(term, operands, View(result.data(), stretched(role, result.layout())));
    return result;
  }
  template <class... Operands>
  Tensor sum(Term term, Role role, const Operands&... operands) const {
    const std::array<ConstView, sizeof...(operands)> all = {operands...};
    return sum(term, role, std::span<const ConstView>(all));
  }

  // The gradient of an operand, by its formula of stretched tensors.
  template <class Formula>
  Tensor gradient(Role role, const std::array<ConstView, kTensors>& tensors) const {
    using Sum = Summand<Formula>;
    std::vector<ConstView> operands;
    for (const std::size_t i : Sum::tensors) operands.push_back(tensors[i]);
    const bool is_summed = shape_of(role) != shape_;
    if (is_summed || !Sum::op) return sum(Sum::term, role, std::span<const ConstView>(operands));
    return operands.size() == 1 ? apply(*Sum::op, operands[0])
                                : apply(*Sum::op, operands[0], operands[1]);
  }

 private:
  Layout stretched(Role role, const Layout& own) const {
    if (role == Role::out) return own;
    const plan::Aligned aligned = role == Role::x
                                      ? plan::broadcast(Broadcast::paddle, axis_, own, y_)
                                      : plan::broadcast(Broadcast::paddle, axis_, x_, own);
    return {own.dtype, shape_, role == Role::x ? aligned.a_strides : aligned.b_strides};
  }

  const Layout& x_;
  const Layout& y_;
  int axis_;
  Dims shape_;
};

template <class Operator>
Gradients gradients(const ConstView& x, const ConstView& y, const ConstView& out,
                    const ConstView& dout, int axis) {
  require_floats({{"X", x}, {"Y", y}, {"Out", out}, {"dOut", dout}});
  dialect::paddle::require_broadcast(x.shape(), y.shape(), axis);
  const Stretch stretch(x.layout(), y.layout(), axis);
  require_shape({"dOut", dout}, stretch.shape(), "the result");  // which may be taken for Out, too
  require_shape({"Out", out}, stretch.shape(), "the result");
  using Formulas = decltype(Operator::gradient(op::ExprWorld{}, Arg<kDout>{}, Arg<kX>{}, Arg<kY>{},
                                               Arg<kOut>{}));
  const std::array<ConstView, kTensors> tensors = {dout, stretch(Role::x, x), stretch(Role::y, y),
                                                   out};
  return {stretch.gradient<std::tuple_element_t<0, Formulas>>(Role::x, tensors),
          stretch.gradient<std::tuple_element_t<1, Formulas>>(Role::y, tensors)};
}

}  // namespace

Gradients elementwise_add_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis) {
  return gradients<op::Add>(x, y, out, dout, axis);
}
Gradients elementwise_sub_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis) {
  return gradients<op::Sub>(x, y, out, dout, axis);
}
Gradients elementwise_mul_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis) {
  return gradients<op::Mul>(x, y, out, dout, axis);
}
Gradients elementwise_div_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis) {
  return gradients<op::Div>(x, y, out, dout, axis);
}

DoubleGradients elementwise_div_double_grad(const ConstView& y, const ConstView& out,
                                            const ConstView& dx,
                                            const std::optional<ConstView>& ddx,
                                            const std::optional<ConstView>& ddy, int axis) {
  // Zeros for what is not there: one element, stretched.
  const Tensor zero(y.dtype(), Dims{});
  const auto or_zero = [&](const std::optional<ConstView>& given, const Dims& shape) {
    return given
               ? *given
               : ConstView(zero.data(), Layout(zero.dtype(), shape, Dims::filled(shape.size(), 0)));
  };
  const ConstView vx = or_zero(ddx, out.shape());
  const ConstView vy = or_zero(ddy, y.shape());
  require_floats({{"Y", y}, {"Out", out}, {"dX", dx}, {"ddX", vx}, {"ddY", vy}});
  dialect::paddle::require_broadcast(out.shape(), y.shape(), axis);
  const Stretch stretch(out.layout(), y.layout(), axis);
  if (stretch.shape() != out.shape()) {
    fail(ErrorCode::shape_mismatch, "Out of shape {} is no result of a division by Y of shape {}",
         to_string(out.shape()), to_string(y.shape()));
  }
  require_shape({"dX", dx}, out.shape(), "Out (X must not have been stretched)");
  require_shape({"ddX", vx}, out.shape(), "Out (X must not have been stretched)");
  require_shape({"ddY", vy}, y.shape(), "Y");
  const ConstView divisor = stretch(Role::y, y);
  const ConstView wide = stretch(Role::y, vy);
  return {stretch.sum(Term::product_and_quotient, Role::y, dx, out, wide, vx, divisor),
          stretch.sum(Term::negative_product, Role::out, dx, wide),
          stretch.sum(Term::quotient_of_rest, Role::out, vx, out, wide, divisor)};
}

}  // namespace hadamard::paddle
