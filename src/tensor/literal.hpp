// Tensors as text: literals in, listings out.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "hadamard/tensor.hpp"

namespace hadamard {

// Reads a tensor of any element type; the numbers are those of text::parse.
//
//   7                       rank 0
//   [1 2 3]  [1, 2, 3]      rank 1
//   [1 2; 3 4]              rank 2: rows apart by ';'
//   [[1 2] [3 4]]           nested to any rank up to 64; the same shape at every place
//   []  [[], []]            empty: (0), (2,0)
//
// White space, also line ends, is free around numbers and brackets, and none may be inside a
// number: [1 -2] and [1 - 2] differ, and the second is an error. One comma may stand between two
// neighbours. Throws bad_literal with the place (line and column, from 1, in bytes) and what was
// expected there. Time and memory are linear in the text.
Tensor parse_literal(std::string_view text, DType type);

// Takes a listing piece by piece, in order.
using TextSink = std::function<void(std::string_view)>;

// Writes all elements by text::format, whatever the strides:
// rank 0 one number; rank 1 one line, apart by one space; rank 2 a line per row; above that the
// matrices of the last two dimensions, each after a line "[i,j,:,:]", an empty line between them.
// An empty tensor is
// "[] (0,3)". Ends with a line end. Pieces are of about 64 KiB.
struct TextStyle {
  bool hex = false;             // bit patterns
  std::optional<int> decimals;  // of `real`: "61/30 (2.0333)", the second rounded to this many
};
void print_text(const TextSink& sink, const ConstView& tensor, const TextStyle& style = {});

}  // namespace hadamard
