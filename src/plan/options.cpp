#include "hadamard/options.hpp"

#include <array>

namespace hadamard {
namespace {

template <class E, std::size_t N>
std::optional<E> find(const std::array<std::string_view, N>& names,
                      std::string_view name) noexcept {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

// In the order of the enumerations.
constexpr std::array<std::string_view, 3> kDialects = {"native", "sonnx", "onnx"};
constexpr std::array<std::string_view, 4> kBroadcasts = {"none", "numpy", "matlab", "paddle"};
constexpr std::array<std::string_view, 2> kIntDivisions = {"floor", "trunc"};

}  // namespace

std::string_view name(Dialect dialect) noexcept {
  return kDialects[static_cast<std::size_t>(dialect)];
}
std::optional<Dialect> dialect_from_name(std::string_view name) noexcept {
  return find<Dialect>(kDialects, name);
}
std::string_view name(Broadcast rule) noexcept {
  return kBroadcasts[static_cast<std::size_t>(rule)];
}
std::optional<Broadcast> broadcast_from_name(std::string_view name) noexcept {
  return find<Broadcast>(kBroadcasts, name);
}
std::string_view name(IntDivision rounding) noexcept {
  return kIntDivisions[static_cast<std::size_t>(rounding)];
}
std::optional<IntDivision> int_division_from_name(std::string_view name) noexcept {
  return find<IntDivision>(kIntDivisions, name);
}

}  // namespace hadamard
