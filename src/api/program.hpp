// What is behind hadamard/program.hpp and hadamard/hadamard.hpp: plans, tied to the code that runs
// them.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/overlap.hpp"
#include "dialect/program_text.hpp"
#include "exec/provider.hpp"
#include "hadamard/program.hpp"
#include "plan/plan.hpp"

namespace hadamard {

struct PreparedProgram::Impl {
  Dialect dialect{};
  std::string provider, cpu_target;  // that were demanded
  std::shared_ptr<const plan::Plan> plan;
  OverlapTest overlap;
  bool may_fail = false;         // a node may have no result for some element
  bool has_workspace = false;    // values lie between groups
  bool asks_for_memory = false;  // results are so large that memory is asked for first
  std::unique_ptr<const exec::Executable> executable;
  std::vector<std::string> declined;

  // Whether failures can be found without computing apart: into given memory nothing may be written
  // where a node fails.
  bool can_check_first() const noexcept { return plan->groups.size() == 1; }
};

struct Program::Impl {
  dialect::ProgramText text;
  Options options;
  std::string provider, cpu_target;  // what the options only point at
};

// What this thread's last call ran on, as told by the code that ran.
struct LastRun {
  std::string_view provider;
  std::string_view target;
};
// Small, and wanted by every call: one instruction away wherever the library is loaded from.
extern thread_local constinit LastRun last_run [[gnu::tls_model("initial-exec")]];

// Results of a lowered program where none are given: contiguous, in the order of the options.
std::vector<Layout> result_layouts(const plan::Lowered& lowered, Order order);

// Plans and binds. Throws too_large where what lies between groups needs more memory than there is.
// `limits` is for tests: 1 step a group is a program that is not fused.
void bind_plan(PreparedProgram::Impl& impl, plan::Lowered lowered, std::vector<Layout> inputs,
               std::vector<Layout> outputs, const Options& options,
               const plan::Limits& limits = {});
std::shared_ptr<const PreparedProgram::Impl> make_program_impl(plan::Lowered lowered,
                                                               std::vector<Layout> inputs,
                                                               std::vector<Layout> outputs,
                                                               const Options& options,
                                                               const plan::Limits& limits = {});

// Throws too_large where the results need more memory than there is.
void require_results(const PreparedProgram::Impl& impl);
// Where it throws, the outputs are unspecified.
inline void run_plan(const PreparedProgram::Impl& impl, const exec::Bindings& bindings,
                     std::atomic<std::int64_t>* progress = nullptr);
[[noreturn]] void fail_run(const PreparedProgram::Impl& impl, const exec::Bindings& bindings,
                           program::ValueId failed);
// Throws for the first node that has no result for some element, before anything is written.
void check_first(const PreparedProgram::Impl& impl, const exec::Bindings& bindings);

// Memory for what goes from one group to the next.
class Workspace {
 public:
  explicit Workspace(const PreparedProgram::Impl& impl);
  std::byte* data() const noexcept { return data_; }

 private:
  std::unique_ptr<Tensor> memory_;
  std::byte* data_ = nullptr;
};
// Calls f(workspace).
template <class F>
[[gnu::always_inline]] inline void with_workspace(const PreparedProgram::Impl& impl, F f) {
  if (impl.has_workspace) [[unlikely]] {
    f(Workspace(impl).data());
  } else {
    f(nullptr);
  }
}

// New tensors; a failure throws. `progress` counts elements, for a progress line.
std::vector<Tensor> run_fresh(const PreparedProgram::Impl& impl,
                              std::span<const exec::Place> inputs,
                              std::atomic<std::int64_t>* progress = nullptr);
// Into given memory, whatever it overlaps; a failure leaves it as it was.
void run_into_views(const PreparedProgram::Impl& impl, std::span<const exec::Place> inputs,
                    std::span<const View> outputs);

// A place for what else is kept as long as this thread lives; null at its end. Apart, because what
// is thread-local in the library is counted in bytes (tests/lint/tls.sh).
std::shared_ptr<void>* kept_for_thread();

PreparedProgram make_prepared(std::shared_ptr<const PreparedProgram::Impl> impl);

inline void run_plan(const PreparedProgram::Impl& impl, const exec::Bindings& bindings,
                     std::atomic<std::int64_t>* progress) {
  exec::RunReport report;
  report.progress = progress;
  impl.executable->run(bindings, report);
  last_run = {report.provider, report.target};
  if (report.failed != exec::kNoValue) [[unlikely]]
    fail_run(impl, bindings, report.failed);
}

}  // namespace hadamard
