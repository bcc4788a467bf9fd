// MATLAB: implicit expansion from the first dimension on, mixed types promoted. What is planned
// here is one step, of one type; the steps around it are in api/matlab.cpp.
#include "dialect/dialect.hpp"

namespace hadamard::dialect {
namespace {

constexpr DType kTypes[] = {DType::fp32,   DType::fp64,   DType::int8,      DType::int16,
                            DType::int32,  DType::int64,  DType::uint8,     DType::uint16,
                            DType::uint32, DType::uint64, DType::complex64, DType::complex128,
                            DType::bool_};

}  // namespace

const Rules& matlab_rules() {
  static const Rules rules{
      .id = Dialect::matlab,
      .broadcast = Broadcast::matlab,
      .int_division = IntDivision::trunc,
      .ops = OpSet::matlab,
      .types = kTypes,
      .requirement = [](Violation violation, Op, DType) {
        return std::string(violation == Violation::shape ? "MATLAB:sizeDimensionsMustMatch" : "");
      }};
  return rules;
}

}  // namespace hadamard::dialect
