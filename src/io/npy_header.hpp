// The header of a .npy file: a magic string, a version and a Python dictionary in text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hadamard/tensor.hpp"

namespace hadamard::io {

inline constexpr std::size_t kNpyPrefix = 12;  // enough to know where the header ends
inline constexpr std::size_t kNpyMaxHeader = std::size_t{1} << 20;
inline constexpr std::size_t kNpyMaxRank = 1024;

// An element type as the file spells it: f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 b1 V2.
struct NpyType {
  char kind = 'f';
  int size = 8;
  bool big_endian = false;

  DType dtype() const noexcept;   // V2 is bf16
  std::string to_string() const;  // "<f8", "|b1"
};
NpyType npy_type(DType type);  // throws unsupported_type for `real`; int4 is i1, uint4 u1

struct NpyHeader {
  NpyType type;
  bool fortran_order = false;
  Dims shape;
  std::int64_t count = 0;         // of elements
  std::uint64_t data_offset = 0;  // in the file
  std::uint64_t data_bytes = 0;   // not yet compared with the file

  std::uint64_t file_bytes() const noexcept { return data_offset + data_bytes; }
};

// `bytes` is the beginning of the file, `name` the file for messages. All throw bad_file with the
// byte; parse_npy_header also unsupported_type for NumPy's types that Hadamard does not have.
//
// Where the data begin, from the first kNpyPrefix bytes (or all, where the file is shorter).
std::size_t npy_data_offset(std::span<const std::byte> bytes, std::string_view name);
// Takes what NumPy writes and reads: keys in any order, any spacing, 3L, u'…'. Unlike NumPy it
// refuses a key that comes twice.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view name);
// Compares what the header promises with the bytes that are there.
void check_npy_size(const NpyHeader& header, std::uint64_t file_bytes, std::string_view name);

// The bytes before the data, version 1.0, a multiple of 64. Throws bad_argument above
// kNpyMaxRank.
std::string make_npy_header(const NpyType& type, bool fortran_order, const Dims& shape);

}  // namespace hadamard::io
