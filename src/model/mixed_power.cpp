#include "model/mixed_power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/fail.hpp"
#include "bound/whole_intervals.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::model {
namespace {

// Every number of our real types is a long double, here as on aarch64.
static_assert(std::numeric_limits<long double>::digits >= 64);
template <class T>
long double number(const T& x) {
  if constexpr (is_packed<T>) {
    return x.value;
  } else if constexpr (std::is_class_v<T>) {
    return static_cast<double>(x);
  } else {
    return x;
  }
}

template <class T>
inline constexpr bool is_number =
    Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::integer;

// Whether both have the same numbers, or NaN; shapes are the same, types differ.
bool same_numbers(const ConstView& a, const ConstView& b) {
  return with_type(a.dtype(), [&](auto ta) {
    return with_type(b.dtype(), [&](auto tb) {
      using A = typename decltype(ta)::type;
      using B = typename decltype(tb)::type;
      if constexpr (is_number<A> && is_number<B>) {
        const Dims* const strides[] = {&a.strides(), &b.strides()};
        for (IndexWalk<2> walk(a.shape(), strides); !walk.done(); walk.next()) {
          const long double x = number(load_element<A>(a.data(), a.offset() + walk.offset(0)));
          const long double y = number(load_element<B>(b.data(), b.offset() + walk.offset(1)));
          if (x != y && !(std::isnan(x) && std::isnan(y))) return false;
        }
        return true;
      } else {
        return false;
      }
    });
  });
}

[[noreturn]] void refuse(std::string_view which, DType from, DType to) {
  fail(ErrorCode::type_mismatch,
       "the {} is {} and has a number that {} does not hold exactly; cast it first", which,
       name(from), name(to));
}

// Of tensors with the same numbers: `from` as `to`.
Tensor exactly(const ConstView& from, DType to, std::string_view which, DType declared) {
  Tensor cast_ = cast(from, to);
  if (!same_numbers(cast_, from)) refuse(which, declared, to);
  return cast_;
}

// A base that meets an exponent which is not whole must be a number of fp64.
void require_bases_in_fp64(const ConstView& base, const Tensor& fractional) {
  if (base.dtype() != DType::int64) return;
  const plan::Aligned both =
      plan::broadcast(Broadcast::numpy, -1, base.layout(), fractional.layout());
  const Dims* const strides[] = {&both.a_strides, &both.b_strides};
  for (IndexWalk<2> walk(both.shape, strides); !walk.done(); walk.next()) {
    if (!load_element<bool>(fractional.data(), walk.offset(1))) continue;
    const auto x = load_element<std::int64_t>(base.data(), walk.offset(0));
    if (number(static_cast<double>(x)) != number(x)) refuse("base", base.dtype(), DType::fp64);
  }
}

Tensor power_of_integers(const ConstView& base, const ConstView& exponent, const Options& options) {
  const Tensor all = cast(exponent, DType::fp64);  // exact
  Tensor whole = all;                              // 0 where the exponent is none
  Tensor fractional(DType::bool_, all.shape());
  auto* const number = static_cast<double*>(whole.data());
  auto* const is_fractional = static_cast<bool*>(fractional.data());
  bool any = false;
  for (std::int64_t i = 0; i < all.count(); ++i) {
    if (std::isfinite(number[i]) && std::trunc(number[i]) == number[i]) continue;
    number[i] = 0;
    is_fractional[i] = any = true;
  }
  Tensor exact = pow(base, exactly(whole, base.dtype(), "exponent", exponent.dtype()), options);
  if (!any) return exact;
  require_bases_in_fp64(base, fractional);
  const Tensor real = cast(pow(cast(base, DType::fp64), all, options), base.dtype());
  return where(fractional, real, exact, options);
}

}  // namespace

Tensor mixed_power(const ConstView& base, const ConstView& exponent, const Options& options) {
  if (kind(base.dtype()) == Kind::integer && kind(exponent.dtype()) == Kind::floating) {
    return power_of_integers(base, exponent, options);
  }
  return pow(base, exactly(exponent, base.dtype(), "exponent", exponent.dtype()), options);
}

bound::Interval mixed_power_range(const bound::Interval& base, const bound::Interval& exponent,
                                  DType type) {
  using bound::hull, bound::whole_interval;
  // A power lies between those of the whole exponents on either side.
  const bound::Interval full = *bound::full_interval(type);
  const auto whole = [&](double x) {
    constexpr double kEnd = 0x1p64;
    return std::clamp(static_cast<int128>(std::clamp(x, -kEnd, kEnd)), full.low, full.high);
  };
  bound::Interval all = bound::exact_power(base, whole_interval(whole(std::floor(exponent.from)),
                                                                whole(std::ceil(exponent.until))))
                            .value_or(whole_interval(0, 0));
  const bool may_be_nan = exponent.nan || base.low < 0;
  if (may_be_nan) all = hull(all, whole_interval(0, 0));
  const bool may_be_infinite = base.contains_zero() && exponent.from < 0;
  if (may_be_infinite) all = hull(all, whole_interval(full.high, full.high));
  return all;
}

}  // namespace hadamard::model
