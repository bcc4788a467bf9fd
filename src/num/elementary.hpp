// Elementary functions of the floating-point types, correctly rounded to nearest even: the result
// is the float next to the true value, whatever the machine (docs/adr/0010).
//
// An estimate by the C library with more bits than the type has decides nearly always; where it is
// too near to the middle between two floats, multiple precision does. mod and rem need no estimate:
// the remainder is a float, and that of mod takes one addition more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "num/dtype.hpp"

namespace hadamard::elementary {

// X(id, arity)
#define HADAMARD_FUNCTIONS(X) \
  X(sqrt, 1)                  \
  X(exp, 1)                   \
  X(log, 1)                   \
  X(tanh, 1)                  \
  X(sigmoid, 1)               \
  X(pow, 2)                   \
  X(expm1, 1)                 \
  X(log1p, 1)                 \
  X(log2, 1)                  \
  X(log10, 1)                 \
  X(exp2, 1)                  \
  X(sin, 1)                   \
  X(cos, 1)                   \
  X(hypot, 2)                 \
  X(atan2, 2)                 \
  X(mod, 2)                   \
  X(rem, 2)                   \
  X(elu, 1)                   \
  X(stanh, 1)                 \
  X(swish, 1)                 \
  X(soft_relu, 1)             \
  X(logsigmoid, 1)            \
  X(softsign, 1)              \
  X(softplus, 1)              \
  X(tanh_shrink, 1)

enum class Function : std::uint8_t {
#define HADAMARD_FUNCTION_ENUM(id, arity) id,
  HADAMARD_FUNCTIONS(HADAMARD_FUNCTION_ENUM)
#undef HADAMARD_FUNCTION_ENUM
};

// By multiple precision alone: the oracle. A function of one operand does not look at `b`. T is a
// floating type. The result is canonical where it is NaN. Special values are those of IEEE 754 and
// of C (pow(x, 0) and pow(1, x) are 1 and hypot(inf, x) is inf even for NaN; atan2(a, b) is the
// angle of the point (b, a)), or limits (swish(-inf) is -0, softsign(inf) 1). mod(x, 0) and
// rem(x, 0) are NaN; a zero has the divisor's sign in mod, the dividend's in rem.
template <class T>
T by_multiple_precision(Function function, T a, T b);

// The true value to 256 bits, for a person who wants to see it; nothing where it is not finite.
struct Approximation {
  Real value;
  std::string digits;  // the first 40
};
std::optional<Approximation> approximation(Function function, double a, double b);

// The same value, fast. Needs the default floating-point environment (ScopedFloatEnv) and
// ScopedExtendedPrecision.
template <Function function, class T>
T rounded(T a, T b = {});

}  // namespace hadamard::elementary
