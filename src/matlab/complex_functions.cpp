#include "matlab/complex_functions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"
#include "op/ops.hpp"

namespace hadamard::matlab {
namespace {

using Wide = std::complex<long double>;

template <class F>
void with_parts(const Value& a, F&& f) {
  if (a.elements().dtype() == DType::complex128) {
    f(double{});
  } else {
    f(float{});
  }
}

// f(Wide) for each element, of the same type.
template <class F>
Value mapped(const Value& a, F&& f) {
  Tensor y = uninitialized(a.elements().dtype(), a.size());
  with_parts(a, [&](auto t) {
    using T = decltype(t);
    const auto* x = data_of<std::complex<T>>(a);
    auto* out = data_of<std::complex<T>>(y);
    for (std::int64_t i = 0; i < a.numel(); ++i) {
      const Wide r = f(Wide(x[i].real(), x[i].imag()));
      out[i] = {static_cast<T>(r.real()), static_cast<T>(r.imag())};
    }
  });
  return {a.cls(), std::move(y), a.residency()};
}

// f(Wide) for each element, real.
template <class F>
Value mapped_to_real(const Value& a, F&& f) {
  Tensor y = uninitialized(a.elements().dtype() == DType::complex128 ? DType::fp64 : DType::fp32,
                           a.size());
  with_parts(a, [&](auto t) {
    using T = decltype(t);
    const auto* x = data_of<std::complex<T>>(a);
    T* out = data_of<T>(y);
    for (std::int64_t i = 0; i < a.numel(); ++i) {
      out[i] = static_cast<T>(f(Wide(x[i].real(), x[i].imag())));
    }
  });
  return {a.cls(), std::move(y), a.residency()};
}

Wide power(const Wide& x, const Wide& p) {
  if (p == Wide(0)) return 1;
  if (x == Wide(0)) return p.real() > 0 ? Wide(0) : Wide(HUGE_VALL, 0);
  // Whole exponents by multiplication: (1+2i)^2 is exact.
  if (p.imag() == 0 && p.real() == std::trunc(p.real()) && std::abs(p.real()) <= 1024) {
    Wide result = 1, square = x;
    for (auto n = static_cast<unsigned>(std::abs(p.real())); n != 0; n >>= 1) {
      if ((n & 1) != 0) result *= square;
      square *= square;
    }
    return p.real() < 0 ? Wide(1) / result : result;
  }
  return std::pow(x, p);
}

template <long double (*f)(long double)>
Wide each_part(const Wide& x) {
  return {f(x.real()), f(x.imag())};
}

}  // namespace

Value complex_power(const Value& base, const Value& exponent) {
  const Dims size = expanded_size(base.size(), exponent.size());
  Tensor y = uninitialized(base.elements().dtype(), size);
  with_parts(base, [&](auto t) {
    using T = decltype(t);
    const auto* x = data_of<std::complex<T>>(base);
    const auto* p = data_of<std::complex<T>>(exponent);
    auto* out = data_of<std::complex<T>>(y);
    for_places(base.size(), exponent.size(), size, [&](auto i, auto j) {
      const Wide r = power(Wide(x[i].real(), x[i].imag()), Wide(p[j].real(), p[j].imag()));
      *out++ = {static_cast<T>(r.real()), static_cast<T>(r.imag())};
    });
  });
  return {base.cls(), std::move(y)};
}

Value complex_function(Op op, const Value& a) {
  switch (op) {
    case Op::sqrt:
      return mapped(a, [](const Wide& x) { return std::sqrt(x); });
    case Op::exp:
      return mapped(a, [](const Wide& x) { return std::exp(x); });
    case Op::log:
      return mapped(a, [](const Wide& x) { return std::log(x); });
    case Op::tanh:
      return mapped(a, [](const Wide& x) { return std::tanh(x); });
    case Op::log2:
      return mapped(a,
                    [](const Wide& x) { return std::log(x) / std::numbers::ln2_v<long double>; });
    case Op::log10:
      return mapped(a, [](const Wide& x) { return std::log10(x); });
    case Op::log1p:
      return mapped(a, [](const Wide& x) { return std::log(Wide(1) + x); });
    case Op::expm1:
      return mapped(a, [](const Wide& x) { return std::exp(x) - Wide(1); });
    case Op::exp2:
      return mapped(a,
                    [](const Wide& x) { return std::exp(x * std::numbers::ln2_v<long double>); });
    case Op::sin:
      return mapped(a, [](const Wide& x) { return std::sin(x); });
    case Op::cos:
      return mapped(a, [](const Wide& x) { return std::cos(x); });
    case Op::trunc:
      return mapped(a, each_part<std::trunc>);
    case Op::floor:
      return mapped(a, each_part<std::floor>);
    case Op::ceil:
      return mapped(a, each_part<std::ceil>);
    case Op::sign:
      return mapped(a, [](const Wide& x) { return x == Wide(0) ? x : x / std::abs(x); });
    case Op::abs:
      return modulus(a);
    default:
      throw Fault{"Hadamard:noComplexForm",
                  fmt::format("{} has no complex form here; A is complex", op::names(op).matlab)};
  }
}

Value modulus(const Value& a) {
  return mapped_to_real(a, [](const Wide& x) { return std::hypot(x.real(), x.imag()); });
}
Value argument(const Value& a) {
  return mapped_to_real(a, [](const Wide& x) { return std::atan2(x.imag(), x.real()); });
}
Value conjugate(const Value& a) {
  return a.is_complex() ? mapped(a, [](const Wide& x) { return std::conj(x); }) : a;
}

}  // namespace hadamard::matlab
