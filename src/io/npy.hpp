// NumPy's .npy files, versions 1-3.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hadamard/tensor.hpp"

namespace hadamard::io {

// A tensor read from a file. It may lie in a read-only mapping of the file, which it keeps alive.
class LoadedTensor {
 public:
  LoadedTensor(ConstView view, std::shared_ptr<const void> keep)
      : view_(std::move(view)), keep_(std::move(keep)) {}
  const ConstView& view() const noexcept { return view_; }

 private:
  ConstView view_;
  std::shared_ptr<const void> keep_;
};

// Reads `path`. `as` says what the bytes mean where .npy cannot: bf16 for |V2, <V2, <u2 (and
// big-endian), int4 / uint4 for |i1 / |u1 with one value per byte (out-of-range values are refused
// with the index). `as` equal to the file's own type is fine; any other is a type_mismatch. A |V2
// file without `as` is bf16. Files of at least kMapThreshold bytes whose elements can be used as
// they lie are mapped, not read; they must not be shortened while the tensor lives. FIFOs and
// /dev/stdin are read as far as the header promises. Throws bad_file (with file and byte), io,
// unsupported_type, too_large.
LoadedTensor read_npy(const std::string& path, std::optional<DType> as = {});

// The same from memory; `name` is for messages. Never maps; copies what it keeps.
LoadedTensor parse_npy(std::span<const std::byte> bytes, std::string_view name,
                       std::optional<DType> as = {});

// Counts elements written, for a progress line; may be null.
using Progress = std::atomic<std::int64_t>;

// Writes version 1.0, little-endian, C order (Fortran order where the view is column-major and not
// row-major). bf16 becomes |V2, int4 and uint4 become |i1 and |u1 with one value per byte. The file
// appears under its name whole or not at all; an existing file is replaced only by a complete one
// (see AtomicFile for links and devices). Throws io; unsupported_type for `real`; bad_argument for
// more than 1024 dimensions.
void write_npy(const std::string& path, const ConstView& tensor, Progress* progress = nullptr);

// The same bytes, handed piece by piece to `sink`.
using Sink = std::function<void(std::span<const std::byte>)>;
void write_npy(const Sink& sink, const ConstView& tensor, Progress* progress = nullptr);

inline constexpr std::size_t kMapThreshold = std::size_t{1} << 20;

}  // namespace hadamard::io
