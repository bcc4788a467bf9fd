#include "num/rational.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "num/real_rep.hpp"

namespace hadamard::exact {
namespace {

using detail::Integer;

// How often a prime divides a number; what is left is in `rest`.
std::size_t count_factor(mpz_ptr rest, mpz_srcptr number, unsigned long prime) {
  Integer factor;
  mpz_set_ui(factor, prime);
  return mpz_remove(rest, number, factor);
}

}  // namespace

std::size_t significand_bits(const Real& value) {
  if (value.is_zero()) return 1;
  mpz_srcptr const denominator = mpq_denref(value.rep()->q);
  if (mpz_popcount(denominator) != 1) return 0;
  mpz_srcptr const numerator = mpq_numref(value.rep()->q);
  return mpz_sizeinbase(numerator, 2) - mpz_scan1(numerator, 0);
}

std::size_t size_in_bits(const Real& value) {
  if (value.is_zero()) return 1;
  return mpz_sizeinbase(mpq_numref(value.rep()->q), 2) +
         mpz_sizeinbase(mpq_denref(value.rep()->q), 2);
}

std::string decimal_or_fraction(const Real& value, int digits) {
  if (value.is_zero()) return "0";
  Integer rest;
  const std::size_t twos = count_factor(rest, mpq_denref(value.rep()->q), 2);
  const std::size_t fives = count_factor(rest, rest, 5);
  const std::size_t decimals = std::max(twos, fives);
  if (mpz_cmp_ui(mpz_srcptr{rest}, 1) != 0 || decimals > static_cast<std::size_t>(digits)) {
    return value.to_string();
  }
  return value.to_decimal(static_cast<int>(decimals));
}

void take_exact_root(double& base, Real& exponent) {
  if (exponent.is_zero()) return;
  mpz_srcptr const degree = mpq_denref(exponent.rep()->q);
  if (mpz_popcount(degree) == 1 || mpz_cmp_ui(degree, 2000) > 0) return;
  const auto q = static_cast<int>(mpz_get_ui(degree));
  int power = 0;
  const double fraction = std::frexp(base, &power);
  Integer significand, root;
  mpz_set_d(significand, std::ldexp(fraction, 53));
  const auto zeros = static_cast<int>(mpz_scan1(significand, 0));
  mpz_tdiv_q_2exp(significand, significand, static_cast<mp_bitcnt_t>(zeros));
  power += zeros - 53;
  if (power % q != 0 || mpz_root(root, significand, static_cast<unsigned long>(q)) == 0) return;
  base = std::ldexp(mpz_get_d(root), power / q);
  detail::RepPtr whole = detail::new_rep();
  mpz_set(mpq_numref(whole->q), mpq_numref(exponent.rep()->q));
  exponent = detail::to_real(std::move(whole));
}

}  // namespace hadamard::exact
