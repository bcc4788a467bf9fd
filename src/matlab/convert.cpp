// Between classes, and between real and complex.
#include <cmath>
#include <limits>
#include <type_traits>

#include "hadamard/hadamard.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {
namespace {

DType storage_of(Class cls) {
  switch (cls) {
#define HADAMARD_MATLAB_CLASS_TYPE(id, name, type) \
  case Class::id:                                  \
    return DType::type;
    HADAMARD_MATLAB_CLASSES(HADAMARD_MATLAB_CLASS_TYPE)
#undef HADAMARD_MATLAB_CLASS_TYPE
  }
  return DType::fp64;
}

// Rounded half away from zero and saturated; NaN is 0.
template <class To, class From>
To saturated(From x) {
  if constexpr (std::is_floating_point_v<From>) {
    if (std::isnan(x)) return To{0};
    const From rounded = std::round(x);
    // The bounds as floats: the upper one may be rounded up to a number that is not in the type.
    constexpr auto low = static_cast<From>(std::numeric_limits<To>::min());
    const From high = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (rounded <= low) return std::numeric_limits<To>::min();
    if (rounded >= high) return std::numeric_limits<To>::max();
    return static_cast<To>(rounded);
  } else {
    if (std::in_range<To>(x)) return static_cast<To>(x);
    return x < From{0} ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
  }
}

template <class To, class From>
To converted(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    if (x != x) {
      throw Fault{"MATLAB:nologicalnan", "NaN's cannot be converted to logicals"};
    }
    return x != From{0};
  } else if constexpr (std::is_same_v<From, bool>) {
    return static_cast<To>(x ? 1 : 0);
  } else if constexpr (std::is_integral_v<To>) {
    return saturated<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

// Every second element of a complex value, from `first` on.
Value part(const Value& value, int first) {
  const bool wide = value.elements().dtype() == DType::complex128;
  Tensor y = uninitialized(wide ? DType::fp64 : DType::fp32, value.size());
  const auto copy = [&](auto t) {
    using T = decltype(t);
    const T* const from = data_of<T>(value) + first;
    T* const to = data_of<T>(y);
    for (std::int64_t i = 0; i < value.numel(); ++i) to[i] = from[2 * i];
  };
  wide ? copy(double{}) : copy(float{});
  return {wide ? Class::double_ : Class::single_, std::move(y), value.residency()};
}

}  // namespace

Value convert(const Value& value, Class to) {
  if (value.cls() == to) return value;
  if (value.cls() == Class::string) {
    throw Fault{"MATLAB:invalidConversion", "a string is no number; 'text' in single quotes is"};
  }
  if (value.is_complex()) {
    if (!is_float(to)) {
      throw Fault{"MATLAB:complexToInteger",
                  "complex values have no " + std::string(name(to)) + "; take real() or abs()"};
    }
    return {to,
            cast(value.elements(), to == Class::double_ ? DType::complex128 : DType::complex64,
                 Order::column_major),
            value.residency()};
  }
  Tensor y = uninitialized(storage_of(to), value.size());
  with_real_type(value.elements().dtype(), [&](auto from) {
    using From = decltype(from);
    with_real_type(y.dtype(), [&](auto element) {
      using To = decltype(element);
      const From* const x = data_of<From>(value);
      To* const out = data_of<To>(y);
      for (std::int64_t i = 0, n = value.numel(); i < n; ++i) out[i] = converted<To>(x[i]);
    });
  });
  return {to, std::move(y), value.residency()};
}

Value to_complex(const Value& value) {
  if (value.is_complex()) return value;
  const bool narrow = value.cls() == Class::single_;
  const Value real = narrow ? value : convert(value, Class::double_);
  return {real.cls(),
          cast(real.elements(), narrow ? DType::complex64 : DType::complex128, Order::column_major),
          value.residency()};
}

Value real_part(const Value& value) { return value.is_complex() ? part(value, 0) : value; }

Value imaginary_part(const Value& value) {
  if (value.is_complex()) return part(value, 1);
  const Class cls = is_float(value.cls()) || is_integer(value.cls()) ? value.cls() : Class::double_;
  return {cls, Tensor(storage_of(cls), value.size(), Order::column_major), value.residency()};
}

Value narrowed(Value value) {
  if (!value.is_complex()) return value;
  const Value imaginary = imaginary_part(value);
  const bool is_real = with_real_type(imaginary.elements().dtype(), [&](auto t) {
    using T = decltype(t);
    const T* const x = data_of<T>(imaginary);
    for (std::int64_t i = 0; i < imaginary.numel(); ++i) {
      if (!(x[i] == T{0})) return false;
    }
    return true;
  });
  return is_real ? real_part(value) : value;
}

Value like(Value value, const Value& prototype) {
  if (prototype.is_complex()) value = to_complex(value);
  return value.with_residency(prototype.is_complex() ? Residency::host : prototype.residency());
}

}  // namespace hadamard::matlab
