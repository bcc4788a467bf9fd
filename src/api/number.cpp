// Plain numbers as operands. Everything is computed on the bits: the caller's rounding mode, FTZ
// and DAZ cannot matter.
#include "hadamard/number.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "base/fail.hpp"
#include "dialect/dialect.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"

namespace hadamard {

Number::Number(bool negative, std::uint64_t magnitude) noexcept
    : significand_(magnitude), negative_(negative) {
  if (magnitude == 0) return;
  exponent_ = std::countr_zero(magnitude);
  significand_ >>= exponent_;
}

// What a number is in each type.
struct Number::Rounding {
  const Number& number;
  DType type;
  std::string_view role;

  static Number of_bits(std::uint64_t bits, FloatFormat format) noexcept {
    Number n(false, 0);
    const std::uint64_t magnitude = bits & ~format.sign_bit();
    n.negative_ = magnitude != bits;
    n.form_ = magnitude > format.infinity()    ? Form::nan
              : magnitude == format.infinity() ? Form::infinite
                                               : Form::floating;
    if (magnitude == 0 || n.form_ != Form::floating) return n;
    const auto field = static_cast<int>(magnitude >> (format.precision - 1));
    n.significand_ = magnitude & format.mantissa_mask();
    if (field != 0) n.significand_ |= format.mantissa_mask() + 1;
    const int zeros = std::countr_zero(n.significand_);
    n.significand_ >>= zeros;
    n.exponent_ = std::max(field, 1) - format.bias() - (format.precision - 1) + zeros;
    return n;
  }

  // The bit pattern nearest to the number, ties to even.
  std::uint64_t nearest(FloatFormat format) const {
    if (number.form_ == Form::nan) return format.canonical_nan();
    const std::uint64_t sign = number.negative_ ? format.sign_bit() : 0;
    const std::uint64_t significand = number.significand_;
    if (significand == 0 && number.form_ != Form::infinite) return sign;
    const int exponent = number.exponent_ + std::bit_width(significand) - 1;
    if (number.form_ == Form::infinite || exponent > format.max_exponent()) {
      return sign | format.infinity();
    }
    const int scale = std::max(exponent, format.min_exponent());
    const int dropped = scale - (format.precision - 1) - number.exponent_;
    std::uint64_t kept = 0;
    if (dropped <= 0) {
      kept = significand << -dropped;
    } else if (dropped <= 64) {  // beyond, all of it is below half of the last place
      kept = dropped == 64 ? 0 : significand >> dropped;
      const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
      const std::uint64_t rest = significand & (half | (half - 1));
      if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
    }
    // The hidden bit of `kept` and a carry out of it each add one to the exponent field.
    const auto base = static_cast<std::uint64_t>(scale + format.bias() - 1)
                      << (format.precision - 1);
    return sign | (base + kept);
  }

  std::string text() const {
    if (number.form_ != Form::integer)
      return text::format(exact::from_bits<double>(nearest(kFp64)));
    return fmt::format("{}{}", number.negative_ ? "-" : "",
                       number.significand_ << number.exponent_);
  }

  [[noreturn]] void fail_inexact(std::string_view expected) const {
    fail(ErrorCode::bad_argument,
         "operand {} is {}, which {} cannot hold exactly; expected {}, or cast the other operand",
         role, text(), name(type), expected);
  }

  template <class F>
  F floating() const {
    const std::uint64_t bits = nearest(Element<F>::kFormat);
    const std::uint64_t infinity = Element<F>::kFormat.infinity();
    if (number.form_ == Form::integer && exact::is_inf(bits, Element<F>::kFormat)) {
      fail(
          ErrorCode::bad_argument,
          "operand {} is {}, beyond the largest finite number of {}, {}; pass an infinity, or cast "
          "the other operand",
          role, text(), name(type),
          text::format(static_cast<double>(exact::from_bits<F>(infinity - 1))));
    }
    return exact::from_bits<F>(bits);
  }

