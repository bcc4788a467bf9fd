// Text as elements: text::parse.
#include "num/text.hpp"

#include <charconv>
#include <concepts>
#include <cstddef>
#include <limits>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "num/exact.hpp"
#include "num/number_scan.hpp"
#include "num/real_rep.hpp"

namespace hadamard::text {
namespace {

template <class F>
[[noreturn]] void fail_overflow(std::string_view text) {
  // The 16-bit types in all their digits: 65504 is shortest as 65500, which is no help here.
  using Shown = std::conditional_t<std::is_class_v<F>, double, F>;
  const auto largest = exact::from_bits<F>(Element<F>::kFormat.infinity() - 1);
  fail(ErrorCode::bad_literal,
       "{} overflows {}, whose largest finite number is {}; write inf if that is meant",
       in_quotes(text), name(dtype_of<F>), format(static_cast<Shown>(largest)));
}

// float and double by the library, which is exact but says too little about what is out of range.
// Nothing where the slow way must decide. Precondition: not zero, not hex.
template <std::floating_point F>
bool parse_fast(std::string_view source, F& value) {
  const ScopedFloatEnv env;
  const auto [end, error] = std::from_chars(source.data(), source.data() + source.size(), value);
  if (error != std::errc{} || end != source.data() + source.size()) return false;
  const std::uint64_t bits = exact::bits_of(value);
  return bits != 0 && bits < Element<F>::kFormat.infinity();
}

// Types of ours through double: rounding twice is rounding once unless the double lies in the
// middle between two values, and then its lower bits are zero.
template <class F>
requires std::is_class_v<F>
bool parse_fast(std::string_view source, F& value) {
  double wide = 0;
  if (!parse_fast(source, wide)) return false;
  constexpr int kBelowMiddle = kFp64.precision - Element<F>::kFormat.precision - 1;
  constexpr std::uint64_t kLower = (std::uint64_t{1} << kBelowMiddle) - 1;
  value = F(wide);
  return (exact::bits_of(wide) & kLower) != 0 ||
         exact::bits_of(static_cast<double>(value)) == exact::bits_of(wide);
}

template <class F>
std::uint64_t magnitude_bits(const Scanned& scanned, std::string_view text) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  if (scanned.is_fraction) {
    return exact::round_to(exact_value(scanned, text), kFormat) & ~kFormat.sign_bit();
  }
  if (scanned.number.is_zero()) return 0;
  if (F value{}; !scanned.number.hex && parse_fast(scanned.number.source, value)) {
    return exact::bits_of(value);
  }
  return nearest(scanned.number, kFormat);
}

// The float that `scanned` says; `text` is what to quote.
template <class F>
F to_float(const Scanned& scanned, std::string_view text) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  if (scanned.form == Scanned::Form::nan) return exact::from_bits<F>(kFormat.canonical_nan());
  const std::uint64_t sign = scanned.negative ? kFormat.sign_bit() : 0;
  if (scanned.form == Scanned::Form::inf) return exact::from_bits<F>(sign | kFormat.infinity());
  const std::uint64_t bits = magnitude_bits<F>(scanned, text);
  if (bits == kFormat.infinity()) fail_overflow<F>(text);
  return exact::from_bits<F>(sign | bits);
}

template <class F>
F parse_float(std::string_view text) {
  const Scanned scanned = scan(text);
  if (scanned.length == 0 || scanned.length != text.size()) {
    fail(ErrorCode::bad_literal,
         "{} is not a number: {} expects one such as -1.5, 1e-3, 61/30, 0x1.8p3, inf or nan",
         in_quotes(text), name(dtype_of<F>));
  }
  return to_float<F>(scanned, text);
}

// "re", "im i" or "re±im i", where a missing im before the i is 1. Nothing of it may be left over.
template <class F>
std::complex<F> parse_complex(std::string_view text) {
  const auto is_unit = [](std::string_view t) { return t == "i" || t == "j"; };
  const auto unit = [&](std::string_view t) -> std::optional<F> {
    const bool is_signed = t.starts_with('+') || t.starts_with('-');
    if (!is_unit(t.substr(is_signed ? 1 : 0))) return std::nullopt;
    return t.starts_with('-') ? F(-1) : F(1);
  };
  if (const auto alone = unit(text)) return {F(0), *alone};

  const Scanned first = scan(text);
  const std::string_view rest = text.substr(first.length);
  if (first.length != 0) {
    const std::string_view first_text = text.substr(0, first.length);
    if (rest.empty()) return {to_float<F>(first, first_text), F(0)};
    if (is_unit(rest)) return {F(0), to_float<F>(first, first_text)};
    if (rest[0] == '+' || rest[0] == '-') {
      if (const auto alone = unit(rest)) return {to_float<F>(first, first_text), *alone};
      const Scanned second = scan(rest);
      if (second.length != 0 && is_unit(rest.substr(second.length))) {
        return {to_float<F>(first, first_text), to_float<F>(second, rest.substr(0, second.length))};
      }
    }
  }
  fail(ErrorCode::bad_literal,
       "{} is not a complex number: {} expects one such as 1.5, 2i or 1-2.5i, without spaces",
       in_quotes(text), name(dtype_of<std::complex<F>>));
}

