// float16 and bfloat16 from and to double, on the bits: no floating-point instruction is executed,
// so that the caller's rounding mode, FTZ and DAZ cannot matter.
#include <algorithm>
#include <bit>

#include "num/dtype.hpp"

namespace hadamard {
namespace {

constexpr int kDoubleFraction = kFp64.precision - 1;

constexpr std::uint16_t narrow(double value, FloatFormat format) {
  const auto wide = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = wide & ~kFp64.sign_bit();
  const std::uint64_t sign = magnitude == wide ? 0 : format.sign_bit();
  if (magnitude > kFp64.infinity()) return static_cast<std::uint16_t>(format.canonical_nan());

  const int field = static_cast<int>(magnitude >> kDoubleFraction);
  const int exponent = field - kFp64.bias();
  if (exponent > format.max_exponent()) {
    return static_cast<std::uint16_t>(sign | format.infinity());
  }
  const int scale = std::max(exponent, format.min_exponent());
  const int dropped = scale - exponent + kFp64.precision - format.precision;
  // All of the significand is below half of the last place: zero. (So are double's own subnormals.)
  if (dropped > kFp64.precision) return static_cast<std::uint16_t>(sign);

  const std::uint64_t significand =
      (magnitude & kFp64.mantissa_mask()) | (kFp64.mantissa_mask() + 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = significand & (2 * half - 1);
  std::uint64_t kept = significand >> dropped;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  // The hidden bit of `kept` adds one to the exponent field, and so does a carry out of it: a
  // subnormal becomes normal and the largest number infinity without a case of their own.
  const auto base = static_cast<std::uint64_t>(scale + format.bias() - 1) << (format.precision - 1);
  return static_cast<std::uint16_t>(sign | (base + kept));
}

constexpr double widen(std::uint16_t narrow_bits, FloatFormat format) {
  const std::uint64_t magnitude = narrow_bits & ~format.sign_bit();
  const std::uint64_t sign = magnitude == narrow_bits ? 0 : kFp64.sign_bit();
  if (magnitude > format.infinity()) return std::bit_cast<double>(kFp64.canonical_nan());
  if (magnitude == format.infinity()) return std::bit_cast<double>(sign | kFp64.infinity());
  if (magnitude == 0) return std::bit_cast<double>(sign);

  const int fraction = format.precision - 1;
  const int field = static_cast<int>(magnitude >> fraction);
  std::uint64_t significand = magnitude & format.mantissa_mask();
  int exponent = format.min_exponent();
  if (field != 0) {
    significand |= format.mantissa_mask() + 1;
    exponent = field - format.bias();
  } else {
    const int shift = format.precision - std::bit_width(significand);
    significand <<= shift;
    exponent -= shift;
  }
  const auto base = static_cast<std::uint64_t>(exponent + kFp64.bias() - 1) << kDoubleFraction;
  return std::bit_cast<double>(sign | (base + (significand << (kDoubleFraction - fraction))));
}

}  // namespace

float16::float16(double value) noexcept : bits(narrow(value, kFp16)) {}
float16::operator double() const noexcept { return widen(bits, kFp16); }

bfloat16::bfloat16(double value) noexcept : bits(narrow(value, kBf16)) {}
bfloat16::operator double() const noexcept { return widen(bits, kBf16); }

}  // namespace hadamard
