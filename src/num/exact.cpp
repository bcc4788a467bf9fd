#include "num/exact.hpp"

#include <algorithm>

#include "num/real_rep.hpp"

namespace hadamard::exact {
namespace {

using detail::Integer;

std::uint64_t magnitude(std::uint64_t bits, FloatFormat format) {
  return bits & ~format.sign_bit();
}

// floor(log2(|value|)) of a value that is not zero.
std::int64_t binary_exponent(const Real& value) {
  mpz_srcptr n = mpq_numref(value.rep()->q);
  mpz_srcptr d = mpq_denref(value.rep()->q);
  const auto e = static_cast<std::int64_t>(mpz_sizeinbase(n, 2)) -
                 static_cast<std::int64_t>(mpz_sizeinbase(d, 2));
  // 2^(e-1) < |value| < 2^(e+1): one comparison with 2^e decides.
  Integer scaled;
  if (e >= 0) {
    mpz_mul_2exp(scaled, d, static_cast<mp_bitcnt_t>(e));
    return mpz_cmpabs(n, scaled) >= 0 ? e : e - 1;
  }
  mpz_mul_2exp(scaled, n, static_cast<mp_bitcnt_t>(-e));
  return mpz_cmpabs(scaled, d) >= 0 ? e : e - 1;
}

// |value| / 2^last_place to the nearest integer, ties to even. The quotient must fit.
std::uint64_t rounded_quotient(const Real& value, std::int64_t last_place) {
  Integer n;
  Integer d;
  mpz_abs(n, mpq_numref(value.rep()->q));
  mpz_set(d, mpq_denref(value.rep()->q));
  if (last_place >= 0) {
    mpz_mul_2exp(d, d, static_cast<mp_bitcnt_t>(last_place));
  } else {
    mpz_mul_2exp(n, n, static_cast<mp_bitcnt_t>(-last_place));
  }
  Integer quotient;
  Integer rest;
  mpz_tdiv_qr(quotient, rest, n, d);
  mpz_mul_2exp(rest, rest, 1);
  const int against_half = mpz_cmp(rest, d);
  std::uint64_t result = mpz_get_ui(quotient);
  if (against_half > 0 || (against_half == 0 && (result & 1) != 0)) ++result;
  return result;
}

}  // namespace

bool is_nan(std::uint64_t bits, FloatFormat format) noexcept {
  return magnitude(bits, format) > format.infinity();
}
bool is_inf(std::uint64_t bits, FloatFormat format) noexcept {
  return magnitude(bits, format) == format.infinity();
}
bool is_finite(std::uint64_t bits, FloatFormat format) noexcept {
  return magnitude(bits, format) < format.infinity();
}
bool is_subnormal(std::uint64_t bits, FloatFormat format) noexcept {
  const std::uint64_t m = magnitude(bits, format);
  return m != 0 && m <= format.mantissa_mask();
}

Real value_of(std::uint64_t bits, FloatFormat format) {
  const std::uint64_t m = magnitude(bits, format);
  if (m == 0) return {};
  const int field = static_cast<int>(m >> (format.precision - 1));
  std::uint64_t significand = m & format.mantissa_mask();
  if (field != 0) significand |= format.mantissa_mask() + 1;
  const int last_place = std::max(field, 1) - format.bias() - (format.precision - 1);

  detail::RepPtr rep = detail::new_rep();
  mpz_set_ui(mpq_numref(rep->q), significand);
  if (m != bits) mpq_neg(rep->q, rep->q);
  if (last_place >= 0) {
    mpq_mul_2exp(rep->q, rep->q, static_cast<mp_bitcnt_t>(last_place));
  } else {
    mpq_div_2exp(rep->q, rep->q, static_cast<mp_bitcnt_t>(-last_place));
  }
  return detail::to_real(std::move(rep));
}

std::uint64_t round_to(const Real& value, FloatFormat format) {
  if (value.is_zero()) return 0;
  const std::uint64_t sign = value.sign() < 0 ? format.sign_bit() : 0;
  const std::int64_t exponent = binary_exponent(value);
  if (exponent > format.max_exponent()) return sign | format.infinity();
  // Below half of the smallest subnormal. Also keeps the shift below from growing with the value.
  if (exponent < format.min_exponent() - format.precision) return sign;

  const std::int64_t scale = std::max<std::int64_t>(exponent, format.min_exponent());
  const std::uint64_t kept = rounded_quotient(value, scale - (format.precision - 1));
  // The hidden bit of `kept`, and a carry out of it, count up the exponent field.
  const auto base = static_cast<std::uint64_t>(scale + format.bias() - 1) << (format.precision - 1);
  return sign | (base + kept);
}

Real ulp_of(const Real& value, FloatFormat format) {
  std::int64_t scale = format.min_exponent();
  if (!value.is_zero()) scale = std::max(scale, binary_exponent(value));
  const std::int64_t last_place = scale - (format.precision - 1);
  detail::RepPtr rep = detail::new_rep();
  mpq_set_ui(rep->q, 1, 1);
  if (last_place >= 0) {
    mpq_mul_2exp(rep->q, rep->q, static_cast<mp_bitcnt_t>(last_place));
  } else {
    mpq_div_2exp(rep->q, rep->q, static_cast<mp_bitcnt_t>(-last_place));
  }
  return detail::to_real(std::move(rep));
}

std::uint64_t ulp_distance(std::uint64_t a, std::uint64_t b, FloatFormat format) noexcept {
  if (is_nan(a, format) || is_nan(b, format)) {
    return is_nan(a, format) && is_nan(b, format) ? 0 : ~std::uint64_t{0};
  }
  const std::uint64_t ma = magnitude(a, format);
  const std::uint64_t mb = magnitude(b, format);
  const bool same_sign = (ma == a) == (mb == b);
  if (!same_sign) return ma + mb;
  return ma > mb ? ma - mb : mb - ma;
}

}  // namespace hadamard::exact
