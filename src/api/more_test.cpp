// cast, where and clip.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "op/cast.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

template <class F>
void expect_error(ErrorCode code, const std::string& part, F f) {
  try {
    f();
    ADD_FAILURE() << "no error: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// --- What a conversion must give, by exact arithmetic -------------------------------------------

// A number of any type; apart from its type, so that not every pair of types is a template.
struct Number {
  Real value;
  bool nan = false, infinite = false, negative = false;  // the sign also of a zero
  bool is_float = false;
  std::uint64_t bits = 0;  // of an integer, extended to 64 by its sign
};

template <class T>
Number number_of(const T& x) {
  Number n;
  if constexpr (Element<T>::kKind == Kind::floating) {
    const auto d = static_cast<double>(x);
    n.is_float = true;
    n.nan = std::isnan(d);
    n.infinite = std::isinf(d);
    n.negative = std::signbit(d);
    if (std::isfinite(d)) n.value = exact::value_of(x);
  } else if constexpr (is_packed<T>) {
    n.bits = static_cast<std::uint64_t>(x.value);
    n.value = Real(x.value);
  } else {
    n.bits = static_cast<std::uint64_t>(x);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      n.value = Real::from_unsigned(x);
    } else {
      n.value = Real(static_cast<std::int64_t>(x));
    }
  }
  return n;
}

// Towards zero.
Real whole_part(const Real& x) {
  const std::string text = x.sign() < 0 ? (Real() - x).to_string() : x.to_string();
  const auto slash = text.find('/');
  if (slash == std::string::npos) return x;
  // floor(p/q) by doubling: exact, and shares nothing with the code under test.
  const Real size = x.sign() < 0 ? Real() - x : x;
  Real whole, step(1);
  while (step <= size) step = step + step;
  for (; step >= Real(1); step = step / Real(2)) {
    if (whole + step <= size) whole = whole + step;
  }
  return x.sign() < 0 ? Real() - whole : whole;
}

template <class T>
std::uint64_t bits_of(const T& x) {
  if constexpr (is_packed<T>) {
    return static_cast<std::uint64_t>(x.value);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return bits;
  }
}

template <class To>
To expected(const Number& x) {
  constexpr Kind kTo = Element<To>::kKind;
  if constexpr (kTo == Kind::boolean) {
    return x.nan || x.infinite || !x.value.is_zero();
  } else if constexpr (kTo == Kind::floating) {
    constexpr FloatFormat kFormat = Element<To>::kFormat;
    const std::uint64_t sign = x.negative ? kFormat.sign_bit() : 0;
    if (x.nan) return exact::from_bits<To>(kFormat.canonical_nan());
    if (x.infinite) return exact::from_bits<To>(kFormat.infinity() | sign);
    if (x.value.is_zero()) return exact::from_bits<To>(sign);
    return exact::round_to<To>(x.value);
  } else {
    if (!x.is_float) return To(x.bits);
    if (x.nan) return To(0);
    const Real low(Element<To>::kMin), high = Real::from_unsigned(Element<To>::kMax);
    const Real whole = x.infinite ? (x.negative ? low : high) : whole_part(x.value);
    if (whole <= low) return To(Element<To>::kMin);
    if (whole >= high) return To(Element<To>::kMax);
    const bool below = whole < Real(0);
    const std::uint64_t size = std::stoull((below ? Real() - whole : whole).to_string());
    return To(below ? 0 - size : size);
  }
}

constexpr double kSpecials[] = {0.0,
                                -0.0,
                                0.5,
                                -0.5,
                                0.999,
                                1.0,
                                -1.0,
                                1.5,
                                2.5,
                                -7.9,
                                7.0,
                                7.5,
                                8.0,
                                -8.0,
                                -8.5,
                                -9.0,
                                15.5,
                                16.0,
                                127.5,
                                128.0,
                                -128.9,
                                -129.0,
                                255.99,
                                256.0,
                                32767.5,
                                65504.0,
                                65520.0,
                                2147483647.0,
                                2147483648.0,
                                4294967296.0,
                                9223372036854775807.0,
                                9223372036854774784.0,
                                -9223372036854775808.0,
                                18446744073709551615.0,
                                18446744073709549568.0,
                                1e300,
                                -1e300,
                                1e-310,
                                1e-45,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                0.1,
                                1.0 / 3};

template <class T>
std::vector<T> operands() {
  std::mt19937_64 random(5);
  std::vector<T> values;
  if constexpr (Element<T>::kKind == Kind::floating) {
    for (const double x : kSpecials) {
      values.push_back(T(x));
    }
    for (int i = 0; i < 300; ++i) values.push_back(exact::from_bits<T>(random()));
  } else if constexpr (std::is_same_v<T, bool>) {
    values = {false, true};
  } else {
    for (int shift = 0; shift < Element<T>::kBits; ++shift) {
      for (int i = 0; i < 12; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << shift;
        values.push_back(T(bit));
        values.push_back(T(bit - 1));
        values.push_back(T(0 - bit));
        values.push_back(T(bit + (random() & (bit - 1))));
        values.push_back(T(0 - (bit + (random() & (bit - 1)))));
      }
    }
  }
  return values;
}

template <class T>
inline constexpr bool is_real_number =
    Element<T>::kKind != Kind::exact&& Element<T>::kKind != Kind::complex;

void check_cast(const Tensor& from, const std::vector<Number>& numbers, DType type) {
  with_type(type, [&](auto t) {
    using To = typename decltype(t)::type;
    if constexpr (is_real_number<To>) {
      const Tensor to = cast(from, type);
      ASSERT_EQ(to.dtype(), type);
      ASSERT_EQ(to.shape(), from.shape());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(bits_of(to.at<To>({static_cast<std::int64_t>(i)})),
                  bits_of(expected<To>(numbers[i])))
            << name(from.dtype()) << " to " << name(type) << ", operand " << i;
      }
    }
  });
}

