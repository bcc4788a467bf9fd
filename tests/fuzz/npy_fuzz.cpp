// Any bytes: parse_npy throws hadamard::Error, or gives a tensor that write_npy -> parse_npy
// reproduces bit for bit. The first byte selects what the file is read as, the rest is the file.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "hadamard/error.hpp"
#include "io/npy.hpp"
#include "memory_bound.hpp"

namespace {

using hadamard::ConstView;
using hadamard::DType;
using hadamard::io::LoadedTensor;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "npy_fuzz: %s\n", what);
  std::abort();
}

std::vector<std::byte> serialized(const ConstView& tensor) {
  std::vector<std::byte> out;
  hadamard::io::write_npy(
      [&](std::span<const std::byte> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); },
      tensor);
  return out;
}

std::optional<LoadedTensor> parsed(std::span<const std::byte> file, std::optional<DType> as) {
  try {
    return hadamard::io::parse_npy(file, "fuzz", as);
  } catch (const hadamard::Error& error) {
    require(error.code() != hadamard::ErrorCode::internal, "an internal error");
    require(std::strpbrk(error.what(), "\n\r") == nullptr, "a message of more than one line");
    return std::nullopt;
  }
}

void check_round_trip(const ConstView& first) {
  const std::vector<std::byte> file = serialized(first);
  const auto again = parsed(file, first.dtype());
  require(again.has_value(), "what was written cannot be read");
  const ConstView& second = again->view();
  require(second.dtype() == first.dtype(), "another type came back");
  require(second.shape() == first.shape(), "another shape came back");
  require(serialized(second) == file, "written twice, the bytes differ");
  const auto count = static_cast<std::size_t>(first.count());
  const std::size_t bytes = (count * static_cast<std::size_t>(bits(first.dtype())) + 7) / 8;
  require(bytes == 0 || std::memcmp(first.data(), second.data(), bytes) == 0,
          "other elements came back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hadamard::fuzz::MemoryBound bound(size);
  constexpr std::array<std::optional<DType>, 4> kAs = {std::nullopt, DType::bf16, DType::int4,
                                                       DType::uint4};
  if (size == 0) return 0;
  const auto file = std::as_bytes(std::span(data, size)).subspan(1);
  if (const auto loaded = parsed(file, kAs[data[0] % kAs.size()])) {
    check_round_trip(loaded->view());
    check_round_trip(loaded->view().transposed());
  }
  return 0;
}
