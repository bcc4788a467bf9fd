#include "conform/printed.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/fail.hpp"

namespace hadamard::conform {

Printed::Printed(std::size_t limit) : left_(limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    fail(ErrorCode::io, "no pipe for what the library prints: {}", std::strerror(errno));
  }
  out_ = ends[0];
  in_ = ends[1];
  fcntl(out_, F_SETFL, O_NONBLOCK);  // this end only: whoever prints waits for us
}

Printed::~Printed() {
  pass_on();
  close(in_);
  close(out_);
}

namespace {
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(STDERR_FILENO, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // nobody reads it
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}
}  // namespace

void Printed::pass_on() {
  constexpr int kReads = 64;  // somebody may print faster than we read
  char chunk[4096];
  for (int i = 0; i < kReads; ++i) {
    const ssize_t done = read(out_, chunk, sizeof chunk);
    if (done <= 0) return;
    const std::size_t shown = std::min(static_cast<std::size_t>(done), left_);
    write_to_stderr({chunk, shown});
    left_ -= shown;
    if (shown < static_cast<std::size_t>(done) && !cut_) {
      cut_ = true;
      write_to_stderr("\nhadamard: what the library prints beyond this is left out\n");
    }
  }
}

}  // namespace hadamard::conform
