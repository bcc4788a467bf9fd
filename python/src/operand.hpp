// Anything that Python may pass as an operand, as a view that the engine reads.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "common.hpp"

namespace hadamard::python {

// What has no element type of its own: Python's numbers, and lists of them. They take the type of
// the other operand, where they fit into it. In the order of what contains what.
enum class Weak : std::uint8_t { none, boolean, integer, floating, complex };

class Operand {
 public:
  Operand() = default;
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  // Takes an array (of any strides; copied where its byte order or alignment is not the machine's),
  // a scalar of NumPy's, a hadamard.Tensor, a Python number, a list, whatever offers __dlpack__, a
  // buffer or __array__, and as `real` a Fraction and arrays of objects that are numbers. `what` is
  // its name in messages. Throws unsupported_type.
  void take(PyObject* object, std::string_view what);

  // Looks at an array again: code of others, which ran since, may have given it other memory.
  void look_again();
  // Whether it took code of others to take this one.
  bool ran_code() const noexcept { return ran_code_; }

  // A weak one becomes one of `type`. Throws bad_argument where it does not fit (300 as uint8),
  // type_mismatch where it is of another kind (0.5 as int32), if it is not to be converted: that
  // holds for lists that are as they were written.
  enum class Floats { refuse, convert };
  void settle(DType type, Floats floats = Floats::refuse);
  // One that has a type becomes one of another type, as cast() converts it.
  void convert(DType type);
  // A weak one becomes what MATLAB makes of a literal: double, logical, complex.
  void settle_as_literal();

  Weak weak() const noexcept { return weak_; }
  // Whether it is a list of numbers that have no type yet, because NumPy might change them.
  bool is_as_written() const;
  // Whether it is a whole number of Python's, or a list of such, that int64 does not hold.
  bool is_beyond_int64() const;
  bool is_tensor() const noexcept { return is_tensor_; }
  // Whether it asks for a result in this order: Fortran's where its elements lie in that and no
  // other, C's where they do not lie in Fortran's. What lies in both, as one line does, asks for
  // neither.
  bool prefers(Order order) const;
  const ConstView& view() const { return *view_; }

 private:
  void take_array(py::object array);
  void take_list(PyObject* list);
  bool take_objects(const py::object& array);
  void settle_number(DType type);
  void settle_numbers(DType type, Floats floats);
  void settle_array(DType type);
  std::string place_of(std::int64_t element) const;

  std::optional<ConstView> view_;
  py::object object_;  // what keeps the memory, or the number itself
  std::optional<Tensor> converted_;
  double number_ = 0;  // the memory of a float that needs no conversion
  std::string_view what_;
  Weak weak_ = Weak::none;
  bool is_tensor_ = false;
  bool ran_code_ = false;
};

// Whether it is of a kind that Operand::take takes.
bool may_be_operand(PyObject* object);

// Whether an array is one of numpy.ma.
bool is_masked(PyObject* array);

// Throws unsupported_type for an array that has more than its elements: a mask, or labels.
void require_no_loss(PyObject* object, std::string_view what);

// Takes them all, and looks at each again where taking one ran code of others, which may have
// changed what was there.
void take_all(std::span<Operand> operands, PyObject* const* objects,
              std::span<const std::string_view> names);

// Whether a result of these is a hadamard.Tensor: where one of them is, or NumPy has no such type.
bool makes_tensor(std::span<const Operand> operands);

// One type for all of them: that of the first that has one, else that of the widest number (bool,
// int64, fp64, complex128). Settles the weak ones.
void settle_all(std::span<Operand> operands);

// The elements of a Python number in a tensor of rank 0.
Tensor tensor_of_number(PyObject* number, Weak weak, DType type, std::string_view what);

// A number of Python's own type: what a subclass does when it is compared is not asked for.
py::object plain_number(PyObject* object);

// Numbers that are exactly ones of type `real`: Python's and NumPy's integers, floats and bools,
// and what is of class fractions.Fraction.
class ExactNumbers {
 public:
  ExactNumbers();
  bool has(PyObject* object) const noexcept;  // runs no code of others
  bool is_fraction(PyObject* object) const noexcept;
  Real value(PyObject* object) const;  // throws bad_argument for NaN and infinities

 private:
  py::object fraction_;  // the class; null where nobody has imported it
};

// Which number it is; Weak::none where it is none of Python's own.
Weak weak_kind(PyObject* object) noexcept;

}  // namespace hadamard::python
