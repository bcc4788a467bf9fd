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

}  // namespace hadamard::multiple_precision
