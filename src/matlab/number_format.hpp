// How the numbers of one scalar or matrix are written: all alike, with the decimals that the
// largest and the smallest of them ask for.
#pragma once

#include <span>
#include <string>

#include "matlab/display.hpp"

namespace hadamard::matlab {

enum class Notation : unsigned char { integer, fixed, exponent };

struct NumberFormat {
  Notation notation = Notation::integer;
  int width = 0;  // of a real number or a real part, with its sign; imaginary parts have no sign
  int decimals = 0;
  int scale = 0;  // the power of ten that all of them are divided by
};

struct Precision {
  int digits;  // significant ones
  int widest;  // number without a power of ten, with its sign and point
};
Precision precision_of(Format format, Class cls);

enum class Extent : bool { scalar, matrix };

// `imaginary` is empty for real numbers.
NumberFormat format_for(std::span<const double> real, std::span<const double> imaginary,
                        const Precision& precision, Extent extent, bool common_scale);

// Appends one number, right-aligned to `width`. Zero is always "0", without a sign.
void append_number(std::string& out, double value, const NumberFormat& format, int width);

// "  1.0e+03 *\n\n", or nothing where the scale is 1.
std::string scale_line(const NumberFormat& format);

}  // namespace hadamard::matlab
