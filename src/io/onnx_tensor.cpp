#include "io/onnx_tensor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/fail.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian, as the machine");

struct TypeRow {
  int number;
  std::string_view name;
  std::optional<DType> dtype;
};
constexpr std::array kTypes = {
    TypeRow{0, "UNDEFINED", {}},
    TypeRow{1, "FLOAT", DType::fp32},
    TypeRow{2, "UINT8", DType::uint8},
    TypeRow{3, "INT8", DType::int8},
    TypeRow{4, "UINT16", DType::uint16},
    TypeRow{5, "INT16", DType::int16},
    TypeRow{6, "INT32", DType::int32},
    TypeRow{7, "INT64", DType::int64},
    TypeRow{8, "STRING", {}},
    TypeRow{9, "BOOL", DType::bool_},
    TypeRow{10, "FLOAT16", DType::fp16},
    TypeRow{11, "DOUBLE", DType::fp64},
    TypeRow{12, "UINT32", DType::uint32},
    TypeRow{13, "UINT64", DType::uint64},
    TypeRow{14, "COMPLEX64", DType::complex64},
    TypeRow{15, "COMPLEX128", DType::complex128},
    TypeRow{16, "BFLOAT16", DType::bf16},
    TypeRow{17, "FLOAT8E4M3FN", {}},
    TypeRow{18, "FLOAT8E4M3FNUZ", {}},
    TypeRow{19, "FLOAT8E5M2", {}},
    TypeRow{20, "FLOAT8E5M2FNUZ", {}},
    TypeRow{21, "UINT4", DType::uint4},
    TypeRow{22, "INT4", DType::int4},
    TypeRow{23, "FLOAT4E2M1", {}},
    TypeRow{24, "FLOAT8E8M0", {}},
    TypeRow{25, "UINT2", {}},
    TypeRow{26, "INT2", {}},
};

const TypeRow* find_type(int number) noexcept {
  const auto* row = std::find_if(kTypes.begin(), kTypes.end(),
                                 [&](const TypeRow& r) { return r.number == number; });
  return row == kTypes.end() ? nullptr : row;
}

// What the fields promise, checked.
struct Promise {
  DType type;
  Dims shape;
  std::int64_t count;
  std::uint64_t bytes;
  std::string text;  // "FLOAT of shape (2,3)"
};

DType element_type(int elem_type, std::string_view where) {
  if (const auto type = dtype_from_onnx(elem_type)) return *type;
  if (elem_type == 0) {
    fail(ErrorCode::bad_file,
         "{}: expected an element type, found UNDEFINED; the file is damaged or of another kind",
         where);
  }
  fail(ErrorCode::unsupported_type,
       "{}: expected elements of a type that Hadamard has, found {}; convert the tensor, e.g. to "
       "FLOAT",
       where, onnx_type_name(elem_type));
}

Promise promise_of(const TensorFields& fields, std::string_view where) {
  Promise promise{element_type(fields.elem_type, where), {}, 1, 0, {}};
  if (fields.dims.size() > kOnnxMaxRank) {
    fail(ErrorCode::bad_file,
         "{}: expected a shape of at most {} dimensions, found {}; the file is damaged", where,
         kOnnxMaxRank, fields.dims.size());
  }
  promise.shape = Dims(fields.dims);
  // Cut, as 1024 extents make no message of one line.
  std::string shape = to_string(promise.shape);
  if (shape.size() > 200) shape.replace(200, std::string::npos, "…");
  promise.text = fmt::format("{} of shape {}", onnx_type_name(fields.elem_type), shape);

  bool overflow = false;
  for (const std::int64_t extent : promise.shape) {
    if (extent < 0) {
      fail(ErrorCode::bad_file, "{}: expected extents of at least 0, found {} in {}; {}", where,
           extent, promise.text, "the file is damaged");
    }
    overflow |= __builtin_mul_overflow(promise.count, extent, &promise.count);
  }
  if (std::find(promise.shape.begin(), promise.shape.end(), 0) != promise.shape.end()) {
    promise.count = 0;  // whatever the other extents are
    overflow = false;
  }
  std::int64_t bits_ = 0;
  overflow |= __builtin_mul_overflow(promise.count, std::int64_t{bits(promise.type)}, &bits_);
  if (overflow) {
    fail(ErrorCode::bad_file, "{}: {} has 2^60 bytes or more, which no file has; {}", where,
         promise.text, "the file is damaged");
  }
  promise.bytes = (static_cast<std::uint64_t>(bits_) + 7) / 8;
  return promise;
}

