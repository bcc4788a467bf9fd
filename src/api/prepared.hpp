// What is behind the public façade, for our own programs and tests.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "plan/plan.hpp"

namespace hadamard {

struct Prepared::Impl {
  Dialect dialect{};
  plan::Plan plan;
  std::array<Layout, 3> layouts;
  std::size_t alignment = 1;
  std::unique_ptr<const exec::Program> program;
  std::vector<std::string> declined;
};

// What this thread's last call ran on, as told by the code that ran.
struct LastRun {
  std::string_view provider;
  std::string_view target;
};
LastRun& last_run() noexcept;

// apply() that counts the elements done, for a progress line.
Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress);

}  // namespace hadamard
