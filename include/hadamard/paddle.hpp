// Paddle's element-wise operators, as fluid 1.8 has them, and their gradients.
//
//   #include <hadamard/paddle.hpp>
//   namespace paddle = hadamard::paddle;
//   auto z = paddle::elementwise_div(x, y, {.axis = 1, .act = "relu", .name = "z"});
//   z.value;                                               // the tensor
//   z.name;                                                // "z.tmp_1"
//   auto [dx, dy] = paddle::elementwise_div_grad(x, y, z.value, dout, 1);
//
// The same through the general calls: hadamard::div(x, y, {.dialect = Dialect::paddle, .axis = 1,
// .then = Op::relu}).
//
// Shapes. The operand of lower rank begins at dimension `axis` of the other (-1: so that both end
// together), ones fill it up, and extents of 1 stretch both ways. Trailing ones of it that would
// hang over are dropped. Equal shapes ignore the axis.
// Types. fp32, fp64, int32, int64; fp16, bf16, int8, int16, uint8 too. Both operands and the result
// have one. Integers divide by truncation and wrap; floats are correctly rounded.
//
// Everything here throws hadamard::Error in Paddle's words: shape_mismatch ("Broadcast dimension
// mismatch. …"), bad_argument ("Axis should be less than …", an unknown activation),
// type_mismatch, unsupported_type, zero_divisor ("Integer division by zero encountered in divide.
// Please check.").
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/hadamard.hpp"

namespace hadamard::paddle {

// Levels of detail: of each level the offsets where its sequences begin, and where the last ends.
using LoD = std::vector<std::vector<std::int64_t>>;

struct Attributes {
  int axis = -1;
  // Applied to each result, in the same pass over memory: relu, tanh, sigmoid, elu, relu6, pow,
  // stanh, hard_sigmoid, swish, leaky_relu, brelu, soft_relu, thresholded_relu, logsigmoid,
  // hard_shrink, softsign, softplus, tanh_shrink, softshrink, exp; or any other operator with one
  // operand. Attributes are exact decimals, "leaky_relu(alpha=0.2)"; those that are not named are
  // those that Paddle gives them. Floats only.
  std::string_view act{};
  std::string_view name{};  // a prefix; empty: "elementwise_div_0" and so on
};

// What an operator returns.
struct Variable {
  std::string name;  // "elementwise_div_0.tmp_0"; with an activation it ends in tmp_1, as in fluid
  Tensor value;
  LoD lod;                                      // that of X
  operator ConstView() const { return value; }  // NOLINT: a variable is its value
};

// X: a tensor, a view, or a variable whose LoD the result takes over. Refers to what it is made of.
class Input {
 public:
  Input(const Variable& variable) : view_(variable.value), lod_(&variable.lod) {}  // NOLINT
  Input(const ConstView& view, const LoD& lod) : view_(view), lod_(&lod) {}
  template <class T>
  requires std::convertible_to<const T&, ConstView> Input(const T& tensor)  // NOLINT
      : view_(tensor) {}
  const ConstView& view() const noexcept { return view_; }
  const LoD* lod() const noexcept { return lod_; }

 private:
  ConstView view_;
  const LoD* lod_ = nullptr;
};

// Any operator with two operands that Paddle has a name for.
Variable elementwise(Op op, const Input& x, const ConstView& y, const Attributes& attributes = {});

inline Variable elementwise_add(const Input& x, const ConstView& y, const Attributes& a = {}) {
  return elementwise(Op::add, x, y, a);
}
inline Variable elementwise_sub(const Input& x, const ConstView& y, const Attributes& a = {}) {
  return elementwise(Op::sub, x, y, a);
}
inline Variable elementwise_mul(const Input& x, const ConstView& y, const Attributes& a = {}) {
  return elementwise(Op::mul, x, y, a);
}
inline Variable elementwise_div(const Input& x, const ConstView& y, const Attributes& a = {}) {
  return elementwise(Op::div, x, y, a);
}

// Gradients: with `dout` that of the result, those of X and Y, each with the shape of its operand
// (summed over the dimensions in which it was stretched). `axis` as it was for the operator,
// without an activation. fp16, bf16, fp32 and fp64.
//
//          dX              dY
//   add    dOut            dOut
//   sub    dOut            -dOut
//   mul    dOut Y          dOut X
//   div    dOut / Y        -dOut Out / Y
//
// Computed with at least twice the precision of the type and rounded once: a result that is the sum
// of n terms t differs from the true sum s of the true terms by at most u |s| + n 2^-50 sum|t|, of
// fp64 u |s| + n^2 2^-100 sum|t| (u is half a unit in the last place of 1: 2^-11, 2^-8, 2^-24,
// 2^-53), where nothing over- or underflows. The order of the additions follows from the shapes
// alone: results do not depend on threads, strides or the machine.
struct Gradients {
  Tensor dx;
  Tensor dy;
};
Gradients elementwise_add_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis = -1);
Gradients elementwise_sub_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis = -1);
Gradients elementwise_mul_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis = -1);
Gradients elementwise_div_grad(const ConstView& x, const ConstView& y, const ConstView& out,
                               const ConstView& dout, int axis = -1);

// The gradient of elementwise_div_grad: with `ddx` and `ddy` the gradients of dX and dY (nothing
// stands for zeros), those of Y, Out and dOut.
//
//   dY     dX (Out ddY - ddX) / Y, summed to the shape of Y
//   dOut   -dX ddY
//   ddOut  (ddX - Out ddY) / Y
//
// As in Paddle, `dx` and `ddx` have the shape of Out: X must not have been stretched. Bounds as
// above, with sum|t| the sum of |dX Out ddY / Y| + |dX ddX / Y|, of ddOut |ddX / Y| + |Out ddY /
// Y|.
struct DoubleGradients {
  Tensor dy;
  Tensor dout;
  Tensor ddout;
};
DoubleGradients elementwise_div_double_grad(const ConstView& y, const ConstView& out,
                                            const ConstView& dx,
                                            const std::optional<ConstView>& ddx,
                                            const std::optional<ConstView>& ddy, int axis = -1);

// The operator that an activation's name stands for; nothing for a name that Paddle does not have.
std::optional<Op> activation(std::string_view name) noexcept;

// "KEY_0", then "KEY_1", …: what fluid names its variables by. Counted for the whole process.
std::string unique_name(std::string_view key);
// Begins to count anew.
void reset_unique_names();

}  // namespace hadamard::paddle
