#include "num/multiple_precision.hpp"

namespace hadamard::multiple_precision {
namespace {

struct ThreadCaches {
  bool in_use = false;
  ~ThreadCaches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};
thread_local ThreadCaches thread_caches;

}  // namespace

ScopedLibrary::ScopedLibrary()
    : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()), flags_(mpfr_flags_save()) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  thread_caches.in_use = true;
}
ScopedLibrary::~ScopedLibrary() {
  mpfr_set_emin(emin_);
  mpfr_set_emax(emax_);
  mpfr_flags_restore(flags_, MPFR_FLAGS_ALL);
}

double settled(Number& value, int ternary, FloatFormat format) {
  const ScopedLibrary state;
  mpfr_set_emin(format.min_exponent() - format.precision + 2);  // significands are in [1/2, 1)
  mpfr_set_emax(format.max_exponent() + 1);
  ternary = mpfr_check_range(value, ternary, MPFR_RNDN);
  mpfr_subnormalize(value, ternary, MPFR_RNDN);
  return mpfr_get_d(value, MPFR_RNDN);
}

double rounded_to(FloatFormat format, mpfr_srcptr value) {
  Number result(format.precision);
  const int ternary = mpfr_set(result, value, MPFR_RNDN);
  return settled(result, ternary, format);
}

}  // namespace hadamard::multiple_precision
