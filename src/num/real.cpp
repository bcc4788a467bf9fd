// Real: an exact rational over GMP. Zero has no representation object, every other value is
// canonical.
#include <string>
#include <utility>

#include "base/fail.hpp"
#include "num/exact.hpp"
#include "num/number_scan.hpp"
#include "num/real_rep.hpp"

namespace hadamard {
namespace {

using detail::Integer;
using detail::new_rep;
using detail::RepPtr;
using detail::to_real;

static_assert(sizeof(long) == sizeof(std::int64_t), "GMP's mpz_set_si takes a long");

std::string integer_text(mpz_srcptr z, int base = 10) {
  std::string out(mpz_sizeinbase(z, base) + 2, '\0');  // a sign and the final zero byte
  mpz_get_str(out.data(), base, z);
  out.resize(out.find('\0'));
  return out;
}

// n / d to the nearest integer, half to even; d > 0.
void divide_half_even(mpz_ptr quotient, mpz_srcptr n, mpz_srcptr d) {
  Integer rest;
  mpz_fdiv_qr(quotient, rest, n, d);
  mpz_mul_2exp(rest, rest, 1);
  const int against_half = mpz_cmp(rest, d);
  if (against_half > 0 || (against_half == 0 && mpz_odd_p(quotient))) {
    mpz_add_ui(quotient, quotient, 1);
  }
}

}  // namespace

std::uint64_t exact::truncated_bits(const Real& value) {
  if (value.is_zero()) return 0;
  Integer whole;
  mpz_tdiv_q(whole, mpq_numref(value.rep()->q), mpq_denref(value.rep()->q));
  const std::uint64_t size = mpz_get_ui(whole);
  return value.sign() < 0 ? 0 - size : size;
}

Real exact::integer_of_hex(std::string_view digits) {
  RepPtr rep = new_rep();
  if (mpz_set_str(mpq_numref(rep->q), std::string(digits).c_str(), 16) != 0) {
    fail(ErrorCode::bad_literal, "'{}' has no digits of base 16", digits.substr(0, 40));
  }
  return to_real(std::move(rep));
}

exact::HexFraction exact::hex_of(const Real& value) {
  if (value.is_zero()) return {"0", "1"};
  return {integer_text(mpq_numref(value.rep()->q), 16),
          integer_text(mpq_denref(value.rep()->q), 16)};
}

Real::Real(const Real& other) : rep_(other.rep_ ? new Rep(*other.rep_) : nullptr) {}

Real& Real::operator=(const Real& other) {
  if (this != &other) *this = Real(other);
  return *this;
}

Real& Real::operator=(Real&& other) noexcept {
  std::swap(rep_, other.rep_);
  return *this;
}

Real::~Real() { delete rep_; }

Real Real::adopt(Rep* rep) noexcept {
  Real result;
  if (rep != nullptr && mpq_sgn(rep->q) == 0) {
    delete rep;
  } else {
    result.rep_ = rep;
  }
  return result;
}

Real::Real(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) fail(ErrorCode::zero_divisor, "the fraction {}/0 has no value", numerator);
  if (numerator == 0) return;
  RepPtr rep = new_rep();
  mpz_set_si(mpq_numref(rep->q), numerator);
  mpz_set_si(mpq_denref(rep->q), denominator);
  mpq_canonicalize(rep->q);
  rep_ = rep.release();
}

Real Real::from_unsigned(std::uint64_t value) {
  RepPtr rep = new_rep();
  mpz_set_ui(mpq_numref(rep->q), value);
  return to_real(std::move(rep));
}

Real Real::from_double(double value) {
  const std::uint64_t bits = exact::bits_of(value);
  if (!exact::is_finite(bits, kFp64)) {
    fail(ErrorCode::bad_argument, "{} is not a rational number",
         exact::is_nan(bits, kFp64) ? "NaN" : "an infinity");
  }
  return exact::value_of(bits, kFp64);
}

Real Real::parse(std::string_view text) {
  const text::Scanned scanned = text::scan(text);
  if (scanned.length == 0 || scanned.length != text.size()) {
    fail(ErrorCode::bad_literal,
         "{} is not a number: real expects an exact number such as -7, 6.1, 61/30 or 1.5e-3",
         text::in_quotes(text));
  }
  if (scanned.form != text::Scanned::Form::number) {
    fail(ErrorCode::bad_literal, "{} is not a rational number: real has no infinities and no NaN",
         text::in_quotes(text));
  }
  return text::exact_value(scanned, text);
}

std::string Real::to_string() const {
  if (is_zero()) return "0";
  std::string out = integer_text(mpq_numref(rep_->q));
  if (mpz_cmp_ui(mpq_denref(rep_->q), 1) != 0) out += '/' + integer_text(mpq_denref(rep_->q));
  return out;
}

std::string Real::to_decimal(int digits) const {
  constexpr int kMaxDigits = 1'000'000;
  if (digits < 0 || digits > kMaxDigits) {
    fail(ErrorCode::bad_argument, "{} decimals were asked for: 0 to {} are possible", digits,
         kMaxDigits);
  }
  const auto places = static_cast<std::size_t>(digits);
  Integer scaled;
  if (!is_zero()) {
    Integer n;
    mpz_ui_pow_ui(n, 10, places);
    mpz_mul(n, n, mpq_numref(rep_->q));
    divide_half_even(scaled, n, mpq_denref(rep_->q));
  }
  const bool negative = mpz_sgn(mpz_ptr{scaled}) < 0;  // what rounds to zero has no sign
  mpz_abs(scaled, scaled);
  std::string out = integer_text(scaled);
  if (out.size() <= places) out.insert(0, places + 1 - out.size(), '0');
  if (places > 0) out.insert(out.size() - places, 1, '.');
  return negative ? '-' + out : out;
}

double Real::to_double() const noexcept { return exact::round_to<double>(*this); }

int Real::sign() const noexcept { return rep_ == nullptr ? 0 : mpq_sgn(rep_->q); }

int Real::compare(const Real& a, const Real& b) noexcept {
  if (a.rep_ == nullptr || b.rep_ == nullptr) return a.sign() - b.sign();
  return mpq_cmp(a.rep_->q, b.rep_->q);
}

Real operator+(const Real& a, const Real& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  RepPtr rep = new_rep();
  mpq_add(rep->q, a.rep_->q, b.rep_->q);
  return to_real(std::move(rep));
}

Real operator-(const Real& a, const Real& b) {
  if (b.is_zero()) return a;
  RepPtr rep = new_rep();
  if (a.is_zero()) {
    mpq_neg(rep->q, b.rep_->q);
  } else {
    mpq_sub(rep->q, a.rep_->q, b.rep_->q);
  }
  return to_real(std::move(rep));
}

Real operator*(const Real& a, const Real& b) {
  if (a.is_zero() || b.is_zero()) return {};
  RepPtr rep = new_rep();
  mpq_mul(rep->q, a.rep_->q, b.rep_->q);
  return to_real(std::move(rep));
}

Real operator/(const Real& a, const Real& b) {
  if (b.is_zero()) fail(ErrorCode::zero_divisor, "an exact number was divided by zero");
  if (a.is_zero()) return {};
  RepPtr rep = new_rep();
  mpq_div(rep->q, a.rep_->q, b.rep_->q);
  return to_real(std::move(rep));
}

}  // namespace hadamard
