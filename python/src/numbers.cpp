// Python's numbers as elements.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "operand.hpp"

namespace hadamard::python {
namespace {

std::string text_of(PyObject* number) {
  std::string text = repr(number);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

std::string_view kind_name(Weak weak) {
  switch (weak) {
    case Weak::boolean:
      return "bool";
    case Weak::integer:
      return "int";
    case Weak::floating:
      return "float";
    default:
      return "complex";
  }
}

[[noreturn]] void fail_kind(PyObject* number, Weak weak, DType type, std::string_view what) {
  fail(ErrorCode::type_mismatch,
       "{} is the {} {}, beside elements of {}: pass a number of that kind, or cast the others",
       what, kind_name(weak), text_of(number), name(type));
}

[[noreturn]] void fail_fit(PyObject* number, DType type, std::string_view what) {
  fail(ErrorCode::bad_argument, "{} is {}, which does not fit into {}", what, text_of(number),
       name(type));
}

bool is_infinite(const Tensor& scalar) {
  const Tensor wide = cast(scalar, DType::complex128);
  return std::isinf(static_cast<const std::complex<double>*>(wide.data())->real());
}

template <class T>
Tensor integer_of(PyObject* number, DType type, std::string_view what) {
  using E = Element<T>;
  int overflow = 0;
  const long long narrow = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (narrow == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow == 0 &&
      (narrow < 0 ? narrow >= E::kMin : static_cast<std::uint64_t>(narrow) <= E::kMax)) {
    return Tensor::scalar(
        T(static_cast<std::conditional_t<E::kSigned, std::int64_t, std::uint64_t>>(narrow)));
  }
  if (overflow > 0 && !E::kSigned && E::kBits == 64) {
    const unsigned long long wide = PyLong_AsUnsignedLongLong(number);
    if (wide != static_cast<unsigned long long>(-1) || PyErr_Occurred() == nullptr) {
      return Tensor::scalar(T(wide));
    }
    PyErr_Clear();
  }
  fail(ErrorCode::bad_argument, "{} is {}, which does not fit into {} ({} to {})", what,
       text_of(number), name(type), E::kMin, E::kMax);
}

// An integer as a double that rounds to any narrower float as the integer itself would: where it is
// not exact, cut off and with the last bit set ("rounded to odd"). With `exactly` nearest even.
double double_of_int(PyObject* number, bool nearest, DType type, std::string_view what) {
  const double value = PyLong_AsDouble(number);
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail_fit(number, type, what);
  }
  if (nearest) return value;
  const py::object back = steal(PyLong_FromDouble(value));
  const py::object given = borrow(number);
  if (back.equal(given)) return value;
  auto pattern = std::bit_cast<std::uint64_t>(value);
  const bool away = value > 0 ? back > given : back < given;
  if (away) --pattern;
  return std::bit_cast<double>(pattern | 1U);
}

std::complex<double> parts_of(PyObject* number, Weak weak, DType type, std::string_view what) {
  const bool nearest = type == DType::fp64 || type == DType::complex128;
  switch (weak) {
    case Weak::floating:
      return PyFloat_AsDouble(number);
    case Weak::complex: {
      const Py_complex value = PyComplex_AsCComplex(number);
      return {value.real, value.imag};
    }
    default:
      return double_of_int(number, nearest, type, what);
  }
}

// Of any size: Python makes no decimal text of more than 4300 digits, but any of base 16, and that
// in no time.
Real real_of_int(PyObject* number) {
  int overflow = 0;
  const long long narrow = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (narrow == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow == 0) return Real(narrow);
  const auto text = steal(PyNumber_ToBase(number, 16)).cast<std::string>();
  if (overflow > 0) return exact::integer_of_hex(text.substr(2));  // "0x"
  return Real(0) - exact::integer_of_hex(text.substr(3));
}

// A scalar of NumPy's as a number of Python's own, whatever a subclass says of it.
py::object plain_scalar(PyObject* scalar) {
  const py::object array = steal(PyArray_FromScalar(scalar, nullptr));
  PyArrayObject* const of = as_array(array.ptr());
  return steal(PyArray_GETITEM(of, static_cast<const char*>(PyArray_DATA(of))));
}

}  // namespace

py::object plain_number(PyObject* object) {
  if (PyLong_Check(object) && !PyLong_CheckExact(object) && !PyBool_Check(object)) {
    return steal(PyLong_Type.tp_as_number->nb_int(object));
  }
  if (PyFloat_Check(object)) return steal(PyFloat_FromDouble(PyFloat_AS_DOUBLE(object)));
  return borrow(object);
}

ExactNumbers::ExactNumbers() : fraction_(imported_class("fractions", "Fraction")) {}

bool ExactNumbers::is_fraction(PyObject* object) const noexcept { return is_of(object, fraction_); }

bool ExactNumbers::has(PyObject* object) const noexcept {
  if (PyArray_CheckScalar(object)) {
    return PyArray_IsScalar(object, Bool) || PyArray_IsScalar(object, Integer) ||
           PyArray_IsScalar(object, Half) || PyArray_IsScalar(object, Float) ||
           PyArray_IsScalar(object, Double);
  }
  const Weak weak = weak_kind(object);
  return weak == Weak::none ? is_fraction(object) : weak <= Weak::floating;
}

Real ExactNumbers::value(PyObject* object) const {
  if (PyFloat_Check(object)) return Real::from_double(PyFloat_AS_DOUBLE(object));  // np.float64 too
  if (PyLong_Check(object)) return real_of_int(plain_number(object).ptr());
  if (PyArray_CheckScalar(object)) return value(plain_scalar(object).ptr());
  // As the class itself has them, whatever a subclass says.
  const auto part = [&](const char* name) {
    const py::object number = fraction_.attr(name).attr("fget")(borrow(object));
    if (!PyLong_Check(number.ptr())) {
      throw py::type_error(fmt::format("the {} of a Fraction is of type {}; expected an int", name,
                                       type_name(number.ptr())));
    }
    return real_of_int(plain_number(number.ptr()).ptr());
  };
  const Real denominator = part("denominator");
  if (denominator == Real(0)) {
    fail(ErrorCode::bad_argument, "a Fraction with the denominator 0 is no number");
  }
  return part("numerator") / denominator;
}

Weak weak_kind(PyObject* object) noexcept {
  if (PyBool_Check(object)) return Weak::boolean;
  if (PyLong_Check(object)) return Weak::integer;
  if (PyArray_CheckScalar(object)) return Weak::none;  // numpy.float64 is a float, and has a type
  if (PyFloat_Check(object)) return Weak::floating;
  if (PyComplex_Check(object)) return Weak::complex;
  return Weak::none;
}

Tensor tensor_of_number(PyObject* number, Weak weak, DType type, std::string_view what) {
  return with_type(type, [&](auto t) -> Tensor {
    using T = typename decltype(t)::type;
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::integer) {
      if (weak > Weak::integer) fail_kind(number, weak, type, what);
      return integer_of<T>(number, type, what);
    } else if constexpr (kKind == Kind::boolean) {
      if (weak > Weak::integer) fail_kind(number, weak, type, what);
      const long long value = PyLong_AsLongLong(number);
      if (value != 0 && value != 1) {
        PyErr_Clear();
        fail(ErrorCode::bad_argument, "{} is {}, which does not fit into bool (0 or 1)", what,
             text_of(number));
      }
      return Tensor::scalar(value == 1);
    } else if constexpr (kKind == Kind::exact) {
      if (weak > Weak::floating) fail_kind(number, weak, type, what);
      if (weak == Weak::floating && !std::isfinite(PyFloat_AS_DOUBLE(number))) {
        fail(ErrorCode::bad_argument, "{} is {}, of which there is no real", what, text_of(number));
      }
      return Tensor::scalar(ExactNumbers().value(number));
    } else {
      if (kKind != Kind::complex && weak > Weak::floating) fail_kind(number, weak, type, what);
      const std::complex<double> parts = parts_of(number, weak, type, what);
      Tensor y = kKind == Kind::complex ? cast(Tensor::scalar(parts), type)
                                        : cast(Tensor::scalar(parts.real()), type);
      // A float may become infinite, as it may in any operation; an integer is to be what it is.
      if (weak <= Weak::integer && is_infinite(y)) fail_fit(number, type, what);
      return y;
    }
  });
}

}  // namespace hadamard::python
