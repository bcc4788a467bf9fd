// For tests: elementary functions by their definitions, in many bits.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "num/precise_value.hpp"
#include "op/oracle.hpp"

namespace hadamard::op {

// x - floor(x/y) y, by its definition: in as many bits as the product may have.
inline void modulus_in_many_bits(mpfr_ptr z, mpfr_srcptr x, mpfr_srcptr y) {
  if (mpfr_number_p(x) == 0 || mpfr_nan_p(y) != 0 || mpfr_zero_p(y) != 0) {
    mpfr_set_nan(z);
    return;
  }
  const int sign = mpfr_signbit(y) != 0 ? -1 : 1;
  if (mpfr_inf_p(y) != 0) {
    mpfr_set(z, mpfr_zero_p(x) != 0 || mpfr_sgn(x) == sign ? x : y, MPFR_RNDN);
  } else if (mpfr_zero_p(x) != 0) {
    mpfr_set_zero(z, sign);
  } else {
    mpfr_t q;
    mpfr_init2(q, 4400);
    mpfr_div(q, x, y, MPFR_RNDD);
    mpfr_floor(q, q);
    mpfr_fms(z, q, y, x, MPFR_RNDN);
    mpfr_neg(z, z, MPFR_RNDN);
    mpfr_clear(q);
  }
  if (mpfr_zero_p(z) != 0) mpfr_set_zero(z, sign);
}

// By the definitions, with as many bits as they need; by the limit where that has no value.
inline void activation_in_many_bits(Op op, mpfr_ptr z, mpfr_ptr x) {
  const bool negative = mpfr_signbit(x) != 0;
  if (mpfr_nan_p(x) != 0) {
    mpfr_set_nan(z);
    return;
  }
  // Beyond 5000 they are what they are at 5000, or at the limit, or the operand.
  mpfr_t limited, more;
  const mpfr_exp_t zeros = mpfr_regular_p(x) != 0 ? std::max<mpfr_exp_t>(0, -mpfr_get_exp(x)) : 0;
  mpfr_init2(limited, 300);
  mpfr_init2(more, 400 + 2 * zeros);
  mpfr_set(limited, x, MPFR_RNDN);
  if (mpfr_cmp_si(x, 5000) > 0) mpfr_set_si(limited, 5000, MPFR_RNDN);
  if (mpfr_cmp_si(x, -5000) < 0) mpfr_set_si(limited, -5000, MPFR_RNDN);
  const bool beyond = mpfr_equal_p(limited, x) == 0;
  switch (op) {
    case Op::stanh:
      mpfr_set_str(z, "0.67", 10, MPFR_RNDN);
      mpfr_mul(z, z, limited, MPFR_RNDN);
      mpfr_tanh(z, z, MPFR_RNDN);
      mpfr_set_str(more, "1.7159", 10, MPFR_RNDN);
      mpfr_mul(z, z, more, MPFR_RNDN);
      break;
    case Op::swish:
      mpfr_neg(z, limited, MPFR_RNDN);
      mpfr_exp(z, z, MPFR_RNDN);
      mpfr_add_ui(z, z, 1, MPFR_RNDN);
      mpfr_div(z, negative ? limited : x, z, MPFR_RNDN);
      break;
    case Op::softsign:
      mpfr_abs(more, x, MPFR_RNDN);
      mpfr_add_ui(more, more, 1, MPFR_RNDN);
      mpfr_div(z, x, more, MPFR_RNDN);
      if (mpfr_inf_p(x) != 0) mpfr_set_si(z, negative ? -1 : 1, MPFR_RNDN);
      break;
    case Op::tanh_shrink:
      mpfr_tanh(more, limited, MPFR_RNDN);
      // Nearer to 1 than all of the bits can say: a little less will do.
      if (mpfr_cmpabs_ui(x, 64) > 0) mpfr_mul_d(more, more, 1 - 0x1p-53, MPFR_RNDN);
      mpfr_sub(z, x, more, MPFR_RNDN);
      if (mpfr_zero_p(x) != 0) mpfr_set(z, x, MPFR_RNDN);  // odd
      break;
    default: {  // log(1 + e^x), of -x, of x within bounds
      if (op == Op::logsigmoid) mpfr_neg(limited, limited, MPFR_RNDN);
      if (op == Op::soft_relu && mpfr_cmp_si(limited, 40) > 0) {
        mpfr_set_si(limited, 40, MPFR_RNDN);
      }
      if (op == Op::soft_relu && mpfr_cmp_si(limited, -40) < 0) {
        mpfr_set_si(limited, -40, MPFR_RNDN);
      }
      mpfr_exp(z, limited, MPFR_RNDN);
      mpfr_log1p(z, z, MPFR_RNDN);
      if (op == Op::softplus && beyond && !negative) mpfr_set(z, x, MPFR_RNDN);
      if (op == Op::logsigmoid && beyond && negative) mpfr_neg(z, x, MPFR_RNDN);
      if (op == Op::logsigmoid) mpfr_neg(z, z, MPFR_RNDN);
    }
  }
  mpfr_clears(limited, more, static_cast<mpfr_ptr>(nullptr));
}

// In 300 bits, with the bits that a double does not hold gathered in its last one, so that rounding
// again (to a format of at most 51 bits) does no harm. Shares nothing with the code under test but
// the library's functions in another precision.
inline double in_many_bits(Op op, double a, double b) {
  mpfr_t x, y, z;
  mpfr_inits2(300, x, y, z, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  switch (op) {
    case Op::sqrt:
      mpfr_sqrt(z, x, MPFR_RNDN);
      break;
    case Op::exp:
      mpfr_exp(z, x, MPFR_RNDN);
      break;
    case Op::log:
      mpfr_log(z, x, MPFR_RNDN);
      break;
    case Op::tanh:
      mpfr_tanh(z, x, MPFR_RNDN);
      break;
    case Op::sigmoid:
      mpfr_neg(z, x, MPFR_RNDN);
      mpfr_exp(z, z, MPFR_RNDN);
      mpfr_add_ui(z, z, 1, MPFR_RNDN);
      mpfr_ui_div(z, 1, z, MPFR_RNDN);
      break;
    case Op::elu:
      a > 0 ? mpfr_set(z, x, MPFR_RNDN) : mpfr_expm1(z, x, MPFR_RNDN);
      break;
    case Op::stanh:
    case Op::swish:
    case Op::soft_relu:
    case Op::logsigmoid:
    case Op::softsign:
    case Op::softplus:
    case Op::tanh_shrink:
      activation_in_many_bits(op, z, x);
      break;
    case Op::pow:
      mpfr_pow(z, x, y, MPFR_RNDN);
      break;
    case Op::expm1:
      mpfr_expm1(z, x, MPFR_RNDN);
      break;
    case Op::log1p:
      mpfr_log1p(z, x, MPFR_RNDN);
      break;
    case Op::log2:
      mpfr_log2(z, x, MPFR_RNDN);
      break;
    case Op::log10:
      mpfr_log10(z, x, MPFR_RNDN);
      break;
    case Op::exp2:
      mpfr_exp2(z, x, MPFR_RNDN);
      break;
    case Op::sin:
      mpfr_sin(z, x, MPFR_RNDN);
      break;
    case Op::cos:
      mpfr_cos(z, x, MPFR_RNDN);
      break;
    case Op::hypot:
      mpfr_hypot(z, x, y, MPFR_RNDN);
      break;
    case Op::atan2:
      mpfr_atan2(z, x, y, MPFR_RNDN);
      break;
    case Op::mod:
      modulus_in_many_bits(z, x, y);
      break;
    case Op::rem:
      mpfr_fmod(z, x, y, MPFR_RNDN);
      break;
    default: {
      // Without a definition of its own here: the record's formula. Whether that is the right one
      // is for .case files to say.
      with_op(op, [&](auto o) {
        using Operator = typename decltype(o)::type;
        using multiple_precision::Value;
        if constexpr (has_oracle<Operator> && arity_of<Operator> == 1) {
          const Value value = Operator::oracle(Value(a, 300));
          mpfr_set(z, value.number(), MPFR_RNDN);
        } else if constexpr (has_oracle<Operator>) {
          const Value value = Operator::oracle(Value(a, 300), Value(b, 300));
          mpfr_set(z, value.number(), MPFR_RNDN);
        }
      });
    }
  }
  double result = mpfr_get_d(z, MPFR_RNDZ);
  if (std::isfinite(result) && mpfr_cmp_d(z, result) != 0) {
    result = std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) | 1);
  }
  mpfr_clears(x, y, z, static_cast<mpfr_ptr>(nullptr));
  return result;
}

}  // namespace hadamard::op
