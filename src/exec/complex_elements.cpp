#include <cmath>
#include <optional>

#include "base/float_env.hpp"
#include "exec/elements.hpp"
#include "exec/lines.hpp"
#include "num/complex_functions.hpp"

namespace hadamard::exec {
namespace {

std::optional<cx::Function> function_for(Op op) noexcept {
  switch (op) {
    case Op::sqrt:
      return cx::Function::sqrt;
    case Op::exp:
      return cx::Function::exp;
    case Op::log:
      return cx::Function::log;
    case Op::tanh:
      return cx::Function::tanh;
    case Op::log2:
      return cx::Function::log2;
    case Op::log10:
      return cx::Function::log10;
    case Op::log1p:
      return cx::Function::log1p;
    case Op::expm1:
      return cx::Function::expm1;
    case Op::exp2:
      return cx::Function::exp2;
    case Op::sin:
      return cx::Function::sin;
    case Op::cos:
      return cx::Function::cos;
    case Op::sign:
      return cx::Function::sign;
    default:
      return std::nullopt;
  }
}

// y = f(operands…), element by element.
template <class T, std::size_t N, class F>
void each(const std::array<const ConstView*, N>& views, F f) {
  for_lines<N>(views, [&](const std::array<Line, N>& lines, std::int64_t n) {
    const ScopedExtendedPrecision precision;
    const auto load = [&](std::size_t k, std::int64_t i) {
      return load_element<T>(lines[k].data, lines[k].first + i * lines[k].stride);
    };
    const Line& to = lines[N - 1];
    for (std::int64_t i = 0; i < n; ++i) {
      T result;
      if constexpr (N == 2) {
        result = f(load(0, i));
      } else {
        result = f(load(0, i), load(1, i));
      }
      store_element<T>(const_cast<void*>(to.data), to.first + i * to.stride, result);
    }
  });
}

template <class F>
void with_complex(DType type, F f) {
  type == DType::complex64 ? f(std::complex<float>{}) : f(std::complex<double>{});
}

template <class T>
T element(const Line& line, std::int64_t i) {
  return load_element<T>(line.data, line.first + i * line.stride);
}
template <class T>
void put(const Line& line, std::int64_t i, T real) {
  store_element<std::complex<T>>(const_cast<void*>(line.data), line.first + i * line.stride,
                                 std::complex<T>(real, 0));
}
template <class F>
void with_parts(DType type, F f) {
  type == DType::complex64 ? f(float{}) : f(double{});
}

}  // namespace

bool has_complex_function(Op op) noexcept { return function_for(op).has_value(); }

void complex_function(Op op, const ConstView& a, const View& y) {
  const cx::Function which = *function_for(op);
  const ConstView& target = y;
  with_complex(y.dtype(), [&](auto t) {
    using T = decltype(t);
    each<T, 2>({&a, &target}, [which](const T& z) { return cx::function(which, z); });
  });
}

void complex_power(const ConstView& base, const ConstView& exponent, const View& y) {
  const ConstView& target = y;
  with_complex(y.dtype(), [&](auto t) {
    using T = decltype(t);
    each<T, 3>({&base, &exponent, &target}, [](const T& z, const T& p) { return cx::power(z, p); });
  });
}

void complex_hypot(const ConstView& a, const ConstView& b, const View& y) {
  const ConstView& target = y;
  with_complex(y.dtype(), [&](auto t) {
    using T = decltype(t);
    each<T, 3>({&a, &b, &target}, [](const T& x, const T& z) { return T(cx::hypot(x, z), 0); });
  });
}

void put_reals_from(const ConstView& a, double least, const ConstView& real, const View& y) {
  const ConstView& target = y;
  with_parts(y.dtype(), [&](auto t) {
    using T = decltype(t);
    const T bound = static_cast<T>(least);
    for_lines<3>({&a, &real, &target}, [&](const std::array<Line, 3>& lines, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) {
        if (!(element<T>(lines[0], i) < bound)) put(lines[2], i, element<T>(lines[1], i));
      }
    });
  });
}

void put_real_powers(const ConstView& base, const ConstView& exponent, const ConstView& real,
                     const View& y) {
  const ConstView& target = y;
  with_parts(y.dtype(), [&](auto t) {
    using T = decltype(t);
    for_lines<4>({&base, &exponent, &real, &target},
                 [&](const std::array<Line, 4>& lines, std::int64_t n) {
                   for (std::int64_t i = 0; i < n; ++i) {
                     const T x = element<T>(lines[0], i), p = element<T>(lines[1], i);
                     const bool leaves = x < 0 && std::isfinite(p) && p != std::trunc(p);
                     if (!leaves) put(lines[3], i, element<T>(lines[2], i));
                   }
                 });
  });
}

}  // namespace hadamard::exec
