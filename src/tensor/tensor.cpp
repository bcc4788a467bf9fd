#include "hadamard/tensor.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/fail.hpp"
#include "base/int128.hpp"
#include "base/memory.hpp"
#include "num/dtype.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

constexpr std::int64_t kMaxCount = std::int64_t{1} << 62;
constexpr int128 kMaxReachBytes = int128{1} << 60;

std::size_t storage_bytes(DType type, std::int64_t count) {
  const auto wide = static_cast<uint128>(count) * static_cast<unsigned>(bits(type));
  const auto bytes = (wide + 7) / 8;
  if (bytes > static_cast<uint128>(PTRDIFF_MAX) - kMemoryAlignment) {
    fail(ErrorCode::too_large, "{} elements of {} do not fit into the address space", count,
         name(type));
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

void Dims::Entry::fail_too_large(std::uint64_t value) {
  fail(ErrorCode::too_large, "expected an extent, stride or index of at most 2^63 - 1, got {}",
       value);
}

void Dims::grow(std::size_t count) {
  const std::size_t grown = std::max(count, 2 * capacity_);
  auto heap = std::make_unique<std::int64_t[]>(grown);
  std::copy_n(data(), size_, heap.get());
  heap_ = std::move(heap);
  capacity_ = grown;
}

void Dims::swap(Dims& o) noexcept {
  std::swap(size_, o.size_);
  std::swap(capacity_, o.capacity_);
  std::int64_t kept[kInline];
  std::memcpy(kept, inline_, sizeof kept);
  std::memcpy(inline_, o.inline_, sizeof kept);
  std::memcpy(o.inline_, kept, sizeof kept);
  heap_.swap(o.heap_);
}

std::string to_string(const Dims& dims) { return fmt::format("({})", fmt::join(dims, ",")); }

std::int64_t element_count(const Dims& shape) {
  bool zero = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      fail(ErrorCode::bad_argument, "shape {} has a negative extent", to_string(shape));
    }
    zero |= extent == 0;
  }
  if (zero) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count) || count > kMaxCount) {
      fail(ErrorCode::too_large, "shape {} has more than 2^62 elements", to_string(shape));
    }
  }
  return count;
}

Dims contiguous_strides(const Dims& shape, Order order) {
  const std::int64_t count = element_count(shape);
  Dims strides = Dims::filled(shape.size(), 1);
  std::int64_t step = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t dim = order == Order::row_major ? shape.size() - 1 - k : k;
    strides[dim] = step;
    if (count > 0) step *= shape[dim];
  }
  return strides;
}

Layout::Layout(DType type, Dims dims, Order order)
    : dtype(type), shape(std::move(dims)), strides(contiguous_strides(shape, order)) {
  require_valid(*this);
}

Layout::Layout(DType type, Dims dims, Dims element_strides)
    : dtype(type), shape(std::move(dims)), strides(std::move(element_strides)) {
  require_valid(*this);
}

void require_valid(const Layout& layout) {
  const auto& [dtype, shape, strides] = layout;
  if (static_cast<int>(dtype) >= kTypeCount) {
    fail(ErrorCode::bad_argument, "no element type has the number {}", static_cast<int>(dtype));
  }
  const std::int64_t count = element_count(shape);
  if (strides.size() != shape.size()) {
    fail(ErrorCode::bad_argument, "shape {} has {} dimensions but {} strides came",
         to_string(shape), shape.size(), strides.size());
  }
  // So that no offset computed from indices and strides can overflow, in bytes or bits either.
  int128 reach = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int128 step = strides[i] < 0 ? -static_cast<int128>(strides[i]) : strides[i];
    reach += step * (count > 0 ? shape[i] : 1);
    if (reach * bits(dtype) > 8 * kMaxReachBytes) {
      fail(ErrorCode::too_large,
           "{} elements of shape {} with strides {} span more than 2^60 bytes", name(dtype),
           to_string(shape), to_string(strides));
    }
  }
}

void detail::fail_pointer(DType found, DType wanted) {
  if (is_packed_type(found)) {
    fail(ErrorCode::type_mismatch,
         "data() was requested as {}, but the elements are {}, packed two to a byte: use at(), "
         "set() or to_vector(), or the bytes at data() without a type",
         name(wanted), name(found));
  }
  fail(ErrorCode::type_mismatch,
       "data() was requested as {}, but the elements are {}; request {}, or cast() the tensor",
       name(wanted), name(found), name(found));
}

Layout detail::layout_of(DType type, std::size_t size, Dims shape) {
  const std::int64_t count = element_count(shape);
  if (static_cast<std::uint64_t>(count) != size) {
    fail(ErrorCode::shape_mismatch, "shape {} has {} elements, but the range has {}",
         to_string(shape), count, size);
  }
  return Layout(type, std::move(shape));
}

bool Layout::is_contiguous(Order order) const noexcept {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  std::int64_t step = 1;  // the product of extents, which element_count() has bounded
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t dim = order == Order::row_major ? shape.size() - 1 - k : k;
    if (shape[dim] == 1) continue;
    if (strides[dim] != step) return false;
    step *= shape[dim];
  }
  return true;
}

