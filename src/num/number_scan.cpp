#include "num/number_scan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fail.hpp"
#include "num/exact.hpp"
#include "num/real_rep.hpp"

namespace hadamard::text {
namespace {

constexpr std::int64_t kExponentCap = 1'000'000'000'000'000;

// <cctype> depends on the locale and on the sign of char.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_hex_digit(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char w, char c) { return w == lower(c); });
}

template <class Predicate>
std::size_t run_length(std::string_view text, std::size_t from, Predicate accepts) {
  std::size_t i = from;
  while (i < text.size() && accepts(text[i])) ++i;
  return i - from;
}

// Reads an exponent that starts at text[i]; returns its length, 0 if there is none.
std::size_t scan_exponent(std::string_view text, std::size_t i, char marker,
                          std::int64_t& exponent) {
  const std::size_t start = i;
  if (i >= text.size() || lower(text[i]) != marker) return 0;
  ++i;
  bool negative = false;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';
  const std::size_t digits = run_length(text, i, is_digit);
  if (digits == 0) return 0;
  std::int64_t value = 0;
  for (const char c : text.substr(i, digits)) {
    value = std::min(kExponentCap, value * 10 + (c - '0'));
  }
  exponent = negative ? -value : value;
  return i + digits - start;
}

ScannedNumber scan_digits(std::string_view text, bool hex) {
  ScannedNumber number;
  number.hex = hex;
  const auto accepts = hex ? is_hex_digit : is_digit;
  std::size_t i = hex ? 2 : 0;
  number.whole = text.substr(i, run_length(text, i, accepts));
  i += number.whole.size();
  if (i < text.size() && text[i] == '.') {
    number.fraction = text.substr(i + 1, run_length(text, i + 1, accepts));
    if (!number.whole.empty() || !number.fraction.empty()) i += 1 + number.fraction.size();
  }
  if (number.whole.empty() && number.fraction.empty()) return {};
  i += scan_exponent(text, i, hex ? 'p' : 'e', number.exponent);
  number.source = text.substr(0, i);
  return number;
}

ScannedNumber scan_number(std::string_view text) {
  if (starts_with_word(text, "0x")) {
    ScannedNumber number = scan_digits(text, true);
    if (!number.source.empty()) return number;
  }
  return scan_digits(text, false);
}

std::size_t leading_zeros(std::string_view digits) {
  return std::min(digits.find_first_not_of('0'), digits.size());
}

// significand x base^exponent, where the digits of `significand` are of base 16 if hex.
Real scaled(const std::string& significand, bool hex, std::int64_t exponent) {
  detail::RepPtr rep = detail::new_rep();
  mpz_ptr n = mpq_numref(rep->q);
  mpz_ptr d = mpq_denref(rep->q);
  mpz_set_str(n, significand.c_str(), hex ? 16 : 10);
  const auto power = static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
  if (hex) {
    (exponent < 0 ? mpq_div_2exp : mpq_mul_2exp)(rep->q, rep->q, power);
  } else {
    detail::Integer factor;
    mpz_ui_pow_ui(factor, 10, power);
    if (exponent < 0) {
      mpz_set(d, factor);
    } else {
      mpz_mul(n, n, factor);
    }
  }
  mpq_canonicalize(rep->q);
  return detail::to_real(std::move(rep));
}

// The value of a number whose size is already known to be bounded.
Real exact_number(const ScannedNumber& number) {
  std::string digits(number.whole);
  digits.append(number.fraction);
  const auto places = static_cast<std::int64_t>(number.fraction.size());
  return scaled(digits, number.hex, number.exponent - (number.hex ? 4 : 1) * places);
}

}  // namespace

bool ScannedNumber::is_zero() const noexcept {
  return leading_zeros(whole) == whole.size() && leading_zeros(fraction) == fraction.size();
}

