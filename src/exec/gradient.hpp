// Sums of products and quotients over the dimensions that an operand was stretched in: gradients.
#pragma once

#include <cstdint>
#include <span>

#include "hadamard/tensor.hpp"

namespace hadamard::exec {

// What is summed, of up to five operands a, b, c, d, e.
enum class Term : std::uint8_t {
  copy,                 // a
  negative,             // -a
  product,              // a b
  negative_product,     // -a b
  quotient,             // a / b
  negative_quotient,    // -a b / c
  quotient_of_rest,     // (a - b c) / d
  product_and_quotient  // a (b c - d) / e
};
int operands_of(Term term) noexcept;

// Each element of `to` becomes the sum of the term over all indices that it is stretched to. All
// views have one shape and one floating type; a dimension in which `to` has stride 0 is summed
// over, and stretched operands have stride 0. `to` overlaps no operand.
//
// Terms and sums are computed with at least twice the precision of the type, and rounded once. With
// n terms t, u the unit roundoff of the type (2^-53 of fp64) and s their true sum, a result differs
// from s by at most
//   u |s| + n 2^-50 sum|t|    fp16, bf16, fp32
//   u |s| + n^2 2^-100 sum|t| fp64, where nothing underflows
// (of the last two terms |t| counts a b c and a d, or a and b c, apart). The order of the additions
// depends on the shape alone: not on threads, strides or the machine. An infinite or NaN sum, also
// one that overflows on the way, is what adding up gives. Sums of nothing are 0.
void sum_terms(Term term, std::span<const ConstView> operands, const View& to);

}  // namespace hadamard::exec
