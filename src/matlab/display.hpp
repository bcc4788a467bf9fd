// What a statement without ';' prints, as GNU Octave does under `format short`, `long` and `hex`.
// Where we differ on purpose: tests/matlab/README.md.
#pragma once

#include <string>
#include <string_view>

#include "matlab/value.hpp"

namespace hadamard::matlab {

enum class Format : unsigned char { short_, long_, hex };

struct DisplayOptions {
  Format format = Format::short_;
  int width = 80;  // of the terminal
  // Matrices that would need powers of ten get one in common, "  1.0e+03 *", as in MATLAB (and
  // Octave with fixed_point_format); false: "1.0005e+03" at every element, as Octave by itself.
  bool common_scale = true;
};

// "x = 5\n", "A =\n\n   1   2\n   3   4\n\n", "E = [](0x3)\n", slices "ans(:,:,2) =", "  1x3
// gpuArray"
std::string display(std::string_view name, const Value& value, const DisplayOptions& options);
// The elements alone: disp(x).
std::string disp(const Value& value, const DisplayOptions& options);

}  // namespace hadamard::matlab
