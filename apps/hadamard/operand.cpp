#include "operand.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/fail.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"
#include "tensor/literal.hpp"

namespace hadamard::app {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

io::LoadedTensor from_literal(const std::string& text, DType type) {
  auto tensor = std::make_shared<const Tensor>(parse_literal(text, type));
  return io::LoadedTensor(tensor->view(), tensor);
}

// A TensorProto of ONNX, which knows its type.
io::LoadedTensor from_protobuf(const std::string& path, std::optional<DType> type) {
  const auto tensor = io::read_onnx_tensor(path).value;
  if (type && *type != tensor->dtype()) {
    fail(ErrorCode::type_mismatch, "{} holds {}, not the {} of --type", io::quoted(path, 60),
         name(tensor->dtype()), name(*type));
  }
  return io::LoadedTensor(tensor->view(), tensor);
}

template <class T>
Real exact_element(const T& value, const Dims& index, const std::string& path) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    if (exact::is_finite(exact::bits_of(value), Element<T>::kFormat)) return exact::value_of(value);
    fail(ErrorCode::bad_argument, "{} holds {} at index {}, which is no real number",
         io::quoted(path, 60), text::format(value), to_string(index));
  } else if constexpr (kKind == Kind::integer || kKind == Kind::boolean) {
    if constexpr (is_packed<T>) {
      return Real(value.value);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return Real::from_unsigned(value);
    } else {
      return Real(static_cast<std::int64_t>(value));
    }
  } else {
    fail(ErrorCode::type_mismatch, "{} holds {} elements, which are no real numbers",
         io::quoted(path, 60), name(dtype_of<T>));
  }
}

// The numbers of a file as exact rationals: each is one, so nothing is rounded.
io::LoadedTensor to_exact(const io::LoadedTensor& loaded, const std::string& path) {
  const ConstView& from = loaded.view();
  auto tensor = std::make_shared<Tensor>(DType::real, from.shape());
  with_type(from.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    const Dims* const strides[] = {&from.strides(), &tensor->strides()};
    for (IndexWalk<2> walk(from.shape(), strides); !walk.done(); walk.next()) {
      const T value = load_element<T>(from.data(), from.offset() + walk.offset(0));
      store_element<Real>(tensor->data(), walk.offset(1), exact_element(value, walk.index(), path));
    }
  });
  return io::LoadedTensor(std::as_const(*tensor).view(), tensor);
}

void require_one_standard_input(const std::string& a, const std::string& b) {
  if (a == "-" && b == "-") {
    fail(ErrorCode::bad_argument, "both operands are '-', but there is only one standard input");
  }
}

}  // namespace

bool is_literal(const std::string& text) {
  const std::string_view body = trimmed(text);
  if (body.empty()) return false;
  return body.front() == '[' || text::is_number(body);
}

io::LoadedTensor read_operand(const std::string& text, std::optional<DType> type,
                              const std::string& role) {
  try {
    if (is_literal(text)) return from_literal(text, type.value_or(DType::fp64));
    if (trimmed(text).empty()) {
      fail(ErrorCode::bad_literal,
           "the text is empty; expected a .npy file, a literal or a number");
    }
    std::error_code ignored;
    if (text != "-" && !std::filesystem::exists(text, ignored)) {
      const bool meant_a_file =
          text.ends_with(".npy") || text.ends_with(".pb") || text.find('/') != std::string::npos;
      fail(ErrorCode::io, "there is no file {}{}", io::quoted(text, 60),
           meant_a_file ? "" : ", and it is no number nor a literal such as '[1 2; 3 4]' either");
    }
    if (text.ends_with(".pb")) return from_protobuf(text, type);
    const std::string path = text == "-" ? "/dev/stdin" : text;
    return type == DType::real ? to_exact(io::read_npy(path), path) : io::read_npy(path, type);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("operand {}: {}", role, error.what()),
                error.requirement());
  }
}

Operands read_operands(const std::string& a, const std::string& b, std::optional<DType> type) {
  require_one_standard_input(a, b);
  if (!type && is_literal(a) && !is_literal(b)) {
    io::LoadedTensor file = read_operand(b, type, "B");
    return {read_operand(a, file.view().dtype(), "A"), file};
  }
  io::LoadedTensor first = read_operand(a, type, "A");
  if (!type && !is_literal(a) && is_literal(b)) type = first.view().dtype();
  return {first, read_operand(b, type, "B")};
}

Operands read_matlab_operands(Op op, const std::string& a, const std::string& b,
                              std::optional<DType> type) {
  const auto read = [&](const std::string& text, const std::string& role) {
    io::LoadedTensor loaded = read_operand(text, type, role);
    const Layout& layout = loaded.view().layout();
    if (!is_literal(text) || layout.rank() != 1) return loaded;
    const Dims row{1, layout.shape[0]};
    return io::LoadedTensor(
        ConstView(loaded.view().data(), Layout(layout.dtype, row), loaded.view().offset()),
        std::make_shared<io::LoadedTensor>(loaded));
  };
  if (op::arity(op) == 2) require_one_standard_input(a, b);
  const io::LoadedTensor first = read(a, "A");
  return {first, op::arity(op) == 2 ? read(b, "B") : first};
}

Operands read_operands(Op op, const std::string& a, const std::string& b,
                       std::optional<DType> type) {
  if (op::arity(op) == 2) return read_operands(a, b, type);
  const io::LoadedTensor only = read_operand(a, type, "A");
  return {only, only};
}

}  // namespace hadamard::app
