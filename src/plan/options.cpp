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

// Empty for a number that is none of the enumeration.
template <class E, std::size_t N>
std::string_view entry(const std::array<std::string_view, N>& names, E value) noexcept {
  const auto i = static_cast<std::size_t>(value);
  return i < N ? names[i] : std::string_view();
}

#define HADAMARD_OPTION_NAME(id) std::string_view(#id),
constexpr std::array kDialects = {HADAMARD_DIALECTS(HADAMARD_OPTION_NAME)};
constexpr std::array kBroadcasts = {HADAMARD_BROADCASTS(HADAMARD_OPTION_NAME)};
constexpr std::array kIntDivisions = {HADAMARD_INT_DIVISIONS(HADAMARD_OPTION_NAME)};
#undef HADAMARD_OPTION_NAME
#define HADAMARD_OPTION_NAME(id, name) std::string_view(name),
constexpr std::array kIntegers = {HADAMARD_INTEGERS(HADAMARD_OPTION_NAME)};
#undef HADAMARD_OPTION_NAME

}  // namespace

std::string_view name(Dialect dialect) noexcept { return entry(kDialects, dialect); }
std::optional<Dialect> dialect_from_name(std::string_view name) noexcept {
  return find<Dialect>(kDialects, name);
}
std::string_view name(Broadcast rule) noexcept { return entry(kBroadcasts, rule); }
std::optional<Broadcast> broadcast_from_name(std::string_view name) noexcept {
  return find<Broadcast>(kBroadcasts, name);
}
std::string_view name(IntDivision rounding) noexcept { return entry(kIntDivisions, rounding); }
std::optional<IntDivision> int_division_from_name(std::string_view name) noexcept {
  return find<IntDivision>(kIntDivisions, name);
}
std::string_view name(Integers integers) noexcept { return entry(kIntegers, integers); }
std::optional<Integers> integers_from_name(std::string_view name) noexcept {
  return find<Integers>(kIntegers, name);
}

}  // namespace hadamard
