#include <atomic>
#include <cmath>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "exec/elements.hpp"
#include "exec/lines.hpp"
#include "num/saturating.hpp"
#include "op/rounded.hpp"

namespace hadamard::exec {
namespace {

template <class T>
constexpr bool is_whole_integer = Element<T>::kKind == Kind::integer && !is_packed<T>;
template <class T>
constexpr bool is_machine_number =
    is_whole_integer<T> || std::is_same_v<T, bool> || std::is_floating_point_v<T>;

template <class T>
const T* at(const Line& line) {
  return static_cast<const T*>(line.data) + line.first;
}
template <class T>
T* writable(const Line& line) {
  return const_cast<T*>(at<T>(line));
}

template <class To, class From>
void saturated_line(const std::array<Line, 2>& lines, std::int64_t n) {
  const auto& [from, to] = lines;
  const From* const x = at<From>(from);
  To* const y = writable<To>(to);
  if (from.stride == 1 && to.stride == 1) {
    map_contiguous(x, y, n, [](From e) { return saturating::from<To>(e); });
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    y[i * to.stride] = saturating::from<To>(x[i * from.stride]);
  }
}

template <class T, class A, class B>
T computed(Op op, A a, B b) {
  switch (op) {
    case Op::add:
      return saturating::add(a, b);
    case Op::sub:
      return saturating::sub(a, b);
    case Op::mul:
      return saturating::mul(a, b);
    case Op::div:
      return saturating::div(a, b);
    case Op::pow:
      if constexpr (std::is_same_v<A, B>) {
        return saturating::pow(a, b);
      } else {
        return saturating::pow(a, b, &op::rounded<op::Pow, double>);
      }
    case Op::mod:
      return saturating::mod<T>(saturating::from<T>(a), saturating::from<T>(b));
    case Op::rem:
      return saturating::rem<T>(saturating::from<T>(a), saturating::from<T>(b));
    default:
      return T{};
  }
}

template <class T, class A, class B>
void integers_of(Op op, const ConstView& a, const ConstView& b, const ConstView& y) {
  for_lines<3>({&a, &b, &y}, [op](const std::array<Line, 3>& lines, std::int64_t n) {
    const ScopedExtendedPrecision precision;
    const auto& [x, z, to] = lines;
    const A* const px = at<A>(x);
    const B* const pz = at<B>(z);
    T* const out = writable<T>(to);
    for (std::int64_t i = 0; i < n; ++i) {
      out[i * to.stride] = computed<T>(op, px[i * x.stride], pz[i * z.stride]);
    }
  });
}

// Whether test(elements…) holds anywhere.
template <class T, std::size_t N, class F>
bool anywhere(const std::array<const ConstView*, N>& views, F test) {
  std::atomic<bool> found = false;
  for_lines<N>(views, [&](const std::array<Line, N>& lines, std::int64_t n) {
    if (found.load(std::memory_order_relaxed)) return;
    bool any = false;
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (N == 1) {
        any |= test(at<T>(lines[0])[i * lines[0].stride]);
      } else {
        any |= test(at<T>(lines[0])[i * lines[0].stride], at<T>(lines[1])[i * lines[1].stride]);
      }
    }
    if (any) found.store(true, std::memory_order_relaxed);
  });
  return found;
}

// f(float or double) by the type, or the type of the parts.
template <class F>
auto with_float(DType type, F f) {
  return type == DType::fp32 || type == DType::complex64 ? f(float{}) : f(double{});
}

}  // namespace

void convert_saturated(const ConstView& from, const View& to) {
  with_type(to.dtype(), [&](auto t) {
    using To = typename decltype(t)::type;
    if constexpr (is_whole_integer<To>) {
      with_type(from.dtype(), [&](auto f) {
        using From = typename decltype(f)::type;
        const ConstView& target = to;
        if constexpr (is_machine_number<From>) {
          for_lines<2>({&from, &target}, saturated_line<To, From>);
        } else {
          fail(ErrorCode::unsupported_type, "there is no conversion of {} to {}",
               name(from.dtype()), name(to.dtype()));
        }
      });
    } else {
      convert(from, to);
    }
  });
}

void saturating_integers(Op op, const ConstView& a, const ConstView& b, const View& y) {
  const auto of = [&](auto t) {
    using T = decltype(t);
    if (a.dtype() == DType::fp64) {
      integers_of<T, double, T>(op, a, b, y);
    } else if (b.dtype() == DType::fp64) {
      integers_of<T, T, double>(op, a, b, y);
    } else {
      integers_of<T, T, T>(op, a, b, y);
    }
  };
  y.dtype() == DType::int64 ? of(std::int64_t{}) : of(std::uint64_t{});
}

void put_dividends(const ConstView& a, const ConstView& b, const View& y) {
  const ConstView& target = y;
  with_float(y.dtype(), [&](auto t) {
    using T = decltype(t);
    for_lines<3>({&a, &b, &target}, [](const std::array<Line, 3>& lines, std::int64_t n) {
      const auto& [dividends, divisors, to] = lines;
      for (std::int64_t i = 0; i < n; ++i) {
        const T x = at<T>(dividends)[i * dividends.stride],
                d = at<T>(divisors)[i * divisors.stride];
        if (d == 0 && !std::isnan(x)) writable<T>(to)[i * to.stride] = x == 0 ? d : x;
      }
    });
  });
}

bool has_below(const ConstView& a, double least) {
  return with_float(a.dtype(), [&](auto t) {
    using T = decltype(t);
    return anywhere<T, 1>({&a}, [bound = static_cast<T>(least)](T x) { return x < bound; });
  });
}

bool has_nan(const ConstView& a) {
  return with_float(a.dtype(), [&](auto t) {
    using T = decltype(t);
    return anywhere<T, 1>({&a}, [](T x) { return x != x; });
  });
}

bool has_imaginary_part(const ConstView& a) {
  return with_float(a.dtype(), [&](auto t) {
    using T = decltype(t);
    return anywhere<std::complex<T>, 1>(
        {&a}, [](const std::complex<T>& x) { return !(x.imag() == T{0}); });
  });
}

bool has_complex_power(const ConstView& base, const ConstView& exponent) {
  return with_float(base.dtype(), [&](auto t) {
    using T = decltype(t);
    return anywhere<T, 2>({&base, &exponent},
                          [](T x, T p) { return x < 0 && std::isfinite(p) && p != std::trunc(p); });
  });
}

}  // namespace hadamard::exec
