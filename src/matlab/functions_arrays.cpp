// Functions that make and rearrange arrays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "matlab/arithmetic.hpp"
#include "matlab/concatenation.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

// Magic squares as MATLAB's and Octave's: by the rule for odd, doubly even and singly even orders.
void fill_odd(std::int64_t n, double* out, std::int64_t rows, double offset) {
  for (std::int64_t t = 0; t < n * n; ++t) {
    const std::int64_t shift = t / n;
    const std::int64_t column = (t + 1 - shift + (n - 3) / 2 + n) % n;
    const std::int64_t row = (n * n - t + 2 * shift) % n;
    out[column * rows + row] = static_cast<double>(t + 1) + offset;
  }
}

Result magic(Workspace& workspace, Arguments a) {
  const std::int64_t n = extent_of(a[0], "magic");
  if (n == 0) return Value();
  workspace.rules.room.require({n, n}, DType::fp64);
  Tensor y = uninitialized(DType::fp64, {n, n});
  double* const m = data_of<double>(y);
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& { return m[j * n + i]; };
  if (n == 2) {
    at(0, 0) = 4, at(0, 1) = 3, at(1, 0) = 1, at(1, 1) = 2;
  } else if (n % 2 == 1) {
    fill_odd(n, m, n, 0);
  } else if (n % 4 == 0) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const auto value = static_cast<double>(i * n + j + 1);
        const bool swap = (i % 4 == 0 || i % 4 == 3) == (j % 4 == 0 || j % 4 == 3);
        at(i, j) = swap ? static_cast<double>(n * n + 1) - value : value;
      }
    }
  } else {
    const std::int64_t h = n / 2, k = (n - 2) / 4;
    const auto quarter = static_cast<double>(h * h);
    fill_odd(h, m, n, 0);
    fill_odd(h, m + h * n + h, n, quarter);
    fill_odd(h, m + h * n, n, 2 * quarter);
    fill_odd(h, m + h, n, 3 * quarter);
    for (std::int64_t i = 0; i < h; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const bool left = j < k ? true : j >= n - k + 1;
        const bool middle = i == h / 2 && (j == 0 || j == k);
        if (middle ? j == k : left) std::swap(at(i, j), at(i + h, j));
      }
    }
  }
  return Value(Class::double_, std::move(y));
}

// A scalar or a vector: one of the ends of linspace.
Value end_of_linspace(const Value& value) {
  const Dims& size = value.size();
  if (size.size() == 2 && (size[0] == 1 || size[1] == 1)) {
    return is_float(value.cls()) ? value : convert(value, Class::double_);
  }
  throw Fault{
      "MATLAB:linspace:invalidEnds",
      fmt::format("linspace: expected scalars or vectors as ends, found {}", size_text(size))};
}

// n numbers from `first` to `last`, `step` places apart. From both ends, as Octave does: the same
// numbers in both directions.
void fill_line(double first, double last, std::int64_t n, double* out, std::int64_t step) {
  const auto at = [=](std::int64_t i) -> double& { return out[i * step]; };
  const auto intervals = static_cast<double>(n - 1);
  double delta = n > 1 ? (last - first) / intervals : 0;
  if (std::isinf(delta)) delta = last / intervals - first / intervals;
  for (std::int64_t i = 0; i < (n + 1) / 2; ++i) {
    at(i) = first + static_cast<double>(i) * delta;
    at(n - 1 - i) = last - static_cast<double>(i) * delta;
  }
  if (n % 2 == 1 && n > 1) at(n / 2) = first == -last ? 0 : (first + last) / 2;
  at(0) = first;  // the ends themselves, whatever they are
  at(n - 1) = last;
}

// A row from one scalar to another; of vectors a row for each of their elements. Complex numbers
// part by part.
Result linspace(Workspace& workspace, Arguments a) {
  const Value ends[] = {end_of_linspace(a[0]), end_of_linspace(a[1])};
  const double wanted = a.size() < 3 ? 100 : std::floor(number_of(a[2], "linspace"));
  const std::int64_t n = extent_of(Value::scalar(wanted), "linspace");
  if (!ends[0].is_scalar() && !ends[1].is_scalar() && ends[0].numel() != ends[1].numel()) {
    throw Fault{"MATLAB:linspace:invalidEnds",
                fmt::format("linspace: expected ends with one element or equally many, found {} "
                            "and {}",
                            ends[0].numel(), ends[1].numel())};
  }
  const bool is_complex = ends[0].is_complex() || ends[1].is_complex();
  const bool narrow = ends[0].cls() == Class::single_ || ends[1].cls() == Class::single_;
  const std::int64_t rows = ends[0].is_scalar() ? ends[1].numel() : ends[0].numel();
  const DType type = is_complex ? DType::complex128 : DType::fp64;
  workspace.rules.room.require({rows, n}, type);
  const auto numbers = [&](const Value& end) {
    const Value wide = convert(end, Class::double_);
    return is_complex ? to_complex(wide) : wide;
  };
  const Value first = numbers(ends[0]), last = numbers(ends[1]);
  Tensor y = uninitialized(type, {rows, n});
  const std::int64_t parts = is_complex ? 2 : 1;
  for (std::int64_t k = 0; n > 0 && k < rows * parts; ++k) {
    const auto of = [&](const Value& end) {
      return data_of<double>(end)[end.is_scalar() ? k % parts : k];
    };
    fill_line(of(first), of(last), n, data_of<double>(y) + k, rows * parts);
  }
  return narrowed(
      convert(Value(Class::double_, std::move(y)), narrow ? Class::single_ : Class::double_));
}

