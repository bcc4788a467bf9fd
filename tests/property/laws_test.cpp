// Laws of the operators.
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"

namespace hadamard {
namespace {

template <class T>
class Ints : public testing::Test {};
using IntTypes = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Ints, IntTypes);

template <class F>
class Floats : public testing::Test {};
using FloatTypes = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

template <class T>
Tensor line(const std::vector<T>& values) {
  return Tensor::from(std::span<const T>(values), {static_cast<std::int64_t>(values.size())});
}

// Random bits, so that every class of number comes.
template <class F>
Tensor float_line(const std::vector<std::uint64_t>& bits) {
  std::vector<F> values;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    // Small random words are RapidCheck's habit: spread every second one over the format.
    const std::uint64_t mixed = i % 2 == 0 ? bits[i] : bits[i] * 0x9E3779B97F4A7C15U >> 3;
    values.push_back(std::bit_cast<F>(static_cast<typename Element<F>::Bits>(mixed)));
  }
  return line(values);
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.size_bytes() == b.size_bytes() &&
         (a.size_bytes() == 0 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// Two lines of one length.
template <class T>
std::pair<std::vector<T>, std::vector<T>> two(std::vector<T> a, std::vector<T> b) {
  const std::size_t n = std::min(a.size(), b.size());
  a.resize(n);
  b.resize(n);
  return {a, b};
}

TYPED_TEST(Ints, SumsAndProductsCommute) {
  using T = TypeParam;
  check_property("a+b = b+a, a*b = b*a", [](std::vector<T> x, std::vector<T> y) {
    const auto [u, v] = two(x, y);
    const Tensor a = line(u), b = line(v);
    RC_ASSERT(same_bits(add(a, b), add(b, a)));
    RC_ASSERT(same_bits(mul(a, b), mul(b, a)));
  });
}

TYPED_TEST(Ints, SubtractionUndoesAddition) {
  using T = TypeParam;
  check_property("(a+b)-b = a = (a-b)+b", [](std::vector<T> x, std::vector<T> y) {
    const auto [u, v] = two(x, y);
    const Tensor a = line(u), b = line(v);
    RC_ASSERT(same_bits(sub(add(a, b), b), a));
    RC_ASSERT(same_bits(add(sub(a, b), b), a));
  });
}

TYPED_TEST(Ints, QuotientsHaveTheirRemainders) {
  using T = TypeParam;
  check_property("a = q*b + r: |r| < |b|, r has b's sign (floor) or a's (trunc)",
                 [](std::vector<T> x, std::vector<T> y) {
                   auto [u, v] = two(x, y);
                   for (T& divisor : v) divisor = divisor == 0 ? T{3} : divisor;
                   const Tensor a = line(u), b = line(v);
                   for (const IntDivision rounding : {IntDivision::floor, IntDivision::trunc}) {
                     const Tensor q = div(a, b, {.int_division = rounding});
                     const auto r = sub(a, mul(q, b)).to_vector<T>();
                     for (std::size_t i = 0; i < r.size(); ++i) {
                       if constexpr (std::is_signed_v<T>) {
                         if (u[i] == std::numeric_limits<T>::min() && v[i] == -1) {
                           RC_ASSERT(r[i] == 0);
                           continue;
                         }
                         const T sign_of = rounding == IntDivision::floor ? v[i] : u[i];
                         RC_ASSERT((r[i] == 0 || (r[i] < 0) == (sign_of < 0)));
                         // |r| < |b| without an overflow at the smallest number
                         RC_ASSERT(((r[i] < 0 ? r[i] : -r[i]) > (v[i] < 0 ? v[i] : -v[i])));
                       } else {
                         RC_ASSERT(r[i] < v[i]);
                       }
                     }
                   }
                 });
}

TYPED_TEST(Floats, SumsAndProductsCommuteToTheBit) {
  using F = TypeParam;
  using Words = std::vector<std::uint64_t>;
  check_property("a+b = b+a, a*b = b*a", [](Words x, Words y) {
    const auto [u, v] = two(x, y);
    const Tensor a = float_line<F>(u), b = float_line<F>(v);
    RC_ASSERT(same_bits(add(a, b), add(b, a)));
    RC_ASSERT(same_bits(mul(a, b), mul(b, a)));
  });
}

TYPED_TEST(Floats, DifferencesAreAntisymmetric) {
  using F = TypeParam;
  using Words = std::vector<std::uint64_t>;
  check_property("a-b = -(b-a), but for the sign of zero", [](Words x, Words y) {
    const auto [u, v] = two(x, y);
    const Tensor a = float_line<F>(u), b = float_line<F>(v);
    const auto left = sub(a, b).to_vector<F>();
    const auto right = sub(b, a).to_vector<F>();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const auto l = static_cast<double>(left[i]);
      const auto r = static_cast<double>(right[i]);
      RC_ASSERT((l == -r || (std::isnan(l) && std::isnan(r))));
    }
  });
}

TYPED_TEST(Floats, NeutralElementsAndSigns) {
  using F = TypeParam;
  check_property("a*1 = a/1 = a + -0 = a; a/a is 1 or NaN; (-a)*b = -(a*b)",
                 [](std::vector<std::uint64_t> x) {
                   const Tensor a = float_line<F>(x);
                   const Tensor one = Tensor::scalar(F(1.0)), minus_one = Tensor::scalar(F(-1.0));
                   const Tensor minus_zero = Tensor::scalar(F(-0.0));
                   const Tensor product = mul(a, one);
                   RC_ASSERT(same_bits(product, div(a, one)));
                   RC_ASSERT(same_bits(product, add(a, minus_zero)));
                   const auto values = a.to_vector<F>();
                   const auto kept = product.to_vector<F>();
                   const auto units = div(a, a).to_vector<F>();
                   const auto negated = mul(mul(a, minus_one), minus_one).to_vector<F>();
                   for (std::size_t i = 0; i < values.size(); ++i) {
                     const auto v = static_cast<double>(values[i]);
                     if (std::isnan(v)) {
                       RC_ASSERT(std::isnan(static_cast<double>(kept[i])));
                       continue;
                     }
                     RC_ASSERT(std::memcmp(&values[i], &kept[i], sizeof(F)) == 0);
                     RC_ASSERT(std::memcmp(&values[i], &negated[i], sizeof(F)) == 0);
                     const auto u = static_cast<double>(units[i]);
                     const bool undefined = v == 0 || std::isinf(v);
                     RC_ASSERT((undefined ? std::isnan(u) : u == 1));
                   }
                 });
}

// Exact rationals are a field.
TEST(Reals, FieldLaws) {
  using Int = std::int64_t;
  check_property("(a+b)*c = a*c + b*c, a/b*b = a, a-b+b = a", [](Int p, Int q, Int r, Int s) {
    const Real x(p, (q & 0xFFFF) + 1), y(r == 0 ? 1 : r, (s & 0xFFFF) + 1), z(q, (p & 0xFF) + 1);
    const Tensor a = Tensor::scalar(x), b = Tensor::scalar(y), c = Tensor::scalar(z);
    RC_ASSERT(mul(add(a, b), c).at<Real>({}) == add(mul(a, c), mul(b, c)).at<Real>({}));
    RC_ASSERT(mul(div(a, b), b).at<Real>({}) == x);
    RC_ASSERT(add(sub(a, b), b).at<Real>({}) == x);
  });
}

}  // namespace
}  // namespace hadamard
