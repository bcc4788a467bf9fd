// Two tensors element by element: are they the same, and if not, where and how far apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hadamard/tensor.hpp"

namespace hadamard {

// One element as a person reads it.
struct ElementText {
  std::string value;  // "0.5"
  std::string hex;    // "0x3f000000"
};
std::string to_string(const ElementText& element);  // "0.5 0x3f000000"
ElementText element_text(const ConstView& tensor, const Dims& index);

// When two elements that differ in their bits are the same nevertheless.
struct Tolerance {
  std::optional<std::uint64_t> ulp{};  // at most this far apart (0: -0 is 0, any NaN is any NaN)
  bool any_nan = false;                // both are NaN
};

struct Difference {
  Dims index;
  ElementText a;
  ElementText b;
  // Representable numbers between the two: 1 for neighbours; of integers the difference, of complex
  // numbers the larger of both parts. Nothing where there is none: one of them is NaN, or exact
  // numbers.
  std::optional<std::uint64_t> distance;
};
std::string distance_text(const Difference& difference);  // "1 ULP", "no distance"

struct Comparison {
  std::int64_t count = 0;         // elements of each
  std::int64_t bits_differ = 0;   // elements that are not the same bit for bit
  std::int64_t unordered = 0;     // of those, the ones without a distance
  std::uint64_t largest = 0;      // distance of the others
  std::int64_t beyond = 0;        // elements that differ by more than is tolerated
  std::vector<Difference> first;  // of those
};

// Precondition: the same element type and shape. Keeps the first `shown` differences.
Comparison compare(const ConstView& a, const ConstView& b, const Tolerance& tolerance,
                   std::size_t shown);

}  // namespace hadamard
