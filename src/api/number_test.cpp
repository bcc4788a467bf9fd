#include "hadamard/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/test_float_env.hpp"
#include "hadamard/hadamard.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(name(error.code())) + ": " + error.what();
  }
  return "no error";
}

// The number as an element of T.
template <class T>
T as(Number number) {
  T element{};
  number.store(dtype_of<T>, &element, "B");
  return load_element<T>(&element, 0);
}

TEST(Numbers, AreOperandsOfEveryFunctionWithTwo) {
  const Tensor a = Tensor::from({6.0, 9.0}, {2});
  EXPECT_EQ(div(a, 3.0).to_vector<double>(), (std::vector<double>{2, 3}));
  EXPECT_EQ(div(18, a).to_vector<double>(), (std::vector<double>{3, 2}));
  EXPECT_EQ(sub(a, 1.5F).to_vector<double>(), (std::vector<double>{4.5, 7.5}));
  EXPECT_EQ(max(a, std::size_t{7}).to_vector<double>(), (std::vector<double>{7, 9}));
  const Tensor x = Tensor::from({0.25, 0.5}, {2});
  const Tensor three = Tensor::scalar(3.0);
  Tensor y(DType::fp64, {2});
#define HADAMARD_CHECK_1(id)
#define HADAMARD_CHECK_2(id)                                                            \
  if (op::is_plain(Op::id) && op::is_defined(Op::id, DType::fp64)) {                    \
    EXPECT_EQ(id(x, 3).to_vector<double>(), id(x, three).to_vector<double>()) << #id;   \
    EXPECT_EQ(id(3.0, x).to_vector<double>(), id(three, x).to_vector<double>()) << #id; \
    id##_into(y.view(), x, 3.0);                                                        \
    EXPECT_EQ(y.to_vector<double>(), id(x, three).to_vector<double>()) << #id;          \
    id##_into(y.view(), 3, x);                                                          \
    EXPECT_EQ(y.to_vector<double>(), id(three, x).to_vector<double>()) << #id;          \
  }
#define HADAMARD_CHECK_3(id)
#define HADAMARD_CHECK(id, Name, arity) HADAMARD_CHECK_##arity(id)
  HADAMARD_OPERATORS(HADAMARD_CHECK)
#undef HADAMARD_CHECK
#undef HADAMARD_CHECK_1
#undef HADAMARD_CHECK_2
#undef HADAMARD_CHECK_3
  EXPECT_EQ(lt(a, 7).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(ge(7.5, a).to_vector<bool>(), (std::vector<bool>{true, false}));
}

TEST(Numbers, GoWithVectorsOptionsAndInPlace) {
  std::vector<float> v{1, -2, 3};
  EXPECT_EQ(mul(v, 2).to_vector<float>(), (std::vector<float>{2, -4, 6}));
  EXPECT_EQ(div(v, 2, {.then = Op::relu}).to_vector<float>(), (std::vector<float>{0.5, 0, 1.5}));
  add_into(v, v, 0.5);
  EXPECT_EQ(v, (std::vector<float>{1.5, -1.5, 3.5}));
  const Tensor i = Tensor::from<std::int32_t>({-7, 7}, {2});
  EXPECT_EQ(div(i, 2).to_vector<std::int32_t>(), (std::vector<std::int32_t>{-3, 3}));
  EXPECT_EQ(div(i, 2.0, {.int_division = IntDivision::floor}).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{-4, 3}));
  EXPECT_EQ(apply(Op::sub, 1, i).to_vector<std::int32_t>(), (std::vector<std::int32_t>{8, -6}));
  // SONNX has no broadcasting, and a number is a scalar.
  EXPECT_EQ(message_of([&] { div(i, 2, {.dialect = Dialect::sonnx}); }).substr(0, 14),
            "shape_mismatch");
  EXPECT_EQ(
      message_of([&] { div(i, 0); }),
      "zero_divisor: the divisor B is 0 at index (0): integer division by zero has no result; "
      "nothing was written (the index is that of the result)");
  EXPECT_EQ(message_of([&] { apply(Op::neg, i, 2); }).substr(0, 12), "bad_argument");
  // MATLAB's literals are double.
  const Tensor promoted = div(i, 2.5, {.dialect = Dialect::matlab});
  EXPECT_EQ(promoted.to_vector<double>(), (std::vector<double>{-2.8, 2.8}));
}

