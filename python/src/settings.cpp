#include "settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "dialect/paddle/paddle.hpp"
#include "op/ops.hpp"

namespace hadamard::python {
namespace {

struct Row {
  std::string_view name, initial, line;
};
constexpr Row kRows[] = {
#define HADAMARD_PYTHON_KEYWORD(id, initial, line) {#id, initial, line},
    HADAMARD_PYTHON_KEYWORDS(HADAMARD_PYTHON_KEYWORD)
#undef HADAMARD_PYTHON_KEYWORD
};
constexpr std::size_t kCount = std::size(kRows);

std::array<PyObject*, kCount> names{};  // interned, and never freed

constexpr Dialect kDialects[] = {
#define HADAMARD_VALUE(id) Dialect::id,
    HADAMARD_DIALECTS(HADAMARD_VALUE)
#undef HADAMARD_VALUE
};
constexpr Broadcast kBroadcasts[] = {
#define HADAMARD_VALUE(id) Broadcast::id,
    HADAMARD_BROADCASTS(HADAMARD_VALUE)
#undef HADAMARD_VALUE
};
constexpr IntDivision kIntDivisions[] = {
#define HADAMARD_VALUE(id) IntDivision::id,
    HADAMARD_INT_DIVISIONS(HADAMARD_VALUE)
#undef HADAMARD_VALUE
};
constexpr Integers kIntegers[] = {
#define HADAMARD_VALUE(id, name) Integers::id,
    HADAMARD_INTEGERS(HADAMARD_VALUE)
#undef HADAMARD_VALUE
};

template <class List>
std::string listed(const List& list) {
  std::string text;
  for (const auto entry : list)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name(entry));
  return text;
}

// Calls f with each value that a keyword may have, where those are listed.
template <class F>
void for_values(Keyword keyword, F f) {
  const auto all = [&](const auto& list) {
    for (const auto entry : list) f(name(entry));
  };
  switch (keyword) {
    case Keyword::dialect:
      return all(kDialects);
    case Keyword::int_division:
      return all(kIntDivisions);
    case Keyword::broadcast:
      return all(kBroadcasts);
    case Keyword::integers:
      return all(kIntegers);
    default:
      return;
  }
}

std::string listed_values(Keyword keyword) {
  std::string text;
  for_values(keyword, [&](std::string_view value) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", value);
  });
  return text;
}

template <class E, std::size_t n>
E chosen(PyObject* value, std::string_view keyword, const E (&list)[n]) {
  if (const auto text = utf8_of(value)) {
    for (const E entry : list) {
      if (name(entry) == *text) return entry;
    }
  }
  fail(ErrorCode::bad_argument, "{} is {}, but must be one of: {}", keyword, repr(value),
       listed(list));
}

dialect::paddle::Activation activation(PyObject* value, Dialect dialect) {
  if (const auto text = utf8_of(value)) {
    if (auto found = dialect::paddle::activation_or_operator(*text)) return *std::move(found);
  }
  fail(ErrorCode::bad_argument, "act is {}, but must be the name of a function of one operand: {}",
       repr(value), dialect::paddle::all_activations_and_operators(dialect));
}

}  // namespace

Integers integers_of(PyObject* value) { return chosen(value, "integers", kIntegers); }

int axis_of(PyObject* value) {
  PyObject* const index = PyIndex_Check(value) != 0 ? PyNumber_Index(value) : nullptr;
  if (index == nullptr) {
    // Arrays have an index, but refuse to give it.
    if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
      throw py::error_already_set();
    }
    PyErr_Clear();
    throw py::type_error(
        fmt::format("axis is {}; expected a whole number, the dimension where the operand of fewer "
                    "dimensions begins (-1: both end together)",
                    PyArray_Check(value) ? "an array" : repr(value)));
  }
  const py::object number = steal(index);
  int overflow = 0;
  const long axis = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || axis != static_cast<int>(axis)) {
    fail(ErrorCode::bad_argument, "axis is {}: no tensor has that dimension", repr(value));
  }
  return static_cast<int>(axis);
}

