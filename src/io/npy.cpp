#include "io/npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "base/fail.hpp"
#include "io/atomic_file.hpp"
#include "io/npy_header.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian, as the machine");

constexpr std::size_t kBuffer = std::size_t{1} << 20;
constexpr std::size_t kChunk = std::size_t{1} << 23;  // of contiguous data, for the progress

// --- reading
// ---------------------------------------------------------------------------------------

DType element_type(const NpyHeader& header, std::optional<DType> as, std::string_view name) {
  const DType own = header.type.dtype();
  if (!as || *as == own) return own;
  const bool fits = (*as == DType::bf16 && own == DType::uint16) ||
                    (*as == DType::int4 && own == DType::int8) ||
                    (*as == DType::uint4 && own == DType::uint8);
  if (!fits) {
    fail(ErrorCode::type_mismatch,
         "{}: expected elements that can be read as {}, found {} ({}); {}", name,
         ::hadamard::name(*as), ::hadamard::name(own), header.type.to_string(),
         "only V2 and u2 can be read as bf16, i1 as int4 and u1 as uint4, and nothing is "
         "converted: for that, NumPy's astype");
  }
  return *as;
}

// The element stored at position `k` of the file's data is which one of the tensor?
Dims index_of(const NpyHeader& header, std::uint64_t k) {
  const std::size_t rank = header.shape.size();
  Dims index = Dims::filled(rank, 0);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t dim = header.fortran_order ? i : rank - 1 - i;
    const auto extent = static_cast<std::uint64_t>(header.shape[dim]);
    index[dim] = static_cast<std::int64_t>(k % extent);
    k /= extent;
  }
  return index;
}

// Refuses one-byte elements outside [low, high].
void check_range(const NpyHeader& header, std::span<const std::byte> data, int low, int high,
                 DType type, std::string_view name) {
  const auto limit = static_cast<unsigned char>(high - low);
  constexpr std::size_t kBlock = 4096;  // judged as a whole, which vectorizes
  const auto outside = [&](std::byte b) {
    return static_cast<unsigned char>(std::to_integer<int>(b) - low) > limit;
  };
  for (std::size_t start = 0; start < data.size(); start += kBlock) {
    const auto block = data.subspan(start, std::min(kBlock, data.size() - start));
    int bad = 0;
    for (const std::byte b : block) bad |= static_cast<int>(outside(b));
    if (bad == 0) continue;
    const auto at = std::find_if(block.begin(), block.end(), outside);
    const auto k = start + static_cast<std::size_t>(at - block.begin());
    const int raw = std::to_integer<int>(*at);
    fail(ErrorCode::bad_file,
         "{}: byte {}: expected {} values from {} to {}, found {} at index {}; {}", name,
         header.data_offset + k, ::hadamard::name(type), low, high,
         header.type.kind == 'i' ? static_cast<std::int8_t>(raw) : raw,
         to_string(index_of(header, k)),
         type == DType::bool_ ? "the file is damaged" : "read the file as its own type");
  }
}

template <class Word>
void swap_words(std::span<const std::byte> from, std::byte* to) {
  for (std::size_t i = 0; i < from.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from.data() + i, sizeof word);
    if constexpr (sizeof(Word) == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof(Word) == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof(Word) == 8) word = __builtin_bswap64(word);
    std::memcpy(to + i, &word, sizeof word);
  }
}

void copy_native(const NpyType& type, std::span<const std::byte> from, std::byte* to) {
  if (!type.big_endian) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    return;
  }
  switch (type.kind == 'c' ? type.size / 2 : type.size) {  // of complex numbers, each part
    case 2:
      return swap_words<std::uint16_t>(from, to);
    case 4:
      return swap_words<std::uint32_t>(from, to);
    default:
      return swap_words<std::uint64_t>(from, to);
  }
}

void pack_nibbles(std::span<const std::byte> from, std::byte* to) {
  constexpr std::byte kLow{15};
  for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
    to[i / 2] = (from[i] & kLow) | (from[i + 1] << 4);
  }
  if (from.size() % 2 != 0) to[from.size() / 2] = from.back() & kLow;
}

