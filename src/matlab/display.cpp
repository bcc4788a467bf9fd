#include "matlab/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <iterator>
#include <vector>

#include "base/utf8.hpp"
#include "matlab/number_format.hpp"

namespace hadamard::matlab {
namespace {

// How one slice is written: every element with the same number of columns of the terminal.
struct Columns {
  int width = 0;         // of an element, with the two blanks before it
  std::string headline;  // the common scale
  std::function<void(std::string&, std::int64_t)> append;  // the element of that index, padded
};

// One rows x columns slice of a value, from element `first` on.
struct Slice {
  const Value& value;
  std::int64_t first, rows, columns;
  int whole_number_width;  // the same for all slices of a value
};

template <class T>
const T* data(const Slice& slice) {
  return static_cast<const T*>(slice.value.elements().data()) + slice.first;
}

// ------------------------------------------------------------------ what the elements look like

template <class Visitor>
auto visit_whole_numbers(const Value& value, Visitor visitor) {
  switch (value.cls()) {
    case Class::int8:
      return visitor(std::int8_t{});
    case Class::int16:
      return visitor(std::int16_t{});
    case Class::int32:
      return visitor(std::int32_t{});
    case Class::int64:
      return visitor(std::int64_t{});
    case Class::uint8:
      return visitor(std::uint8_t{});
    case Class::uint16:
      return visitor(std::uint16_t{});
    case Class::uint32:
      return visitor(std::uint32_t{});
    case Class::uint64:
      return visitor(std::uint64_t{});
    default:
      return visitor(bool{});
  }
}

// Digits of the longest and one for a minus, be it on another. 0 for floats and text.
int whole_number_width(const Value& value) {
  if (!is_integer(value.cls()) && value.cls() != Class::logical) return 0;
  return visit_whole_numbers(value, [&](auto zero) {
    const auto* elements = static_cast<const decltype(zero)*>(value.elements().data());
    std::size_t digits = 1;
    bool is_negative = false;
    for (std::int64_t i = 0; i < value.numel(); ++i) {
      const bool minus = elements[i] < zero;
      is_negative = is_negative || minus;
      digits = std::max(digits, fmt::formatted_size("{}", +elements[i]) - (minus ? 1 : 0));
    }
    return static_cast<int>(digits) + (is_negative ? 1 : 0);
  });
}

Columns whole_number_columns(const Slice& slice) {
  return visit_whole_numbers(slice.value, [&](auto zero) -> Columns {
    using T = decltype(zero);
    const int width = slice.whole_number_width + 2;
    return {width, "", [elements = data<T>(slice), width](std::string& out, std::int64_t i) {
              fmt::format_to(std::back_inserter(out), "{:>{}}", +elements[i], width);
            }};
  });
}

// The bits of `bytes` bytes at `element`, the highest first.
void append_hex(std::string& out, const unsigned char* element, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) {
    fmt::format_to(std::back_inserter(out), "{:02x}", element[i]);
  }
}

Columns hex_columns(const Slice& slice) {
  const int bytes = bits(slice.value.elements().dtype()) / 8;
  const int parts = slice.value.is_complex() ? 2 : 1;
  const unsigned char* elements = static_cast<const unsigned char*>(slice.value.elements().data()) +
                                  static_cast<std::size_t>(slice.first * bytes);
  return {2 * bytes + (parts == 2 ? 5 : 2), "",
          [elements, bytes, parts](std::string& out, std::int64_t i) {
            const unsigned char* element = elements + static_cast<std::size_t>(i * bytes);
            out += "  ";
            append_hex(out, element, bytes / parts);
            if (parts == 1) return;
            out += "  ";
            append_hex(out, element + bytes / 2, bytes / 2);
            out += 'i';
          }};
}

struct Numbers {
  std::vector<double> real, imaginary;
};

Numbers numbers_of(const Slice& slice) {
  Numbers numbers;
  const auto count = static_cast<std::size_t>(slice.rows * slice.columns);
  const auto take = [&](auto zero) {
    using T = decltype(zero);
    const T* elements = data<T>(slice);
    numbers.real.assign(elements, elements + count);
  };
  const auto take_complex = [&](auto zero) {
    using T = decltype(zero);
    const auto* elements = data<std::complex<T>>(slice);
    for (std::size_t i = 0; i < count; ++i) {
      numbers.real.push_back(elements[i].real());
      numbers.imaginary.push_back(elements[i].imag());
    }
  };
  const bool is_complex = slice.value.is_complex();
  if (slice.value.cls() == Class::single_) {
    is_complex ? take_complex(float{}) : take(float{});
  } else {
    is_complex ? take_complex(double{}) : take(double{});
  }
  return numbers;
}

// "1.5000 - 2.0000i": the sign of the imaginary part stands apart, also that of zero and NaN.
void append_complex(std::string& out, double real, double imaginary, const NumberFormat& format) {
  append_number(out, real, format, format.width);
  out += std::signbit(imaginary) ? " - " : " + ";
  append_number(out, std::fabs(imaginary), format, format.width - 1);
  out += 'i';
}

Columns float_columns(const Slice& slice, const DisplayOptions& options) {
  auto numbers = std::make_shared<Numbers>(numbers_of(slice));
  NumberFormat format =
      format_for(numbers->real, numbers->imaginary, precision_of(options.format, slice.value.cls()),
                 Extent::matrix, options.common_scale);
  if (slice.value.is_complex()) {
    // Octave counts one column of the terminal more than it fills.
    return {2 * format.width + 6, scale_line(format),
            [numbers, format](std::string& out, std::int64_t i) {
              const auto k = static_cast<std::size_t>(i);
              out += "  ";
              append_complex(out, numbers->real[k], numbers->imaginary[k], format);
            }};
  }
  constexpr int kNarrowestOnDevice = 4;  // as the document shows them: "     5     4     3"
  if (slice.value.residency() == Residency::device) {
    format.width = std::max(format.width, kNarrowestOnDevice);
  }
  const int width = format.width + 2;
  return {width, scale_line(format), [numbers, format, width](std::string& out, std::int64_t i) {
            append_number(out, numbers->real[static_cast<std::size_t>(i)], format, width);
          }};
}

bool is_text(Class cls) { return cls == Class::char_ || cls == Class::string; }

Columns columns_of(const Slice& slice, const DisplayOptions& options) {
  if (options.format == Format::hex) return hex_columns(slice);
  return is_float(slice.value.cls()) ? float_columns(slice, options) : whole_number_columns(slice);
}

// ------------------------------------------------------------------ text

// Row `row` of a slice of char.
void append_row_of_text(std::string& out, const Slice& slice, std::int64_t row) {
  const auto* units = data<std::uint16_t>(slice);
  append_utf16(out, slice.columns,
               [&](std::int64_t column) -> char32_t { return units[column * slice.rows + row]; });
}

// ------------------------------------------------------------------ layout

std::string columns_title(std::int64_t first, std::int64_t last) {
  if (first == last) return fmt::format(" Column {}:\n\n", first);
  return fmt::format(" Columns {} {} {}:\n\n", first, last - first == 1 ? "and" : "through", last);
}

std::string matrix_text(const Slice& slice, const DisplayOptions& options) {
  const Columns columns = columns_of(slice, options);
  const std::int64_t at_once =
      std::clamp<std::int64_t>(options.width / columns.width, 1, slice.columns);
  std::string out = columns.headline;
  for (std::int64_t first = 0; first < slice.columns; first += at_once) {
    const std::int64_t last = std::min(first + at_once, slice.columns);
    if (at_once < slice.columns) out += columns_title(first + 1, last);
    for (std::int64_t row = 0; row < slice.rows; ++row) {
      for (std::int64_t column = first; column < last; ++column) {
        columns.append(out, column * slice.rows + row);
      }
      out += '\n';
    }
    if (last < slice.columns) out += '\n';
  }
  return out;
}

std::string scalar_text(const Slice& slice, const DisplayOptions& options) {
  std::string out;
  if (options.format == Format::hex || !is_float(slice.value.cls())) {
    columns_of(slice, options).append(out, 0);
    return out.substr(out.find_first_not_of(' '));
  }
  const Numbers number = numbers_of(slice);
  const NumberFormat format =
      format_for(number.real, number.imaginary, precision_of(options.format, slice.value.cls()),
                 Extent::scalar, false);
  if (slice.value.is_complex()) {
    append_complex(out, number.real[0], number.imaginary[0], format);
  } else {
    append_number(out, number.real[0], format, 0);
  }
  return out;
}

// Does it stand behind "x = ", on the same line?
bool is_one_line(const Value& value) {
  const std::int64_t rows = value.size()[0];
  if (is_text(value.cls())) return rows <= 1;
  return rows == 1 && value.size()[1] == 1 && value.residency() == Residency::host;
}

std::string slice_text(const Slice& slice, const DisplayOptions& options) {
  if (!is_text(slice.value.cls())) {
    return is_one_line(slice.value) ? scalar_text(slice, options) + '\n'
                                    : matrix_text(slice, options);
  }
  std::string out;
  for (std::int64_t row = 0; row < slice.rows; ++row) {
    append_row_of_text(out, slice, row);
    out += '\n';
  }
  if (slice.rows == 0) out += '\n';
  return out;
}

// "(:,:,2,1)"
std::string slice_index(const Dims& size, std::int64_t number) {
  std::string out = "(:,:";
  for (std::size_t dim = 2; dim < size.size(); ++dim) {
    fmt::format_to(std::back_inserter(out), ",{}", number % size[dim] + 1);
    number /= size[dim];
  }
  return out + ')';
}

std::string slices_text(const Value& value, const DisplayOptions& options) {
  const Dims& size = value.size();
  const std::int64_t step = size[0] * size[1];
  const std::int64_t count = value.numel() / step;
  const int width = whole_number_width(value);
  std::string out;
  for (std::int64_t number = 0; number < count; ++number) {
    const Slice slice{value, number * step, size[0], size[1], width};
    out += "ans" + slice_index(size, number);
    if (is_one_line(slice.value)) {
      out += " = " + slice_text(slice, options);
    } else {
      out += " =\n\n" + slice_text(slice, options);
      if (number + 1 < count) out += '\n';
    }
  }
  return out;
}

// Without elements to show; an empty matrix of text is shown as text where it has two dimensions.
bool is_shown_as_size(const Value& value) {
  return value.is_empty() && !(is_text(value.cls()) && value.size().size() == 2);
}

Slice whole(const Value& value) {
  return {value, 0, value.size()[0], value.size()[1], whole_number_width(value)};
}

}  // namespace

std::string disp(const Value& value, const DisplayOptions& options) {
  if (is_shown_as_size(value)) return "[](" + size_text(value.size()) + ")\n";
  return value.size().size() > 2 ? slices_text(value, options) : slice_text(whole(value), options);
}

std::string display(std::string_view name, const Value& value, const DisplayOptions& options) {
  std::string out(name);
  if (value.residency() == Residency::device) {
    return out + " =\n  " + size_text(value.size()) + " gpuArray\n" +
           (value.is_empty() ? "" : disp(value, options));
  }
  const bool is_short = is_shown_as_size(value) || (value.size().size() == 2 && is_one_line(value));
  return is_short ? out + " = " + disp(value, options)
                  : out + " =\n\n" + disp(value, options) + '\n';
}

}  // namespace hadamard::matlab