  template <class T>
  T integer() const {
    using E = Element<T>;
    const bool finite = number.form_ == Form::integer || number.form_ == Form::floating;
    const int width = number.exponent_ + std::bit_width(number.significand_);
    if (finite && number.exponent_ >= 0 && width <= 64) {
      const std::uint64_t magnitude = number.significand_ << number.exponent_;
      const std::uint64_t largest =
          number.negative_ ? 0 - static_cast<std::uint64_t>(E::kMin) : E::kMax;
      using Wide = std::conditional_t<E::kSigned, std::int64_t, std::uint64_t>;
      if (magnitude <= largest) {
        return T(static_cast<Wide>(number.negative_ ? 0 - magnitude : magnitude));
      }
    }
    fail_inexact(fmt::format("a whole number from {} to {}", E::kMin, E::kMax));
  }

  bool boolean() const {
    const bool finite = number.form_ == Form::integer || number.form_ == Form::floating;
    const bool is_one = number.significand_ == 1 && number.exponent_ == 0 && !number.negative_;
    if (!finite || (number.significand_ != 0 && !is_one)) fail_inexact("0 or 1");
    return is_one;
  }

  Real real() const {
    if (number.form_ == Form::floating)
      return Real::from_double(exact::from_bits<double>(nearest(kFp64)));
    if (number.form_ != Form::integer) fail_inexact("a finite number");
    const Real magnitude = Real::from_unsigned(number.significand_ << number.exponent_);
    return number.negative_ ? Real() - magnitude : magnitude;
  }

  template <class T>
  T as() const {
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::floating) {
      return floating<T>();
    } else if constexpr (kKind == Kind::complex) {
      return T(floating<typename Element<T>::Part>());
    } else if constexpr (kKind == Kind::integer) {
      return integer<T>();
    } else if constexpr (kKind == Kind::boolean) {
      return boolean();
    } else {
      static_assert(kKind == Kind::exact);
      return real();
    }
  }
};

Number::Number(float value) noexcept : Number(Rounding::of_bits(exact::bits_of(value), kFp32)) {}
Number::Number(double value) noexcept : Number(Rounding::of_bits(exact::bits_of(value), kFp64)) {}

void Number::store(DType type, void* element, std::string_view role) const {
  with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    store_element<T>(element, 0, Rounding{*this, type, role}.as<T>());
  });
}

namespace {

// A number as the operand beside another one, on the stack.
class Scalar {
 public:
  Scalar(const Number& number, const ConstView& beside, const Options& options,
         std::string_view dialect::Rules::*role)
      : type_(options.dialect == Dialect::matlab ? DType::fp64 : beside.dtype()) {
    require_valid(beside.layout());
    number.store(type_, element(), dialect::rules(options.dialect).*role);
  }
  ConstView view() { return ConstView(element(), Layout(type_, Dims{})); }

 private:
  void* element() { return type_ == DType::real ? static_cast<void*>(&real_) : bytes_; }
  DType type_;
  alignas(std::complex<double>) std::byte bytes_[sizeof(std::complex<double>)] = {};
  Real real_;
};

}  // namespace

Tensor apply(Op op, const ConstView& a, Number b, const Options& options) {
  return apply(op, a, Scalar(b, a, options, &dialect::Rules::b).view(), options);
}
Tensor apply(Op op, Number a, const ConstView& b, const Options& options) {
  return apply(op, Scalar(a, b, options, &dialect::Rules::a).view(), b, options);
}
void apply_into(Op op, const View& y, const ConstView& a, Number b, const Options& options) {
  apply_into(op, y, a, Scalar(b, a, options, &dialect::Rules::b).view(), options);
}
void apply_into(Op op, const View& y, Number a, const ConstView& b, const Options& options) {
  apply_into(op, y, Scalar(a, b, options, &dialect::Rules::a).view(), b, options);
}

}  // namespace hadamard
