// An oracle for 16-bit floats in exact integers: sign, mantissa and exponent are taken apart, the
// result is computed exactly (or with a sticky bit far below the last place) and rounded once to
// nearest even. No floating-point operation, and no code of src/.
#pragma once

#include <cstdint>
#include <vector>

namespace half_oracle {

// A format of 16 bits: precision with the hidden bit, and the exponent of the smallest subnormal's
// bit.
struct Fp16 {
  static constexpr int kPrecision = 11;
  static constexpr int kLowest = -24;
  static constexpr std::uint32_t kInf = 0x7C00;
  static constexpr std::uint16_t kNan = 0x7E00;
  static constexpr const char* kName = "fp16";
};
struct Bf16 {
  static constexpr int kPrecision = 8;
  static constexpr int kLowest = -133;
  static constexpr std::uint32_t kInf = 0x7F80;
  static constexpr std::uint16_t kNan = 0x7FC0;
  static constexpr const char* kName = "bf16";
};

enum class Class : std::uint8_t { zero, finite, infinite, nan };

// (-1)^sign * mantissa * 2^exponent; a finite mantissa is normalized to kPrecision bits.
struct Parts {
  std::int32_t exponent;
  std::uint16_t mantissa;
  bool sign;
  Class kind;
};

template <class F>
Parts decode(std::uint16_t bits) {
  const std::uint32_t size = bits & 0x7FFFU;
  const bool sign = bits >> 15 != 0;
  if (size > F::kInf) return {0, 0, sign, Class::nan};
  if (size == F::kInf) return {0, 0, sign, Class::infinite};
  if (size == 0) return {0, 0, sign, Class::zero};
  const std::uint32_t hidden = 1U << (F::kPrecision - 1);
  const auto field = static_cast<std::int32_t>(size >> (F::kPrecision - 1));
  std::uint32_t mantissa = size & (hidden - 1);
  std::int32_t exponent = F::kLowest;
  if (field != 0) {
    mantissa += hidden;
    exponent += field - 1;
  }
  while (mantissa < hidden) {
    mantissa *= 2;
    --exponent;
  }
  return {exponent, static_cast<std::uint16_t>(mantissa), sign, Class::finite};
}

template <class F>
const std::vector<Parts>& table() {
  static const std::vector<Parts> parts = [] {
    std::vector<Parts> all;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      all.push_back(decode<F>(static_cast<std::uint16_t>(bits)));
    }
    return all;
  }();
  return parts;
}

// The nearest number to size * 2^exponent, ties to even. `size` is not 0 and below 2^62; its last
// bit may stand for everything below it, if it has at least two bits more than the result keeps.
template <class F>
std::uint16_t round(bool sign, std::uint64_t size, int exponent) {
  const int length = 64 - __builtin_clzll(size);
  const int wanted = exponent + length - F::kPrecision;
  const int last = wanted > F::kLowest ? wanted : F::kLowest;  // exponent of the result's last bit
  const int shift = last - exponent;
  std::uint64_t kept;
  if (shift <= 0) {
    kept = size << -shift;
  } else {
    const int by = shift < 63 ? shift : 63;
    const std::uint64_t half = std::uint64_t{1} << (by - 1);
    const std::uint64_t rest = size & (2 * half - 1);
    kept = size >> by;
    kept += static_cast<std::uint64_t>(rest > half) |
            (static_cast<std::uint64_t>(rest == half) & (kept & 1));
  }
  // The hidden bit, or a carry, counts the exponent field up by one.
  std::uint64_t bits =
      (static_cast<std::uint64_t>(last - F::kLowest) << (F::kPrecision - 1)) + kept;
  bits = bits < F::kInf ? bits : F::kInf;
  return static_cast<std::uint16_t>(bits | (sign ? 0x8000U : 0U));
}

inline std::uint16_t zero(bool sign) { return sign ? 0x8000 : 0; }
template <class F>
std::uint16_t infinity(bool sign) {
  return static_cast<std::uint16_t>(F::kInf | (sign ? 0x8000U : 0U));
}

template <class F>
std::uint16_t add(const Parts& a, const Parts& b) {
  if (a.kind == Class::finite && b.kind == Class::finite) {
    const bool swap = b.exponent > a.exponent;
    const Parts& big = swap ? b : a;
    const Parts& small = swap ? a : b;
    constexpr int kGuard = 32;  // more than two precisions: beyond it only stickiness matters
    const int distance = big.exponent - small.exponent;
    const std::int64_t high = std::int64_t{big.mantissa} << kGuard;
    std::int64_t low = 1;  // sticky: not zero, and less than half of the last place of any result
    if (distance <= kGuard) low = std::int64_t{small.mantissa} << (kGuard - distance);
    const std::int64_t sum = (big.sign ? -high : high) + (small.sign ? -low : low);
    if (sum == 0) return 0;  // exact cancellation: +0 in round to nearest
    return round<F>(sum < 0, static_cast<std::uint64_t>(sum < 0 ? -sum : sum),
                    big.exponent - kGuard);
  }
  if (a.kind == Class::nan || b.kind == Class::nan) return F::kNan;
  if (a.kind == Class::infinite && b.kind == Class::infinite) {
    return a.sign == b.sign ? infinity<F>(a.sign) : F::kNan;
  }
  if (a.kind == Class::infinite) return infinity<F>(a.sign);
  if (b.kind == Class::infinite) return infinity<F>(b.sign);
  if (a.kind == Class::zero && b.kind == Class::zero) return zero(a.sign && b.sign);
  const Parts& finite = a.kind == Class::zero ? b : a;
  return round<F>(finite.sign, finite.mantissa, finite.exponent);
}

template <class F>
std::uint16_t sub(const Parts& a, const Parts& b) {
  Parts negated = b;
  negated.sign = !b.sign;
  return add<F>(a, negated);
}

template <class F>
std::uint16_t mul(const Parts& a, const Parts& b) {
  const bool sign = a.sign != b.sign;
  if (a.kind == Class::finite && b.kind == Class::finite) {
    return round<F>(sign, std::uint64_t{a.mantissa} * b.mantissa, a.exponent + b.exponent);
  }
  if (a.kind == Class::nan || b.kind == Class::nan) return F::kNan;
  const bool any_zero = a.kind == Class::zero || b.kind == Class::zero;
  const bool any_inf = a.kind == Class::infinite || b.kind == Class::infinite;
  if (any_zero && any_inf) return F::kNan;
  return any_inf ? infinity<F>(sign) : zero(sign);
}

template <class F>
std::uint16_t div(const Parts& a, const Parts& b) {
  const bool sign = a.sign != b.sign;
  if (a.kind == Class::finite && b.kind == Class::finite) {
    constexpr int kMore = F::kPrecision + 4;
    const std::uint32_t dividend = std::uint32_t{a.mantissa} << kMore;
    const std::uint32_t quotient = dividend / b.mantissa;
    const std::uint32_t sticky = quotient * b.mantissa != dividend ? 1 : 0;
    return round<F>(sign, 2 * std::uint64_t{quotient} + sticky,
                    a.exponent - b.exponent - kMore - 1);
  }
  if (a.kind == Class::nan || b.kind == Class::nan) return F::kNan;
  if (a.kind == Class::infinite) return b.kind == Class::infinite ? F::kNan : infinity<F>(sign);
  if (b.kind == Class::zero) return a.kind == Class::zero ? F::kNan : infinity<F>(sign);
  return zero(sign);
}

// Whether the oracle itself gives answers that are known by hand; prints those that it does not.
bool knows_its_own_mind();

}  // namespace half_oracle
