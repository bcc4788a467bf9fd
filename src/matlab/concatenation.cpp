#include "matlab/concatenation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {
namespace {

bool is_empty_vector(const Dims& size) { return size.size() == 2 && size[0] + size[1] == 1; }

// The size of a and b along dimension d, counted from 0; nothing where they do not fit.
std::optional<Dims> joined(const Dims& a, const Dims& b, std::size_t d) {
  const auto extent = [](const Dims& size, std::size_t e) { return e < size.size() ? size[e] : 1; };
  bool fits = true;
  for (std::size_t e = 0; e < std::max(a.size(), b.size()); ++e) {
    fits = fits && (e == d || extent(a, e) == extent(b, e));
  }
  if (fits) {
    Dims sum = a;
    sum[d] += b[d];
    return sum;
  }
  const Dims nothing{0, 0};
  if (b == nothing) return a;
  if (a == nothing) return b;
  if (a.size() > 2 || b.size() > 2) return std::nullopt;
  if (is_empty_vector(b)) return is_empty_vector(a) ? nothing : a;
  if (is_empty_vector(a)) return b;
  return std::nullopt;
}

// Those that have elements, of the class.
std::vector<Value> converted(std::span<const Value> parts, Class cls) {
  const bool is_complex = std::any_of(parts.begin(), parts.end(), [](const Value& part) {
    return part.is_complex() && !part.is_empty();
  });
  std::vector<Value> kept;
  for (const Value& part : parts) {
    if (part.is_empty()) continue;
    kept.push_back(convert(part, cls));
    if (is_complex) kept.back() = to_complex(kept.back());
  }
  return kept;
}

}  // namespace

Class common_class(Class a, Class b) {
  if (a == b) return a;
  if (a == Class::string || b == Class::string) {
    throw Fault{"MATLAB:catenate", "strings cannot be concatenated with other classes here"};
  }
  if (a == Class::char_ || b == Class::char_) return Class::char_;
  for (const Class c : {a, b}) {
    if (is_integer(c)) return c;  // the first integer's
  }
  if (a == Class::single_ || b == Class::single_) return Class::single_;
  return Class::double_;
}

Value concatenated(std::span<const Value> parts, std::size_t dimension, const Room& room) {
  if (parts.empty()) return {};
  const std::size_t d = dimension - 1;
  Class cls = parts[0].cls();
  Residency residency = Residency::host;
  Dims size{0, 0};
  for (const Value& part : parts) {
    cls = common_class(cls, part.cls());
    if (part.residency() == Residency::device) residency = Residency::device;
    const std::optional<Dims> next = joined(size, part.size(), d);
    if (!next) {
      throw Fault{
          "MATLAB:catenate:dimensionMismatch",
          fmt::format("{} dimensions mismatch ({} vs {})", d == 1 ? "horizontal" : "vertical",
                      size_text(size), size_text(part.size()))};
    }
    size = *next;
  }
  const std::vector<Value> kept = converted(parts, cls);
  const DType type = kept.empty() ? element_type(cls) : kept[0].elements().dtype();
  room.require(size, type);
  // Column-major: a part is a run of its first d+1 dimensions for each place of the others.
  Tensor y = uninitialized(type, size);
  const auto run = [&](const Dims& s) {
    std::int64_t n = bits(type) / 8;
    for (std::size_t e = 0; e <= d; ++e) n *= s[e];
    return static_cast<std::size_t>(n);
  };
  const std::size_t whole = run(size);
  std::size_t offset = 0;
  for (const Value& part : kept) {
    const std::size_t length = run(part.size());
    const auto* from = static_cast<const std::byte*>(part.elements().data());
    auto* const to = static_cast<std::byte*>(y.data()) + offset;
    for (std::size_t done = 0; done < y.size_bytes(); done += whole) {
      std::memcpy(to + done, from, length);
      from += length;
    }
    offset += length;
  }
  return {cls, std::move(y), residency};
}

}  // namespace hadamard::matlab
