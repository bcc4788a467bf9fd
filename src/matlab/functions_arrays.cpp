// Functions that make and rearrange arrays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "matlab/arithmetic.hpp"
#include "matlab/concatenation.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

std::optional<Class> class_named(std::string_view wanted) {
  for (const Class cls : {
#define HADAMARD_MATLAB_CLASS_ID(id, name, type) Class::id,
           HADAMARD_MATLAB_CLASSES(HADAMARD_MATLAB_CLASS_ID)
#undef HADAMARD_MATLAB_CLASS_ID
       }) {
    if (name(cls) == wanted) return cls;
  }
  return std::nullopt;
}

// zeros(…, 'int8'), zeros(…, 'like', P): what the size is followed by.
struct Kind {
  Class cls = Class::double_;
  Residency residency = Residency::host;
  bool is_complex = false;
};

Kind take_kind(Arguments& arguments, std::string_view function) {
  Kind kind;
  if (arguments.size() >= 2 && arguments[arguments.size() - 2].cls() == Class::char_ &&
      text_of(arguments[arguments.size() - 2], function) == "like") {
    const Value& prototype = arguments.back();
    kind = {prototype.cls(), prototype.residency(), prototype.is_complex()};
    arguments = arguments.first(arguments.size() - 2);
  } else if (!arguments.empty() && arguments.back().cls() == Class::char_) {
    const std::string wanted = text_of(arguments.back(), function);
    const auto cls = class_named(wanted);
    if (!cls || *cls == Class::string || *cls == Class::char_) {
      throw Fault{"MATLAB:invalidType",
                  fmt::format("{}: '{}' is no numeric class", function, wanted)};
    }
    kind.cls = *cls;
    arguments = arguments.first(arguments.size() - 1);
  }
  return kind;
}

Value filled(Workspace& workspace, Arguments arguments, double value, std::string_view function) {
  const Kind kind = take_kind(arguments, function);
  const Dims size = size_of(arguments, function);
  const Value one = convert(Value::scalar(value), kind.cls);
  workspace.rules.room.require(size, one.elements().dtype());
  Tensor y = value == 0 ? Tensor(one.elements().dtype(), size, Order::column_major)
                        : uninitialized(one.elements().dtype(), size);
  if (value != 0) {
    with_real_type(y.dtype(), [&](auto t) {
      using T = decltype(t);
      std::fill_n(data_of<T>(y), element_count(size), data_of<T>(one)[0]);
    });
  }
  Value result(kind.cls, std::move(y), kind.residency);
  return kind.is_complex ? to_complex(result) : result;
}

Result zeros(Workspace& w, Arguments a) { return filled(w, a, 0, "zeros"); }
Result ones(Workspace& w, Arguments a) { return filled(w, a, 1, "ones"); }
Result inf(Workspace& w, Arguments a) { return filled(w, a, INFINITY, "Inf"); }
Result nan(Workspace& w, Arguments a) { return filled(w, a, NAN, "NaN"); }
Result pi(Workspace& w, Arguments a) { return filled(w, a, 3.141592653589793, "pi"); }
Result e(Workspace& w, Arguments a) { return filled(w, a, 2.718281828459045, "e"); }
// The limit of double, or of single where 'single' is the last argument.
Result float_limit(Workspace& w, Arguments a, double of_double, double of_single,
                   std::string_view function) {
  const bool narrow =
      !a.empty() && a.back().cls() == Class::char_ && text_of(a.back(), function) == "single";
  return filled(w, a, narrow ? of_single : of_double, function);
}
Result realmax(Workspace& w, Arguments a) {
  return float_limit(w, a, 0x1.fffffffffffffp1023, 0x1.fffffep127, "realmax");
}
Result realmin(Workspace& w, Arguments a) {
  return float_limit(w, a, 0x1p-1022, 0x1p-126, "realmin");
}
// eps, eps('single'), or eps(X): the distance from |X| to the next larger number of its class.
Result eps(Workspace& w, Arguments a) {
  if (a.empty() || a[0].cls() == Class::char_) return float_limit(w, a, 0x1p-52, 0x1p-23, "eps");
  if (!is_float(a[0].cls()) || a[0].is_complex()) {
    throw Fault{"MATLAB:eps:invalidClass", "eps(X): X must be real, double or single"};
  }
  Tensor y = uninitialized(a[0].elements().dtype(), a[0].size());
  with_real_type(y.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_floating_point_v<T>) {
      for_each(a[0].numel(), data_of<T>(a[0]), data_of<T>(y), [](T x) {
        const T size = std::abs(x), most = std::numeric_limits<T>::max();
        if (!(size <= most)) return std::numeric_limits<T>::quiet_NaN();
        return size == most ? size - std::nextafter(size, T{0})
                            : std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
      });
    }
  });
  return Value(a[0].cls(), std::move(y), a[0].residency());
}
Result true_(Workspace& w, Arguments a) { return convert(filled(w, a, 1, "true"), Class::logical); }
Result false_(Workspace& w, Arguments a) {
  return convert(filled(w, a, 0, "false"), Class::logical);
}
// intmax, intmax('int8')
template <bool kLargest>
Result integer_limit(Workspace&, Arguments a) {
  const std::string_view function = kLargest ? "intmax" : "intmin";
  const std::string wanted = a.empty() ? "int32" : text_of(a[0], function);
  const auto cls = class_named(wanted);
  if (!cls || !is_integer(*cls)) {
    throw Fault{"MATLAB:invalidType",
                fmt::format("{}: '{}' is no integer class", function, wanted)};
  }
  return convert(Value::scalar(kLargest ? INFINITY : -INFINITY), *cls);  // saturated
}
Result imaginary_unit(Workspace&, Arguments) {
  Value y = to_complex(Value::scalar(0));
  data_of<double>(y.own_elements())[1] = 1;
  return y;
}

