// What is behind a Real: a GMP rational. For the files of num that compute with GMP themselves.
#pragma once

#include <gmp.h>

#include <memory>

#include "hadamard/types.hpp"

namespace hadamard {

struct Real::Rep {
  Rep() noexcept { mpq_init(q); }
  Rep(const Rep& other) noexcept : Rep() { mpq_set(q, other.q); }
  Rep& operator=(const Rep&) = delete;
  ~Rep() { mpq_clear(q); }
  mpq_t q;
};

namespace detail {

using RepPtr = std::unique_ptr<Real::Rep>;
inline RepPtr new_rep() { return std::make_unique<Real::Rep>(); }
inline Real to_real(RepPtr rep) noexcept { return Real::adopt(rep.release()); }

// An integer of GMP that cleans up after itself.
class Integer {
 public:
  Integer() noexcept { mpz_init(z_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  ~Integer() { mpz_clear(z_); }
  operator mpz_ptr() noexcept { return z_; }           // NOLINT: stands where GMP wants one
  operator mpz_srcptr() const noexcept { return z_; }  // NOLINT

 private:
  mpz_t z_;
};

}  // namespace detail
}  // namespace hadamard
