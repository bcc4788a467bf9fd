#include "matlab/matio/mat_selection.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "matlab/matio/mat_structure.hpp"

namespace hadamard::matlab {
namespace {

constexpr std::size_t kHeader = 128;  // of the file
// Deflate makes at most so many bytes of one. Arrays that were never written have no bytes in the
// file, only a number that fills them: for those there is kUnwritten.
constexpr std::uint64_t kLargestInflation = 1032, kUnwritten = std::uint64_t{32} << 20;

// A file in memory with the header of `file` and these variables.
io::Descriptor file_of(std::span<const MatVariable> variables, std::span<const std::byte> file,
                       std::string_view name) {
  std::uint64_t bytes = kHeader;
  for (const MatVariable& variable : variables) bytes += variable.bytes.size();
  rlimit limit{};
  // To write beyond it would end the program.
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur) {
    fail(ErrorCode::io,
         "{}: the limit on file sizes (ulimit -f), {} bytes, is too small to read it", name,
         limit.rlim_cur);
  }
  io::Descriptor selected(memfd_create("hadamard", MFD_CLOEXEC));
  const auto append = [&](std::span<const std::byte> part) {
    while (!part.empty()) {
      const ssize_t done = write(selected.get(), part.data(), part.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) {
        fail(ErrorCode::io, "{}: no memory to read it: {}", name, std::strerror(errno));
      }
      part = part.subspan(static_cast<std::size_t>(done));
    }
  };
  append(file.first(kHeader));
  for (const MatVariable& variable : variables) append(variable.bytes);
  return selected;
}

}  // namespace

MatSelection select_variables(const std::string& path, std::span<const std::byte> file,
                              const MatFilter& filter, MatContents& contents) {
  const std::string name = io::quoted(path);
  auto [format, variables, has_more] = check_mat_structure(file, name);
  MatSelection selection{.path = path};
  if (format == MatFormat::hdf5) {
    selection.most = kLargestInflation * file.size() + kUnwritten;
    selection.largest = selection.most;
    return selection;
  }
  const std::size_t count = variables.size();
  std::erase_if(variables, [&](MatVariable& variable) {
    if (!filter.wants(variable.name)) return true;
    if (variable.is_readable) return false;
    contents.unreadable.push_back({std::move(variable.name), std::move(variable.class_name)});
    return true;
  });
  for (const MatVariable& variable : variables) {
    selection.most += variable.memory;
    selection.largest = std::max(selection.largest, variable.memory);
  }
  // All of them, and for the time of its way here one twice.
  const std::uint64_t needed = selection.most + selection.largest;
  if (needed > kUnaskedBytes) {
    require_memory(static_cast<std::int64_t>(needed), 8, fmt::format("the variables of {}", name));
  }
  if (variables.empty()) {
    selection.path.clear();
  } else if (has_more || variables.size() < count) {
    selection.file = file_of(variables, file, name);
    selection.path = fmt::format("/proc/self/fd/{}", selection.file.get());
  }
  return selection;
}

}  // namespace hadamard::matlab
