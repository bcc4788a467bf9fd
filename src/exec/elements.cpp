#include "exec/elements.hpp"

#include <array>
#include <type_traits>

#include "base/fail.hpp"
#include "exec/lines.hpp"
#include "num/exact.hpp"
#include "op/cast.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

template <class To, class From>
void convert_line(const std::array<Line, 2>& lines, std::int64_t n) {
  const auto& [from, to] = lines;
  if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>) {
    if (from.stride == 1 && to.stride == 1) {
      // Any byte is a bool.
      using Stored = std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From>;
      const auto* const x = static_cast<const Stored*>(from.data) + from.first;
      auto* const y = static_cast<To*>(const_cast<void*>(to.data)) + to.first;
      map_contiguous(x, y, n, [](Stored e) { return op::Cast::convert<To>(static_cast<From>(e)); });
      return;
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    store_element<To>(
        const_cast<void*>(to.data), to.first + i * to.stride,
        op::Cast::convert<To>(load_element<From>(from.data, from.first + i * from.stride)));
  }
}

// Before anything is computed, because that may be on several threads.
template <class From>
void require_finite(const ConstView& view, DType to) {
  Dims index = Dims::filled(view.shape().size(), 0);
  for (std::int64_t left = view.count(); left > 0; --left) {
    const auto element = view.at<From>(index);
    if (!exact::is_finite(exact::bits_of(element), Element<From>::kFormat)) {
      fail(ErrorCode::bad_argument, "the element at index {} is {}, of which there is no {}",
           to_string(index), static_cast<double>(element), name(to));
    }
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] < view.shape()[i]) break;
      index[i] = 0;
    }
  }
}

}  // namespace

void convert(const ConstView& from, const View& to) {
  const ConstView& target = to;
  with_type(from.dtype(), [&](auto f) {
    with_type(to.dtype(), [&](auto t) {
      using From = typename decltype(f)::type;
      using To = typename decltype(t)::type;
      if constexpr (op::Cast::kDefined<To, From>) {
        if constexpr (op::Cast::kNeedsFinite<To, From>) require_finite<From>(from, to.dtype());
        for_lines<2>({&from, &target}, convert_line<To, From>);
      } else {
        fail(ErrorCode::unsupported_type, "there is no conversion of {} to {}", name(from.dtype()),
             name(to.dtype()));
      }
    });
  });
}

}  // namespace hadamard::exec
