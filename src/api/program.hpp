// What is behind hadamard/program.hpp: plans of programs, tied to the code that runs them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "dialect/program_text.hpp"
#include "exec/provider.hpp"
#include "hadamard/program.hpp"
#include "plan/program_plan.hpp"

namespace hadamard {

struct PreparedProgram::Impl {
  Dialect dialect{};
  std::string provider, cpu_target;  // that were demanded
  plan::ProgramPlan plan;
  bool may_fail = false;
  std::unique_ptr<const exec::Executable> executable;
  std::vector<std::string> declined;
};

struct Program::Impl {
  dialect::ProgramText text;
  Options options;
  std::string provider, cpu_target;  // what the options only point at
};

// Results of a lowered program where none are given: contiguous, in the order of the options.
std::vector<Layout> result_layouts(const plan::Lowered& lowered, Order order);

// Plans and binds. Throws too_large where the results or what lies between groups need more memory
// than there is. `limits` is for tests: 1 step a group is a program that is not fused.
std::shared_ptr<const PreparedProgram::Impl> make_program_impl(plan::Lowered lowered,
                                                               std::vector<Layout> inputs,
                                                               std::vector<Layout> outputs,
                                                               const Options& options,
                                                               const plan::Limits& limits = {});

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

}  // namespace hadamard
