// The gamma function.
#pragma once

namespace hadamard {

// Correctly rounded to nearest even, for float and double. gamma(n + 1) is n!, exact up to 22! in
// double and 13! in float. Of the poles, ±0 are ±infinity and negative whole numbers +infinity, as
// in MATLAB; gamma(-inf) is NaN. Needs the default floating-point environment (ScopedFloatEnv) and
// ScopedExtendedPrecision.
template <class F>
F gamma(F x);

}  // namespace hadamard
