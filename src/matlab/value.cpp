#include "matlab/value.hpp"

#include "base/fail.hpp"
#include "base/utf8.hpp"
#include "dialect/matlab/promotion.hpp"
#include "matlab/device.hpp"

namespace hadamard::matlab {
namespace {

bool may_hold(Class cls, DType type) noexcept {
  return type == element_type(cls) || (is_float(cls) && type == element_type(cls, true));
}

// No extents whose product, zeros left out, could overflow: 0x9e15x9e15 is no size.
void require_sane(const Dims& shape) {
  Dims others;
  for (const std::int64_t extent : shape) {
    if (extent != 0) others.push_back(extent);
  }
  if (element_count(others) > kLargestExtents) {
    fail(ErrorCode::too_large, "an array of {} is too large", size_text(shape));
  }
}

Dims normal_size(const Dims& shape) {
  Dims size = shape;
  while (size.size() > 2 && size[size.size() - 1] == 1) size.resize(size.size() - 1);
  while (size.size() < 2) size.push_back(1);
  return size;
}

// In column-major order and of a normal size; copied only where it is not yet.
Tensor normal(Tensor elements) {
  require_sane(elements.shape());
  const Dims size = normal_size(elements.shape());
  Layout wanted(elements.dtype(), size, Order::column_major);
  if (elements.layout() == wanted) return elements;
  if (!elements.layout().is_contiguous(Order::column_major)) {
    elements = Tensor(elements.view(), Order::column_major);
  }
  if (elements.count() == 0) return Tensor(elements.dtype(), size, Order::column_major);
  return Tensor(ConstView(elements.data(), std::move(wanted)), Order::column_major);
}

}  // namespace

std::string_view name(Class cls) noexcept {
  switch (cls) {
#define HADAMARD_MATLAB_CLASS_NAME(id, name, type) \
  case Class::id:                                  \
    return name;
    HADAMARD_MATLAB_CLASSES(HADAMARD_MATLAB_CLASS_NAME)
#undef HADAMARD_MATLAB_CLASS_NAME
  }
  return "";
}

DType element_type(Class cls, bool is_complex) noexcept {
  if (is_complex) return cls == Class::single_ ? DType::complex64 : DType::complex128;
  switch (cls) {
#define HADAMARD_MATLAB_CLASS_TYPE(id, name, type) \
  case Class::id:                                  \
    return DType::type;
    HADAMARD_MATLAB_CLASSES(HADAMARD_MATLAB_CLASS_TYPE)
#undef HADAMARD_MATLAB_CLASS_TYPE
  }
  return DType::fp64;
}

bool is_float(Class cls) noexcept { return cls == Class::double_ || cls == Class::single_; }

bool is_integer(Class cls) noexcept { return cls >= Class::int8 && cls <= Class::uint64; }

Value::Value() : Value(Class::double_, Tensor(DType::fp64, Dims{0, 0}, Order::column_major)) {}

Value::Value(Class cls, Tensor elements, Residency residency) : class_(cls), residency_(residency) {
  if (!may_hold(cls, elements.dtype())) {
    fail(ErrorCode::type_mismatch, "elements of type {} are none of the class {}",
         hadamard::name(elements.dtype()), matlab::name(cls));
  }
  elements_ = std::make_shared<Tensor>(normal(std::move(elements)));
  if (residency == Residency::device) {
    handle_ = device().upload(*elements_);
    elements_ = nullptr;
  }
}

Value::Value(Class cls, Handle handle)
    : class_(cls), residency_(Residency::device), handle_(std::move(handle)) {}

template <class T>
Value::Value(Class cls, T value) : class_(cls), residency_(Residency::host) {
  elements_ =
      std::make_shared<Tensor>(Tensor::uninitialized(dtype_of<T>, Dims{1, 1}, Order::column_major));
  *static_cast<T*>(elements_->data()) = value;
}

Value Value::scalar(double value) { return Value(Class::double_, value); }

Value Value::logical(bool value) { return Value(Class::logical, value); }

Value Value::text(std::string_view utf8, Class cls) {
  std::vector<std::uint16_t> units;
  units.reserve(utf8.size());
  while (!utf8.empty()) {
    const char32_t point = take_code_point(utf8);
    if (point < 0x10000) {
      units.push_back(static_cast<std::uint16_t>(point));
    } else {
      units.push_back(static_cast<std::uint16_t>(0xD7C0 + (point >> 10)));
      units.push_back(static_cast<std::uint16_t>(0xDC00 + (point & 0x3FF)));
    }
  }
  // The empty text is 0x0, as '' is.
  const auto count = static_cast<std::int64_t>(units.size());
  return Value(cls, Tensor::from(units, Dims{count == 0 ? 0 : 1, count}));
}

const Layout& Value::layout() const noexcept {
  return elements_ != nullptr ? elements_->layout() : handle_->layout();
}

void Value::download() const { elements_ = std::make_shared<Tensor>(device().download(*handle_)); }

const Handle& Value::handle() const {
  if (handle_ == nullptr) handle_ = device().upload(*elements_);
  return handle_;
}

Value Value::with_residency(Residency residency) const {
  if (residency == residency_) return *this;
  Value moved = *this;
  moved.residency_ = residency;
  if (residency == Residency::device) {
    moved.handle_ = device().upload(elements());
    moved.elements_ = nullptr;
  } else {
    moved.elements();
    moved.handle_ = nullptr;
  }
  return moved;
}

bool Value::is_complex() const noexcept {
  return layout().dtype == DType::complex64 || layout().dtype == DType::complex128;
}

const Dims& Value::size() const noexcept { return layout().shape; }

std::int64_t Value::numel() const { return layout().count(); }

Tensor& Value::own_elements() {
  elements();
  handle_ = nullptr;
  if (elements_.use_count() > 1) elements_ = std::make_shared<Tensor>(*elements_);
  return *elements_;
}

std::string size_text(const Dims& size) { return dialect::matlab::size_text(size); }

}  // namespace hadamard::matlab