// The tensor in `bytes`, a whole file. It stays where it is if `keep` is given and the elements can
// be used as they lie; otherwise it is copied, which takes no more memory than the file has bytes.
LoadedTensor load(std::span<const std::byte> bytes, std::string_view name, std::optional<DType> as,
                  std::shared_ptr<const void> keep) {
  const NpyHeader header = parse_npy_header(bytes, name);
  const DType type = element_type(header, as, name);
  check_npy_size(header, bytes.size(), name);
  const auto data = bytes.subspan(static_cast<std::size_t>(header.data_offset));
  const Order order = header.fortran_order ? Order::column_major : Order::row_major;
  if (type == DType::bool_) check_range(header, data, 0, 1, type, name);
  if (type == DType::int4) check_range(header, data, -8, 7, type, name);
  if (type == DType::uint4) check_range(header, data, 0, 15, type, name);

  const bool packed = is_packed_type(type);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % alignment_of(type) == 0;
  if (keep != nullptr && aligned && !packed && !header.type.big_endian && !data.empty()) {
    return {ConstView(data.data(), Layout(type, header.shape, order)), std::move(keep)};
  }
  auto tensor = std::make_shared<Tensor>(Tensor::uninitialized(type, header.shape, order));
  auto* const to = static_cast<std::byte*>(tensor->data());
  packed ? pack_nibbles(data, to) : copy_native(header.type, data, to);
  const ConstView view = std::as_const(*tensor).view();
  return {view, std::move(tensor)};
}

// As much of the file as its header promises, and one byte more, to see that it ends there. What is
// not a .npy file (/dev/zero) is refused after its first bytes.
std::vector<std::byte> read_promised(InputFile& file, std::string_view name) {
  std::vector<std::byte> bytes;
  file.read_until(bytes, kNpyPrefix);
  file.read_until(bytes, npy_data_offset(bytes, name));
  file.read_until(bytes, parse_npy_header(bytes, name).file_bytes() + 1);
  return bytes;
}

// --- writing
// ---------------------------------------------------------------------------------------

struct Axis {
  std::int64_t extent;
  std::int64_t stride;  // in elements
};

// The dimensions from the slowest to the fastest in the file; neighbours that are one run are
// merged.
std::vector<Axis> file_axes(const Layout& layout, bool fortran_order) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    const std::size_t dim = fortran_order ? layout.rank() - 1 - i : i;
    const Axis axis{layout.shape[dim], layout.strides[dim]};
    std::int64_t span = 0;
    if (axis.extent == 1) continue;
    if (!axes.empty() && !__builtin_mul_overflow(axis.stride, axis.extent, &span) &&
        axes.back().stride == span) {
      axes.back() = {axes.back().extent * axis.extent, axis.stride};
    } else {
      axes.push_back(axis);
    }
  }
  if (axes.empty()) axes.push_back({1, 1});
  return axes;
}

// Copies `count` elements, `stride` apart, the first at element `at` of `data`.
using Gather = void (*)(const std::byte* data, std::int64_t at, std::int64_t stride,
                        std::int64_t count, std::byte* to);

template <std::size_t size>
void gather(const std::byte* data, std::int64_t at, std::int64_t stride, std::int64_t count,
            std::byte* to) {
  const auto step = stride * static_cast<std::int64_t>(size);
  const std::byte* const from = data + at * static_cast<std::int64_t>(size);
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * static_cast<std::int64_t>(size), from + i * step, size);
  }
}

template <class T>
void gather_nibbles(const std::byte* data, std::int64_t at, std::int64_t stride, std::int64_t count,
                    std::byte* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t k = at + i * stride;
    const auto byte = std::to_integer<unsigned>(data[k >> 1]);
    to[i] = static_cast<std::byte>(T((k & 1) != 0 ? byte >> 4 : byte & 15U).value);
  }
}

Gather gather_of(DType type) {
  return with_type(type, [](auto t) -> Gather {
    using T = typename decltype(t)::type;
    if constexpr (is_packed<T>) {
      return gather_nibbles<T>;
    } else {
      return gather<sizeof(T)>;
    }
  });
}

