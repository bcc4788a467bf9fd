// SONNX, the safety-related profile of ONNX: same shapes, same types, integers divide by floor.
#include <fmt/format.h>

#include "dialect/dialect.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"

namespace hadamard::dialect {
namespace {

std::string_view family(DType type) {
  switch (kind(type)) {
    case Kind::exact:
      return "REAL";
    case Kind::floating:
      return "FLOAT";
    default:
      return "INT";
  }
}

// The constraint of the operator's specification that says so. Where a document has no constraint
// of that kind for the family, its restriction; where it has neither, the signature.
std::string_view clause(Violation violation, Op op, DType type) {
  const Kind k = kind(type);
  switch (violation) {
    case Violation::shape:
      return "C1";
    case Violation::type:
      if (k == Kind::exact) return "SIGNATURE";
      return k == Kind::floating ? op::sonnx_document(op).same_floats : "C2";
    case Violation::zero_divisor:
      return k == Kind::exact ? "C2" : "C3";
    case Violation::unsupported_type:
    case Violation::unsupported_op:
      break;
  }
  return "TYPES";
}

// For operators that the profile has no document for.
std::string_view general_restriction(Violation violation) {
  switch (violation) {
    case Violation::shape:
      return "SONNX-R1";
    case Violation::zero_divisor:
      return "SONNX-R3";
    default:
      return "SONNX-R2";
  }
}

std::string requirement(Violation violation, Op op, DType type) {
  if (violation == Violation::unsupported_op) return "SONNX-OPERATORS";
  if (violation != Violation::unsupported_type && !op::sonnx_document(op).exists) {
    return std::string(general_restriction(violation));
  }
  const std::string_view name = op::names(op).id;
  if (violation == Violation::unsupported_type) return requirement_id("SONNX", name, "TYPES");
  return requirement_id("SONNX", name,
                        fmt::format("{}-{}", family(type), clause(violation, op, type)));
}

constexpr DType kTypes[] = {DType::real,   DType::fp16,   DType::bf16,  DType::fp32,
                            DType::fp64,   DType::int4,   DType::int8,  DType::int16,
                            DType::int32,  DType::int64,  DType::uint4, DType::uint8,
                            DType::uint16, DType::uint32, DType::uint64};

}  // namespace

const Rules& sonnx() {
  static const Rules rules{.id = Dialect::sonnx,
                           .broadcast = Broadcast::none,
                           .int_division = IntDivision::floor,
                           .ops = OpSet::onnx,
                           .types = kTypes,
                           .requirement = requirement};
  return rules;
}

}  // namespace hadamard::dialect