// Half a unit of bf16 above 2^62, and a last bit that a double cannot hold, which decides.
TEST(Cast, RoundsWideIntegersOnce) {
  constexpr std::int64_t kHalf = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  const Tensor a = Tensor::from({kHalf - 1, kHalf, kHalf + 1, -kHalf - 1}, {4});
  const auto y = cast(cast(a, DType::bf16), DType::fp64).to_vector<double>();
  EXPECT_EQ(y, (std::vector<double>{0x1p62, 0x1p62, 0x1p62 + 0x1p55, -0x1p62 - 0x1p55}));
}

TEST(Cast, EveryPairOfTypes) {
  for (int f = 0; f < kTypeCount; ++f) {
    with_type(static_cast<DType>(f), [&](auto t) {
      using From = typename decltype(t)::type;
      if constexpr (is_real_number<From>) {
        const std::vector<From> values = operands<From>();
        Tensor from(dtype_of<From>, Dims{static_cast<std::int64_t>(values.size())});
        std::vector<Number> numbers;
        for (std::size_t i = 0; i < values.size(); ++i) {
          from.set<From>({static_cast<std::int64_t>(i)}, values[i]);
          numbers.push_back(number_of(From(values[i])));
        }
        for (int to = 0; to < kTypeCount; ++to) {
          ASSERT_NO_FATAL_FAILURE(check_cast(from, numbers, static_cast<DType>(to)));
        }
      }
    });
  }
}

TEST(Cast, ComplexNumbers) {
  const auto z = Tensor::from<std::complex<double>>({{1.1, -2.5}}, {1});
  EXPECT_EQ(cast(z, DType::complex64).at<std::complex<float>>({0}),
            std::complex<float>(1.1f, -2.5f));
  const auto x = Tensor::from<std::int32_t>({-3}, {1});
  EXPECT_EQ(cast(x, DType::complex128).at<std::complex<double>>({0}), std::complex<double>(-3, 0));
  expect_error(ErrorCode::unsupported_type, "no conversion of complex128 to fp64",
               [&] { cast(z, DType::fp64); });
  expect_error(ErrorCode::unsupported_type, "no conversion of complex128 to real",
               [&] { cast(z, DType::real); });
  EXPECT_EQ(cast(Tensor::scalar(Real(1, 3)), DType::complex64).at<std::complex<float>>({}),
            std::complex<float>(1.0f / 3, 0));
}

