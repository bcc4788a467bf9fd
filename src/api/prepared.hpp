// What is behind the public façade, for our own programs and tests.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/overlap.hpp"
#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "plan/plan.hpp"

namespace hadamard {

struct Prepared::Impl {
  Dialect dialect{};
  plan::Plan plan;
  std::array<Layout, 3> layouts;
  OverlapTest overlap;
  std::size_t alignment = 1;        // of the element type, a power of 2
  bool may_divide_by_zero = false;  // the type has no answer for a zero divisor
  std::unique_ptr<const exec::Program> program;
  std::vector<std::string> declined;
};

// What this thread's last call ran on, as told by the code that ran.
struct LastRun {
  std::string_view provider;
  std::string_view target;
};
// Small, and wanted by every call: one instruction away wherever the library is loaded from.
extern thread_local constinit LastRun last_run [[gnu::tls_model("initial-exec")]];

// apply() of an operator with any number of operands (with one, `b` is `a`) that counts the
// elements done, for a progress line.
Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress = nullptr);

}  // namespace hadamard
