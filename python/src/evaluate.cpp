#include "evaluate.hpp"

#include <algorithm>

#include "arrays.hpp"
#include "matlab/interpreter.hpp"
#include "operand.hpp"
#include "program/syntax/lexer.hpp"
#include "settings.hpp"

namespace hadamard::python {
namespace {

namespace ml = hadamard::matlab;

ml::Class class_of(DType type, std::string_view variable) {
  switch (type) {
    case DType::complex128:
      return ml::Class::double_;
    case DType::complex64:
      return ml::Class::single_;
#define HADAMARD_PYTHON_CLASS(id, name, element) \
  case DType::element:                           \
    return ml::Class::id;
      HADAMARD_MATLAB_NUMERIC_CLASSES(HADAMARD_PYTHON_CLASS)
#undef HADAMARD_PYTHON_CLASS
    default:
      fail(ErrorCode::unsupported_type, "{} is {}, of which MATLAB has no class", variable,
           name(type));
  }
}

// A row of what has one dimension.
ml::Value value_of(const ConstView& view, std::string_view variable) {
  const ml::Class cls = class_of(view.dtype(), variable);
  Layout layout = view.layout();
  if (layout.rank() < 2) {
    const bool one = layout.rank() == 0;
    layout.strides = {0, one ? 0 : layout.strides[0]};
    layout.shape = {1, one ? 1 : layout.shape[0]};
  }
  return ml::Value(cls, Tensor(ConstView(view.data(), layout, view.offset()), Order::column_major));
}

// The engine's code for an identifier of MATLAB's or of the interpreter's.
ErrorCode code_of(std::string_view identifier) {
#define HADAMARD_PYTHON_CODE(id, meaning) \
  if (identifier == "Hadamard:" #id) return ErrorCode::id;
  HADAMARD_ERROR_CODES(HADAMARD_PYTHON_CODE)
#undef HADAMARD_PYTHON_CODE
  if (identifier == "MATLAB:nomem") return ErrorCode::too_large;
  if (identifier == "MATLAB:sizeDimensionsMustMatch") return ErrorCode::shape_mismatch;
  if (identifier == "MATLAB:mixedClasses" || identifier == "MATLAB:integerComplex") {
    return ErrorCode::type_mismatch;
  }
  return ErrorCode::bad_argument;
}

// " (line 3, at '*y')", of what follows the report's first line: "eval:3 | x+*y", and carets below.
std::string place_in(std::string_view shown) {
  constexpr std::string_view kBar = " | ";
  const std::size_t colon = shown.find(':'), bar = shown.find(kBar), below = shown.find('\n');
  const std::size_t caret = shown.rfind(kBar);
  if (caret == std::string_view::npos || below == std::string_view::npos || caret <= below) {
    return {};
  }
  const std::size_t skipped = shown.find('^', caret) - caret - kBar.size();
  std::string_view at = shown.substr(bar + kBar.size(), below - bar - kBar.size());
  const auto drop_character = [&] {
    do at.remove_prefix(1);
    while (!at.empty() && (static_cast<unsigned char>(at[0]) & 0xC0U) == 0x80U);
  };
  for (std::size_t i = 0; i < skipped && !at.empty(); ++i) drop_character();
  return fmt::format(" (line {}, at {})", shown.substr(colon + 1, bar - colon - 1),
                     at.empty() ? "its end" : fmt::format("'{}'", at));
}

// The report's first line is "error: message [identifier]".
[[noreturn]] void fail_as_reported(std::string_view report) {
  constexpr std::string_view kBegin = "error: ";
  report.remove_prefix(std::min(report.find(kBegin), report.size()));  // warnings may stand before
  std::string_view line = report.substr(0, report.find('\n'));
  const std::string place = place_in(report.substr(std::min(report.size(), line.size() + 1)));
  if (line.starts_with(kBegin)) line.remove_prefix(kBegin.size());
  const std::size_t bracket = line.rfind('[');
  std::string identifier;
  if (bracket != std::string_view::npos && line.ends_with("]")) {
    identifier = line.substr(bracket + 1, line.size() - bracket - 2);
    line = line.substr(0, bracket - 1);
  }
  throw Error(code_of(identifier),
              fmt::format("{}{}{}", line, place,
                          identifier.empty() ? "" : fmt::format(" [{}]", identifier)),
              identifier);
}

[[noreturn]] void fail_without_value(const std::string& expression) {
  fail(ErrorCode::bad_argument, "'{}' has no value: its last statement must be an expression",
       expression);
}

std::string text_in(const py::handle& text, std::string_view what) {
  if (const auto utf8 = utf8_of(text.ptr())) return std::string(*utf8);
  fail(ErrorCode::bad_argument, "{} is text with half of a surrogate pair, which is no character",
       what);
}

py::object text_of(const ml::Value& value) {
  if (value.numel() > 0 && value.size()[0] != 1) {
    fail(ErrorCode::unsupported_type, "the value is text of {}, which is no str",
         ml::size_text(value.size()));
  }
  const auto units = value.elements().to_vector<std::uint16_t>();
  return steal(PyUnicode_DecodeUTF16(reinterpret_cast<const char*>(units.data()),
                                     static_cast<Py_ssize_t>(2 * units.size()), "surrogatepass",
                                     nullptr));
}

py::object object_of(const ml::Value& value, std::size_t highest_rank) {
  if (value.cls() == ml::Class::char_ || value.cls() == ml::Class::string) return text_of(value);
  const py::object array = steal(to_array(Tensor(value.elements().view(), Order::column_major)));
  if (value.is_scalar()) return array.attr("reshape")(py::tuple())[py::tuple()];
  const bool is_row = value.size().size() == 2 && value.size()[0] == 1;
  return is_row && highest_rank < 2 ? py::object(array.attr("reshape")(-1)) : array;
}

}  // namespace

py::object evaluate(const py::str& source, const py::dict& variables, const py::object& integers) {
  const std::string expression = text_in(source, "expression");
  std::string printed;
  std::string reported;
  ml::Interpreter interpreter([&](std::string_view text) { printed += text; });
  ml::Workspace& workspace = interpreter.workspace();
  workspace.may_use_files = false;
  workspace.is_last_shown = false;  // it is the result
  if (!integers.is_none()) workspace.rules.integers = integers_of(integers.ptr());
  std::size_t highest_rank = 0;
  for (const auto& [key, object] : variables) {
    const std::string variable(utf8_of(key.ptr()).value_or(""));
    if (!ml::is_variable_name(variable)) {
      fail(
          ErrorCode::bad_argument,
          "no variable can have the name {}: a letter or '_', then letters, digits and '_', and no "
          "keyword",
          repr(key.ptr()));
    }
    if (PyUnicode_Check(object.ptr())) {
      workspace.variables.insert_or_assign(variable, ml::Value::text(text_in(object, variable)));
      continue;
    }
    Operand operand;
    operand.take(object.ptr(), variable);
    operand.settle_as_literal();
    highest_rank = std::max(highest_rank, operand.view().rank());
    workspace.variables.insert_or_assign(variable, value_of(operand.view(), variable));
  }
  bool is_fine = false;
  {
    const WithoutGil others_run(DType::fp64, WithoutGil::kWorthIt);
    is_fine = interpreter.run(expression, "eval", [&](std::string_view text) { reported += text; });
  }
  if (!printed.empty()) {
    const py::object to = py::getattr(py::module_::import("sys"), "stdout", py::none());
    if (!to.is_none()) to.attr("write")(printed);
  }
  if (!is_fine) fail_as_reported(reported);
  if (!reported.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, reported.c_str(), 2) != 0) {
    throw py::error_already_set();
  }
  const auto answer = workspace.variables.find(workspace.answer);
  if (answer == workspace.variables.end()) fail_without_value(expression);
  return object_of(answer->second, highest_rank);
}

}  // namespace hadamard::python
