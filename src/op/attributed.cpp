#include "op/attributed.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "num/extended_real.hpp"
#include "num/precise_value.hpp"
#include "num/rational.hpp"

namespace hadamard::op {
namespace {

using multiple_precision::ScopedLibrary;
using multiple_precision::Value;

constexpr mpfr_prec_t kGuardBits = 64;

// Exact where it is a binary number, else with so many bits.
Value precise(const Real& value, mpfr_prec_t precision) {
  const auto bits = static_cast<mpfr_prec_t>(exact::significand_bits(value));
  return {value, std::max(precision, bits)};
}

template <class Record>
double by_multiple_precision_with(double a, const AttributeValues& attributes, FloatFormat format) {
  const ScopedLibrary state;
  std::vector<Real> values;
  for (std::size_t i = 0; i < attributes.size(); ++i) values.push_back(attributes[i].exact());
  if constexpr (requires { Record::simplify_with(a, values[0]); }) {
    Record::simplify_with(a, values[0]);
  }
  for (mpfr_prec_t precision = 64;; precision *= 2) {
    const mpfr_prec_t wide = precision + kGuardBits;
    const Value value = [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Record::oracle_with(Value(a, wide), precise(values[i], wide)...);
    }
    (std::make_index_sequence<std::size(Record::attributes)>());
    const Value narrow = with_precision_of(Value(0.0, precision), value);
    if (const auto result = narrow.rounded(format)) return *result;
  }
}

template <class Record>
double by_exact_numbers(double a, const AttributeValues& attributes, FloatFormat format) {
  const auto number = [](const AttributeValue& v) { return ExtendedReal(v.exact()); };
  return with_attributes<Record>(attributes, number, [&](const auto&... v) {
    return Record::apply_with(ExtendedArithmetic(), ExtendedReal(a), v...).rounded(format);
  });
}

}  // namespace

double exactly(Op op, double a, const AttributeValues& attributes, FloatFormat format) {
  if (std::isnan(a)) return std::numeric_limits<double>::quiet_NaN();
  const double result = with_op(op, [&](auto o) -> double {
    using Record = typename decltype(o)::type;
    if constexpr (has_apply_with<Record>) {
      return by_exact_numbers<Record>(a, attributes, format);
    } else if constexpr (has_oracle_with<Record>) {
      return by_multiple_precision_with<Record>(a, attributes, format);
    } else {
      fail(ErrorCode::internal, "operator {} has no attributes", name(op));
    }
  });
  return std::isnan(result) ? std::numeric_limits<double>::quiet_NaN() : result;
}

}  // namespace hadamard::op
