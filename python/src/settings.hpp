// The arguments of a function beside its operands: which there are, what they mean, reading them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "common.hpp"
#include "op/attribute_values.hpp"

namespace hadamard::python {

// X(name, default, line): the keywords, in the order of signatures. `line` is for docstrings.
#define HADAMARD_PYTHON_KEYWORDS(X)                                                                \
  X(out, "None",                                                                                   \
    "an array for the result, of its shape and type, aligned, with any strides; it may be an "     \
    "operand or overlap one. It is returned. After an error it is as it was.")                     \
  X(dialect, "",                                                                                   \
    "the semantics to follow. 'native' has every operator and type; the others refuse what they "  \
    "lack.")                                                                                       \
  X(axis, "-1",                                                                                    \
    "with dialect='paddle' or broadcast='paddle': the dimension of the operand of higher rank at " \
    "which the other one "                                                                         \
    "begins; -1 aligns at the last.")                                                              \
  X(act, "None",                                                                                   \
    "a function of one operand that is applied to the result in the same pass: 'relu', 'tanh' or " \
    "any other of them; with attributes, exact decimals: 'leaky_relu(alpha=0.2)'.")                \
  X(int_division, "None", "how integers divide; None: as the dialect says.")                       \
  X(broadcast, "None", "how two shapes become one; None: as the dialect says.")                    \
  X(integers, "None", "what dialect 'matlab' makes of integers; None: 'double'.")

enum class Keyword : std::uint8_t {
#define HADAMARD_PYTHON_KEYWORD(id, initial, line) id,
  HADAMARD_PYTHON_KEYWORDS(HADAMARD_PYTHON_KEYWORD)
#undef HADAMARD_PYTHON_KEYWORD
};

// A set of them.
using Keywords = unsigned;
template <class... K>
constexpr Keywords keywords(K... k) {
  return ((1U << static_cast<unsigned>(k)) | ... | 0U);
}
inline constexpr Keywords kForOne = keywords(Keyword::out, Keyword::dialect, Keyword::act,
                                             Keyword::int_division, Keyword::integers);
inline constexpr Keywords kForTwo = kForOne | keywords(Keyword::axis, Keyword::broadcast);
inline constexpr Keywords kForThree = keywords(Keyword::out, Keyword::dialect, Keyword::broadcast);
inline constexpr Keywords kForCast = keywords(Keyword::out);

// How a function is called.
struct Signature {
  std::string_view name;
  std::span<const char* const> operands;  // their names
  Keywords keywords;
  std::span<const op::AttributeInfo> attributes{};  // last
  std::string text() const;                         // "div(a, b, out=None, dialect='native', …)"
  // The values that each keyword may have, in lines for a docstring.
  std::string parameters() const;
};

inline constexpr std::size_t kMostOperands = 3;
inline constexpr std::size_t kMostAttributes = 4;

// The arguments of a call, each by its name or its place.
struct Call {
  std::array<PyObject*, kMostOperands> operands{};  // borrowed, as many as the signature has
  PyObject* out = nullptr;                          // borrowed; null: none
  Options options;
};

// The value of `axis`; throws what Python raises for what is no whole number, and bad_argument for
// what no tensor has.
int axis_of(PyObject* value);

// The value of `integers`; throws bad_argument for what it may not be.
Integers integers_of(PyObject* value);

// Keyword → the values that it may have.
py::dict choices();

// Called once: makes the names that keywords are compared with.
void intern_keywords();

// Whether the call has no keyword but, maybe, `out`.
bool is_only_out(PyObject* kwnames) noexcept;

// Reads a vectorcall; throws what Python raises for wrong calls, and bad_argument for wrong values.
Call read_call(const Signature& signature, PyObject* const* args, std::size_t nargs,
               PyObject* kwnames);

}  // namespace hadamard::python