TEST(Numbers, TakeEveryElementType) {
#define HADAMARD_CHECK(id, Type)                                                                   \
  {                                                                                                \
    const Tensor one = cast(Tensor::scalar(true), DType::id);                                      \
    EXPECT_EQ(text::format(mul(one, 1).at<Type>({})), text::format(one.at<Type>({}))) << #id;      \
    EXPECT_EQ(text::format(sub(1.0F, one).at<Type>({})), text::format(sub(one, one).at<Type>({}))) \
        << #id;                                                                                    \
  }
  HADAMARD_TYPES(HADAMARD_CHECK)
#undef HADAMARD_CHECK
  EXPECT_EQ(as<std::complex<float>>(0.1), std::complex<float>(0.1F, 0));
  EXPECT_EQ(as<Real>(0.5), Real(1, 2));
  EXPECT_EQ(as<Real>(0.1), Real::from_double(0.1));  // what the double is, not the decimal
  EXPECT_EQ(as<Real>(UINT64_MAX), Real::from_unsigned(UINT64_MAX));
  EXPECT_EQ(as<Real>(INT64_MIN), Real(INT64_MIN));
}

TEST(Numbers, MustBeExactInIntegers) {
  const Tensor i8 = Tensor::from<std::int8_t>({1, 2}, {2});
  EXPECT_EQ(message_of([&] { div(i8, 2.5); }),
            "bad_argument: operand B is 2.5, which int8 cannot hold exactly; expected a whole "
            "number from -128 to 127, or cast the other operand");
  EXPECT_EQ(message_of([&] { div(300, i8); }),
            "bad_argument: operand A is 300, which int8 cannot hold exactly; expected a whole "
            "number from -128 to 127, or cast the other operand");
  EXPECT_EQ(message_of([&] { add(Tensor::scalar(true), 2); }),
            "bad_argument: operand B is 2, which bool cannot hold exactly; expected 0 or 1, or "
            "cast the other operand");
  EXPECT_EQ(message_of([&] { add(Tensor::scalar(Real(1)), NAN); }),
            "bad_argument: operand B is nan, which real cannot hold exactly; expected a finite "
            "number, or cast the other operand");
  Tensor y = i8;
  EXPECT_EQ(message_of([&] { add_into(y.view(), i8, 0.1); }).substr(0, 12), "bad_argument");
  EXPECT_EQ(y.to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 2}));
  EXPECT_EQ(as<std::int64_t>(INT64_MIN), INT64_MIN);
  EXPECT_EQ(as<std::int64_t>(-0x1p63), INT64_MIN);
  EXPECT_EQ(as<std::uint64_t>(UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(as<std::uint64_t>(0x1p63), std::uint64_t{1} << 63);
  EXPECT_EQ(as<std::int32_t>(-0.0), 0);
  EXPECT_EQ(as<std::int8_t>(true), 1);
  EXPECT_EQ(as<int4>(-8).value, -8);
  EXPECT_EQ(as<uint4>(15).value, 15);
  const auto refused = [](auto type, Number number) {
    using T = decltype(type);
    return message_of([&] { as<T>(number); }).starts_with("bad_argument: operand B is ");
  };
  EXPECT_TRUE(refused(std::int64_t{}, 0x1p63) && refused(std::int64_t{}, UINT64_MAX));
  EXPECT_TRUE(refused(std::uint64_t{}, 0x1p64) && refused(std::uint64_t{}, -1));
  EXPECT_TRUE(refused(std::uint64_t{}, -5e-324) && refused(std::int64_t{}, 1e308));
  EXPECT_TRUE(refused(std::int32_t{}, INFINITY) && refused(std::int32_t{}, -NAN));
  EXPECT_TRUE(refused(int4{}, 8) && refused(int4{}, -9) && refused(uint4{}, 16));
  EXPECT_TRUE(refused(bool{}, -1) && refused(bool{}, 0.5) && refused(bool{}, INFINITY));
  EXPECT_TRUE(refused(Real{}, -INFINITY));
}

TEST(Numbers, RoundOnceToFloats) {
  // 1 + 2^-11 + 2^-40: through float it would be a tie, and go to even.
  EXPECT_EQ(as<float16>(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(as<float16>(1 + 0x1p-11).bits, 0x3c00);
  // 2^62 + 2^38 + 1: through double it would be a tie of floats.
  EXPECT_EQ(as<float>((std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1), 0x1.000002p62F);
  EXPECT_EQ(as<double>((std::uint64_t{1} << 63) + 1025), 0x1.0000000000001p63);
  EXPECT_EQ(as<double>((std::uint64_t{1} << 63) + 1024), 0x1p63);
  EXPECT_EQ(as<double>(UINT64_MAX), 0x1p64);
  // A floating-point number may become infinite; an integer is what it is.
  EXPECT_EQ(as<float>(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(as<float16>(-65520.0).bits, 0xfc00);
  EXPECT_EQ(as<float16>(65519).bits, 0x7bff);
  EXPECT_EQ(message_of([] { as<float16>(-65520); }),
            "bad_argument: operand B is -65520, beyond the largest finite number of fp16, 65504; "
            "pass an infinity, or cast the other operand");
  EXPECT_TRUE(std::signbit(as<float>(-0.0)) && !std::signbit(as<float>(0)));
  EXPECT_EQ(as<bfloat16>(NAN).bits, 0x7fc0);
  EXPECT_EQ(as<float16>(-NAN).bits, 0x7e00);
  EXPECT_EQ(as<double>(-INFINITY), -INFINITY);
}

TEST(Numbers, RoundAsExactArithmeticDoes) {
  std::mt19937_64 random(17);  // NOLINT: the same numbers each time
  const auto check = [](Number number, const Real& exact) {
    if (exact.is_zero()) return;
    EXPECT_EQ(as<bfloat16>(number).bits, exact::round_to(exact, kBf16));
    EXPECT_EQ(exact::bits_of(as<float>(number)), exact::round_to(exact, kFp32));
    EXPECT_EQ(exact::bits_of(as<double>(number)), exact::round_to(exact, kFp64));
  };
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    check(bits, Real::from_unsigned(bits));
    check(static_cast<std::int64_t>(bits), Real(static_cast<std::int64_t>(bits)));
    const auto wide = std::bit_cast<double>(random());
    if (std::isfinite(wide)) {
      check(wide, Real::from_double(wide));
      EXPECT_EQ(as<float16>(wide).bits, exact::round_to(Real::from_double(wide), kFp16));
    }
    const double small = std::ldexp(static_cast<double>(random() >> 11), -70 + i % 20);
    EXPECT_EQ(as<float16>(small).bits, exact::round_to(Real::from_double(small), kFp16));
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(narrow)) check(narrow, exact::value_of(narrow));
  }
}

TEST(Numbers, AreTheSameInEveryFloatEnvironment) {
  const float small = std::bit_cast<float>(std::uint32_t{1});  // subnormal
  const double between = 1 + 0x1p-24 + 0x1p-50;
  for (const auto& list : {floatenv::all(), floatenv::some()}) {
    for (const floatenv::Environment& environment : list) {
      const floatenv::Word before = floatenv::now();
      floatenv::set(environment.word);
      const auto subnormal = exact::bits_of(as<float>(small));
      const auto widened = exact::bits_of(as<double>(small));
      const auto rounded = exact::bits_of(as<float>(between));
      const auto large = exact::bits_of(as<double>(UINT64_MAX));
      floatenv::set(before);
      EXPECT_EQ(subnormal, 1U) << environment.name;
      EXPECT_EQ(widened, 0x36A0000000000000U) << environment.name;
      EXPECT_EQ(rounded, 0x3F800001U) << environment.name;
      EXPECT_EQ(large, 0x43F0000000000000U) << environment.name;
    }
  }
}

TEST(Numbers, OfOtherTypesAreRefused) {
  static_assert(std::is_convertible_v<int, Number> && std::is_convertible_v<bool, Number>);
  static_assert(!std::is_convertible_v<long double, Number>);
  static_assert(!std::is_convertible_v<DType, Number>);
  static_assert(!std::is_convertible_v<const char*, Number>);
  static_assert(!std::is_convertible_v<std::complex<double>, Number>);
}

}  // namespace
}  // namespace hadamard
