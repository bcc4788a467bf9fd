#include "operand.hpp"

#include <filesystem>
#include <system_error>

#include "base/fail.hpp"
#include "io/file.hpp"
#include "num/text.hpp"
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
      fail(ErrorCode::io, "{} is no file, nor a number or a literal such as '[1 2; 3 4]'",
           io::quoted(text, 60));
    }
    return io::read_npy(text == "-" ? "/dev/stdin" : text, type);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("operand {}: {}", role, error.what()),
                error.requirement());
  }
}

Operands read_operands(const std::string& a, const std::string& b, std::optional<DType> type) {
  if (a == "-" && b == "-") {
    fail(ErrorCode::bad_argument, "both operands are '-', but there is only one standard input");
  }
  if (!type && is_literal(a) && !is_literal(b)) {
    io::LoadedTensor file = read_operand(b, type, "B");
    return {read_operand(a, file.view().dtype(), "A"), file};
  }
  io::LoadedTensor first = read_operand(a, type, "A");
  if (!type && !is_literal(a) && is_literal(b)) type = first.view().dtype();
  return {first, read_operand(b, type, "B")};
}

}  // namespace hadamard::app
