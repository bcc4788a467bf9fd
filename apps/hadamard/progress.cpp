#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace hadamard::app {

ProgressLine::ProgressLine(std::string what, std::int64_t total)
    : what_(std::move(what)), total_(total) {
  // What takes less than a second on any machine is not worth a thread.
  if (total_ > 1'000'000 && isatty(STDERR_FILENO) != 0) {
    watcher_ = std::thread([this] { watch(); });
  }
}

ProgressLine::~ProgressLine() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  watcher_.join();
}

void ProgressLine::watch() {
  using namespace std::chrono_literals;
  bool shown = false;
  std::unique_lock lock(mutex_);
  auto pause = 1000ms;
  while (!ended_.wait_for(lock, pause, [this] { return end_; })) {
    const auto percent =
        static_cast<int>(100.0 * static_cast<double>(done_.load()) / static_cast<double>(total_));
    std::fprintf(stderr, "\r%s: %d %%", what_.c_str(), percent > 100 ? 100 : percent);
    shown = true;
    pause = 200ms;
  }
  if (shown) std::fprintf(stderr, "\r\033[K");
}

}  // namespace hadamard::app
