// What a statement without ';' prints, as GNU Octave and MATLAB do under `format short`.
#pragma once

#include <string>
#include <string_view>

#include "matlab/value.hpp"

namespace hadamard::matlab {

enum class Format : unsigned char { short_, long_, hex };

struct DisplayOptions {
  Format format = Format::short_;
  int width = 80;  // of the terminal
};

// "x = 5\n", "A =\n\n   1   2\n   3   4\n\n", "E = [](0x3)\n", slices "ans(:,:,2) =", "  1x3
// gpuArray"
std::string display(std::string_view name, const Value& value, const DisplayOptions& options);
// The elements alone: disp(x).
std::string disp(const Value& value, const DisplayOptions& options);

}  // namespace hadamard::matlab