void count_progress(Progress* progress, std::size_t elements) {
  if (progress != nullptr) {
    progress->fetch_add(static_cast<std::int64_t>(elements), std::memory_order_relaxed);
  }
}

void write_contiguous(const Sink& sink, std::span<const std::byte> data, std::size_t size,
                      Progress* progress) {
  while (!data.empty()) {
    const auto chunk = data.first(std::min(kChunk, data.size()));
    sink(chunk);
    count_progress(progress, chunk.size() / size);
    data = data.subspan(chunk.size());
  }
}

void write_strided(const Sink& sink, const ConstView& tensor, bool fortran_order, std::size_t size,
                   Progress* progress) {
  const std::vector<Axis> axes = file_axes(tensor.layout(), fortran_order);
  const auto* const data = static_cast<const std::byte*>(tensor.data());
  const Gather copy = gather_of(tensor.dtype());
  const Axis inner = axes.back();
  std::vector<std::int64_t> index(axes.size() - 1, 0);  // of the outer axes
  std::int64_t at = tensor.offset();
  std::int64_t left = tensor.count();

  std::vector<std::byte> buffer(std::min(kBuffer, static_cast<std::size_t>(left) * size));
  std::size_t filled = 0;
  while (left > 0) {
    for (std::int64_t done = 0; done < inner.extent;) {
      const auto room = static_cast<std::int64_t>((buffer.size() - filled) / size);
      const std::int64_t count = std::min(room, inner.extent - done);
      copy(data, at + done * inner.stride, inner.stride, count, buffer.data() + filled);
      filled += static_cast<std::size_t>(count) * size;
      done += count;
      left -= count;
      if (filled == buffer.size() || left == 0) {
        sink(std::span(buffer).first(filled));
        count_progress(progress, filled / size);
        filled = 0;
      }
    }
    for (std::size_t k = index.size(); k-- > 0;) {
      at += axes[k].stride;
      if (++index[k] < axes[k].extent) break;
      at -= axes[k].stride * axes[k].extent;
      index[k] = 0;
    }
  }
}

}  // namespace

LoadedTensor read_npy(const std::string& path, std::optional<DType> as) {
  InputFile file(path);
  const std::string name = quoted(path);
  if (file.size().value_or(0) >= kMapThreshold) {
    if (const auto mapping = Mapping::of(file)) return load(mapping->bytes(), name, as, mapping);
  }
  const auto bytes = std::make_shared<const std::vector<std::byte>>(read_promised(file, name));
  return load(*bytes, name, as, bytes);
}

LoadedTensor parse_npy(std::span<const std::byte> bytes, std::string_view name,
                       std::optional<DType> as) {
  return load(bytes, quoted(name), as, nullptr);
}

void write_npy(const Sink& sink, const ConstView& tensor, Progress* progress) {
  const NpyType type = npy_type(tensor.dtype());
  const Layout& layout = tensor.layout();
  const bool row_major = layout.is_contiguous(Order::row_major);
  const bool column_major = !row_major && layout.is_contiguous(Order::column_major);
  const std::string header = make_npy_header(type, column_major, layout.shape);
  sink(std::as_bytes(std::span(header)));

  const auto count = static_cast<std::size_t>(tensor.count());
  const auto size = static_cast<std::size_t>(type.size);
  if (count == 0) return;
  if ((row_major || column_major) && !is_packed_type(tensor.dtype())) {
    const auto* const data = static_cast<const std::byte*>(tensor.data()) +
                             tensor.offset() * static_cast<std::int64_t>(size);
    write_contiguous(sink, {data, count * size}, size, progress);
  } else {
    write_strided(sink, tensor, column_major, size, progress);
  }
}

void write_npy(const std::string& path, const ConstView& tensor, Progress* progress) {
  npy_type(tensor.dtype());  // refused before anything is created
  AtomicFile file(path);
  write_npy([&](std::span<const std::byte> bytes) { file.write(bytes); }, tensor, progress);
  file.commit();
}

}  // namespace hadamard::io
