// Stands for src/matlab/matio/ where matio was not found.
#include "matlab/mat_file.hpp"

#include "base/fail.hpp"
#include "io/file.hpp"

namespace hadamard::matlab {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  fail(ErrorCode::unavailable,
       "{}: this program was built without matio, which .mat files need; {}", io::quoted(path),
       "install Debian's libmatio-dev and zlib1g-dev and build again, or use .npy");
}

}  // namespace

std::string mat_library() { return {}; }

MatContents read_mat(const std::string& path, const MatFilter&) { refuse(path); }

void write_mat(const std::string& path, std::span<const NamedValue>, MatVersion) { refuse(path); }

}  // namespace hadamard::matlab
