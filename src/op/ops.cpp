#include "op/ops.hpp"

#include <fmt/format.h>

namespace hadamard::op {

std::string notation(Op op) {
  const std::string_view symbol = names(op).symbol;
  const std::string its = attributes_text(op);
  if (arity(op) == 1) return fmt::format("{}(A{}{})", name(op), its.empty() ? "" : ", ", its);
  return symbol.empty() ? fmt::format("{}(A, B)", name(op)) : fmt::format("A {} B", symbol);
}

bool onnx_takes(Op op, DType type) {
  if (!is_defined(op, type) || names(op).onnx.empty()) return false;
  if (kind(type) == Kind::floating) return true;
  return with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::integer) {
      switch (with_op(op, [](auto o) { return onnx_integers_of<typename decltype(o)::type>(); })) {
        case OnnxIntegers::all:
          return true;
        case OnnxIntegers::negative:
          return Element<T>::kSigned;
        case OnnxIntegers::wide:
          return Element<T>::kSigned && Element<T>::kBits >= 32;
        case OnnxIntegers::none:
          return false;
      }
    }
    return false;
  });
}

}  // namespace hadamard::op
