// Operators of any number of operands and any types: programs of one node.
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "api/program.hpp"
#include "base/fail.hpp"
#include "dialect/lowering.hpp"
#include "op/ops.hpp"

namespace hadamard {
namespace {

using Plan = std::shared_ptr<const PreparedProgram::Impl>;

// `y` is null for a result that is still to be allocated.
Plan make_plan(Op op, const Layout* y, std::span<const ConstView> operands,
               const Options& options) {
  if (static_cast<int>(op) >= op::kOpCount) {
    fail(ErrorCode::bad_argument, "no operator has the number {}", static_cast<int>(op));
  }
  const bool converts = op::type_rule(op) == op::TypeRule::convert;
  if (converts && y == nullptr) {
    fail(ErrorCode::bad_argument, "{} needs the type of its result: use cast(a, type)", name(op));
  }
  dialect::Lowering lowering(options);
  std::vector<dialect::LoweredOperand> values;
  std::vector<Layout> layouts;
  for (const ConstView& operand : operands) {
    values.emplace_back(
        lowering.input(std::string(1, static_cast<char>('A' + values.size())), operand.layout()));
    layouts.push_back(operand.layout());
  }
  lowering.output("Y", lowering.apply(op, values, {}, converts ? y->dtype : DType{}));
  plan::Lowered lowered = lowering.finish();
  std::vector<Layout> outputs =
      y != nullptr ? std::vector<Layout>{*y} : result_layouts(lowered, options.order);
  return make_program_impl(std::move(lowered), std::move(layouts), std::move(outputs), options);
}

// The plans of this thread's last calls.
struct Entry {
  Op op{};
  bool is_fresh = false;  // its result is still to be allocated
  Options options;
  std::string provider, cpu_target;  // owns what `options` would only point at
  Plan plan;

  bool is_for(Op o, const Layout* y, std::span<const ConstView> operands,
              const Options& wanted) const {
    if (plan == nullptr || op != o || is_fresh != (y == nullptr)) return false;
    const bool same_options = options.dialect == wanted.dialect &&
                              options.broadcast == wanted.broadcast &&
                              options.int_division == wanted.int_division &&
                              options.axis == wanted.axis && options.order == wanted.order &&
                              provider == wanted.provider && cpu_target == wanted.cpu_target;
    if (!same_options || plan->plan.inputs.size() != operands.size()) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!(plan->plan.inputs[i] == operands[i].layout())) return false;
    }
    return y == nullptr || plan->plan.outputs[0] == *y;
  }
};

struct Memo {
  std::array<Entry, 4> entries;
  std::size_t next = 0;
  std::shared_ptr<void> other;  // kept_for_thread()
};
// Null after the thread's objects were destroyed: a static object's destructor may still call us.
// Apart: what is thread-local in the library is counted in bytes (tests/lint/tls.sh).
Memo* this_memo() {
  thread_local constinit bool ended = false;
  if (ended) return nullptr;
  struct Owner {
    std::unique_ptr<Memo> memo = std::make_unique<Memo>();
    bool* ended;
    explicit Owner(bool* flag) : ended(flag) {}
    ~Owner() { *ended = true; }
  };
  thread_local const Owner owner(&ended);
  return owner.memo.get();
}

Plan plan_for(Op op, const Layout* y, std::span<const ConstView> operands, const Options& options) {
  Memo* const memo = this_memo();
  if (memo == nullptr) return make_plan(op, y, operands, options);
  for (const Entry& entry : memo->entries) {
    if (entry.is_for(op, y, operands, options)) return entry.plan;
  }
  Plan plan = make_plan(op, y, operands, options);
  memo->entries[memo->next] = {
      op,  y == nullptr, options, std::string(options.provider), std::string(options.cpu_target),
      plan};
  memo->next = (memo->next + 1) % memo->entries.size();
  return plan;
}

std::array<exec::Place, program::kMostOperands> places(std::span<const ConstView> operands) {
  std::array<exec::Place, program::kMostOperands> at;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    at[i] = {operands[i].data(), operands[i].offset()};
  }
  return at;
}

}  // namespace

std::shared_ptr<void>* kept_for_thread() {
  Memo* const memo = this_memo();
  return memo == nullptr ? nullptr : &memo->other;
}

Tensor apply(Op op, std::span<const ConstView> operands, const Options& options) {
  const Plan plan = plan_for(op, nullptr, operands, options);
  return std::move(run_fresh(*plan, {places(operands).data(), operands.size()})[0]);
}

void apply_into(Op op, const View& y, std::span<const ConstView> operands, const Options& options) {
  const Plan plan = plan_for(op, &y.layout(), operands, options);
  run_into_views(*plan, {places(operands).data(), operands.size()}, {&y, 1});
}

}  // namespace hadamard