namespace {

void set(Call& call, Keyword keyword, PyObject* value) {
  if (value == Py_None) return;
  switch (keyword) {
    case Keyword::out:
      call.out = value;
      break;
    case Keyword::dialect:
      call.options.dialect = chosen(value, "dialect", kDialects);
      break;
    case Keyword::axis:
      call.options.axis = axis_of(value);
      break;
    case Keyword::act: {
      auto [op, attributes] = activation(value, call.options.dialect);
      call.options.then = op;
      call.options.then_attributes = std::move(attributes);
      break;
    }
    case Keyword::int_division:
      call.options.int_division = chosen(value, "int_division", kIntDivisions);
      break;
    case Keyword::broadcast:
      call.options.broadcast = chosen(value, "broadcast", kBroadcasts);
      break;
    case Keyword::integers:
      call.options.integers = integers_of(value);
      break;
  }
}

// What was said must have a meaning under the other rules: it would be passed over in silence.
void require_meaning(const Options& options) {
  if (options.axis != -1 && options.broadcast && *options.broadcast != Broadcast::paddle) {
    fail(ErrorCode::bad_argument, "axis={} has no meaning with broadcast='{}'", options.axis,
         name(*options.broadcast));
  }
  if (options.axis != -1 && !options.broadcast && options.dialect != Dialect::paddle) {
    fail(ErrorCode::bad_argument,
         "axis={} means something with dialect='paddle' or broadcast='paddle' only", options.axis);
  }
  if (options.int_division && options.dialect == Dialect::matlab) {
    fail(ErrorCode::bad_argument,
         "int_division has no meaning with dialect='matlab', where integers become double or keep "
         "their class (integers='matlab')");
  }
  if (options.integers != Integers::as_double && options.dialect != Dialect::matlab) {
    fail(ErrorCode::bad_argument, "integers='{}' means something with dialect='matlab' only",
         name(options.integers));
  }
}

[[noreturn]] void fail_attribute(std::string_view name, PyObject* value) {
  throw py::type_error(fmt::format("{} is {}, but must be a number", name, repr(value)));
}

// Exactly the number. A float stands for a default that it is nearest to.
Attribute attribute_of(std::string_view name, PyObject* value) {
  const std::string called(name);
  if (PyBool_Check(value) || PyArray_Check(value) || PyType_Check(value)) {
    fail_attribute(name, value);
  }
  if (PyFloat_Check(value)) return {called, PyFloat_AS_DOUBLE(value)};
  if (PyArray_IsScalar(value, Float)) {
    return {called, static_cast<float>(py::handle(value).cast<double>())};
  }
  if (PyIndex_Check(value) != 0) {
    const py::object whole = steal(PyNumber_Index(value));
    return {called, Real::parse(std::string(py::str(whole)))};
  }
  if (!py::hasattr(value, "as_integer_ratio")) fail_attribute(name, value);
  py::object ratio;
  try {
    ratio = py::handle(value).attr("as_integer_ratio")();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_OverflowError) && !error.matches(PyExc_ValueError)) throw;
    fail(ErrorCode::bad_argument, "attribute {} must be finite, got {}", name, repr(value));
  }
  const auto pair = ratio.cast<py::tuple>();
  return {called, Real::parse(std::string(py::str(pair[0])) + "/" + std::string(py::str(pair[1])))};
}

bool has(Keywords set, std::size_t keyword) { return (set >> keyword & 1U) != 0; }

// What a call is made of: the operands, then the keywords that the function has, in their order,
// then the attributes.
constexpr std::size_t kMostParameters = kMostOperands + kCount + kMostAttributes;
#define HADAMARD_PYTHON_ATTRIBUTES(id, Name, arity) \
  static_assert(op::attributes_of<op::Name>().size() <= kMostAttributes);
HADAMARD_OPERATORS(HADAMARD_PYTHON_ATTRIBUTES)
#undef HADAMARD_PYTHON_ATTRIBUTES

std::size_t parameter_count(const Signature& signature) {
  return signature.operands.size() + static_cast<std::size_t>(std::popcount(signature.keywords)) +
         signature.attributes.size();
}

// The place of a keyword among the parameters.
std::size_t place_of(const Signature& signature, std::size_t keyword) {
  const Keywords before = signature.keywords & ((1U << keyword) - 1U);
  return signature.operands.size() + static_cast<std::size_t>(std::popcount(before));
}

