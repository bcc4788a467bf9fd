// Numbers of MPFR, and the library's state.
#pragma once

#include <mpfr.h>

#include "num/dtype.hpp"

namespace hadamard::multiple_precision {

class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }           // NOLINT: stands where the library wants one
  operator mpfr_srcptr() const { return value_; }  // NOLINT

 private:
  mpfr_t value_;
};

// The library's state for its lifetime: its widest range of exponents. It keeps range and flags per
// thread, and the caller may use the library too: both are put back. What the library keeps for a
// thread (log 2, pi) goes when the thread does.
class ScopedLibrary {
 public:
  ScopedLibrary();
  ~ScopedLibrary();
  ScopedLibrary(const ScopedLibrary&) = delete;
  ScopedLibrary& operator=(const ScopedLibrary&) = delete;

 private:
  mpfr_exp_t emin_, emax_;
  mpfr_flags_t flags_;
};

// `value`, which has the format's precision and was rounded in the direction `ternary`, in the
// format: with its largest and smallest numbers.
double settled(Number& value, int ternary, FloatFormat format);
// A number of any precision, to nearest even.
double rounded_to(FloatFormat format, mpfr_srcptr value);

}  // namespace hadamard::multiple_precision