Result eye(Workspace& workspace, Arguments a) {
  Value y = filled(workspace, a, 0, "eye");
  if (y.size().size() != 2) throw Fault{"MATLAB:invalidType", "eye has two dimensions"};
  const std::int64_t rows = y.size()[0], least = std::min(rows, y.size()[1]);
  Tensor& elements = y.own_elements();
  const std::int64_t parts = y.is_complex() ? 2 : 1;
  with_real_type(element_type(y.cls()), [&](auto t) {
    using T = decltype(t);
    for (std::int64_t i = 0; i < least; ++i) data_of<T>(elements)[(i * rows + i) * parts] = T{1};
  });
  return y;
}

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

Result rng(Workspace& workspace, Arguments a) {
  const bool is_default = a[0].cls() == Class::char_ && text_of(a[0], "rng") == "default";
  const double seed = is_default ? 0 : number_of(a[0], "rng");
  if (!(seed >= 0 && seed < 0x1p53 && seed == std::trunc(seed))) {
    throw Fault{"MATLAB:rng:badSeed", "rng: the seed must be a whole number from 0 on"};
  }
  // The finishing steps of SplitMix64: seeds that are neighbours give streams that are not.
  std::uint64_t z = static_cast<std::uint64_t>(seed) + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  workspace.random_state = (z ^ (z >> 31)) | 1;  // never 0, where xorshift would stay
  return std::nullopt;
}

// xorshift64*: seeded, so that a script gives the same numbers each time.
Result rand_(Workspace& workspace, Arguments a) {
  if (!a.empty() && a[0].cls() == Class::char_) {
    if (a.size() != 2 || text_of(a[0], "rand") != "seed") {
      throw Fault{"MATLAB:rand:badOption", "rand: the only option is rand('seed', n)"};
    }
    return rng(workspace, a.subspan(1));
  }
  const Dims size = size_of(a, "rand");
  workspace.rules.room.require(size, DType::fp64);
  Tensor y = uninitialized(DType::fp64, size);
  std::uint64_t& s = workspace.random_state;
  for (std::int64_t i = 0; i < element_count(size); ++i) {
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    const std::uint64_t bits = s * 0x2545F4914F6CDD1DU;
    data_of<double>(y)[i] = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
  }
  return Value(Class::double_, std::move(y));
}

Result linspace(Workspace& workspace, Arguments a) {
  const double first = number_of(a[0], "linspace"), last = number_of(a[1], "linspace");
  const std::int64_t n = a.size() < 3 ? 100 : extent_of(a[2], "linspace");
  if (n == 0) return Value(Class::double_, uninitialized(DType::fp64, {1, 0}));
  workspace.rules.room.require({1, n}, DType::fp64);
  Tensor y = uninitialized(DType::fp64, {1, n});
  double* const out = data_of<double>(y);
  const auto steps = static_cast<double>(n - 1);
  double step = n > 1 ? (last - first) / steps : 0;
  if (std::isinf(step)) step = last / steps - first / steps;
  // From both ends, as Octave does: the same numbers in both directions.
  for (std::int64_t i = 0; i < (n + 1) / 2; ++i) {
    out[i] = first + static_cast<double>(i) * step;
    out[n - 1 - i] = last - static_cast<double>(i) * step;
  }
  if (n % 2 == 1 && n > 1) out[n / 2] = first == -last ? 0 : (first + last) / 2;
  out[0] = first;  // the ends themselves, whatever they are
  out[n - 1] = last;
  const bool narrow = a[0].cls() == Class::single_ || a[1].cls() == Class::single_;
  return convert(Value(Class::double_, std::move(y)), narrow ? Class::single_ : Class::double_);
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
      {"zeros", 0, -1, "zeros(m, n, …), with 'int8' or 'like', P at the end", zeros},
      {"ones", 0, -1, "ones(m, n, …), with 'int8' or 'like', P at the end", ones},
      {"Inf", 0, -1, "infinity", inf},
      {"inf", 0, -1, "infinity", inf},
      {"NaN", 0, -1, "not a number", nan},
      {"nan", 0, -1, "not a number", nan},
      {"pi", 0, -1, "3.1416", pi},
      {"e", 0, -1, "2.7183", e},
      {"eps", 0, 1, "the distance from 1, or from |X|, to the next larger number", eps},
      {"realmax", 0, 1, "the largest double, or single: realmax('single')", realmax},
      {"realmin", 0, 1, "the smallest normal double, or single: realmin('single')", realmin},
      {"true", 0, -1, "logical 1", true_},
      {"false", 0, -1, "logical 0", false_},
      {"intmax", 0, 1, "the largest integer of a class", integer_limit<true>},
      {"intmin", 0, 1, "the smallest integer of a class", integer_limit<false>},
      {"i", 0, 0, "the imaginary unit", imaginary_unit},
      {"j", 0, 0, "the imaginary unit", imaginary_unit},
      {"eye", 0, -1, "ones on the diagonal", eye},
      {"magic", 1, 1, "magic(n): a magic square", magic},
      {"rand", 0, -1, "numbers between 0 and 1; rand('seed', n) begins anew", rand_},
      {"rng", 1, 1, "rng(n): rand begins anew, with seed n; rng('default') with 0", rng},
      {"linspace", 2, 3, "linspace(first, last, n)", linspace},
      {"reshape", 2, -1, "the same elements in another size", reshape},
      {"repmat", 2, -1, "repmat(A, m, n): copies of A side by side", repmat},
      {"horzcat", 0, -1, "[A, B, …]", horzcat},
      {"vertcat", 0, -1, "[A; B; …]", vertcat},
  };
  return kTable;
}

}  // namespace hadamard::matlab