Result reshape(Workspace&, Arguments a) {
  Dims size;
  if (a.size() == 2) {
    size = size_of(a.subspan(1), "reshape");
  } else {
    std::optional<std::size_t> open;
    std::int64_t known = 1;
    for (std::size_t i = 1; i < a.size(); ++i) {
      if (a[i].is_empty() && !open) {
        open = i - 1;
        size.push_back(1);
      } else {
        size.push_back(extent_of(a[i], "reshape"));
        known = element_count({known, size[size.size() - 1]});
      }
    }
    if (open) size[*open] = known > 0 ? a[0].numel() / known : 0;
    while (size.size() > 2 && size[size.size() - 1] == 1) size.resize(size.size() - 1);
  }
  if (element_count(size) != a[0].numel()) {
    throw Fault{"MATLAB:getReshapeDims:notSameNumel",
                fmt::format("reshape: can't reshape {} array to {} array", size_text(a[0].size()),
                            size_text(size))};
  }
  Tensor y = uninitialized(a[0].elements().dtype(), size);
  if (y.size_bytes() != 0) std::memcpy(y.data(), a[0].elements().data(), y.size_bytes());
  return Value(a[0].cls(), std::move(y), a[0].residency());
}

// Each stretch of the first d + 1 dimensions `times` times, one behind the other.
Value repeated(const Value& value, std::size_t d, std::int64_t times) {
  Dims size = value.size();
  while (size.size() <= d) size.push_back(1);
  std::size_t length = static_cast<std::size_t>(bits(value.elements().dtype())) / 8;
  for (std::size_t e = 0; e <= d; ++e) length *= static_cast<std::size_t>(size[e]);
  size[d] *= times;
  Tensor y = uninitialized(value.elements().dtype(), size);
  const std::size_t whole = length * static_cast<std::size_t>(times);
  const auto* from = static_cast<const std::byte*>(value.elements().data());
  auto* to = static_cast<std::byte*>(y.data());
  for (std::size_t begin = 0; begin < y.size_bytes(); begin += whole, from += length) {
    std::memcpy(to + begin, from, length);
    for (std::size_t done = length; done < whole;) {  // twice as many with each copy
      const std::size_t next = std::min(done, whole - done);
      std::memcpy(to + begin + done, to + begin, next);
      done += next;
    }
  }
  return {value.cls(), std::move(y), value.residency()};
}

Result repmat(Workspace& workspace, Arguments a) {
  const Dims times = size_of(a.subspan(1), "repmat");
  Dims size = a[0].size();
  while (size.size() < times.size()) size.push_back(1);
  for (std::size_t d = 0; d < times.size(); ++d) {
    if (size[d] != 0 && times[d] > workspace.rules.room.most_elements / size[d]) {
      throw Fault{"MATLAB:nomem", "repmat: out of memory: the result is too large"};
    }
    size[d] *= times[d];
  }
  workspace.rules.room.require(size, a[0].elements().dtype());
  if (element_count(size) == 0) {
    return Value(a[0].cls(), Tensor(a[0].elements().dtype(), size, Order::column_major),
                 a[0].residency());
  }
  Value y = a[0];
  for (std::size_t d = 0; d < times.size(); ++d) {
    if (times[d] != 1) y = repeated(y, d, times[d]);
  }
  return y;
}

Result horzcat(Workspace& workspace, Arguments a) {
  return concatenated(a, 2, workspace.rules.room);
}
Result vertcat(Workspace& workspace, Arguments a) {
  return concatenated(a, 1, workspace.rules.room);
}

}  // namespace

std::span<const Function> array_functions() {
  static constexpr Function kTable[] = {
      {"magic", 1, 1, "magic(n): a magic square", magic},
      {"linspace", 2, 3, "linspace(first, last, n); of vectors a row for each of their elements",
       linspace},
      {"reshape", 2, -1, "the same elements in another size", reshape},
      {"repmat", 2, -1, "repmat(A, m, n): copies of A side by side", repmat},
      {"horzcat", 0, -1, "[A, B, …]", horzcat},
      {"vertcat", 0, -1, "[A; B; …]", vertcat},
  };
  return kTable;
}

}  // namespace hadamard::matlab
