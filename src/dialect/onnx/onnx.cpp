// ONNX itself: NumPy broadcasting, integers divide by truncation.
#include "dialect/dialect.hpp"

namespace hadamard::dialect {
namespace {

constexpr DType kTypes[] = {DType::fp16,  DType::bf16,   DType::fp32,   DType::fp64,  DType::int4,
                            DType::int8,  DType::int16,  DType::int32,  DType::int64, DType::uint4,
                            DType::uint8, DType::uint16, DType::uint32, DType::uint64};

}  // namespace

const Rules& onnx() {
  static const Rules rules{.id = Dialect::onnx,
                           .broadcast = Broadcast::numpy,
                           .int_division = IntDivision::trunc,
                           .ops = OpSet::onnx,
                           .types = kTypes,
                           .requirement = [](Violation, Op, DType) { return std::string(); }};
  return rules;
}

}  // namespace hadamard::dialect
