#include "matlab/device.hpp"

#include "op/ops.hpp"

namespace hadamard::matlab {
namespace {

struct Memory : Buffer {
  explicit Memory(Tensor elements) : Buffer(elements.layout()), tensor(std::move(elements)) {}
  Tensor tensor;
};

const Tensor& tensor_of(const Buffer& buffer) { return static_cast<const Memory&>(buffer).tensor; }

std::shared_ptr<Device>& current() {
  static std::shared_ptr<Device> device = std::make_shared<InProcessDevice>();
  return device;
}

}  // namespace

std::string Hook::name() const {
  const std::string id(hadamard::name(op));
  switch (form) {
    case Form::elem:
      return "elem_" + id;
    case Form::scalar:
      return "scalar_" + id;
    case Form::scalar_r:
      return "scalar_r" + id;
    case Form::unary:
      break;
  }
  return "unary_" + id;
}

Handle InProcessDevice::upload(const ConstView& elements) {
  ++calls_["upload"];
  return std::make_shared<const Memory>(Tensor(elements, Order::column_major));
}

Tensor InProcessDevice::download(const Buffer& buffer) const {
  ++calls_["download"];
  return tensor_of(buffer);
}

Handle InProcessDevice::run(const Hook& hook, const Buffer& array, const Buffer* other,
                            const Tensor* scalar, const Settings& settings) {
  ++calls_[hook.name()];
  const Tensor& a = tensor_of(array);
  const auto kept = [](Tensor result) { return std::make_shared<const Memory>(std::move(result)); };
  switch (hook.form) {
    case Hook::Form::elem:
      return kept(compute(hook.op, a, tensor_of(*other), settings));
    case Hook::Form::scalar:
      return kept(compute(hook.op, a, *scalar, settings));
    case Hook::Form::scalar_r:
      return kept(compute(hook.op, *scalar, a, settings));
    case Hook::Form::unary:
      break;
  }
  return kept(compute(hook.op, a, settings));
}

Device& device() { return *current(); }

void use_device(std::shared_ptr<Device> other) {
  current() = other != nullptr ? std::move(other) : std::make_shared<InProcessDevice>();
}

}  // namespace hadamard::matlab
