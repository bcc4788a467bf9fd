#include "num/complex_functions.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/float_env.hpp"

namespace hadamard::cx {
namespace {

// The oracle: the textbook's formulas with so many bits that no cancellation matters.
mpfr_prec_t oracle_bits = 4600;

class Number {
 public:
  Number() { mpfr_init2(value_, oracle_bits); }
  Number(double x) : Number() { mpfr_set_d(value_, x, MPFR_RNDN); }  // NOLINT: numbers convert
  Number(const Number& o) : Number() { mpfr_set(value_, o.value_, MPFR_RNDN); }
  Number& operator=(const Number& o) {
    mpfr_set(value_, o.value_, MPFR_RNDN);
    return *this;
  }
  ~Number() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};
#define HADAMARD_TEST_OPERATOR(symbol, function)             \
  Number operator symbol(const Number& a, const Number& b) { \
    Number y;                                                \
    function(y.get(), a.get(), b.get(), MPFR_RNDN);          \
    return y;                                                \
  }
HADAMARD_TEST_OPERATOR(+, mpfr_add)
HADAMARD_TEST_OPERATOR(-, mpfr_sub)
HADAMARD_TEST_OPERATOR(*, mpfr_mul)
HADAMARD_TEST_OPERATOR(/, mpfr_div)
#undef HADAMARD_TEST_OPERATOR
template <class F>
Number of(F function, const Number& a) {
  Number y;
  function(y.get(), a.get(), MPFR_RNDN);
  return y;
}

struct Pair {
  Number re, im;
};
Pair product(const Pair& x, const Pair& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
Pair quotient(const Pair& x, const Pair& y) {
  const Number norm = y.re * y.re + y.im * y.im;
  return {(x.re * y.re + x.im * y.im) / norm, (x.im * y.re - x.re * y.im) / norm};
}
Pair exponential(const Pair& z) {
  const Number size = of(mpfr_exp, z.re);
  return {size * of(mpfr_cos, z.im), size * of(mpfr_sin, z.im)};
}
Pair logarithm(const Pair& z) {
  Number angle;
  mpfr_atan2(angle.get(), z.im.get(), z.re.get(), MPFR_RNDN);
  return {of(mpfr_log, z.re * z.re + z.im * z.im) / 2, angle};
}
Number modulus(const Pair& z) { return of(mpfr_sqrt, z.re * z.re + z.im * z.im); }
Number log_two() { return of(mpfr_log, Number(2)); }

Pair reference(Function which, const Pair& z) {
  const Pair i_z{0 - z.im, z.re}, minus_i_z{z.im, 0 - z.re};
  switch (which) {
    case Function::sqrt: {
      Number re = of(mpfr_sqrt, (modulus(z) + z.re) / 2),
             im = of(mpfr_sqrt, (modulus(z) - z.re) / 2);
      if (mpfr_signbit(z.im.get()) != 0) im = 0 - im;
      return {re, im};
    }
    case Function::exp:
      return exponential(z);
    case Function::log:
      return logarithm(z);
    case Function::log2: {
      const Pair l = logarithm(z);
      return {l.re / log_two(), l.im / log_two()};
    }
    case Function::log10: {
      const Pair l = logarithm(z);
      return {l.re / of(mpfr_log, Number(10)), l.im / of(mpfr_log, Number(10))};
    }
    case Function::log1p:
      return logarithm({z.re + 1, z.im});
    case Function::expm1: {
      const Pair e = exponential(z);
      return {e.re - 1, e.im};
    }
    case Function::exp2:
      return exponential({z.re * log_two(), z.im * log_two()});
    case Function::sin: {  // (e^iz - e^-iz) / 2i
      const Pair u = exponential(i_z), v = exponential(minus_i_z);
      return {(u.im - v.im) / 2, (v.re - u.re) / 2};
    }
    case Function::cos: {
      const Pair u = exponential(i_z), v = exponential(minus_i_z);
      return {(u.re + v.re) / 2, (u.im + v.im) / 2};
    }
    case Function::tanh: {
      const Pair u = exponential(z), v = exponential({0 - z.re, 0 - z.im});
      return quotient({u.re - v.re, u.im - v.im}, {u.re + v.re, u.im + v.im});
    }
    case Function::sign:
      return {z.re / modulus(z), z.im / modulus(z)};
  }
  return z;
}

double to(double, const Number& x) { return mpfr_get_d(x.get(), MPFR_RNDN); }
float to(float, const Number& x) { return mpfr_get_flt(x.get(), MPFR_RNDN); }

constexpr Function kAll[] = {Function::sqrt, Function::exp,   Function::log,   Function::tanh,
                             Function::log2, Function::log10, Function::log1p, Function::expm1,
                             Function::exp2, Function::sin,   Function::cos,   Function::sign};

template <class F>
std::vector<std::complex<F>> operands() {
  using C = std::complex<F>;
  constexpr F kTiny = std::numeric_limits<F>::denorm_min(), kMin = std::numeric_limits<F>::min();
  constexpr F kMax = std::numeric_limits<F>::max(), kUlp = std::numeric_limits<F>::epsilon();
  std::vector<C> list{
      C(1, kTiny),
      C(-1, kTiny),
      C(-1, -kTiny),
      C(-4, kMin),
      C(-4, -kUlp),
      C(kTiny, kTiny),
      C(kMax, kMax),
      C(-kMax, kTiny),
      C(kMin, -kMax),
      C(F(0.6), F(0.8)),
      C(F(-0.8), F(0.6)),
      C(1, kUlp),
      C(1 - kUlp, kUlp),
      C(kUlp, 1),
      C(F(0.6), F(-0.8)),
      C(F(1.6), F(0.3)),
      C(kUlp, kUlp),
      C(-kUlp, kTiny),
      C(-1 + kUlp, kUlp),
      C(-2, kUlp),
      C(kUlp * kUlp / 2, kUlp),
      C(F(0.005), F(0.1)),
      C(F(0.0001), F(0.014142)),
      C(20, 1),
      C(-20, 1),
      C(0, F(1.5707964)),
      C(kUlp, F(1.5707964)),
      C(700, F(0.3)),
      C(-700, 2),
      C(88, 3),
      C(3, 1000000),
      C(3, F(1e20)),
      C(F(-1e-5), F(1e-9)),
      C(F(0.1), F(-50)),
  };
  std::mt19937_64 random(11);
  const auto part = [&random](int spread) {
    const double m = static_cast<double>(random() >> 11) * 0x1p-53 + 0.5;
    const int e = static_cast<int>(random() % static_cast<unsigned>(2 * spread + 1)) - spread;
    return static_cast<F>(std::ldexp(random() % 2 == 0 ? m : -m, e));
  };
  for (int i = 0; i < 60; ++i) list.emplace_back(part(2), part(2));
  for (int i = 0; i < 40; ++i) list.emplace_back(part(9), part(9));
  for (int i = 0; i < 30; ++i) list.emplace_back(part(120), part(120));
  for (int i = 0; i < 60; ++i) {  // near |z| = 1
    const double t = static_cast<double>(i) * 0.105;
    list.emplace_back(static_cast<F>(std::cos(t)), static_cast<F>(std::sin(t)));
  }
  return list;
}

template <class F>
class ComplexFunctions : public testing::Test {
 protected:
  void SetUp() override { oracle_bits = sizeof(F) == 4 ? 1000 : 4600; }

 private:
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision precision;
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(ComplexFunctions, Floats);

TYPED_TEST(ComplexFunctions, PartsAreTheTrueOnesRoundedOnce) {
  using F = TypeParam;
  for (const Function which : kAll) {
    for (const std::complex<F>& z : operands<F>()) {
      // The oracle's exponentials know no bounds; beyond these the results have none either.
      const bool has_exponential = which == Function::exp || which == Function::expm1 ||
                                   which == Function::exp2 || which == Function::tanh;
      const bool along = which == Function::sin || which == Function::cos;
      if ((has_exponential && std::fabs(z.real()) > 1500) ||
          (along && std::fabs(z.imag()) > 1500)) {
        continue;
      }
      // A part that is 0 or tiny beside a sum that its operand vanishes in is beyond the oracle's
      // bits.
      if (which == Function::tanh && std::fabs(z.real()) < 1e-300) continue;
      const Pair y = reference(which, {z.real(), z.imag()});
      const std::complex<F> got = function(which, z), precise = precise_function(which, z);
      EXPECT_EQ(got.real(), to(F{}, y.re)) << static_cast<int>(which) << z;
      EXPECT_EQ(got.imag(), to(F{}, y.im)) << static_cast<int>(which) << z;
      EXPECT_EQ(precise, got) << static_cast<int>(which) << z;
    }
  }
}

TYPED_TEST(ComplexFunctions, ZerosKeepTheirSigns) {
  using F = TypeParam;
  using C = std::complex<F>;
  const F zero = 0;
  for (const Function which : kAll) {
    for (const C& z : {C(zero, zero), C(zero, -zero), C(4, zero), C(4, -zero), C(-4, zero),
                       C(-4, -zero), C(zero, 2), C(-zero, -2)}) {
      const bool is_pole = z == C(0) && (which == Function::log || which == Function::log2 ||
                                         which == Function::log10);
      if (is_pole) continue;
      const C got = function(which, z), precise = precise_function(which, z);
      EXPECT_EQ(got, precise) << static_cast<int>(which) << z;
      EXPECT_EQ(std::signbit(got.real()), std::signbit(precise.real()))
          << static_cast<int>(which) << z;
      EXPECT_EQ(std::signbit(got.imag()), std::signbit(precise.imag()))
          << static_cast<int>(which) << z;
    }
  }
  EXPECT_EQ(function(Function::sqrt, C(-4, zero)), C(0, 2));
  EXPECT_EQ(function(Function::sqrt, C(-4, -zero)), C(0, -2));
  EXPECT_EQ(function(Function::log, C(-1, zero)), C(0, static_cast<F>(M_PIl)));
  EXPECT_EQ(function(Function::log, C(zero, zero)).real(), -std::numeric_limits<F>::infinity());
}

TYPED_TEST(ComplexFunctions, AreDefinedBeyondTheFloats) {
  using F = TypeParam;
  using C = std::complex<F>;
  constexpr F kMax = std::numeric_limits<F>::max(), kInf = std::numeric_limits<F>::infinity();
  EXPECT_EQ(function(Function::exp, C(kMax, 1)), C(kInf, kInf));
  EXPECT_EQ(function(Function::exp, C(kMax, 0)), C(kInf, 0));
  EXPECT_EQ(function(Function::exp, C(-kMax, 1)), C(0, 0));
  EXPECT_EQ(function(Function::tanh, C(kMax, 1)), C(1, 0));
  EXPECT_EQ(function(Function::tanh, C(-kMax, 1)), C(-1, 0));
  EXPECT_EQ(function(Function::sin, C(0, kMax)), C(0, kInf));
  EXPECT_EQ(function(Function::log, C(kInf, 1)), C(kInf, 0));
  EXPECT_EQ(function(Function::sqrt, C(-kInf, 1)), C(0, kInf));
  EXPECT_TRUE(std::isnan(function(Function::exp, C(1, kInf)).real()));
}

TYPED_TEST(ComplexFunctions, PowersAreWithinTheirBound) {
  using F = TypeParam;
  using C = std::complex<F>;
  const std::vector<C> exponents{C(F(0.5), 0), C(F(1) / 3, 0), C(2, 0),
                                 C(-3, 0),     C(7, 0),        C(F(1.5), F(-0.25)),
                                 C(0, 1),      C(F(-2.5), 3),  C(F(1e-8), F(1e-9)),
                                 C(64, 0),     C(1030, 0),     C(F(12.25), 0)};
  const std::vector<C> bases = operands<F>();
  for (std::size_t i = 0; i < bases.size(); i += 3) {
    const C& z = bases[i];
    for (const C& p : exponents) {
      const Pair l = logarithm({z.real(), z.imag()});
      const Pair exponent = product({p.real(), p.imag()}, l);
      // Of a result that has no room, what is beside it has no bound.
      if (std::fabs(mpfr_get_d(exponent.re.get(), MPFR_RNDN)) > (sizeof(F) == 4 ? 85 : 700))
        continue;
      const Pair y = exponential(exponent);
      const C got = power(z, p);
      const auto is_near = [&](F part, const Number& exact) {
        const F rounded = to(F{}, exact);
        if (part == rounded) return true;
        Number bound = modulus(y), distance = exact - Number(part);
        mpfr_div_2ui(bound.get(), bound.get(), 100, MPFR_RNDN);
        mpfr_abs(distance.get(), distance.get(), MPFR_RNDN);
        return mpfr_cmp(distance.get(), bound.get()) <= 0;
      };
      EXPECT_TRUE(is_near(got.real(), y.re)) << z << '^' << p << " is " << got;
      EXPECT_TRUE(is_near(got.imag(), y.im)) << z << '^' << p << " is " << got;
      EXPECT_EQ(precise_power(z, p), got) << z << '^' << p;
    }
  }
}

TYPED_TEST(ComplexFunctions, PowersThatAreRepresentableAreExact) {
  using F = TypeParam;
  using C = std::complex<F>;
  for (int a = -5; a <= 5; ++a) {
    for (int b = -5; b <= 5; ++b) {
      if (a == 0 && b == 0) continue;
      C exact = 1;
      for (int n = 1; n <= 8; ++n) {
        exact =
            C(exact.real() * F(a) - exact.imag() * F(b), exact.real() * F(b) + exact.imag() * F(a));
        EXPECT_EQ(power(C(F(a), F(b)), C(F(n), 0)), exact) << a << ' ' << b << ' ' << n;
      }
    }
  }
  EXPECT_EQ(power(C(-4, 0), C(F(0.5), 0)), C(0, 2));
  EXPECT_EQ(power(C(-4, 0), C(F(-0.5), 0)), C(0, F(-0.5)));
  EXPECT_EQ(power(C(-4, 0), C(F(1.5), 0)), C(0, -8));
  EXPECT_EQ(power(C(1, 1), C(-2, 0)), C(0, F(-0.5)));
  EXPECT_EQ(power(C(0, 0), C(0, 0)), C(1, 0));
  EXPECT_EQ(power(C(0, 0), C(2, 0)), C(0, 0));
}

TYPED_TEST(ComplexFunctions, HypotIsTheTrueOneRoundedOnce) {
  using F = TypeParam;
  const std::vector<std::complex<F>> list = operands<F>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const std::size_t j : {i, (i * 7 + 3) % list.size(), list.size() - 1 - i}) {
      const std::complex<F> x = list[i], y = list[j];
      const Number a(x.real()), b(x.imag()), c(y.real()), d(y.imag());
      const Number root = of(mpfr_sqrt, a * a + b * b + c * c + d * d);
      EXPECT_EQ(hypot(x, y), to(F{}, root)) << x << y;
      EXPECT_EQ(precise_hypot(x, y), to(F{}, root)) << x << y;
    }
  }
}

TYPED_TEST(ComplexFunctions, HypotDecidesInTheMiddle) {
  using F = TypeParam;
  using C = std::complex<F>;
  // The root of (2^n + 1)^2, in the middle between 2^n and 2^n + 2, and its neighbours.
  const bool is_float = sizeof(F) == 4;
  const F large = is_float ? F(0x1p24) : F(0x1p53), ulp = std::numeric_limits<F>::epsilon();
  const F p = is_float ? F(0x1p12) : F(0x1p27), q = is_float ? p : F(0);
  EXPECT_EQ(hypot(C(large, p), C(q, 1)), large);
  EXPECT_EQ(hypot(C(large, p), C(q, 1 - ulp)), large);
  EXPECT_EQ(hypot(C(large, p), C(q, 1 + ulp)), large + 2);
}

TYPED_TEST(ComplexFunctions, HypotBeyondTheFloats) {
  using F = TypeParam;
  using C = std::complex<F>;
  constexpr F kInf = std::numeric_limits<F>::infinity(), kMost = std::numeric_limits<F>::max();
  constexpr F kNaN = std::numeric_limits<F>::quiet_NaN();
  constexpr F kLeast = std::numeric_limits<F>::denorm_min();
  EXPECT_EQ(hypot(C(kNaN, 1), C(1, -kInf)), kInf);
  EXPECT_EQ(hypot(C(-kInf, kNaN), C(1, 1)), kInf);
  EXPECT_TRUE(std::isnan(hypot(C(kNaN, 1), C(1, 1))));
  EXPECT_EQ(hypot(C(kMost, kMost), C(0, 0)), kInf);
  EXPECT_EQ(hypot(C(kMost, 0), C(0, 1)), kMost);
  EXPECT_EQ(hypot(C(kLeast, kLeast), C(kLeast, kLeast)), 2 * kLeast);
  EXPECT_EQ(hypot(C(-F(0), F(0)), C(F(0), -F(0))), 0);
  EXPECT_FALSE(std::signbit(hypot(C(-F(0), -F(0)), C(-F(0), -F(0)))));
}

}  // namespace
}  // namespace hadamard::cx
