// A line on standard error that tells how far long work has come. Only on a terminal.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace hadamard::app {

class ProgressLine {
 public:
  // Says nothing in the first second, nor where standard error is not a terminal.
  ProgressLine(std::string what, std::int64_t total);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  std::atomic<std::int64_t>* counter() noexcept { return &done_; }

 private:
  void watch();

  std::string what_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread watcher_;
};

}  // namespace hadamard::app
