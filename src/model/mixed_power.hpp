// ONNX's Pow with an exponent of another type than the base: the result has the base's.
#pragma once

#include "bound/interval.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"

namespace hadamard::model {

// Floats to the power of integers or other floats, and integers to the power of integers: the
// exponent is cast. Integers to the power of floats: where the exponent is a whole number, the
// integer power, exact and modulo 2^n; elsewhere (infinities and NaN too) the power in fp64, cast.
// Throws type_mismatch for an exponent that the base's type, and for a base that fp64 where it is
// needed, does not hold exactly; zero_divisor as pow.
Tensor mixed_power(const ConstView& base, const ConstView& exponent, const Options& options);

// What results of integers to the power of floats lie in, before any wrap. `type` is the base's.
bound::Interval mixed_power_range(const bound::Interval& base, const bound::Interval& exponent,
                                  DType type);

}  // namespace hadamard::model
