// Elements as text: text::format and text::format_hex.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <concepts>
#include <cstdlib>

#include "base/float_env.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"

namespace hadamard::text {
namespace {

// A positive decimal number: the first digit, a point, the other digits, times 10^exponent.
struct Digits {
  std::string digits;
  int exponent = 0;
};

// Takes "1.234e-05" apart.
Digits from_scientific(std::string_view text) {
  Digits result;
  const std::size_t marker = text.find('e');
  for (const char c : text.substr(0, marker)) {
    if (c != '.') result.digits.push_back(c);
  }
  std::string_view exponent = text.substr(marker + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

// Places the point as Python's repr does.
std::string arrange(const Digits& number, bool negative) {
  std::string out = negative ? "-" : "";
  const std::string& digits = number.digits;
  const int count = static_cast<int>(digits.size());
  const int e = number.exponent;
  if (e < -4 || e > 15) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits, 1);
    return out += fmt::format("e{}{:02}", e < 0 ? '-' : '+', std::abs(e));
  }
  if (e < 0) return out.append("0.").append(static_cast<std::size_t>(-e - 1), '0') += digits;
  if (count <= e + 1) return (out += digits).append(static_cast<std::size_t>(e + 1 - count), '0');
  const auto whole = static_cast<std::size_t>(e + 1);
  return out.append(digits, 0, whole).append(".").append(digits, whole);
}

// float and double: the library's shortest digits. (It compares with 0, which denormals-are-zero
// breaks.)
template <std::floating_point F>
Digits shortest(F magnitude) {
  const ScopedFloatEnv env;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                 std::chars_format::scientific);
  return from_scientific({buffer.data(), end.ptr});
}

// Adds one to the last digit.
Digits next(Digits number) {
  for (std::size_t i = number.digits.size(); i-- > 0;) {
    if (number.digits[i] != '9') {
      ++number.digits[i];
      return number;
    }
    number.digits[i] = '0';
  }
  number.digits.insert(0, 1, '1');
  number.digits.pop_back();
  ++number.exponent;
  return number;
}

template <class F>
bool reads_back(const Digits& number, F value) {
  const std::string text = fmt::format(
      "{}e{}", number.digits, number.exponent - static_cast<int>(number.digits.size()) + 1);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return F(read).bits == value.bits;
}

// Types of ours: the first of the nearest 1, 2, … digit numbers that reads back. At a power of
// two the interval that does reaches further up than down, so the neighbour above has its chance as
// well. Reading through double is not rounding once; that it makes no difference for numbers of so
// few digits is tested for all values.
template <class F>
requires std::is_class_v<F> Digits shortest(F magnitude) {
  const ScopedFloatEnv env;
  const auto wide = static_cast<double>(magnitude);
  for (int precision = 0;; ++precision) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), wide,
                                   std::chars_format::scientific, precision);
    Digits nearest = from_scientific({buffer.data(), end.ptr});
    if (reads_back(nearest, magnitude)) return nearest;
    if (Digits above = next(nearest); reads_back(above, magnitude)) return above;
  }
}

template <class F>
std::string format_float(F value) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  const std::uint64_t bits = exact::bits_of(value);
  const std::uint64_t magnitude = bits & ~kFormat.sign_bit();
  const bool negative = bits != magnitude;
  if (exact::is_nan(bits, kFormat)) return "nan";
  if (exact::is_inf(bits, kFormat)) return negative ? "-inf" : "inf";
  if (magnitude == 0) return negative ? "-0" : "0";
  return arrange(shortest(exact::from_bits<F>(magnitude)), negative);
}

// An integer of ours as one of C++'s.
template <class T>
auto machine_integer(const T& value) {
  if constexpr (is_packed<T>) {
    return static_cast<int>(value.value);
  } else {
    return value;
  }
}

template <class T>
std::uint64_t integer_bits(const T& value) {
  const auto wide = static_cast<std::uint64_t>(machine_integer(value));
  return wide & (~std::uint64_t{0} >> (64 - Element<T>::kBits));
}

}  // namespace

template <class T>
std::string format(const T& value) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::exact) {
    return value.to_string();
  } else if constexpr (kKind == Kind::floating) {
    return format_float(value);
  } else if constexpr (kKind == Kind::integer) {
    return std::to_string(machine_integer(value));
  } else if constexpr (kKind == Kind::boolean) {
    return value ? "true" : "false";
  } else {
    const std::string imaginary = format_float(value.imag());
    return format_float(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + 'i';
  }
}

template <class T>
std::string format_hex(const T& value) {
  constexpr Kind kKind = Element<T>::kKind;
  constexpr int kDigits = Element<T>::kBits / 4;
  if constexpr (kKind == Kind::exact) {
    return value.to_string();
  } else if constexpr (kKind == Kind::floating) {
    return fmt::format("0x{:0{}x}", exact::bits_of(value), kDigits);
  } else if constexpr (kKind == Kind::integer) {
    return fmt::format("0x{:0{}x}", integer_bits(value), kDigits);
  } else if constexpr (kKind == Kind::boolean) {
    return value ? "0x01" : "0x00";
  } else {
    return format_hex(value.real()) + '+' + format_hex(value.imag()) + 'i';
  }
}

#define HADAMARD_INSTANTIATE(id, Type)            \
  template std::string format<Type>(const Type&); \
  template std::string format_hex<Type>(const Type&);
HADAMARD_TYPES(HADAMARD_INSTANTIATE)
#undef HADAMARD_INSTANTIATE

}  // namespace hadamard::text
