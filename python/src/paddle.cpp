#include "paddle.hpp"

#include <array>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "hadamard/paddle.hpp"
#include "operand.hpp"
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

py::tuple gradient(Gradient compute, const py::object& x, const py::object& y,
                   const py::object& out, const py::object& dout, int axis) {
  static constexpr std::string_view kNames[] = {"x", "y", "out", "dout"};
  PyObject* const objects[] = {x.ptr(), y.ptr(), out.ptr(), dout.ptr()};
  std::array<Operand, 4> operands;
  take_all(operands, objects, kNames);
  settle_all(operands);
  std::optional<paddle::Gradients> result;
  {
    const WithoutGil others_run(bytes_of(operands[3].view().layout()));
    result = compute(operands[0].view(), operands[1].view(), operands[2].view(), operands[3].view(),
                     axis);
  }
  const Results to_python(operands);
  return py::make_tuple(to_python(std::move(result->dx)), to_python(std::move(result->dy)));
}

py::tuple double_gradient(const py::object& y, const py::object& out, const py::object& dx,
                          const py::object& ddx, const py::object& ddy, int axis) {
  static constexpr std::string_view kNames[] = {"y", "out", "dx", "ddx", "ddy"};
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
    const WithoutGil others_run(bytes_of(operands[1].view().layout()));
    result = paddle::elementwise_div_double_grad(operands[0].view(), operands[1].view(),
                                                 operands[2].view(), view_of(ddx, operands[3]),
                                                 view_of(ddy, operands[4]), axis);
  }
  const Results to_python(operands);
  return py::make_tuple(to_python(std::move(result->dy)), to_python(std::move(result->dout)),
                        to_python(std::move(result->ddout)));
}

void add_gradient(py::module_& module, const char* name, const char* formula, Gradient compute) {
  const std::string doc =
      std::string("The gradients of x and y, where dout is that of out: ") + formula +
      ".\n\n"
      "Each has the shape of its operand: it is summed over the dimensions that the operand was\n"
      "stretched in. `axis` as it was for the operator. fp16, bf16, fp32 and fp64.\n\n"
      "Computed with at least twice the precision of the type and rounded once. A sum of n terms "
      "t\n"
      "is within u |s| + n 2**-50 sum|t| of the true sum s (u: the unit roundoff of the type), of\n"
      "fp64 within u |s| + n**2 2**-100 sum|t|, where nothing over- or underflows on the way. It "
      "does\n"
      "not depend on threads or strides.\n\n"
      "Raises ValueError for shapes, TypeError for types.";
  module.def(
      name,
      [compute](const py::object& x, const py::object& y, const py::object& out,
                const py::object& dout,
                int axis) { return gradient(compute, x, y, out, dout, axis); },
      py::arg("x"), py::arg("y"), py::arg("out"), py::arg("dout"), py::arg("axis") = -1,
      doc.c_str());
}

}  // namespace

void add_paddle(py::module_& module) {
  add_gradient(module, "elementwise_add_grad", "dx = dout, dy = dout",
               &paddle::elementwise_add_grad);
  add_gradient(module, "elementwise_sub_grad", "dx = dout, dy = -dout",
               &paddle::elementwise_sub_grad);
  add_gradient(module, "elementwise_mul_grad", "dx = dout y, dy = dout x",
               &paddle::elementwise_mul_grad);
  add_gradient(module, "elementwise_div_grad", "dx = dout / y, dy = -dout out / y",
               &paddle::elementwise_div_grad);
  module.def("elementwise_div_double_grad", &double_gradient, py::arg("y"), py::arg("out"),
             py::arg("dx"), py::arg("ddx") = py::none(), py::arg("ddy") = py::none(),
             py::arg("axis") = -1,
             "The gradient of elementwise_div_grad: (dy, dout, ddout), those of y, out and dout, "
             "where ddx\n"
             "and ddy are those of its results dx and dy (None: zeros).\n\n"
             "dy = dx (out ddy - ddx) / y, summed to the shape of y; dout = -dx ddy;\n"
             "ddout = (ddx - out ddy) / y. As in Paddle, dx and ddx have the shape of out: x must "
             "not have\n"
             "been stretched. Rounded as elementwise_div_grad.");
}

}  // namespace hadamard::python
