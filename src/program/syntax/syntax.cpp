#include "program/syntax/syntax.hpp"

#include <fmt/format.h>

#include <limits>

namespace hadamard::syntax {

std::string_view symbol(Operator op) noexcept {
  switch (op) {
    case Operator::plus:
    case Operator::uplus:
      return "+";
    case Operator::minus:
    case Operator::uminus:
      return "-";
    case Operator::times:
      return ".*";
    case Operator::rdivide:
      return "./";
    case Operator::ldivide:
      return ".\\";
    case Operator::power:
      return ".^";
    case Operator::mtimes:
      return "*";
    case Operator::mrdivide:
      return "/";
    case Operator::mldivide:
      return "\\";
    case Operator::mpower:
      return "^";
    case Operator::eq:
      return "==";
    case Operator::ne:
      return "~=";
    case Operator::lt:
      return "<";
    case Operator::le:
      return "<=";
    case Operator::gt:
      return ">";
    case Operator::ge:
      return ">=";
    case Operator::and_:
      return "&";
    case Operator::or_:
      return "|";
    case Operator::and_then:
      return "&&";
    case Operator::or_else:
      return "||";
    case Operator::not_:
      return "~";
    case Operator::ctranspose:
      return "'";
    case Operator::transpose:
      return ".'";
  }
  return "?";
}

namespace {

void append(std::string& out, const Node& node);

void append_list(std::string& out, const Node& node, std::size_t first, std::string_view between) {
  for (std::size_t i = first; i < node.children.size(); ++i) {
    if (i > first) out += between;
    append(out, *node.children[i]);
  }
}

void append_number(std::string& out, const Node& node) {
  if (!node.text.empty()) {
    const bool is_signed = node.text[0] == 'i';
    const std::string_view width = std::string_view(node.text).substr(is_signed ? 3 : 4);
    const unsigned bits = width == "8" ? 8 : width == "16" ? 16 : width == "32" ? 32 : 64;
    out += fmt::format("0x{:x}{}{}", node.integer & (~std::uint64_t{0} >> (64 - bits)),
                       is_signed ? 's' : 'u', width);
    return;
  }
  out += node.value > std::numeric_limits<double>::max() ? "1e999" : fmt::format("{}", node.value);
  if (node.imaginary) out += 'i';
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < ' ') {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_text(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) out += c == '\'' ? std::string_view("''") : std::string_view(&c, 1);
  out += '\'';
}

void append(std::string& out, const Node& node) {
  switch (node.kind) {
    case NodeKind::number:
      return append_number(out, node);
    case NodeKind::text:
      return append_text(out, node.text);
    case NodeKind::string:
      return append_string(out, node.text);
    case NodeKind::name:
      out += node.text;
      return;
    case NodeKind::colon:
      out += ':';
      return;
    case NodeKind::end:
      out += "end";
      return;
    case NodeKind::nothing:
      out += '~';
      return;
    case NodeKind::named:
      out += node.text + "=";
      append(out, *node.children[0]);
      return;
    case NodeKind::row:
      return append_list(out, node, 0, ", ");
    case NodeKind::matrix:
      out += '[';
      append_list(out, node, 0, "; ");
      out += ']';
      return;
    case NodeKind::index:
      append(out, *node.children[0]);
      out += '(';
      append_list(out, node, 1, ", ");
      out += ')';
      return;
    case NodeKind::field:
      out += '(';  // a number would take the point
      append(out, *node.children[0]);
      out += ").";
      out += node.text;
      return;
    case NodeKind::unary:
    case NodeKind::binary:
    case NodeKind::postfix:
    case NodeKind::range:
      break;
  }
  out += '(';
  if (node.kind == NodeKind::unary) out += symbol(node.op);
  append_list(out, node, 0, node.kind == NodeKind::range ? ":" : symbol(node.op));
  if (node.kind == NodeKind::postfix) {
    if (out.back() == '\'') out += ' ';  // 'a'' would go on
    out += symbol(node.op);
  }
  out += ')';
}

}  // namespace

std::string to_source(const Node& node) {
  std::string out;
  append(out, node);
  return out;
}

}  // namespace hadamard::syntax
