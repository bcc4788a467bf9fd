#include "functions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "arrays.hpp"
#include "dialect/dialect.hpp"
#include "docstrings.hpp"
#include "errors.hpp"
#include "op/ops.hpp"
#include "operand.hpp"
#include "settings.hpp"
#include "tensor.hpp"
#include "true_division.hpp"

namespace hadamard::python {
namespace {

// Larger results are in memory of the engine's, which keeps that of freed results; smaller ones in
// NumPy's, whose small arrays cost less.
constexpr std::int64_t kOwnMemory = 32 << 10;

// An operator with its operands.
template <int arity>
struct Work {
  Op op;
  const ConstView& a;
  const ConstView& b;  // of one operand: a
  const Options& options;

  Layout result() const {
    if constexpr (arity == 2) {
      return result_layout(op, a.layout(), b.layout(), options);
    } else {
      return result_layout(op, a.layout(), options);
    }
  }
  [[gnu::always_inline]] void into(const View& y) const {
    if constexpr (arity == 2) {
      apply_into(op, y, a, b, options);
    } else {
      apply_into(op, y, a, options);
    }
  }
  Tensor fresh() const {
    if constexpr (arity == 2) {
      return apply(op, a, b, options);
    } else {
      return apply(op, a, options);
    }
  }
  [[gnu::always_inline]] bool keeps_shape() const { return arity == 1 || a.shape() == b.shape(); }
};

template <int arity>
Tensor fresh_without_gil(const Work<arity>& work, std::int64_t bytes) {
  const WithoutGil others_run(work.a.dtype(), bytes);
  return work.fresh();
}

template <int arity>
[[gnu::always_inline]] inline PyObject* into_new_array(const Work<arity>& work) {
  const Options& options = work.options;
  if (options.dialect == Dialect::matlab || !op::is_plain_for(work.op, work.a.dtype()))
      [[unlikely]] {
    return to_array(fresh_without_gil(work, bytes_of(work.a.layout()) + bytes_of(work.b.layout())));
  }
  const Dims* shape = &work.a.shape();
  Layout result;
  if (!work.keeps_shape()) [[unlikely]] {
    result = work.result();
    shape = &result.shape;
  }
  const std::int64_t bytes = element_count(*shape) * (bits(work.a.dtype()) / 8);
  if (bytes >= kOwnMemory) return to_array(fresh_without_gil(work, bytes));
  py::object array = steal(new_array(work.a.dtype(), *shape, options.order));
  const View y(PyArray_DATA(as_array(array.ptr())),
               layout_of(as_array(array.ptr()), work.a.dtype()));
  {
    const WithoutGil others_run(work.a.dtype(), bytes);
    work.into(y);
  }
  return PyArray_Return(as_array(array.release().ptr()));
}

// The memory of `out`.
View output_view(PyObject* out) {
  if (HeldTensor* const tensor = held_tensor(out)) {
    if (!tensor->writable)
      fail(ErrorCode::bad_argument, "out is a hadamard.Tensor over memory that is read-only");
    return View(const_cast<void*>(tensor->view.data()), tensor->view.layout(),
                tensor->view.offset());
  }
  if (!PyArray_Check(out)) {
    throw py::type_error(
        fmt::format("out is of type {}, but must be a numpy.ndarray or a hadamard.Tensor; of an "
                    "array of others, "
                    "numpy.asarray(out) may be one over the same memory",
                    type_name(out)));
  }
  if (is_masked(out)) {
    fail(ErrorCode::unsupported_type, "out is a masked array, whose mask would be passed over");
  }
  PyArrayObject* const array = as_array(out);
  const std::uint8_t type = type_of_numpy(PyArray_TYPE(array));
  if (type == kNoType) fail_no_type(PyArray_DESCR(array), "out");
  if (!PyArray_ISWRITEABLE(array)) fail(ErrorCode::bad_argument, "out is read-only");
  if (!PyArray_ISNOTSWAPPED(array)) {
    fail(ErrorCode::unsupported_type,
         "out has the byte order of other machines; pass one of dtype {}",
         name(static_cast<DType>(type)));
  }
  if (!is_readable(array)) {
    fail(ErrorCode::bad_argument,
         "the elements of out are not aligned, or not whole elements apart");
  }
  return View(PyArray_DATA(array), layout_of(array, static_cast<DType>(type)));
}

template <int arity>
PyObject* finish(const Work<arity>& work, PyObject* out, bool as_tensor) {
  if (out != nullptr) {
    const View y = output_view(out);
    {
      const WithoutGil others_run(y.layout());
      work.into(y);
    }
    return Py_NewRef(out);
  }
  if (as_tensor) {
    return to_object(HeldTensor(fresh_without_gil(work, bytes_of(work.a.layout()))))
        .release()
        .ptr();
  }
  return into_new_array(work);
}

// The order of the result's elements.
Order order_for(std::span<const Operand> operands) {
  const auto any = [&](Order order) {
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Operand& operand) { return operand.prefers(order); });
  };
  const bool by_columns = any(Order::column_major) && !any(Order::row_major);
  return by_columns ? Order::column_major : Order::row_major;
}