// The fields that can hold data, in the order of the specification.
struct Source {
  std::string_view name;
  bool is_set;
};
std::array<Source, 8> sources_of(const TensorFields& fields) {
  return {Source{"float_data", !fields.float_data.empty()},
          Source{"int32_data", !fields.int32_data.empty()},
          Source{"string_data", fields.string_data != 0},
          Source{"int64_data", !fields.int64_data.empty()},
          Source{"raw_data", fields.has_raw},
          Source{"double_data", !fields.double_data.empty()},
          Source{"uint64_data", !fields.uint64_data.empty()},
          Source{"external_data", fields.is_external}};
}

// The one that is set; empty where none is.
std::string_view source_of(const TensorFields& fields, std::string_view where) {
  std::string_view found;
  for (const Source& source : sources_of(fields)) {
    if (!source.is_set) continue;
    if (!found.empty()) {
      fail(ErrorCode::bad_file,
           "{}: expected its data in one field, found some in {} and in {}; the file is damaged",
           where, found, source.name);
    }
    found = source.name;
  }
  return found;
}

// A field of protobuf's that holds the elements of a type: one entry each, a pair of entries for a
// complex number, one for two nibbles.
template <class Entry>
struct TypedField {
  std::string_view name;
  std::span<const Entry> entries;
};

template <class T>
auto typed_field(const TensorFields& fields) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>) {
    return TypedField<float>{"float_data", fields.float_data};
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>) {
    return TypedField<double>{"double_data", fields.double_data};
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return TypedField<std::int64_t>{"int64_data", fields.int64_data};
  } else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) {
    return TypedField<std::uint64_t>{"uint64_data", fields.uint64_data};
  } else {
    return TypedField<std::int32_t>{"int32_data", fields.int32_data};
  }
}

// What an entry becomes in memory: floats of 16 bits travel as their bit patterns, nibbles in
// pairs.
template <class T>
auto stored_type() {
  if constexpr (is_packed<T>) {
    return std::type_identity<std::uint8_t>{};
  } else if constexpr (Element<T>::kKind == Kind::floating && std::is_class_v<T>) {
    return std::type_identity<typename Element<T>::Bits>{};
  } else if constexpr (Element<T>::kKind == Kind::complex) {
    return std::type_identity<typename Element<T>::Part>{};
  } else {
    return std::type_identity<T>{};
  }
}

