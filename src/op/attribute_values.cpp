#include "op/attribute_values.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "num/exact.hpp"
#include "num/rational.hpp"
#include "op/ops.hpp"

namespace hadamard {

namespace {

Real finite_value(const std::string& name, double value) {
  if (!std::isfinite(value)) {
    fail(ErrorCode::bad_argument, "attribute {} must be finite, got {}", name,
         std::isnan(value) ? "NaN"
         : value < 0       ? "-inf"
                           : "inf");
  }
  return Real::from_double(value);
}

}  // namespace

Attribute::Attribute(std::string called, double number)
    : name(std::move(called)), value(finite_value(name, number)), bits(53) {}
Attribute::Attribute(std::string called, float number)
    : name(std::move(called)), value(finite_value(name, double{number})), bits(24) {}

namespace op {
namespace {

constexpr std::size_t kMostBits = 8192;
constexpr int kMostDecimals = 60;  // of a value in a listing; a double of that size has no more

// Not below |value|.
double bound_of(const Real& value) {
  if (value.is_zero()) return 0;
  return std::nextafter(std::fabs(value.to_double()), std::numeric_limits<double>::infinity());
}

std::string names_of(Op op) {
  std::string names;
  for (const AttributeInfo& info : attributes(op)) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  return names;
}

std::size_t find(Op op, std::string_view wanted) {
  const std::span<const AttributeInfo> all = attributes(op);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == wanted) return i;
  }
  if (all.empty()) {
    fail(ErrorCode::bad_argument, "{} has no attributes, got {}", name(op), wanted);
  }
  fail(ErrorCode::bad_argument, "{} has no attribute {}; it has: {}", name(op), wanted,
       names_of(op));
}

void require_range(Op op, const Attribute& attribute) {
  if (attribute.value.is_zero()) return;
  const Real size = attribute.value.sign() < 0 ? Real() - attribute.value : attribute.value;
  static const Real smallest = Real::from_double(std::numeric_limits<double>::denorm_min());
  static const Real largest = Real::from_double(std::numeric_limits<double>::max());
  if (size < smallest || size > largest) {
    fail(ErrorCode::bad_argument,
         "attribute {} of {} must be 0 or have a size between 2^-1074 and 2^1024", attribute.name,
         name(op));
  }
  if (exact::size_in_bits(attribute.value) > kMostBits) {
    fail(ErrorCode::bad_argument, "attribute {} of {} has too many digits: at most {} bits",
         attribute.name, name(op), kMostBits);
  }
}

// Whether a number that was rounded to so many bits stands for the default.
bool is_default(const Attribute& attribute, const Real& initial) {
  if (attribute.value == initial) return true;
  switch (attribute.bits) {
    case 24:
      return attribute.value == exact::value_of(exact::round_to<float>(initial));
    case 53:
      return attribute.value == exact::value_of(exact::round_to<double>(initial));
    default:
      return false;
  }
}

}  // namespace

AttributeValue::AttributeValue(Real value) : exact_(std::move(value)) {
  const ScopedFloatEnv env;
  const ScopedExtendedPrecision extended;
  high_ = exact_.to_double();
  const Real rest = exact_ - Real::from_double(high_);
  low_ = rest.to_double();
  error_ = bound_of(rest - Real::from_double(low_));
  const auto high = static_cast<long double>(high_);
  wide_ = high + static_cast<long double>(low_);
  is_wide_ = error_ == 0 && wide_ - high == static_cast<long double>(low_);
}

AttributeValues::AttributeValues(std::vector<AttributeValue> values) : values_(std::move(values)) {
  for (const AttributeValue& value : values_) {
    hash_ = hash_ * 0x100000001B3 ^ std::hash<std::string>()(value.exact().to_string());
  }
}

bool operator==(const AttributeValues& a, const AttributeValues& b) {
  if (a.hash_ != b.hash_ || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i].exact() == b[i].exact())) return false;
  }
  return true;
}

AttributesPtr attribute_values(Op op, std::span<const Attribute> given) {
  if (given.empty()) return nullptr;
  const std::span<const AttributeInfo> all = attributes(op);
  std::vector<std::optional<Real>> values(all.size());
  bool is_all_default = true;
  for (const Attribute& attribute : given) {
    const std::size_t i = find(op, attribute.name);
    if (values[i]) {
      fail(ErrorCode::bad_argument, "attribute {} of {} is given twice", attribute.name, name(op));
    }
    require_range(op, attribute);
    const Real initial = Real::parse(all[i].initial);
    const bool is_initial = is_default(attribute, initial);
    values[i] = is_initial ? initial : attribute.value;
    is_all_default = is_all_default && is_initial;
  }
  if (is_all_default) return nullptr;
  std::vector<AttributeValue> made;
  for (std::size_t i = 0; i < all.size(); ++i) {
    made.emplace_back(values[i] ? *values[i] : Real::parse(all[i].initial));
  }
  return std::make_shared<const AttributeValues>(std::move(made));
}

std::string to_text(Op op, const AttributeValues& values) {
  std::string text;
  const std::span<const AttributeInfo> all = attributes(op);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Real& value = values[i].exact();
    if (value == Real::parse(all[i].initial)) continue;
    text += fmt::format(", {}={}", all[i].name, exact::decimal_or_fraction(value, kMostDecimals));
  }
  return text;
}

std::string attributes_text(Op op) {
  std::string text;
  for (const AttributeInfo& info : attributes(op)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", info.name, info.initial);
  }
  return text;
}

}  // namespace op
}  // namespace hadamard