TEST(Cast, ExactNumbersToEveryType) {
  const Real half(1, 2), huge = Real::parse("1e400"), tie = Real(1) + Real(1, 256);  // of bf16
  std::vector<Real> values = {Real(),         Real(1, 3),     Real(-7),     Real(-1, 3),
                              half,           Real(-7, 2),    Real(255, 2), huge,
                              Real(0) - huge, Real(1) / huge, tie,          tie + Real(1) / huge};
  for (const std::int64_t edge : {127L, 128L, 255L, 256L, 65504L, 65520L}) {
    for (const Real& off : {Real(0) - half, Real(), half}) {
      values.push_back(Real(edge) + off);
      values.push_back(Real(-edge) + off);
    }
  }
  std::vector<Number> numbers;
  for (const Real& value : values) {
    numbers.push_back(Number{.value = value, .negative = value < Real(), .is_float = true});
  }
  const Tensor from = Tensor::from(values, {static_cast<std::int64_t>(values.size())});
  EXPECT_EQ(cast(from, DType::real).to_vector<Real>(), values);
  for (int to = 0; to < kTypeCount; ++to) {
    ASSERT_NO_FATAL_FAILURE(check_cast(from, numbers, static_cast<DType>(to)));
  }
}

TEST(Cast, EveryTypeToExactNumbers) {
  for (int f = 0; f < kTypeCount; ++f) {
    with_type(static_cast<DType>(f), [&](auto t) {
      using From = typename decltype(t)::type;
      if constexpr (is_real_number<From>) {
        Tensor from(dtype_of<From>, Dims{2});
        for (const From value : operands<From>()) {
          const Number number = number_of(value);
          from.set<From>({1}, value);
          if (number.nan || number.infinite) {
            expect_error(ErrorCode::bad_argument, "the element at index (1) is ",
                         [&] { cast(from, DType::real); });
          } else {
            ASSERT_EQ(cast(from, DType::real).template at<Real>({1}), number.value);
          }
        }
      }
    });
  }
}

TEST(Cast, AnyLayout) {
  Tensor a(DType::int16, Dims{3, 5});
  for (std::int64_t i = 0; i < 15; ++i)
    a.set<std::int16_t>({i / 5, i % 5}, static_cast<std::int16_t>(i));
  const Tensor t = cast(a.view().transposed(), DType::int4, Order::column_major);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(t.at<int4>({i % 5, i / 5}).value, int4(i).value);
  EXPECT_EQ(cast(Tensor::scalar(2.5f), DType::int8).at<std::int8_t>({}), 2);
  EXPECT_EQ(cast(Tensor(DType::fp32, Dims{0, 3}), DType::int8).shape(), (Dims{0, 3}));
  Tensor large(DType::uint8, Dims{300'001});
  for (std::int64_t i = 0; i < large.count(); ++i) {
    large.set<std::uint8_t>({i}, static_cast<std::uint8_t>(i * 7 % 16));
  }
  const Tensor packed = cast(large, DType::uint4);
  for (std::int64_t i = 0; i < large.count(); ++i) {
    ASSERT_EQ(int{packed.at<uint4>({i}).value}, i * 7 % 16);
  }
}

TEST(Where, ChoosesByElement) {
  const auto c = Tensor::from<bool>({true, false, true}, {3});
  const auto a = Tensor::from({1.0, 2.0, 3.0}, {3}), b = Tensor::from({-1.0, -2.0, -3.0}, {3});
  EXPECT_EQ(where(c, a, b).to_vector<double>(), (std::vector<double>{1, -2, 3}));
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<DType>(i);
    const Tensor zeros(type, Dims{3}), y = where(c, zeros, zeros);
    EXPECT_EQ(y.dtype(), type);
    EXPECT_EQ(y.shape(), (Dims{3}));
  }
}

TEST(Where, Broadcasts) {
  const auto c = Tensor::from<bool>({true, false}, {2, 1});
  const auto a = Tensor::from<std::int32_t>({1, 2, 3}, {3});
  const auto b = Tensor::scalar<std::int32_t>(9);
  EXPECT_EQ(where(c, a, b).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{1, 2, 3, 9, 9, 9}));
  expect_error(ErrorCode::shape_mismatch,
               "[SONNX-R1: ", [&] { where(c, a, b, {.dialect = Dialect::sonnx}); });
  expect_error(ErrorCode::shape_mismatch,
               "the operands of where have shapes A (2,1), B (3) and C (4), which do not broadcast",
               [&] { where(c, a, Tensor(DType::int32, Dims{4})); });
}

