// ONNX itself: NumPy broadcasting, integers divide by truncation.
#include "dialect/dialect.hpp"
#include "num/dtype.hpp"

namespace hadamard::dialect {
namespace {

bool has_type(DType type) noexcept {
  const Kind k = kind(type);
  return k == Kind::floating || k == Kind::integer;
}

}  // namespace

const Rules& onnx() {
  static const Rules rules{.id = Dialect::onnx,
                           .broadcast = Broadcast::numpy,
                           .int_division = IntDivision::trunc,
                           .has_type = has_type,
                           .types = "fp16 to fp64, bf16 and the integers",
                           .requirement = [](Violation, Op, DType) { return std::string(); }};
  return rules;
}

}  // namespace hadamard::dialect
