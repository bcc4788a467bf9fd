#include "num/dtype.hpp"

#include <array>
#include <cstddef>

namespace hadamard {
namespace {

// `bool_` is spelled so because C++ has taken the word; its name is "bool".
constexpr std::string_view public_name(std::string_view id) {
  return id.ends_with('_') ? id.substr(0, id.size() - 1) : id;
}

constexpr std::array kTypeNames = {
#define HADAMARD_TYPE_NAME(id, Type) public_name(#id),
    HADAMARD_TYPES(HADAMARD_TYPE_NAME)
#undef HADAMARD_TYPE_NAME
};

constexpr std::array kTypeBits = {
#define HADAMARD_TYPE_BITS(id, Type) Element<Type>::kBits,
    HADAMARD_TYPES(HADAMARD_TYPE_BITS)
#undef HADAMARD_TYPE_BITS
};

constexpr std::array kTypeKinds = {
#define HADAMARD_TYPE_KIND(id, Type) Element<Type>::kKind,
    HADAMARD_TYPES(HADAMARD_TYPE_KIND)
#undef HADAMARD_TYPE_KIND
};

constexpr std::array kOpNames = {
#define HADAMARD_OP_NAME(id, Name, arity) public_name(#id),
    HADAMARD_OPERATORS(HADAMARD_OP_NAME)
#undef HADAMARD_OP_NAME
};

// The entry of an enumerator; a number that is none (it may come through the C ABI) gives
// `otherwise`.
template <class Table, class Enum>
constexpr typename Table::value_type entry(const Table& table, Enum e,
                                           typename Table::value_type otherwise) {
  const auto i = static_cast<std::size_t>(e);
  return i < table.size() ? table[i] : otherwise;
}

template <class Enum, class Table>
std::optional<Enum> find(const Table& names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(DType type) noexcept { return entry(kTypeNames, type, {}); }
std::optional<DType> dtype_from_name(std::string_view name) noexcept {
  return find<DType>(kTypeNames, name);
}
int bits(DType type) noexcept { return entry(kTypeBits, type, 0); }
Kind kind(DType type) noexcept { return entry(kTypeKinds, type, Kind::exact); }

std::string_view name(Op op) noexcept { return entry(kOpNames, op, {}); }
std::optional<Op> op_from_name(std::string_view name) noexcept { return find<Op>(kOpNames, name); }

}  // namespace hadamard