TEST(Where, RefusesOtherTypes) {
  const auto c = Tensor::from<bool>({true}, {1});
  const Tensor a(DType::int32, Dims{1}), b(DType::int64, Dims{1});
  expect_error(ErrorCode::type_mismatch, "int32 and int64", [&] { where(c, a, b); });
  expect_error(ErrorCode::type_mismatch, "the condition of where must be bool, got int32",
               [&] { where(a, a, a); });
}

TEST(Clip, KeepsBetween) {
  const auto a = Tensor::from({-5.0, -0.0, 0.5, 7.0, static_cast<double>(NAN)}, {5});
  const Tensor y = clip(a, Tensor::scalar(0.0), Tensor::scalar(1.0));
  EXPECT_EQ(y.at<double>({0}), 0.0);
  EXPECT_FALSE(std::signbit(y.at<double>({1})));
  EXPECT_EQ(y.at<double>({2}), 0.5);
  EXPECT_EQ(y.at<double>({3}), 1.0);
  EXPECT_TRUE(std::isnan(y.at<double>({4})));
  // The upper bound wins.
  EXPECT_EQ(clip(a, Tensor::scalar(3.0), Tensor::scalar(1.0)).at<double>({0}), 1.0);
  const auto high = Tensor::from({1.0, 2.0}, {2, 1});
  EXPECT_EQ(clip(a, Tensor::scalar(0.0), high).shape(), (Dims{2, 5}));
}

TEST(Arity, IsChecked) {
  const Tensor a(DType::fp32, Dims{2});
  Tensor y = a;
  expect_error(ErrorCode::bad_argument, "neg expects 1 operand, got 2",
               [&] { apply(Op::neg, a, a); });
  expect_error(ErrorCode::bad_argument, "add expects 2 operands, got 1",
               [&] { apply(Op::add, a); });
  expect_error(ErrorCode::bad_argument, "expects 2", [&] { apply_into(Op::add, y.view(), a); });
  expect_error(ErrorCode::bad_argument, "expects 1", [&] { apply_into(Op::neg, y.view(), a, a); });
  expect_error(ErrorCode::bad_argument, "expects 1",
               [&] { result_layout(Op::neg, a.layout(), a.layout()); });
  const Prepared one = prepare(Op::neg, a.layout(), y.layout());
  expect_error(ErrorCode::bad_argument, "expects 1", [&] { one.run(a, a, y.view()); });
  expect_error(ErrorCode::bad_argument, "expects 1",
               [&] { one.run(a.data(), a.data(), y.data()); });
  expect_error(ErrorCode::unsupported_type,
               "exp is not defined for int8; it is for: fp16, bf16, fp32, fp64",
               [&] { exp(Tensor(DType::int8, Dims{1})); });
  expect_error(ErrorCode::zero_divisor, "at index (1)", [&] {
    pow(Tensor::from<std::int32_t>({2, 0}, {2}), Tensor::from<std::int32_t>({-1, -1}, {2}));
  });
}

}  // namespace
}  // namespace hadamard
