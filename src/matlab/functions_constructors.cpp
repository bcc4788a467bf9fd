// Functions that make arrays of a class: by its name, like a prototype, or of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "matlab/arithmetic.hpp"
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

// The classes that a function makes arrays of; the first is what it makes where none is asked for.
enum class Makes : std::uint8_t { numbers, floats, logicals, integers };

bool may_make(Makes makes, Class cls) {
  switch (makes) {
    case Makes::numbers:
      return is_float(cls) || is_integer(cls) || cls == Class::logical;
    case Makes::floats:
      return is_float(cls);
    case Makes::logicals:
      return cls == Class::logical;
    case Makes::integers:
      return is_integer(cls);
  }
  return false;
}
std::string_view description(Makes makes) {
  switch (makes) {
    case Makes::numbers:
      return "class double, single, logical or an integer class";
    case Makes::floats:
      return "class double or single";
    case Makes::logicals:
      return "class logical";
    case Makes::integers:
      return "an integer class";
  }
  return "";
}

// What the size is followed by: zeros(…, 'int8'), zeros(…, 'like', P).
struct Kind {
  Class cls = Class::double_;
  Residency residency = Residency::host;
  bool is_complex = false;
};

[[noreturn]] void refuse_class_and_like(std::string_view function, const Value& found) {
  throw Fault{"MATLAB:invalidOption",
              fmt::format("{}: a class and 'like' cannot both be given, found '{}' and 'like'",
                          function, text_of(found, function))};
}

Kind take_kind(Arguments& arguments, Makes makes, std::string_view function) {
  if (const Value* const prototype = take_prototype(arguments, 0, function)) {
    if (!arguments.empty() && is_text(arguments.back())) {
      refuse_class_and_like(function, arguments.back());
    }
    if (!may_make(makes, prototype->cls())) {
      throw Fault{"MATLAB:invalidType",
                  fmt::format("{}: expected a prototype of {}, found one of class {}", function,
                              description(makes), name(prototype->cls()))};
    }
    return {prototype->cls(), prototype->residency(), prototype->is_complex()};
  }
  Kind kind{makes == Makes::logicals   ? Class::logical
            : makes == Makes::integers ? Class::int32
                                       : Class::double_};
  if (arguments.empty() || !is_text(arguments.back())) return kind;
  const std::string wanted = text_of(arguments.back(), function);
  if (makes == Makes::logicals) {
    throw Fault{"MATLAB:invalidType",
                fmt::format("{0}: found '{1}', but the result is always logical; write {1}({0}(…)) "
                            "for another class",
                            function, wanted)};
  }
  const std::optional<Class> cls = class_named(wanted);
  if (!cls || !may_make(makes, *cls)) {
    throw Fault{"MATLAB:invalidType", fmt::format("{}: expected the {}{}, found '{}'", function,
                                                  makes == Makes::integers ? "name of " : "",
                                                  description(makes), wanted)};
  }
  kind.cls = *cls;
  const Value& name_of_class = arguments.back();
  arguments = arguments.first(arguments.size() - 1);
  Arguments before = arguments;
  if (take_prototype(before, 0, function) != nullptr) {
    refuse_class_and_like(function, name_of_class);
  }
  return kind;
}

// --- One number, in all places

