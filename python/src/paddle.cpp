#include "paddle.hpp"

#include <array>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "hadamard/paddle.hpp"
#include "operand.hpp"
#include "settings.hpp"
#include "tensor.hpp"

namespace hadamard::python {
namespace {

using Gradient = paddle::Gradients (*)(const ConstView&, const ConstView&, const ConstView&,
                                       const ConstView&, int);

// Tensors of Python's where an operand is one, else arrays, as NumPy's functions return them.
class Results {
 public:
  explicit Results(std::span<const Operand> operands) : as_tensors_(makes_tensor(operands)) {}
  py::object operator()(Tensor&& result) const {
    return as_tensors_ ? to_object(HeldTensor(std::move(result)))
                       : steal(to_array(std::move(result)));
  }

 private:
  bool as_tensors_;
};

// None is what leaving it out means.
int axis_or_default(const py::object& axis) { return axis.is_none() ? -1 : axis_of(axis.ptr()); }

py::tuple gradient(Gradient compute, const py::object& x, const py::object& y,
                   const py::object& out, const py::object& dout, const py::object& axis_given) {
  const int axis = axis_or_default(axis_given);
  static constexpr std::string_view kNames[] = {"X", "Y", "dOut", "Out"};
  PyObject* const objects[] = {x.ptr(), y.ptr(), dout.ptr(), out.ptr()};
  std::array<Operand, 4> operands;
  take_all(operands, objects, kNames);
  settle_all(operands);
  std::optional<paddle::Gradients> result;
  {
    const WithoutGil others_run(operands[2].view().layout());
    result = compute(operands[0].view(), operands[1].view(), operands[3].view(), operands[2].view(),
                     axis);
  }
  const Results to_python(operands);
  return py::make_tuple(to_python(std::move(result->dx)), to_python(std::move(result->dy)));
}

py::tuple double_gradient(const py::object& y, const py::object& out, const py::object& dx,
                          const py::object& ddx, const py::object& ddy,
                          const py::object& axis_given) {
  const int axis = axis_or_default(axis_given);
  static constexpr std::string_view kNames[] = {"Y", "Out", "dX", "ddX", "ddY"};
  // What is not there is settled as a number; it is not read.
  const py::object zero = py::int_(0);
  const auto given = [&](const py::object& object) {
    return object.is_none() ? zero.ptr() : object.ptr();
  };
  PyObject* const objects[] = {y.ptr(), out.ptr(), dx.ptr(), given(ddx), given(ddy)};
  std::array<Operand, 5> operands;
  take_all(operands, objects, kNames);
  settle_all(operands);
  const auto view_of = [](const py::object& object, const Operand& operand) {
    return object.is_none() ? std::nullopt : std::optional<ConstView>(operand.view());
  };
  std::optional<paddle::DoubleGradients> result;
  {
    const WithoutGil others_run(operands[1].view().layout());
    result = paddle::elementwise_div_double_grad(operands[0].view(), operands[1].view(),
                                                 operands[2].view(), view_of(ddx, operands[3]),
                                                 view_of(ddy, operands[4]), axis);
  }
  const Results to_python(operands);
  return py::make_tuple(to_python(std::move(result->dy)), to_python(std::move(result->dout)),
                        to_python(std::move(result->ddout)));
}

void define(py::module_& module, const char* name, Gradient compute) {
  module.def(name, [compute](const py::object& x, const py::object& y, const py::object& out,
                             const py::object& dout, const py::object& axis) {
    return gradient(compute, x, y, out, dout, axis);
  });
}

}  // namespace

// What python/hadamard/_paddle.py calls.
void add_paddle(py::module_& module) {
  define(module, "elementwise_add_grad", &paddle::elementwise_add_grad);
  define(module, "elementwise_sub_grad", &paddle::elementwise_sub_grad);
  define(module, "elementwise_mul_grad", &paddle::elementwise_mul_grad);
  define(module, "elementwise_div_grad", &paddle::elementwise_div_grad);
  module.def("elementwise_div_double_grad", &double_gradient);
}

}  // namespace hadamard::python
