// Oracles checked by another one: the wider types and the exact complex arithmetic against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "num/complex.hpp"
#include "support.hpp"
#include "wide_oracle.hpp"

namespace hadamard::difftest {
namespace {

// A number with more bits than any exact intermediate of ours has.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Number(mpfr_prec_t precision, double x) : Number(precision) { mpfr_set_d(value_, x, MPFR_RNDN); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  template <class F>
  F rounded() const {
    if constexpr (std::is_same_v<F, float>) {
      return mpfr_get_flt(value_, MPFR_RNDN);
    } else {
      return mpfr_get_d(value_, MPFR_RNDN);
    }
  }

 private:
  mpfr_t value_;
};

template <class F>
auto bits_of(F x) {
  return std::bit_cast<typename WideOracle<F>::Bits>(x);
}

// One operation in MPFR: exact, or rounded to so many bits that rounding again does no harm.
template <class F>
F by_mpfr(Op op, F a, F b) {
  static Number x(5000), y(5000), z(5000);
  mpfr_set_d(x.get(), a, MPFR_RNDN);
  mpfr_set_d(y.get(), b, MPFR_RNDN);
  switch (op) {
    case Op::add:
      mpfr_add(z.get(), x.get(), y.get(), MPFR_RNDN);
      break;
    case Op::sub:
      mpfr_sub(z.get(), x.get(), y.get(), MPFR_RNDN);
      break;
    case Op::mul:
      mpfr_mul(z.get(), x.get(), y.get(), MPFR_RNDN);
      break;
    case Op::div:
      mpfr_div(z.get(), x.get(), y.get(), MPFR_RNDN);
      break;
    default:
      ADD_FAILURE() << "no oracle for " << name(op);
  }
  const F result = z.rounded<F>();
  return std::isnan(result) ? WideOracle<F>::from_bits(WideOracle<F>::kNan) : result;
}

template <class F>
class Mpfr : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Mpfr, Floats);

// The wider type is wider: it keeps what the narrow one rounds away. (A compiler may, and did,
// compute the narrow operation instead where it can see that the result is the same.)
TYPED_TEST(Mpfr, TheWiderTypeIsWider) {
  using F = TypeParam;
  using Wide = typename WideOracle<F>::Wide;
  const F tiny = std::numeric_limits<F>::epsilon() / 8;
  ASSERT_EQ(F{1} + tiny, F{1});
  const Wide sum = wide_result<Wide>(Op::add, F{1}, tiny);
  EXPECT_TRUE(sum != Wide{1});
  EXPECT_TRUE(wide_result<Wide>(Op::sub, sum, F{1}) == Wide{tiny});
  const F third = F{1} / F{3};
  EXPECT_TRUE(wide_result<Wide>(Op::div, F{1}, F{3}) != Wide{third});
  EXPECT_TRUE(wide_result<Wide>(Op::mul, third, third) != Wide{third * third});
}

TYPED_TEST(Mpfr, AgreesWithTheWiderType) {
  using F = TypeParam;
  for_operations(DType::fp64, [&](Op op, IntDivision) {
    if (!has_wide_oracle(op)) return;
    PairSource<F> source(11);
    for (int i = 0; i < 100'000; ++i) {
      F a, b;
      source.next(op, a, b);
      ASSERT_EQ(bits_of(by_mpfr(op, a, b)), bits_of(WideOracle<F>::compute(op, a, b)))
          << name(op) << " " << a << " " << b;
    }
    const auto specials = special_bits(dtype_of<F>);
    for (const std::uint64_t x : specials) {
      for (const std::uint64_t y : specials) {
        const F a = WideOracle<F>::from_bits(x), b = WideOracle<F>::from_bits(y);
        ASSERT_EQ(bits_of(by_mpfr(op, a, b)), bits_of(WideOracle<F>::compute(op, a, b)))
            << name(op) << " " << a << " " << b;
      }
    }
  });
}

// Complex operands by kind: any bits, near one, cancelling, extreme exponents, subnormal.
template <class F>
void next_complex(PairSource<F>& source, Random& random, Op op, std::complex<F>& a,
                  std::complex<F>& b) {
  const auto finite = [&](F x) { return std::isfinite(x) ? x : F{1}; };
  F p, q, r, s;
  source.next(op, p, q);
  source.next(op, r, s);
  p = finite(p), q = finite(q), r = finite(r), s = finite(s);
  a = {p, r};
  b = {q, s};
  switch (random() % 8) {
    case 0:
      b = {p, -r};
      break;  // the conjugate
    case 1:
      b = a;
      break;
    case 2:
      b = {p, std::nextafter(r, F{0})};
      break;
    case 3:
      b = {r, p};
      break;  // the real part cancels
    case 4:
      b = {std::nextafter(r, F{0}), p};
      break;  // … nearly
    case 5:
      a = {p, F{0}};
      break;
    case 6:
      b = {random() % 2 == 0 ? F{0} : -F{0}, s};
      break;
    default:
      break;
  }
}

