#include "listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <complex>
#include <optional>

#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"

namespace hadamard::app {
namespace {

constexpr std::size_t kPiece = 64 << 10;

// Calls f(value) for each element in row-major order.
template <class T, class F>
void for_each(const ConstView& v, F f) {
  const Dims* const strides[] = {&v.strides()};
  for (IndexWalk<1> walk(v.shape(), strides); !walk.done(); walk.next()) {
    f(load_element<T>(v.data(), v.offset() + walk.offset(0)));
  }
}

// The classes of one float.
template <class F>
void classify(F value, bool& nan, bool& inf, bool& zero, bool& subnormal) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  const std::uint64_t bits = exact::bits_of(value);
  nan |= exact::is_nan(bits, kFormat);
  inf |= exact::is_inf(bits, kFormat);
  zero = (bits & ~kFormat.sign_bit()) == 0;
  subnormal |= exact::is_subnormal(bits, kFormat);
}

template <class T>
bool less(const T& a, const T& b) {
  if constexpr (Element<T>::kKind == Kind::floating && std::is_class_v<T>) {
    return static_cast<double>(a) < static_cast<double>(b);
  } else if constexpr (is_packed<T>) {
    return a.value < b.value;
  } else {
    return a < b;
  }
}

template <class T>
void count(const T& value, Statistics& s, bool& is_nan) {
  bool nan = false, inf = false, zero = false, subnormal = false;
  if constexpr (Element<T>::kKind == Kind::complex) {
    bool zero_im = false;
    classify(value.real(), nan, inf, zero, subnormal);
    classify(value.imag(), nan, inf, zero_im, subnormal);
    zero = zero && zero_im;
  } else if constexpr (Element<T>::kKind == Kind::floating) {
    classify(value, nan, inf, zero, subnormal);
  } else if constexpr (is_packed<T>) {
    zero = value.value == 0;
  } else if constexpr (std::is_same_v<T, Real>) {
    zero = value.is_zero();
  } else {
    zero = value == T{0};
  }
  s.nan += nan;
  s.inf += inf;
  s.zero += zero;
  s.subnormal += subnormal;
  is_nan = nan;
}

template <class F>
std::string json_float(F value) {
  const std::uint64_t bits = exact::bits_of(value);
  std::string text = text::format(value);
  if (!exact::is_finite(bits, Element<F>::kFormat)) return json_string(text);
  return text == "-0" ? "-0.0" : text;  // some readers take -0 for an integer
}

template <class T>
std::string json_value(const T& value, bool hex) {
  if (hex) return json_string(text::format_hex(value));
  if constexpr (Element<T>::kKind == Kind::complex) {
    return fmt::format("[{},{}]", json_float(value.real()), json_float(value.imag()));
  } else if constexpr (Element<T>::kKind == Kind::floating) {
    return json_float(value);
  } else if constexpr (Element<T>::kKind == Kind::exact) {
    return json_string(text::format(value));
  } else {
    return text::format(value);
  }
}

// How many bytes the first character has; 0 where it is none of UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Longer than need be, halves of pairs, and beyond the last character.
  const bool wrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
                     (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : length;
}

}  // namespace

Statistics statistics(const ConstView& tensor) {
  return with_type(tensor.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    Statistics s;
    std::optional<T> min, max;
    for_each<T>(tensor, [&](const T& value) {
      bool nan = false;
      count(value, s, nan);
      if constexpr (Element<T>::kKind != Kind::complex) {
        if (nan) return;
        if (!min || less(value, *min)) min = value;
        if (!max || less(*max, value)) max = value;
      }
    });
    if (min) s.min = text::format(*min);
    if (max) s.max = text::format(*max);
    return s;
  });
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::size_t bytes = utf8_length(text.substr(i));
    if (bytes == 0) {
      quoted += "\\ufffd";  // JSON is UTF-8, and names in files are any bytes
    } else if (bytes > 1) {
      quoted += text.substr(i, bytes);
      i += bytes - 1;
    } else if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

void print_json(const TextSink& sink, const ConstView& tensor, bool hex, const std::string& plan) {
  std::string text = fmt::format("{{\"shape\":[{}],\"type\":\"{}\",\"values\":[",
                                 fmt::join(tensor.shape(), ","), name(tensor.dtype()));
  with_type(tensor.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    bool first = true;
    for_each<T>(tensor, [&](const T& value) {
      if (!first) text += ',';
      first = false;
      text += json_value(value, hex);
      if (text.size() < kPiece) return;
      sink(text);
      text.clear();
    });
  });
  const Statistics s = statistics(tensor);
  text += fmt::format("],\"counts\":{{\"nan\":{},\"inf\":{},\"zero\":{},\"subnormal\":{}}}", s.nan,
                      s.inf, s.zero, s.subnormal);
  if (!plan.empty()) text += ",\"plan\":" + json_string(plan);
  sink(text + "}\n");
}

}  // namespace hadamard::app