// Gives the weak ones a type, and chooses the order of the result's elements.
void settle_operands(std::span<Operand> operands, Options& options) {
  options.order = order_for(operands);
  if (options.dialect == Dialect::matlab) {
    for (Operand& operand : operands) operand.settle_as_literal();
  } else {
    settle_all(operands);
  }
}

void take_operands(std::span<Operand> operands, PyObject* const* args, Options& options,
                   std::span<const std::string_view> names) {
  take_all(operands, args, names);
  settle_operands(operands, options);
}
// One or two, which the dialect has names for.
void take_operands(std::span<Operand> operands, PyObject* const* args, Options& options) {
  const dialect::Rules& rules = dialect::rules(options.dialect);
  const std::string_view names[] = {rules.a, rules.b};
  take_operands(operands, args, options, names);
}

template <int arity>
Signature signature_of(Op op) {
  static constexpr const char* kOperands[] = {"a", "b"};
  return {name(op), std::span(kOperands, arity), arity == 2 ? kForTwo : kForOne,
          op::attributes(op)};
}

template <int arity>
PyObject* compute(Op op, PyObject* const* args, PyObject* out, Options options) {
  Operand operands[arity];
  take_operands(operands, args, options);
  return finish(Work<arity>{op, operands[0].view(), operands[arity - 1].view(), options}, out,
                makes_tensor(operands));
}

// The array's type where the quick way is for it: one of NumPy's own, as this machine reads it.
[[gnu::always_inline]] inline std::uint8_t quick_type(PyObject* object) noexcept {
  if (!PyArray_CheckExact(object) || !is_readable(as_array(object))) return kNoType;
  return type_of_numpy(PyArray_TYPE(as_array(object)));
}

[[gnu::always_inline]] inline bool has_plain_order(PyObject* array) noexcept {
  return PyArray_NDIM(as_array(array)) <= 1 || PyArray_IS_C_CONTIGUOUS(as_array(array));
}

// Arrays that need nothing done to them, and no option. Null without an exception where the call is
// not of that kind.
template <int arity>
[[gnu::always_inline]] inline PyObject* quick(Op op, PyObject* const* args, PyObject* out) {
  static constexpr Options kDefaults;
  const std::uint8_t type_a = quick_type(args[0]);
  const std::uint8_t type_b = arity == 2 ? quick_type(args[1]) : type_a;
  if (type_a == kNoType || type_b != type_a) return nullptr;
  const auto type = static_cast<DType>(type_a);
  if (out != nullptr && (quick_type(out) != type_a || !PyArray_ISWRITEABLE(as_array(out))))
    return nullptr;
  // Of a result that is still to be made, the order of elements must be plain.
  if (out == nullptr && !(has_plain_order(args[0]) && has_plain_order(args[arity - 1])))
    return nullptr;
  const ConstView a(PyArray_DATA(as_array(args[0])), layout_of(as_array(args[0]), type));
  if constexpr (arity == 1) {
    const Work<1> work{op, a, a, kDefaults};
    return out != nullptr ? finish(work, out, false) : into_new_array(work);
  } else {
    const ConstView b(PyArray_DATA(as_array(args[1])), layout_of(as_array(args[1]), type));
    const Work<2> work{op, a, b, kDefaults};
    return out != nullptr ? finish(work, out, false) : into_new_array(work);
  }
}