template <class T>
[[noreturn]] void fail_integer(std::string_view text, std::string_view what,
                               std::string_view verb) {
  fail(ErrorCode::bad_literal, "{} is {}: {} {} {} … {}", in_quotes(text), what, name(dtype_of<T>),
       verb, Element<T>::kMin, Element<T>::kMax);
}

// Everything but plain decimal digits: "1e3", "0x1f", "6/3", and what is wrong.
template <class T>
T parse_integer_exactly(std::string_view text) {
  const Scanned scanned = scan(text);
  if (scanned.length == 0 || scanned.length != text.size()) {
    fail_integer<T>(text, "not a number", "expects");
  }
  const ScannedNumber& number = scanned.number;
  if (scanned.form != Scanned::Form::number) fail_integer<T>(text, "not a whole number", "expects");
  if (!scanned.is_fraction) {
    if (number.is_zero()) return T(0);
    // Decide by the exponent where it is such that the number had better not be built.
    if (number.magnitude() > 100) fail_integer<T>(text, "out of range", "holds");
    if (number.magnitude() <= 0) fail_integer<T>(text, "not a whole number", "expects");
  }
  const Real value = exact_value(scanned, text);
  if (value.is_zero()) return T(0);
  if (mpz_cmp_ui(mpq_denref(value.rep()->q), 1) != 0) {
    fail_integer<T>(text, "not a whole number", "expects");
  }
  if (value < Real(Element<T>::kMin) || value > Real::from_unsigned(Element<T>::kMax)) {
    fail_integer<T>(text, "out of range", "holds");
  }
  // GMP's magnitude modulo 2^64, negated modulo 2^64, is the number's two's complement.
  const std::uint64_t magnitude = mpz_get_ui(mpq_numref(value.rep()->q));
  return static_cast<T>(
      static_cast<std::conditional_t<Element<T>::kSigned, std::int64_t, std::uint64_t>>(
          value.sign() < 0 ? -magnitude : magnitude));
}

template <class T>
T parse_integer(std::string_view text) {
  // A machine integer that contains T decides the common case.
  using Wide = std::conditional_t<Element<T>::kSigned, std::int64_t, std::uint64_t>;
  Wide wide{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wide);
  const bool fits = wide <= static_cast<Wide>(Element<T>::kMax) &&
                    (!Element<T>::kSigned || wide >= static_cast<Wide>(Element<T>::kMin));
  if (error == std::errc{} && end == text.data() + text.size() && fits) {
    return static_cast<T>(wide);
  }
  return parse_integer_exactly<T>(text);
}

bool parse_bool(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  fail(ErrorCode::bad_literal, "{} is not a truth value: bool expects true, false, 1 or 0",
       in_quotes(text));
}

}  // namespace

template <class T>
T parse(std::string_view text) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::exact) {
    return Real::parse(text);
  } else if constexpr (kKind == Kind::floating) {
    return parse_float<T>(text);
  } else if constexpr (kKind == Kind::integer) {
    return parse_integer<T>(text);
  } else if constexpr (kKind == Kind::boolean) {
    return parse_bool(text);
  } else {
    return parse_complex<typename Element<T>::Part>(text);
  }
}

std::size_t number_length(std::string_view text) {
  const auto accepts = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '/';
  };
  std::size_t length = 0;
  while (length < text.size() && accepts(text[length])) ++length;
  return length;
}

#define HADAMARD_INSTANTIATE(id, Type) template Type parse<Type>(std::string_view);
HADAMARD_TYPES(HADAMARD_INSTANTIATE)
#undef HADAMARD_INSTANTIATE

bool is_number(std::string_view text) noexcept {
  if (text == "true" || text == "false") return true;
  const auto is_unit = [](std::string_view rest) { return rest == "i" || rest == "j"; };
  const std::size_t first = scan(text).length;
  std::string_view rest = text.substr(first);
  if (first > 0 && rest.empty()) return true;
  if (is_unit(rest)) return true;
  if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return false;
  if (is_unit(rest.substr(1))) return true;  // "1+i", "-i"
  const std::size_t second = scan(rest).length;
  return first > 0 && second > 0 && is_unit(rest.substr(second));
}

}  // namespace hadamard::text
