#include "op/ops.hpp"

#include <fmt/format.h>

namespace hadamard::op {

std::string notation(Op op) {
  const std::string_view symbol = names(op).symbol;
  if (arity(op) == 1) return fmt::format("{}(A)", name(op));
  return symbol.empty() ? fmt::format("{}(A, B)", name(op)) : fmt::format("A {} B", symbol);
}

}  // namespace hadamard::op
