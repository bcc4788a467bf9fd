#include "docstrings.hpp"

#include <fmt/ranges.h>

#include <vector>

#include "dialect/dialect.hpp"
#include "op/ops.hpp"
#include "op/signature.hpp"

namespace hadamard::python {
namespace {

constexpr std::size_t kWidth = 88;

// Whether a line explains what it begins with: "name: …".
bool is_entry(std::string_view line) {
  return line.substr(0, line.find_first_of(".(")).find(": ") != std::string_view::npos;
}

// Lines of at most kWidth characters. What follows keeps the indentation of its line, and within an
// entry has four more.
std::string wrapped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    std::string current(line.substr(0, indent));
    bool fresh = true;
    for (std::size_t at = indent; at < line.size();) {
      const std::size_t stop = std::min(line.find(' ', at), line.size());
      const std::string_view word = line.substr(at, stop - at);
      if (!fresh && current.size() + 1 + word.size() > kWidth) {
        result += current + '\n';
        current = std::string(indent + (is_entry(line) ? 4 : 0), ' ');
        fresh = true;
      }
      if (!fresh) current += ' ';
      current += word;
      fresh = false;
      at = stop + 1;
    }
    result += current + '\n';
  }
  while (result.ends_with("\n")) result.pop_back();
  return result;
}

std::string dialects_of(Op op) {
  std::string text;
#define HADAMARD_PYTHON_DIALECT(id)             \
  if (dialect::rules(Dialect::id).has_op(op)) { \
    text += (text.empty() ? "" : ", ");         \
    text += name(Dialect::id);                  \
  }
  HADAMARD_DIALECTS(HADAMARD_PYTHON_DIALECT)
#undef HADAMARD_PYTHON_DIALECT
  return text;
}

std::string operands_text(bool has_other) {
  return fmt::format(
      "{} of any strides and byte order, hadamard.Tensor, Python's numbers and lists of them "
      "({}), fractions.Fraction (of type real), and whatever has __dlpack__, a buffer or "
      "__array__.",
      has_other ? "Arrays" : "An array",
      has_other ? "which take the type of the other operand"
                : "as bool, int64, fp64 or complex128");
}
constexpr std::string_view kResult =
    "A new numpy.ndarray (of rank 0: a scalar of NumPy's), or `out`; a hadamard.Tensor where an "
    "operand is "
    "one, or where NumPy lacks the type.";

constexpr std::string_view kNotTrue =
    "The quotient of integers is an integer: div(7, 2) is 3. hadamard.divide(7, 2) is 3.5.\n\n";

std::string raises(bool divides) {
  return fmt::format(
      "Raises (each is a hadamard.Error too):\n"
      "    ValueError: shapes that do not fit together, values of arguments, numbers that do not "
      "fit "
      "into the type.\n"
      "    TypeError: element types that differ or that the function or the dialect lacks.\n"
      "{}"
      "    MemoryError: more elements than fit into memory.\n",
      divides ? "    ZeroDivisionError: an integer (or bool, real) divided by zero; names the "
                "first index, "
                "and nothing is written.\n"
              : "");
}

}  // namespace

std::string docstring(Op op, const Signature& signature) {
  const bool two = op::arity(op) == 2;
  return wrapped(fmt::format(
      "{}\n\n{}Element by element. The same bits on every machine, for every layout and number of "
      "threads.\n\n"
      "Types: {}{}\nDialects: {}\n\nArguments:\n    {}: {}\n{}\nReturns:\n    {}\n\n{}",
      op::doc(op), two && op::rounds_quotients(op) ? kNotTrue : "", op::defined_types(op),
      two ? "; both operands have the same." : ".", dialects_of(op),
      fmt::join(signature.operands, ", "), operands_text(two), signature.parameters(), kResult,
      raises(op::divisor(op) != op::Divisor::none)));
}

std::string cast_docstring(const Signature& signature) {
  return wrapped(
      fmt::format("The elements as ones of another type.\n\nTo floats: correctly rounded. From "
                  "floats and real to integers: "
                  "towards zero, saturated at the ends of the type, NaN becomes 0. Between "
                  "integers: modulo 2^n. To "
                  "bool: whether they are not 0. To complex: with imaginary part 0. To real: "
                  "exact, not of NaN and infinities. Not from complex to others.\n\nArguments:\n   "
                  " a: {}\n    dtype: a name of Hadamard's "
                  "('bf16', 'fp32'), "
                  "or what NumPy takes for a dtype.\n{}\nReturns:\n    {}\n\n{}",
                  operands_text(false), signature.parameters(), kResult, raises(false)));
}

std::string divide_docstring(const Signature& signature) {
  return wrapped(fmt::format(
      "a / b, correctly rounded: true division.\n\nIntegers and bool give fp64, so that divide(7, "
      "2) "
      "is 3.5; those of 64 bits, too, are rounded once, not converted first. By 0 they give what "
      "floats give: infinities, and NaN for 0 / 0. Floats, complex and real as hadamard.div, which "
      "truncates the quotients of integers.\n\n"
      "Types: all; both operands have the same, or are integers, or integers beside fp64 or "
      "complex128.\n\n"
      "Arguments:\n    {}: {}\n{}\nReturns:\n    {}\n\n{}",
      fmt::join(signature.operands, ", "), operands_text(true), signature.parameters(), kResult,
      raises(false)));
}

std::string where_docstring(const Signature& signature) {
  return wrapped(
      fmt::format("`a` where the condition holds, else `b`.\n\nArguments:\n    condition: bool "
                  "elements.\n    a, b: "
                  "{}\n{}\nReturns:\n    {}\n\n{}",
                  operands_text(true), signature.parameters(), kResult, raises(false)));
}

std::string clip_docstring(const Signature& signature) {
  return wrapped(
      fmt::format("min(max(a, low), high).\n\nArguments:\n    {}: {}\n{}\nReturns:\n    {}\n\n{}",
                  fmt::join(signature.operands, ", "), operands_text(true), signature.parameters(),
                  kResult, raises(false)));
}

}  // namespace hadamard::python