ConstView::ConstView(const void* data, Layout layout, std::int64_t offset)
    : data_(data), layout_(std::move(layout)), offset_(0) {
  require_valid(layout_);
  if (count() == 0) return;
  if (reinterpret_cast<std::uintptr_t>(data_) % alignment_of(layout_.dtype) != 0) {
    fail(ErrorCode::bad_argument, "the memory of a {} view is not aligned to {} bytes",
         name(layout_.dtype), alignment_of(layout_.dtype));
  }
  if (data_ == nullptr) {
    fail(ErrorCode::bad_argument, "a view of shape {} needs memory, but its pointer is null",
         to_string(layout_.shape));
  }
  if (static_cast<int128>(offset) * bits(layout_.dtype) > 8 * kMaxReachBytes ||
      static_cast<int128>(offset) * bits(layout_.dtype) < -8 * kMaxReachBytes) {
    fail(ErrorCode::too_large, "an offset of {} elements of {} leaves any memory", offset,
         name(layout_.dtype));
  }
  move_by(data_, offset_, layout_.dtype, offset);
}

ConstView ConstView::permuted(const Dims& order) const {
  Dims seen = Dims::filled(rank(), 0);
  bool valid = order.size() == rank();
  for (const std::int64_t dim : order) {
    valid = valid && dim >= 0 && dim < static_cast<std::int64_t>(rank()) &&
            seen[static_cast<std::size_t>(dim)]++ == 0;
  }
  if (!valid) {
    fail(ErrorCode::bad_argument, "{} is not a permutation of the {} dimensions", to_string(order),
         rank());
  }
  ConstView result = *this;
  for (std::size_t i = 0; i < rank(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    result.layout_.shape[i] = layout_.shape[from];
    result.layout_.strides[i] = layout_.strides[from];
  }
  return result;
}

ConstView ConstView::transposed() const {
  Dims order = Dims::filled(rank(), 0);
  for (std::size_t i = 0; i < rank(); ++i) order[i] = static_cast<std::int64_t>(rank() - 1 - i);
  return permuted(order);
}

ConstView ConstView::sliced(std::size_t dim, std::int64_t first, std::int64_t count,
                            std::int64_t step) const {
  if (dim >= rank()) {
    fail(ErrorCode::bad_argument, "dimension {} of a tensor of rank {}", dim, rank());
  }
  const std::int64_t extent = layout_.shape[dim];
  bool valid = count >= 0 && first >= 0 && first <= extent;
  if (count > 0) {
    std::int64_t last = 0;
    valid = valid && first < extent && !__builtin_mul_overflow(count - 1, step, &last) &&
            !__builtin_add_overflow(last, first, &last) && last >= 0 && last < extent;
  }
  if (!valid) {
    fail(ErrorCode::bad_argument, "a slice of {} from {} by {} leaves dimension {} of extent {}",
         count, first, step, dim, extent);
  }
  ConstView result = *this;
  result.layout_.shape[dim] = count;
  if (this->count() == 0) return result;  // no element: nowhere to go, and no step to take
  if (count > 1) result.layout_.strides[dim] *= step;
  if (count > 0) move_by(result.data_, result.offset_, dtype(), first * layout_.strides[dim]);
  return result;
}

Tensor::Tensor(Layout layout, Fill fill) : layout_(std::move(layout)) {
  bytes_ = storage_bytes(layout_.dtype, layout_.count());
  if (bytes_ == 0) return;
  data_ = take_memory(bytes_);
  if (data_ == nullptr) {
    ::hadamard::fail(ErrorCode::too_large, "no memory for {} bytes of a {} tensor of shape {}",
                     bytes_, name(layout_.dtype), to_string(layout_.shape));
  }
  // A null pointer is `real` zero, so that clearing the memory constructs every type.
  static_assert(sizeof(Real) == sizeof(void*));
  if (fill == Fill::zero || layout_.dtype == DType::real || is_packed_type(layout_.dtype)) {
    std::memset(data_, 0, bytes_);
  }
}

Tensor::Tensor(DType type, Dims shape, Order order)
    : Tensor(Layout(type, std::move(shape), order), Fill::zero) {}

Tensor Tensor::uninitialized(DType type, Dims shape, Order order) {
  return Tensor(Layout(type, std::move(shape), order), Fill::none);
}

Tensor Tensor::uninitialized(const Layout& layout) {
  require_valid(layout);
  if (!layout.is_contiguous(Order::row_major) && !layout.is_contiguous(Order::column_major)) {
    fail(ErrorCode::bad_argument, "a new tensor of shape {} cannot have the strides {}",
         to_string(layout.shape), to_string(layout.strides));
  }
  return Tensor(layout, Fill::none);
}

Tensor::~Tensor() {
  if (layout_.dtype == DType::real) {
    std::destroy_n(static_cast<Real*>(data_), bytes_ / sizeof(Real));
  }
  give_memory(data_, bytes_);
}

Tensor::Tensor(const Tensor& o) : Tensor(o.layout_, Fill::none) {
  if (dtype() == DType::real) {
    std::copy_n(static_cast<const Real*>(o.data_), bytes_ / sizeof(Real),
                static_cast<Real*>(data_));
  } else if (bytes_ > 0) {
    std::memcpy(data_, o.data_, bytes_);
  }
}

Tensor::Tensor(Tensor&& o) noexcept
    : layout_(std::move(o.layout_)),
      data_(std::exchange(o.data_, nullptr)),
      bytes_(std::exchange(o.bytes_, 0)) {
  o.layout_.shape = Dims{0};
  o.layout_.strides = Dims{1};
}

Tensor& Tensor::operator=(const Tensor& o) {
  if (this != &o) *this = Tensor(o);
  return *this;
}

Tensor& Tensor::operator=(Tensor&& o) noexcept {
  std::swap(layout_, o.layout_);
  std::swap(data_, o.data_);
  std::swap(bytes_, o.bytes_);
  return *this;
}

Tensor::Tensor(const ConstView& source, Order order)
    : Tensor(Layout(source.dtype(), source.shape(), order), Fill::none) {
  copy_elements(view(), source);
}

}  // namespace hadamard
