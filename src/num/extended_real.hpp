// Exact rationals with signed zeros, infinities and NaN, which follow IEEE 754: what a formula is
// worth before it is rounded.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "hadamard/types.hpp"
#include "num/exact.hpp"

namespace hadamard {

class ExtendedReal {
 public:
  explicit ExtendedReal(double value) : negative_(std::signbit(value)) {
    if (std::isfinite(value)) {
      value_ = Real::from_double(value);
    } else {
      form_ = std::isnan(value) ? Form::nan : Form::infinite;
    }
  }
  explicit ExtendedReal(Real value, bool negative_zero = false)
      : value_(std::move(value)), negative_(value_.is_zero() ? negative_zero : value_.sign() < 0) {}

  bool is_nan() const { return form_ == Form::nan; }
  bool is_infinite() const { return form_ == Form::infinite; }
  bool is_negative() const { return negative_; }  // -0 too
  bool is_zero() const { return form_ == Form::finite && value_.is_zero(); }
  const Real& value() const { return value_; }  // of a finite one

  // To nearest even, in the format, as a double.
  double rounded(FloatFormat format) const {
    const double sign = negative_ ? -1 : 1;
    if (is_nan()) return std::numeric_limits<double>::quiet_NaN();
    if (is_infinite()) return sign * std::numeric_limits<double>::infinity();
    if (is_zero()) return sign * 0.0;
    const std::uint64_t bits = exact::round_to(value_, format);
    if (exact::is_inf(bits, format)) return sign * std::numeric_limits<double>::infinity();
    return std::copysign(exact::value_of(bits, format).to_double(), sign);
  }

  friend ExtendedReal operator-(ExtendedReal a) {
    a.value_ = Real() - a.value_;
    a.negative_ = !a.negative_;
    return a;
  }
  friend ExtendedReal operator+(const ExtendedReal& a, const ExtendedReal& b) {
    if (a.is_nan() || b.is_nan()) return ExtendedReal(kNaN);
    if (a.is_infinite() && b.is_infinite() && a.negative_ != b.negative_) return ExtendedReal(kNaN);
    if (a.is_infinite()) return a;
    if (b.is_infinite()) return b;
    return ExtendedReal(a.value_ + b.value_, a.negative_ && b.negative_);
  }
  friend ExtendedReal operator*(const ExtendedReal& a, const ExtendedReal& b) {
    if (a.is_nan() || b.is_nan()) return ExtendedReal(kNaN);
    const bool negative = a.negative_ != b.negative_;
    if (a.is_infinite() || b.is_infinite()) {
      if (a.is_zero() || b.is_zero()) return ExtendedReal(kNaN);
      return ExtendedReal((negative ? -1 : 1) * std::numeric_limits<double>::infinity());
    }
    return ExtendedReal(a.value_ * b.value_, negative);
  }
  // False beside NaN.
  friend bool operator<(const ExtendedReal& a, const ExtendedReal& b) {
    if (a.is_nan() || b.is_nan()) return false;
    if (a.is_infinite()) return a.negative_ && !(b.is_infinite() && b.negative_);
    if (b.is_infinite()) return !b.negative_;
    return a.value_ < b.value_;
  }

 private:
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  enum class Form : std::uint8_t { finite, infinite, nan };
  Form form_ = Form::finite;
  Real value_;
  bool negative_;
};

// The arithmetic of such numbers, as op/*.hpp asks for it.
class ExtendedArithmetic {
 public:
  using N = ExtendedReal;
  static N zero(const N&) { return N(0.0); }
  static N one(const N&) { return N(1.0); }
  static N neg(const N& a) { return -a; }
  static N abs(const N& a) { return a.is_negative() ? -a : a; }
  static N mul(const N& a, const N& b) { return a * b; }
  static N add(const N& a, const N& b) { return a + b; }
  static N sub(const N& a, const N& b) { return a + -b; }
  static N max(const N& a, const N& b) {
    if (a.is_nan() || b.is_nan()) return a.is_nan() ? a : b;
    return a < b || (a.is_negative() && !(b < a)) ? b : a;
  }
  static N min(const N& a, const N& b) {
    if (a.is_nan() || b.is_nan()) return a.is_nan() ? a : b;
    return b < a || (b.is_negative() && !(a < b)) ? b : a;
  }
  static N if_at_most(const N& a, const N& b, const N& x, const N& y) {
    return a.is_nan() || b.is_nan() || b < a ? y : x;
  }
};

}  // namespace hadamard