template <int arity>
PyObject* call(Op op, PyObject* const* args, std::size_t nargs, PyObject* kwnames) noexcept {
  try {
    const bool out_by_place = nargs == arity + 1 && kwnames == nullptr;
    if (out_by_place || (nargs == arity && is_only_out(kwnames))) [[likely]] {
      PyObject* const out = out_by_place || kwnames != nullptr ? args[arity] : Py_None;
      if (PyObject* const y = quick<arity>(op, args, out == Py_None ? nullptr : out)) return y;
      if (PyErr_Occurred() != nullptr) return nullptr;
    }
    const Call said = read_call(signature_of<arity>(op), args, nargs, kwnames);
    return compute<arity>(op, said.operands.data(), said.out, said.options);
  } catch (...) {
    return raise_current();
  }
}

template <Op op, int arity>
PyObject* function(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return call<arity>(op, args, static_cast<std::size_t>(nargs), kwnames);
}

// A tensor that was computed, as the result of a call.
PyObject* deliver(Tensor&& tensor, PyObject* out, bool as_tensor) {
  if (out != nullptr) {
    const View y = output_view(out);
    if (y.dtype() != tensor.dtype()) {
      fail(ErrorCode::type_mismatch, "out is {}, but the result is {}", name(y.dtype()),
           name(tensor.dtype()));
    }
    apply_into(Op::identity, y, tensor);
    return Py_NewRef(out);
  }
  if (as_tensor || numpy_type(tensor.dtype()) == kNoNumpyType) {
    return to_object(HeldTensor(std::move(tensor))).release().ptr();
  }
  return to_array(std::move(tensor));
}

constexpr const char* kCastOperands[] = {"a", "dtype"};
constexpr const char* kDivideOperands[] = {"a", "b"};
constexpr const char* kWhereOperands[] = {"condition", "a", "b"};
constexpr const char* kClipOperands[] = {"a", "low", "high"};
constexpr Signature kCast{"cast", kCastOperands, kForCast};
constexpr Signature kDivide{"divide", kDivideOperands, kForCast};
constexpr Signature kWhere{"where", kWhereOperands, kForThree};
constexpr Signature kClip{"clip", kClipOperands, kForThree};

PyObject* cast_function(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) noexcept {
  try {
    Call said = read_call(kCast, args, static_cast<std::size_t>(nargs), kwnames);
    const DType type = dtype_from(said.operands[1]);
    Operand operands[1];
    operands[0].take(said.operands[0], "A");
    // Integers beyond int64 may have no other type, and those of a list no other rounding.
    if (operands[0].is_beyond_int64() ||
        (operands[0].is_as_written() && kind(type) != Kind::integer &&
         kind(type) != Kind::boolean)) {
      operands[0].settle(type);
    }
    settle_operands(operands, said.options);
    const ConstView& a = operands[0].view();
    Tensor y = [&] {
      const WithoutGil others_run(a.layout());
      return cast(a, type, said.options.order);
    }();
    return deliver(std::move(y), said.out, operands[0].is_tensor());
  } catch (...) {
    return raise_current();
  }
}

PyObject* true_division(PyObject* const* args, PyObject* out) {
  static constexpr std::string_view kNames[] = {"A", "B"};
  Operand operands[2];
  take_all(operands, args, kNames);
  Options options;
  options.order = order_for(operands);
  auto quotient = settle_for_quotient(operands[0], operands[1], options.order);
  const bool as_tensor = makes_tensor(operands);
  if (quotient) return deliver(*std::move(quotient), out, as_tensor);
  return finish(Work<2>{Op::div, operands[0].view(), operands[1].view(), options}, out, as_tensor);
}

PyObject* divide_function(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                          PyObject* kwnames) noexcept {
  try {
    const Call said = read_call(kDivide, args, static_cast<std::size_t>(nargs), kwnames);
    return true_division(said.operands.data(), said.out);
  } catch (...) {
    return raise_current();
  }
}

