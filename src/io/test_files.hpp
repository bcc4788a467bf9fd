// What the tests of this module share: bytes, and expectations of errors.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch.hpp"
#include "hadamard/error.hpp"
#include "io/atomic_file.hpp"

namespace hadamard::io {

inline void put(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}
inline std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}
inline std::string unhex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return out;
}

inline void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(bytes_of(content));
  file.commit();
}

inline mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

inline bool is_root() { return ::geteuid() == 0; }

// Root may do everything: acts as nobody for a while.
class AsNobody {
 public:
  AsNobody() {
    if (::geteuid() == 0) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~AsNobody() {
    if (::getuid() == 0) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }
};

// A file as NumPy lays it out: `length` bytes of header, of which `text` is the beginning.
inline std::string npy_file(int version, std::size_t length, std::string_view text,
                            std::string_view data) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(length >> (8 * i) & 0xff);
  }
  file += text;
  file.append(length - text.size() - 1, ' ');
  file += '\n';
  return file.append(data);
}
inline std::string npy_file(std::string_view text, std::string_view data) {
  return npy_file(1, text.size() + 1, text, data);
}

// Expects hadamard::Error with the code and, in its one-line message, all of `parts`.
template <class F>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, F&& f) {
  try {
    f();
    ADD_FAILURE() << "no error; expected " << name(code);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(name(error.code()), name(code)) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    for (const std::string& part : parts) {
      EXPECT_NE(what.find(part), std::string::npos) << "'" << part << "' is not in: " << what;
    }
  }
}

}  // namespace hadamard::io