// The place of the parameter that is called `wanted`.
std::size_t find_parameter(const Signature& signature, PyObject* wanted) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (has(signature.keywords, i) && names[i] == wanted) return place_of(signature, i);
  }
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    if (PyUnicode_CompareWithASCIIString(wanted, signature.operands[i]) == 0) return i;
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (has(signature.keywords, i) && PyUnicode_Compare(names[i], wanted) == 0)
      return place_of(signature, i);
  }
  for (std::size_t i = 0; i < signature.attributes.size(); ++i) {
    const std::string name(signature.attributes[i].name);
    if (PyUnicode_CompareWithASCIIString(wanted, name.c_str()) == 0)
      return place_of(signature, kCount) + i;
  }
  throw py::type_error(fmt::format("{}() got an unexpected keyword argument {}; it is {}",
                                   signature.name, repr(wanted), signature.text()));
}

// The values of the parameters by their places; null where none came.
std::array<PyObject*, kMostParameters> place_arguments(const Signature& signature,
                                                       PyObject* const* args, std::size_t nargs,
                                                       PyObject* kwnames) {
  if (nargs > parameter_count(signature)) {
    throw py::type_error(fmt::format("{}() takes at most {} arguments, but {} came; it is {}",
                                     signature.name, parameter_count(signature), nargs,
                                     signature.text()));
  }
  std::array<PyObject*, kMostParameters> values{};
  std::copy_n(args, nargs, values.begin());
  const Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* const name = PyTuple_GET_ITEM(kwnames, i);
    PyObject*& value = values[find_parameter(signature, name)];
    if (value != nullptr) {
      throw py::type_error(
          fmt::format("{}() got multiple values for argument {}", signature.name, repr(name)));
    }
    value = args[nargs + static_cast<std::size_t>(i)];
  }
  return values;
}

}  // namespace

std::string Signature::text() const {
  std::string text = fmt::format("{}({}", name, fmt::join(operands, ", "));
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!has(keywords, i)) continue;
    const bool is_dialect = i == static_cast<std::size_t>(Keyword::dialect);
    text += fmt::format(", {}={}", kRows[i].name,
                        is_dialect ? fmt::format("'{}'", hadamard::name(Options{}.dialect))
                                   : std::string(kRows[i].initial));
  }
  for (const op::AttributeInfo& attribute : attributes) {
    text += fmt::format(", {}={}", attribute.name, attribute.initial);
  }
  return text + ")";
}

std::string Signature::parameters() const {
  std::string text;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!has(keywords, i)) continue;
    const std::string values = listed_values(static_cast<Keyword>(i));
    text += fmt::format("    {}: {}{}\n", kRows[i].name, kRows[i].line,
                        values.empty() ? "" : fmt::format(" One of {}.", values));
  }
  for (const op::AttributeInfo& attribute : attributes) {
    text += fmt::format(
        "    {}: an attribute, exactly the number that is passed: an int, a float, a Fraction or a "
        "Decimal; the default is exactly {}.\n",
        attribute.name, attribute.initial);
  }
  return text;
}

py::dict choices() {
  py::dict all;
  for (std::size_t i = 0; i < kCount; ++i) {
    py::list values;
    for_values(static_cast<Keyword>(i),
               [&](std::string_view value) { values.append(py::str(value.data(), value.size())); });
    if (py::len(values) > 0)
      all[py::str(kRows[i].name.data(), kRows[i].name.size())] = py::tuple(values);
  }
  return all;
}

void intern_keywords() {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names[i] == nullptr)
      names[i] = PyUnicode_InternFromString(std::string(kRows[i].name).c_str());
  }
}

bool is_only_out(PyObject* kwnames) noexcept {
  return kwnames == nullptr ||
         (PyTuple_GET_SIZE(kwnames) == 1 && PyTuple_GET_ITEM(kwnames, 0) == names[0]);
}

Call read_call(const Signature& signature, PyObject* const* args, std::size_t nargs,
               PyObject* kwnames) {
  const auto values = place_arguments(signature, args, nargs, kwnames);
  Call call;
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    if (values[i] == nullptr) {
      throw py::type_error(fmt::format("{}() misses its argument '{}'; it is {}", signature.name,
                                       signature.operands[i], signature.text()));
    }
    call.operands[i] = values[i];
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!has(signature.keywords, i)) continue;
    if (PyObject* const value = values[place_of(signature, i)])
      set(call, static_cast<Keyword>(i), value);
  }
  for (std::size_t i = 0; i < signature.attributes.size(); ++i) {
    PyObject* const value = values[place_of(signature, kCount) + i];
    if (value == nullptr || value == Py_None) continue;
    call.options.attributes.push_back(attribute_of(signature.attributes[i].name, value));
  }
  require_meaning(call.options);
  return call;
}

}  // namespace hadamard::python
