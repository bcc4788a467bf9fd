#include "dlpack.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "num/dtype.hpp"
#include "tensor.hpp"

namespace hadamard::python {
namespace {

// The structures of DLPack before version 1, which every library still speaks.
struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: in row-major order
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};

constexpr const char* kFresh = "dltensor";
constexpr const char* kUsed = "used_dltensor";
constexpr std::int32_t kCpu = 1;
constexpr std::int32_t kMaxRank = 1024;  // more than anybody has; less than would be an attack
enum Code : std::uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };

template <class T>
constexpr int code_of() {
  using E = Element<T>;
  if constexpr (is_packed<T> || E::kKind == Kind::exact) {
    return -1;  // how DLPack lays out less than a byte, libraries do not agree on
  } else if constexpr (E::kKind == Kind::integer) {
    return E::kSigned ? kInt : kUInt;
  } else if constexpr (E::kKind == Kind::boolean) {
    return kBool;
  } else if constexpr (E::kKind == Kind::complex) {
    return kComplex;
  } else {
    return std::is_same_v<T, bfloat16> ? kBfloat : kFloat;
  }
}
int code_of_type(DType type) {
  return with_type(type, [](auto t) { return code_of<typename decltype(t)::type>(); });
}

DType type_of(const DLDataType& wanted, std::string_view what) {
  for (int i = 0; i < kTypeCount && wanted.lanes == 1; ++i) {
    const auto type = static_cast<DType>(i);
    if (code_of_type(type) == wanted.code && bits(type) == wanted.bits) return type;
  }
  fail(ErrorCode::unsupported_type,
       "{} has DLPack's type (code {}, {} bits, {} lanes), which is no element type", what,
       wanted.code, wanted.bits, wanted.lanes);
}

void require_cpu(std::int64_t device, std::string_view what) {
  if (device != kCpu) {
    fail(ErrorCode::unsupported_type,
         "{} is in the memory of a device (DLPack's type {}): copy it to the CPU first", what,
         device);
  }
}

Layout layout_of(const DLTensor& tensor, std::string_view what) {
  if (tensor.ndim < 0 || tensor.ndim > kMaxRank) {
    fail(ErrorCode::bad_argument, "{} has a DLPack tensor of rank {}; ranks are 0 to {}", what,
         tensor.ndim, kMaxRank);
  }
  const auto rank = static_cast<std::size_t>(tensor.ndim);
  const auto require_extents = [&](const std::int64_t* list, std::string_view which) {
    if (rank == 0 || is_mapped(address_of(list), rank * sizeof *list)) return;
    fail(ErrorCode::bad_argument, "{} has a DLPack tensor of rank {} whose {} is not in memory",
         what, rank, which);
  };
  require_extents(tensor.shape, "shape");
  if (tensor.strides != nullptr) require_extents(tensor.strides, "list of strides");
  const DType type = type_of(tensor.dtype, what);
  const Dims shape = rank == 0 ? Dims() : Dims(std::span<const std::int64_t>(tensor.shape, rank));
  if (tensor.strides == nullptr || rank == 0) return Layout(type, shape);
  Dims strides(std::span<const std::int64_t>(tensor.strides, rank));
  // Of one element or of none they may be any number.
  const bool is_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (std::size_t i = 0; i < rank; ++i) {
    if (is_empty || shape[i] == 1) strides[i] = 0;
  }
  return Layout(type, shape, strides);
}

// Where element (0,…,0) lies. Of no elements it is not looked at.
const void* first_element(const DLTensor& tensor, const Layout& layout, std::string_view what) {
  const std::uintptr_t data = address_of(tensor.data);
  std::uintptr_t first = 0;
  if (layout.count() > 0 &&
      (data == 0 || __builtin_add_overflow(data, tensor.byte_offset, &first))) {
    fail(ErrorCode::bad_argument,
         "{} has a DLPack tensor of {} elements at address {:#x}, offset {}: no memory is there",
         what, layout.count(), data, tensor.byte_offset);
  }
  return reinterpret_cast<const void*>(first);
}

void delete_managed(DLManagedTensor* managed) {
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// What an exported tensor keeps.
struct Exported {
  HeldTensor tensor;
  Dims shape;
  Dims strides;
  DLManagedTensor managed{};
};

void free_exported(DLManagedTensor* managed) {
  delete static_cast<Exported*>(managed->manager_ctx);
}

// Of a capsule that nobody took.
void free_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kFresh) == 0) return;
  delete_managed(static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kFresh)));
}

}  // namespace

py::object import_dlpack(PyObject* object, std::string_view what) {
  py::object capsule = borrow(object);
  if (PyCapsule_CheckExact(object) == 0) {
    if (PyObject_HasAttrString(object, "__dlpack_device__") == 1) {
      const py::object device = capsule.attr("__dlpack_device__")();
      int type = 0, number = 0;
      if (PyTuple_Check(device.ptr()) == 0 ||
          PyArg_ParseTuple(device.ptr(), "ii", &type, &number) == 0) {
        PyErr_Clear();
        fail(ErrorCode::unsupported_type,
             "the __dlpack_device__ of {} returned a {}, not a pair of numbers", what,
             type_name(device.ptr()));
      }
      require_cpu(type, what);
    }
    // PyTorch exports the numbers that it is yet to negate.
    if (PyObject_HasAttrString(object, "resolve_neg") == 1) capsule = capsule.attr("resolve_neg")();
    capsule = capsule.attr("__dlpack__")();
  }
  if (PyCapsule_IsValid(capsule.ptr(), kUsed) != 0) {
    fail(ErrorCode::bad_argument, "{} is a capsule of DLPack that was used before: export another",
         what);
  }
  if (PyCapsule_IsValid(capsule.ptr(), kFresh) == 0) {
    fail(ErrorCode::unsupported_type,
         "the __dlpack__ of {} returned a {}, not a capsule 'dltensor'", what,
         type_name(capsule.ptr()));
  }
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kFresh));
  const DLTensor& tensor = managed->dl_tensor;
  require_cpu(tensor.device.device_type, what);
  const Layout layout = layout_of(tensor, what);
  const ConstView view(first_element(tensor, layout, what), layout);
  require_mapped(view, what);
  // Now it is ours. The capsule must not free it any more, also where there is no memory left for
  // the owner, which frees it then.
  PyCapsule_SetName(capsule.ptr(), kUsed);
  std::shared_ptr<void> owner(managed,
                              [](void* m) { delete_managed(static_cast<DLManagedTensor*>(m)); });
  return to_object(HeldTensor(view, std::move(owner), true));
}

py::object export_dlpack(const HeldTensor& tensor) {
  const DType type = tensor.view.dtype();
  const int code = code_of_type(type);
  if (code < 0) {
    fail(ErrorCode::unsupported_type, "DLPack has no type for {}; use astype() or numpy()",
         name(type));
  }
  auto exported =
      std::make_unique<Exported>(Exported{tensor, tensor.view.shape(), tensor.view.strides(), {}});
  DLManagedTensor& managed = exported->managed;
  managed.dl_tensor = {const_cast<void*>(tensor.view.data()),
                       {kCpu, 0},
                       static_cast<std::int32_t>(tensor.view.rank()),
                       {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits(type)), 1},
                       exported->shape.data(),
                       exported->strides.data(),
                       0};
  managed.manager_ctx = exported.get();
  managed.deleter = free_exported;
  py::object capsule = steal(PyCapsule_New(&managed, kFresh, free_capsule));
  exported.release();
  return capsule;
}

}  // namespace hadamard::python
