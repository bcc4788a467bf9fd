#include "matlab/number_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hadamard::matlab {
namespace {

// Of the finite numbers of a list: the digits before the point of the largest and of the smallest;
// 0 for 0.5, -1 for 0.05.
struct Magnitudes {
  int largest = 0;
  int smallest = 0;
  bool all_integers = true;  // but for infinities and NaN
  bool all_finite = true;
};

int digits_before_point(double magnitude) {
  return magnitude == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
}

Magnitudes magnitudes(std::span<const double> numbers) {
  Magnitudes found;
  double largest = 0;
  double smallest = HUGE_VAL;
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      found.all_finite = false;
      continue;
    }
    const double magnitude = std::fabs(number);
    largest = std::max(largest, magnitude);
    smallest = std::min(smallest, magnitude);
    found.all_integers = found.all_integers && std::trunc(number) == number;
  }
  found.largest = digits_before_point(largest);
  found.smallest = std::isfinite(smallest) ? digits_before_point(smallest) : 0;
  return found;
}

// Of real and imaginary parts together. The smaller magnitude of a complex number counts; of a
// matrix only what is the smallest of the real and of the imaginary parts.
Magnitudes together(const Magnitudes& real, const Magnitudes& imaginary, Extent extent) {
  Magnitudes both;
  both.largest = std::max(real.largest, imaginary.largest);
  both.smallest = extent == Extent::scalar ? std::min(real.smallest, imaginary.smallest)
                                           : std::max(real.smallest, imaginary.smallest);
  both.all_integers = real.all_integers && imaginary.all_integers;
  both.all_finite = real.all_finite && imaginary.all_finite;
  return both;
}

int digits_left(int magnitude) { return std::max(magnitude, 1); }

int digits_right(int magnitude, int precision) {
  if (magnitude == 0) return precision - 1;
  return precision > magnitude ? precision - magnitude : precision;
}

constexpr int kSignAndPoint = 2;

NumberFormat exponent_format(const Magnitudes& found, int precision) {
  const auto exponent_digits = [](int magnitude) { return std::abs(magnitude - 1) >= 100 ? 3 : 2; };
  const int exponent =
      std::max(exponent_digits(found.largest), exponent_digits(found.smallest)) + 2;  // e and sign
  return {Notation::exponent, kSignAndPoint + precision + exponent, precision - 1, 0};
}

}  // namespace

Precision precision_of(Format format, Class cls) {
  if (format != Format::long_) return {5, 9};
  return cls == Class::single_ ? Precision{8, 10} : Precision{16, 18};
}

NumberFormat format_for(std::span<const double> real, std::span<const double> imaginary,
                        const Precision& precision, Extent extent, bool common_scale) {
  Magnitudes found = magnitudes(real);
  if (!imaginary.empty()) found = together(found, magnitudes(imaginary), extent);
  const int narrowest = found.all_finite ? 0 : 4;  // " NaN"
  if (found.all_integers) {
    const int digits = std::max(found.largest, 1);
    const int most = precision.widest - (extent == Extent::scalar ? 2 : 3);
    if (digits > most) return exponent_format(found, precision.digits);
    return {Notation::integer, std::max(digits + 1, narrowest), 0, 0};
  }
  const int decimals = std::max(digits_right(found.largest, precision.digits),
                                digits_right(found.smallest, precision.digits));
  const int left = std::max(digits_left(found.largest), digits_left(found.smallest));
  const int width = kSignAndPoint + left + decimals;
  if (width <= precision.widest) {
    return {Notation::fixed, std::max(width, narrowest), decimals, 0};
  }
  if (!common_scale || extent == Extent::scalar) return exponent_format(found, precision.digits);
  return {Notation::fixed, kSignAndPoint + precision.digits, precision.digits - 1,
          found.largest == 0 ? 0 : found.largest - 1};
}

void append_number(std::string& out, double value, const NumberFormat& format, int width) {
  auto end = std::back_inserter(out);
  if (value == 0) {
    fmt::format_to(end, "{:>{}}", 0, width);
  } else if (std::isnan(value)) {
    fmt::format_to(end, "{:>{}}", "NaN", width);
  } else if (std::isinf(value)) {
    fmt::format_to(end, "{:>{}}", value < 0 ? "-Inf" : "Inf", width);
  } else if (format.notation == Notation::exponent) {
    fmt::format_to(end, "{:>{}.{}e}", value, width, format.decimals);
  } else {
    // In two steps where 10^scale alone is out of range.
    const int half = format.scale / 2;
    const double scaled = std::abs(format.scale) <= 300
                              ? value / std::pow(10.0, format.scale)
                              : value / std::pow(10.0, half) / std::pow(10.0, format.scale - half);
    fmt::format_to(end, "{:>{}.{}f}", scaled, width, format.decimals);
  }
}

std::string scale_line(const NumberFormat& format) {
  return format.scale == 0 ? "" : fmt::format("  1.0e{:+03} *\n\n", format.scale);
}

}  // namespace hadamard::matlab
