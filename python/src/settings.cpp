#include "settings.hpp"

#include <array>
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

// As ASCII: what cannot be encoded is escaped.
std::string repr(PyObject* object) { return steal(PyObject_ASCII(object)).cast<std::string>(); }

// Nothing where it is no text, or none that can be encoded.
std::optional<std::string_view> text_of(PyObject* value) {
  if (!PyUnicode_Check(value)) return std::nullopt;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::string_view(text, static_cast<std::size_t>(size));
}

template <class E, std::size_t n>
E chosen(PyObject* value, std::string_view keyword, const E (&list)[n]) {
  if (const auto text = text_of(value)) {
    for (const E entry : list) {
      if (name(entry) == *text) return entry;
    }
  }
  fail(ErrorCode::bad_argument, "{} is {}, but must be one of: {}", keyword, repr(value),
       listed(list));
}

Op activation(PyObject* value) {
  if (const auto text = text_of(value)) {
    if (const auto op = dialect::paddle::activation(*text)) return *op;
    const auto op = op_from_name(*text);
    if (op && op::arity(*op) == 1) return *op;
  }
  fail(ErrorCode::bad_argument,
       "act is {}, but must be the name of a function of one operand, or one of Paddle's: {}",
       repr(value), dialect::paddle::all_activations());
}

void set(Settings& settings, Keyword keyword, PyObject* value) {
  if (value == Py_None) return;
  switch (keyword) {
    case Keyword::out:
      settings.out = value;
      break;
    case Keyword::dialect:
      settings.options.dialect = chosen(value, "dialect", kDialects);
      break;
    case Keyword::axis: {
      const py::object number = steal(PyNumber_Index(value));
      int overflow = 0;
      const long axis = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
      if (overflow != 0 || axis != static_cast<int>(axis)) {
        fail(ErrorCode::bad_argument, "axis is {}: no tensor has that dimension", repr(value));
      }
      settings.options.axis = static_cast<int>(axis);
      break;
    }
    case Keyword::act:
      settings.options.then = activation(value);
      break;
    case Keyword::int_division:
      settings.options.int_division = chosen(value, "int_division", kIntDivisions);
      break;
    case Keyword::broadcast:
      settings.options.broadcast = chosen(value, "broadcast", kBroadcasts);
      break;
    case Keyword::integers:
      settings.options.integers = chosen(value, "integers", kIntegers);
      break;
  }
}

// What was said must have a meaning under the other rules: it would be passed over in silence.
void require_meaning(const Options& options) {
  const Broadcast rule = options.broadcast.value_or(
      options.dialect == Dialect::paddle ? Broadcast::paddle : Broadcast::none);
  if (options.axis != -1 && rule != Broadcast::paddle) {
    fail(ErrorCode::bad_argument,
         "axis={} means something with dialect='paddle' or broadcast='paddle' only", options.axis);
  }
  if (options.integers != Integers::as_double && options.dialect != Dialect::matlab) {
    fail(ErrorCode::bad_argument, "integers='{}' means something with dialect='matlab' only",
         name(options.integers));
  }
}

bool has(Keywords set, std::size_t keyword) { return (set >> keyword & 1U) != 0; }

std::size_t find_keyword(const Signature& signature, PyObject* wanted) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (has(signature.keywords, i) && names[i] == wanted) return i;
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (has(signature.keywords, i) && PyUnicode_Compare(names[i], wanted) == 0) return i;
  }
  throw py::type_error(fmt::format("{}() got an unexpected keyword argument {}; it is {}",
                                   signature.name, repr(wanted), signature.text()));
}

}  // namespace

std::string Signature::text() const {
  std::string text = fmt::format("{}({}, /, out=None", name, operands);
  bool first = true;
  for (std::size_t i = 1; i < kCount; ++i) {
    if (!has(keywords, i)) continue;
    const bool is_dialect = i == static_cast<std::size_t>(Keyword::dialect);
    text += fmt::format("{}, {}={}", first ? ", *" : "", kRows[i].name,
                        is_dialect ? fmt::format("'{}'", dialect) : std::string(kRows[i].initial));
    first = false;
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

Settings read_settings(const Signature& signature, std::size_t operands, PyObject* const* args,
                       std::size_t nargs, PyObject* kwnames) {
  if (nargs < operands || nargs > operands + 1) {
    throw py::type_error(
        fmt::format("{}() takes {} or {} positional arguments, but {} came; it is {}",
                    signature.name, operands, operands + 1, nargs, signature.text()));
  }
  Settings settings;
  if (nargs > operands) set(settings, Keyword::out, args[operands]);
  const std::size_t named =
      kwnames == nullptr ? 0 : static_cast<std::size_t>(PyTuple_GET_SIZE(kwnames));
  for (std::size_t i = 0; i < named; ++i) {
    const std::size_t keyword =
        find_keyword(signature, PyTuple_GET_ITEM(kwnames, static_cast<Py_ssize_t>(i)));
    if (keyword == 0 && nargs > operands) {
      throw py::type_error(
          fmt::format("{}() got multiple values for argument 'out'", signature.name));
    }
    set(settings, static_cast<Keyword>(keyword), args[nargs + i]);
  }
  require_meaning(settings.options);
  return settings;
}

}  // namespace hadamard::python