PyObject* where_function(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                         PyObject* kwnames) noexcept {
  try {
    Call said = read_call(kWhere, args, static_cast<std::size_t>(nargs), kwnames);
    Operand condition;
    condition.take(said.operands[0], "the condition");
    Operand operands[2];
    take_operands(operands, said.operands.data() + 1, said.options);
    condition.look_again();
    condition.settle(DType::bool_);
    const ConstView& a = operands[0].view();
    Tensor y = [&] {
      const WithoutGil others_run(a.dtype(), bytes_of(a.layout()) + condition.view().count());
      return where(condition.view(), a, operands[1].view(), said.options);
    }();
    return deliver(std::move(y), said.out, makes_tensor(operands));
  } catch (...) {
    return raise_current();
  }
}

PyObject* clip_function(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) noexcept {
  try {
    Call said = read_call(kClip, args, static_cast<std::size_t>(nargs), kwnames);
    Operand operands[3];
    static constexpr std::string_view kClipNames[] = {"A", "low", "high"};
    take_operands(operands, said.operands.data(), said.options, kClipNames);
    const ConstView& a = operands[0].view();
    Tensor y = [&] {
      const WithoutGil others_run(a.layout());
      return clip(a, operands[1].view(), operands[2].view(), said.options);
    }();
    return deliver(std::move(y), said.out, makes_tensor(operands));
  } catch (...) {
    return raise_current();
  }
}

using Function = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*) noexcept;

// What CPython keeps pointers to as long as the process lives.
struct Definition {
  std::string name;
  std::string doc;
  PyMethodDef method;
};

py::object new_function(const Signature& signature, const std::string& text, Function function) {
  auto* const definition =
      new Definition{std::string(signature.name), signature.text() + "\n--\n\n" + text, {}};
  definition->method = {definition->name.c_str(),
                        reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                        METH_FASTCALL | METH_KEYWORDS, definition->doc.c_str()};
  // Of module `hadamard`, and with no object of its own: pickled by name.
  const py::str module("hadamard");
  return steal(PyCFunction_NewEx(&definition->method, nullptr, module.ptr()));
}

}  // namespace

void add_functions(py::module_& module) {
  intern_keywords();
  py::list functions;
#define HADAMARD_PYTHON_FUNCTION(id, Name, arity)                                 \
  if constexpr (op::is_plain(Op::id)) {                                           \
    functions.append(new_function(signature_of<arity>(Op::id),                    \
                                  docstring(Op::id, signature_of<arity>(Op::id)), \
                                  function<Op::id, arity>));                      \
  }
  HADAMARD_OPERATORS(HADAMARD_PYTHON_FUNCTION)
#undef HADAMARD_PYTHON_FUNCTION
  functions.append(new_function(kCast, cast_docstring(kCast), cast_function));
  functions.append(new_function(kDivide, divide_docstring(kDivide), divide_function));
  functions.append(new_function(kWhere, where_docstring(kWhere), where_function));
  functions.append(new_function(kClip, clip_docstring(kClip), clip_function));
  module.attr("functions") = py::tuple(functions);
  // Of each function that has attributes, their names and defaults.
  py::dict attributes;
  for (const Op op : op::kPlainOps) {
    py::dict its;
    for (const op::AttributeInfo& info : op::attributes(op)) {
      its[py::str(std::string(info.name))] = std::string(info.initial);
    }
    if (!its.empty()) attributes[py::str(std::string(name(op)))] = its;
  }
  module.attr("attributes") = attributes;
}

py::object call_operator(Op op, const py::object& a, const py::object& b) {
  PyObject* const args[] = {a.ptr(), b.ptr()};
  return steal(compute<2>(op, args, nullptr, {}));
}
py::object call_divide(const py::object& a, const py::object& b) {
  PyObject* const args[] = {a.ptr(), b.ptr()};
  return steal(true_division(args, nullptr));
}
py::object call_operator(Op op, const py::object& a) {
  PyObject* const args[] = {a.ptr()};
  return steal(compute<1>(op, args, nullptr, {}));
}

}  // namespace hadamard::python