// x*y + sign*u*v, exactly.
void sum_of_products(Number& to, double x, double y, double sign, double u, double v) {
  static Number p(5000), q(5000), t(5000);
  mpfr_set_d(p.get(), x, MPFR_RNDN);
  mpfr_mul_d(p.get(), p.get(), y, MPFR_RNDN);
  mpfr_set_d(q.get(), u, MPFR_RNDN);
  mpfr_mul_d(q.get(), q.get(), v, MPFR_RNDN);
  const int inexact = sign > 0 ? mpfr_add(to.get(), p.get(), q.get(), MPFR_RNDN)
                               : mpfr_sub(to.get(), p.get(), q.get(), MPFR_RNDN);
  ASSERT_EQ(inexact, 0);
}

// Same value; a zero is compared without its sign, which MPFR's sums do not define as we do.
template <class F>
void expect_part(const Number& exact, F part, const char* what) {
  if (exact.is_zero()) {
    ASSERT_EQ(part, F{0}) << what;
  } else {
    ASSERT_EQ(bits_of(exact.rounded<F>()), bits_of(part)) << what << " " << part;
  }
}

TYPED_TEST(Mpfr, AgreesWithExactComplexArithmetic) {
  using F = TypeParam;
  PairSource<F> source(21);
  Random random(22);
  Number part(5000), norm(5000), quotient(10000);
  for (int i = 0; i < 20'000; ++i) {
    std::complex<F> a, b;
    next_complex(source, random, i % 2 == 0 ? Op::mul : Op::div, a, b);
    SCOPED_TRACE(testing::Message() << a << " " << b);
    const auto product = cx::exact_mul(a, b);
    sum_of_products(part, a.real(), b.real(), -1, a.imag(), b.imag());
    ASSERT_NO_FATAL_FAILURE(expect_part(part, product.real(), "real part of the product"));
    sum_of_products(part, a.real(), b.imag(), +1, a.imag(), b.real());
    ASSERT_NO_FATAL_FAILURE(expect_part(part, product.imag(), "imaginary part of the product"));
    if (b == std::complex<F>{}) continue;
    const auto ratio = cx::exact_div(a, b);
    sum_of_products(norm, b.real(), b.real(), +1, b.imag(), b.imag());
    // 10000 bits: more than twice what numerator and denominator have, so that no quotient that is
    // not a tie can look like one.
    sum_of_products(part, a.real(), b.real(), +1, a.imag(), b.imag());
    mpfr_div(quotient.get(), part.get(), norm.get(), MPFR_RNDN);
    ASSERT_NO_FATAL_FAILURE(expect_part(quotient, ratio.real(), "real part of the quotient"));
    sum_of_products(part, a.imag(), b.real(), -1, a.real(), b.imag());
    mpfr_div(quotient.get(), part.get(), norm.get(), MPFR_RNDN);
    ASSERT_NO_FATAL_FAILURE(expect_part(quotient, ratio.imag(), "imaginary part of the quotient"));
  }
}

template <class F>
bool same_bits(std::complex<F> a, std::complex<F> b) {
  return bits_of(a.real()) == bits_of(b.real()) && bits_of(a.imag()) == bits_of(b.imag());
}

// The quick arithmetic of the kernels gives what the exact one gives, zeros' signs and all.
TYPED_TEST(Mpfr, QuickComplexArithmeticIsTheExactOne) {
  using F = TypeParam;
  PairSource<F> source(31);
  Random random(32);
  for (int i = 0; i < 100'000; ++i) {
    std::complex<F> a, b;
    next_complex(source, random, i % 2 == 0 ? Op::mul : Op::div, a, b);
    ASSERT_TRUE(same_bits(cx::mul(a, b), cx::exact_mul(a, b))) << a << " * " << b;
    ASSERT_TRUE(same_bits(cx::div(a, b), cx::exact_div(a, b))) << a << " / " << b;
  }
  const auto specials = special_bits(dtype_of<F>);
  for (int i = 0; i < 100'000; ++i) {
    const auto part = [&] {
      return WideOracle<F>::from_bits(specials[random() % specials.size()]);
    };
    const std::complex<F> a{part(), part()}, b{part(), part()};
    ASSERT_TRUE(same_bits(cx::mul(a, b), cx::exact_mul(a, b))) << a << " * " << b;
    ASSERT_TRUE(same_bits(cx::div(a, b), cx::exact_div(a, b))) << a << " / " << b;
    for (const auto z : {cx::mul(a, b), cx::div(a, b)}) {
      for (const F x : {z.real(), z.imag()}) {
        if (std::isnan(x)) {
          ASSERT_EQ(bits_of(x), WideOracle<F>::kNan);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hadamard::difftest