Value filled(Workspace& workspace, Arguments extents, const Kind& kind, double value,
             std::string_view function) {
  const Dims size = size_of(extents, function);
  const Value one = convert(Value::scalar(value), kind.cls);
  workspace.rules.room.require(size, element_type(kind.cls, kind.is_complex),
                               kind.is_complex ? 2 : 1);
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

struct Filling {
  std::string_view function;
  Makes makes;
  double value;
  double in_single = value;
};
constexpr Filling kZeros{"zeros", Makes::numbers, 0}, kOnes{"ones", Makes::numbers, 1};
constexpr Filling kInf{"Inf", Makes::floats, std::numeric_limits<double>::infinity()};
constexpr Filling kNaN{"NaN", Makes::floats, std::numeric_limits<double>::quiet_NaN()};
constexpr Filling kPi{"pi", Makes::floats, 3.141592653589793};
constexpr Filling kE{"e", Makes::floats, 2.718281828459045};
constexpr Filling kEps{"eps", Makes::floats, 0x1p-52, 0x1p-23};
constexpr Filling kRealmax{"realmax", Makes::floats, 0x1.fffffffffffffp1023, 0x1.fffffep127};
constexpr Filling kRealmin{"realmin", Makes::floats, 0x1p-1022, 0x1p-126};
constexpr Filling kTrue{"true", Makes::logicals, 1}, kFalse{"false", Makes::logicals, 0};

template <const Filling& filling>
Result fill(Workspace& workspace, Arguments a) {
  const Kind kind = take_kind(a, filling.makes, filling.function);
  return filled(workspace, a, kind, kind.cls == Class::single_ ? filling.in_single : filling.value,
                filling.function);
}

// eps, eps('single'), or eps(X): the distance from |X| to the next larger number of its class.
Result eps(Workspace& workspace, Arguments a) {
  if (a.size() == 2 && !is_option(a[0], "like")) {
    throw Fault{"MATLAB:maxrhs",
                "expected eps, eps(X), eps(CLASS) or eps('like', P), found 2 arguments"};
  }
  if (a.empty() || is_text(a[0])) return fill<kEps>(workspace, a);
  if (!is_float(a[0].cls()) || a[0].is_complex()) {
    throw Fault{"MATLAB:eps:invalidClass",
                fmt::format("eps(X): X must be real, double or single, found {}{}",
                            a[0].is_complex() ? "complex " : "", name(a[0].cls()))};
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

// intmax, intmax('int8'), intmax('like', P)
template <bool kLargest>
Result integer_limit(Workspace& workspace, Arguments a) {
  constexpr std::string_view kName = kLargest ? "intmax" : "intmin";
  const Kind kind = take_kind(a, Makes::integers, kName);
  if (!a.empty()) {
    throw Fault{"MATLAB:invalidType",
                fmt::format("{}: expected the name of an integer class, found {} {}", kName,
                            size_text(a[0].size()), name(a[0].cls()))};
  }
  // Saturated.
  return filled(workspace, {}, kind, kLargest ? INFINITY : -INFINITY, kName);
}

Result imaginary_unit(Workspace&, Arguments) {
  Value y = to_complex(Value::scalar(0));
  data_of<double>(y.own_elements())[1] = 1;
  return y;
}

Result eye(Workspace& workspace, Arguments a) {
  const Kind kind = take_kind(a, Makes::numbers, "eye");
  Value y = filled(workspace, a, kind, 0, "eye");
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

// --- Random numbers

Result rng(Workspace& workspace, Arguments a) {
  const bool is_default = is_option(a[0], "default");
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
std::uint64_t next_random(std::uint64_t& s) {
  s ^= s >> 12;
  s ^= s << 25;
  s ^= s >> 27;
  return s * 0x2545F4914F6CDD1DU;
}

// Of complex numbers each part is one; none is 0 or 1.
Result rand_(Workspace& workspace, Arguments a) {
  if (!a.empty() && is_option(a[0], "seed")) {
    if (a.size() != 2) {
      throw Fault{"MATLAB:rand:badOption", "rand: 'seed' needs a number: rand('seed', n)"};
    }
    return rng(workspace, a.subspan(1));
  }
  const Kind kind = take_kind(a, Makes::floats, "rand");
  const Dims size = size_of(a, "rand");
  const DType type = element_type(kind.cls, kind.is_complex);
  workspace.rules.room.require(size, type);
  Tensor y = uninitialized(type, size);
  const std::int64_t count = element_count(size) * (kind.is_complex ? 2 : 1);
  std::uint64_t& state = workspace.random_state;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = next_random(state);
    if (kind.cls == Class::single_) {
      data_of<float>(y)[i] = (static_cast<float>(bits >> 41) + 0.5F) * 0x1p-23F;
    } else {
      data_of<double>(y)[i] = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
    }
  }
  return Value(kind.cls, std::move(y), kind.residency);
}

// --- Another class

// cast(A, 'int8'), cast(A, 'like', P)
Result cast(Workspace&, Arguments a) {
  if (const Value* const prototype = take_prototype(a, 1, "cast")) {
    return like(in_class(a[0], prototype->cls()), *prototype);
  }
  if (a.size() != 2 || !is_text(a[1])) {
    throw Fault{"MATLAB:invalidType", "expected cast(A, CLASS) or cast(A, 'like', P)"};
  }
  const std::string wanted = text_of(a[1], "cast");
  const std::optional<Class> cls = class_named(wanted);
  if (!cls || *cls == Class::string) {
    throw Fault{"MATLAB:invalidType",
                fmt::format("cast: expected a numeric class, logical or char, found '{}'", wanted)};
  }
  return in_class(a[0], *cls);
}

}  // namespace

std::span<const Function> constructor_functions() {
  static constexpr Function kTable[] = {
      {"zeros", 0, -1, "zeros(m, n, …), with 'int8' or 'like', P at the end", fill<kZeros>},
      {"ones", 0, -1, "ones(m, n, …), with 'int8' or 'like', P at the end", fill<kOnes>},
      {"Inf", 0, -1, "infinity; Inf(m, n, …), with 'single' or 'like', P at the end", fill<kInf>},
      {"inf", 0, -1, "infinity; as Inf", fill<kInf>},
      {"NaN", 0, -1, "not a number; NaN(m, n, …), with 'single' or 'like', P at the end",
       fill<kNaN>},
      {"nan", 0, -1, "not a number; as NaN", fill<kNaN>},
      {"pi", 0, -1, "3.1416", fill<kPi>},
      {"e", 0, -1, "2.7183", fill<kE>},
      {"eps", 0, 2, "the distance from 1, or from |X|, to the next larger number", eps},
      {"realmax", 0, -1, "the largest double, or single: realmax('single')", fill<kRealmax>},
      {"realmin", 0, -1, "the smallest normal double, or single: realmin('single')",
       fill<kRealmin>},
      {"true", 0, -1, "logical 1; true(m, n, …)", fill<kTrue>},
      {"false", 0, -1, "logical 0; false(m, n, …)", fill<kFalse>},
      {"intmax", 0, 2, "the largest integer of a class: intmax('int8')", integer_limit<true>},
      {"intmin", 0, 2, "the smallest integer of a class: intmin('int8')", integer_limit<false>},
      {"i", 0, 0, "the imaginary unit", imaginary_unit},
      {"j", 0, 0, "the imaginary unit", imaginary_unit},
      {"eye", 0, -1, "ones on the diagonal; with 'int8' or 'like', P at the end", eye},
      {"rand", 0, -1,
       "numbers between 0 and 1; with 'single' or 'like', P at the end; rand('seed', n) begins "
       "anew",
       rand_},
      {"rng", 1, 1, "rng(n): rand begins anew, with seed n; rng('default') with 0", rng},
      {"cast", 2, 3, "cast(A, 'int8') in another class; cast(A, 'like', P) in that of P", cast},
  };
  return kTable;
}

}  // namespace hadamard::matlab
