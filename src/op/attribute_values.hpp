// Attributes of operators: what a record declares, and the values of a call.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hadamard/attribute.hpp"
#include "hadamard/types.hpp"

namespace hadamard::op {

// What a record declares of an attribute: its name and its default, an exact decimal.
struct AttributeInfo {
  std::string_view name;
  std::string_view initial;
};

// A value, in the forms that it is computed with.
class AttributeValue {
 public:
  explicit AttributeValue(Real value);

  const Real& exact() const noexcept { return exact_; }
  // high + low differs from the value by at most `error`, which is 0 where there is no difference.
  double high() const noexcept { return high_; }
  double low() const noexcept { return low_; }
  double error() const noexcept { return error_; }
  // To nearest, up to a unit of the last place; `is` tells whether that is the value itself.
  template <class F>
  F as() const noexcept {
    if constexpr (std::is_same_v<F, double>) {
      return high_;
    } else {
      return wide_;
    }
  }
  template <class F>
  bool is() const noexcept {
    return std::is_same_v<F, double> ? low_ == 0 && error_ == 0 : is_wide_;
  }

 private:
  Real exact_;
  double high_, low_, error_;
  long double wide_;
  bool is_wide_;
};

// The values of all attributes of an operator, in the order of its record.
class AttributeValues {
 public:
  explicit AttributeValues(std::vector<AttributeValue> values);
  std::size_t size() const noexcept { return values_.size(); }
  const AttributeValue& operator[](std::size_t i) const noexcept { return values_[i]; }
  std::uint64_t hash() const noexcept { return hash_; }
  friend bool operator==(const AttributeValues& a, const AttributeValues& b);

 private:
  std::vector<AttributeValue> values_;
  std::uint64_t hash_ = 0;
};
// Null stands for the defaults.
using AttributesPtr = std::shared_ptr<const AttributeValues>;

// The values for a call that names some of the attributes; null where all are the defaults. Throws
// bad_argument for a name that the operator does not have, one that is given twice, and a value
// that is not 0 and not between 2^-1074 and 2^1024, or has more than 8192 bits.
AttributesPtr attribute_values(Op op, std::span<const Attribute> given);

// ", alpha=0.2": those that are not the defaults.
std::string to_text(Op op, const AttributeValues& values);
// "alpha=0.02, beta=1", of the defaults.
std::string attributes_text(Op op);

// What an estimate of a record with attributes gives: the value, within so many units of the last
// place; infinitely many where it cannot tell.
template <class F>
struct Estimated {
  F value;
  F units = 16;
  static Estimated unknown() { return {0, std::numeric_limits<F>::infinity()}; }
};

}  // namespace hadamard::op
