// Mistakes that others have made, planted behind the runner: the cases must turn each of them red.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "api/prepared.hpp"
#include "conform/case_run.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "tensor/element.hpp"

namespace hadamard::conform {
namespace {

// How many cases fail with this way to compute.
std::size_t failures(const decltype(Subject::compute)& compute) {
  const std::vector<Case> cases = read_cases(HADAMARD_CASES);
  const Subject subject{"mutant", compute};
  return run_cases(cases, std::span(&subject, 1)).failures.size();
}

// The right result with each float's bits passed through `f(bits, format)`.
template <class F>
auto with_bits(F f) {
  return [f](Op op, const Tensor& a, const Tensor& b, const Options& options) {
    Tensor y = apply_watched(op, a, b, options);
    with_type(y.dtype(), [&](auto t) {
      using T = typename decltype(t)::type;
      if constexpr (Element<T>::kKind == Kind::floating) {
        for (std::int64_t i = 0; i < y.count(); ++i) {
          const std::uint64_t bits = exact::bits_of(load_element<T>(y.data(), i));
          store_element(y.data(), i, exact::from_bits<T>(f(bits, Element<T>::kFormat)));
        }
      }
    });
    return y;
  };
}

// The right result, except that elements of type T (operands of one shape) are f(a, b).
template <class T, class F>
auto with_elements(Op mutated, F f) {
  return [mutated, f](Op op, const Tensor& a, const Tensor& b, const Options& options) {
    Tensor y = apply_watched(op, a, b, options);
    if (op != mutated || y.dtype() != dtype_of<T> || a.shape() != b.shape()) return y;
    for (std::int64_t i = 0; i < y.count(); ++i) {
      store_element(y.data(), i,
                    f(load_element<T>(a.data(), i), load_element<T>(b.data(), i),
                      load_element<T>(y.data(), i)));
    }
    return y;
  };
}

TEST(Mutants, NoneIsRed) {
  EXPECT_EQ(failures([](Op op, const Tensor& a, const Tensor& b, const Options& options) {
              return apply_watched(op, a, b, options);
            }),
            0u);
}

TEST(Mutants, SwappedOperands) {
  EXPECT_GT(failures([](Op op, const Tensor& a, const Tensor& b, const Options& options) {
              return apply_watched(op, b, a, options);
            }),
            0u);
}

TEST(Mutants, FlushToZero) {
  EXPECT_GT(failures(with_bits([](std::uint64_t bits, FloatFormat format) {
              return exact::is_subnormal(bits, format) ? bits & format.sign_bit() : bits;
            })),
            0u);
}

TEST(Mutants, LostNegativeZero) {
  EXPECT_GT(failures(with_bits([](std::uint64_t bits, FloatFormat format) {
              return bits == format.sign_bit() ? 0 : bits;
            })),
            0u);
}

TEST(Mutants, UnsignedInfinity) {
  EXPECT_GT(failures(with_bits([](std::uint64_t bits, FloatFormat format) {
              return exact::is_inf(bits, format) ? format.infinity() : bits;
            })),
            0u);
}

TEST(Mutants, NegativeNaN) {
  EXPECT_GT(failures(with_bits([](std::uint64_t bits, FloatFormat format) {
              return exact::is_nan(bits, format) ? bits | format.sign_bit() : bits;
            })),
            0u);
}

TEST(Mutants, ReciprocalMultiply) {
  EXPECT_GT(failures(with_elements<float>(
                Op::div, [](float a, float b, float y) { return b != 0 ? a * (1 / b) : y; })),
            0u);
  EXPECT_GT(failures(with_elements<double>(
                Op::div, [](double a, double b, double y) { return b != 0 ? a * (1 / b) : y; })),
            0u);
}

TEST(Mutants, TruncatingBf16) {
  const auto truncated = [](bfloat16 a, bfloat16 b, bfloat16 y) {
    const double quotient = static_cast<double>(a) / static_cast<double>(b);
    const auto wide = static_cast<float>(quotient);
    if (!std::isfinite(wide)) return y;
    return bfloat16::from_bits(static_cast<std::uint16_t>(exact::bits_of(wide) >> 16));
  };
  EXPECT_GT(failures(with_elements<bfloat16>(Op::div, truncated)), 0u);
}

TEST(Mutants, TruncatedOrSaturatedIntegers) {
  EXPECT_GT(failures([](Op op, const Tensor& a, const Tensor& b, Options options) {
              if (options.dialect == Dialect::sonnx) options.int_division = IntDivision::trunc;
              return apply_watched(op, a, b, options);
            }),
            0u);
  const auto saturated = [](std::int8_t a, std::int8_t b, std::int8_t) {
    return static_cast<std::int8_t>(std::clamp(a - b, -128, 127));
  };
  EXPECT_GT(failures(with_elements<std::int8_t>(Op::sub, saturated)), 0u);
}

TEST(Mutants, DivisionOfWideIntegersThroughDouble) {
  const auto through_double = [](std::int64_t a, std::int64_t b, std::int64_t y) {
    const double quotient = std::floor(static_cast<double>(a) / static_cast<double>(b));
    return std::fabs(quotient) < 0x1p63 ? static_cast<std::int64_t>(quotient) : y;
  };
  EXPECT_GT(failures(with_elements<std::int64_t>(Op::div, through_double)), 0u);
}

TEST(Mutants, AnotherPlaceOfTheZeroDivisor) {
  EXPECT_GT(failures([](Op op, const Tensor& a, const Tensor& b, const Options& options) {
              try {
                return apply_watched(op, a, b, options);
              } catch (const Error& error) {
                std::string what = error.what();
                const auto at = what.find("index (1)");
                if (at != std::string::npos) what.replace(at, 9, "index (0)");
                throw Error(error.code(), what, error.requirement());
              }
            }),
            0u);
}

}  // namespace
}  // namespace hadamard::conform