template <class Stored, class Entry>
void copy_entries(const TypedField<Entry>& field, std::byte* to, const Promise& promise,
                  std::string_view where) {
  if constexpr (std::is_same_v<Stored, Entry>) {
    std::memcpy(to, field.entries.data(), field.entries.size_bytes());
  } else if constexpr (std::is_same_v<Stored, bool>) {
    for (const Entry entry : field.entries) *to++ = std::byte{entry != 0};
  } else {
    using Limits = std::numeric_limits<Stored>;
    for (std::size_t i = 0; i < field.entries.size(); ++i) {
      const Entry entry = field.entries[i];
      if (!std::in_range<Stored>(entry)) {
        fail(ErrorCode::bad_file,
             "{}: {}: expected values from {} to {} for {}, found {} in entry {}; {}", where,
             field.name, +Limits::min(), +Limits::max(), promise.text, entry, i,
             "the file is damaged");
      }
      const auto value = static_cast<Stored>(entry);
      std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
  }
}

void check_size(std::string_view source, std::string_view unit, std::uint64_t expected,
                std::uint64_t found, const Promise& promise, std::string_view where) {
  if (expected == found) return;
  fail(ErrorCode::bad_file, "{}: {}: expected {} {} for {}, found {}; the file is damaged", where,
       source, expected, unit, promise.text, found);
}

Tensor decode_typed(const TensorFields& fields, const Promise& promise, std::string_view source,
                    std::string_view where) {
  return with_type(promise.type, [&]<class T>(std::type_identity<T>) -> Tensor {
    if constexpr (std::is_same_v<T, Real>) {
      fail(ErrorCode::internal, "{}: ONNX has no type for real elements", where);
    } else {
      using Stored = typename decltype(stored_type<T>())::type;
      const auto field = typed_field<T>(fields);
      if (source != field.name) {
        fail(ErrorCode::bad_file, "{}: expected the data of {} in raw_data or {}, found {}; {}",
             where, promise.text, field.name, source.empty() ? "none" : source,
             "the file is damaged");
      }
      check_size(source, "entries", promise.bytes / sizeof(Stored), field.entries.size(), promise,
                 where);
      Tensor tensor = Tensor::uninitialized(promise.type, promise.shape);
      copy_entries<Stored>(field, static_cast<std::byte*>(tensor.data()), promise, where);
      return tensor;
    }
  });
}

Tensor decode_bytes(std::span<const std::byte> bytes, const Promise& promise) {
  Tensor tensor = Tensor::uninitialized(promise.type, promise.shape);
  auto* const to = static_cast<std::byte*>(tensor.data());
  if (promise.type == DType::bool_) {
    std::transform(bytes.begin(), bytes.end(), to,
                   [](std::byte b) { return std::byte{b != std::byte{0}}; });
  } else if (!bytes.empty()) {
    std::memcpy(to, bytes.data(), bytes.size());
  }
  return tensor;
}

}  // namespace

std::optional<DType> dtype_from_onnx(int elem_type) noexcept {
  const TypeRow* row = find_type(elem_type);
  return row != nullptr ? row->dtype : std::nullopt;
}

int onnx_from_dtype(DType type) {
  for (const TypeRow& row : kTypes) {
    if (row.dtype == type) return row.number;
  }
  fail(ErrorCode::unsupported_type, "ONNX has no type for {} elements; convert them, e.g. to fp64",
       name(type));
}

std::string onnx_type_name(int elem_type) {
  const TypeRow* row = find_type(elem_type);
  return row != nullptr ? std::string(row->name) : fmt::format("type {}", elem_type);
}

Tensor decode_tensor(const TensorFields& fields, ExternalData& external, std::string_view where) {
  const Promise promise = promise_of(fields, where);
  if (fields.has_segment) {
    fail(ErrorCode::bad_file, "{}: expected a whole tensor, found a segment of one; {}", where,
         "save the tensor in one piece");
  }
  const std::string_view source = source_of(fields, where);
  Tensor tensor;
  if (source == "external_data") {
    tensor = decode_bytes(external.find(fields.external, promise.bytes, where), promise);
  } else if (source == "raw_data") {
    check_size(source, "bytes", promise.bytes, fields.raw.size(), promise, where);
    tensor = decode_bytes(fields.raw, promise);
  } else if (source.empty() && promise.count == 0) {
    return Tensor(promise.type, promise.shape);
  } else {
    tensor = decode_typed(fields, promise, source, where);
  }
  if (is_packed_type(promise.type) && promise.count % 2 != 0) {
    // The nibble behind the last element is anybody's; in a tensor it is 0.
    static_cast<std::byte*>(tensor.data())[promise.bytes - 1] &= std::byte{15};
  }
  return tensor;
}

}  // namespace hadamard::io
