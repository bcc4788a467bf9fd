// hadamard.Tensor: elements of any type, also of those that NumPy lacks.
#pragma once

#include <memory>

#include "common.hpp"

namespace hadamard::python {

// What a hadamard.Tensor is: a view, and what keeps its memory.
struct HeldTensor {
  ConstView view;
  std::shared_ptr<void> owner;
  bool writable = true;

  HeldTensor(ConstView v, std::shared_ptr<void> keeper, bool may_write)
      : view(std::move(v)), owner(std::move(keeper)), writable(may_write) {}
  explicit HeldTensor(Tensor&& tensor) : HeldTensor(std::make_shared<Tensor>(std::move(tensor))) {}

 private:
  explicit HeldTensor(const std::shared_ptr<Tensor>& tensor)
      : view(static_cast<const Tensor&>(*tensor).view()), owner(tensor) {}
};

// Null where the object is no hadamard.Tensor.
HeldTensor* held_tensor(PyObject* object);

py::object to_object(HeldTensor&& tensor);

// From integers, floats, fractions and texts ("61/30"): exact.
Tensor real_tensor(const py::object& array);

void add_tensor_class(py::module_& module);

}  // namespace hadamard::python