std::int64_t ScannedNumber::magnitude() const noexcept {
  const std::size_t zeros = leading_zeros(whole);
  const auto place = zeros < whole.size() ? static_cast<std::int64_t>(whole.size() - zeros)
                                          : -static_cast<std::int64_t>(leading_zeros(fraction));
  return place * (hex ? 4 : 1) + exponent;
}

Scanned scan(std::string_view text) noexcept {
  Scanned result;
  std::size_t i = 0;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    result.negative = text[0] == '-';
    i = 1;
  }
  const std::string_view body = text.substr(i);
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (starts_with_word(body, word)) {
      result.form = word == "nan" ? Scanned::Form::nan : Scanned::Form::inf;
      result.length = i + word.size();
      return result;
    }
  }
  result.number = scan_number(body);
  if (result.number.source.empty()) return result;
  i += result.number.source.size();
  if (i < text.size() && text[i] == '/') {
    result.denominator = scan_number(text.substr(i + 1));
    result.is_fraction = !result.denominator.source.empty();
    if (result.is_fraction) i += 1 + result.denominator.source.size();
  }
  result.length = i;
  return result;
}

Real exact_value(const Scanned& scanned, std::string_view text) {
  if (scanned.length > kMaxExactLength) {
    fail(ErrorCode::bad_literal, "{} has {} characters: an exact number may have up to {}",
         in_quotes(text), scanned.length, kMaxExactLength);
  }
  for (const ScannedNumber* number : {&scanned.number, &scanned.denominator}) {
    if (number->exponent > kMaxExactExponent || number->exponent < -kMaxExactExponent) {
      fail(ErrorCode::bad_literal, "{} has an exponent beyond ±{}, too large for an exact number",
           in_quotes(text), kMaxExactExponent);
    }
  }
  Real value = exact_number(scanned.number);
  if (scanned.is_fraction) {
    if (scanned.denominator.is_zero()) {
      fail(ErrorCode::bad_literal, "{} has a zero denominator", in_quotes(text));
    }
    value = value / exact_number(scanned.denominator);
  }
  return scanned.negative ? Real() - value : value;
}

std::uint64_t nearest(const ScannedNumber& number, FloatFormat format) {
  if (number.is_zero()) return 0;
  // No format of ours has a finite number of 10^400 or 2^2000, or a nonzero one that small.
  const std::int64_t limit = number.hex ? 2000 : 400;
  const std::int64_t magnitude = number.magnitude();
  if (magnitude > limit) return format.infinity();
  if (magnitude < -limit) return 0;

  // A number half-way between two doubles has at most 767 significant digits (of base 16: 14). What
  // follows the first 800 matters only by whether it is zero: one more digit can stand for it.
  constexpr std::size_t kSignificant = 800;
  std::string_view whole = number.whole.substr(leading_zeros(number.whole));
  std::string_view fraction = number.fraction;
  if (whole.empty()) fraction.remove_prefix(leading_zeros(fraction));
  std::string digits(whole.substr(0, kSignificant));
  digits.append(fraction.substr(0, kSignificant - digits.size()));
  const std::size_t from_whole = std::min(whole.size(), kSignificant);
  const std::string_view rest[] = {whole.substr(from_whole),
                                   fraction.substr(digits.size() - from_whole)};
  const bool sticky = std::any_of(std::begin(rest), std::end(rest),
                                  [](std::string_view r) { return leading_zeros(r) != r.size(); });
  digits.push_back(sticky ? '1' : '0');
  const auto places = static_cast<std::int64_t>(digits.size()) * (number.hex ? 4 : 1);
  return exact::round_to(scaled(digits, number.hex, magnitude - places), format);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string out = "'";
  for (const char c : text) {
    const std::string piece = c >= ' ' && c <= '~'
                                  ? std::string(1, c)
                                  : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    if (out.size() + piece.size() > kShown + 1) {
      out += "...";
      break;
    }
    out += piece;
  }
  return out += '\'';
}

}  // namespace hadamard::text
