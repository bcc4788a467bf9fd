#include "exec/cpu/cpu_executable.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "exec/cpu/block_group.hpp"
#include "exec/cpu/line_group.hpp"
#include "exec/ref/ref_executable.hpp"

namespace hadamard::exec::cpu {
namespace {

using plan::MemoryOperand;
using program::Node;
using program::Program;
using program::ValueId;

// One group, bound to its kernels.
class BoundGroup {
 public:
  // Not bound, with the reason in `why`, where a node has no kernel.
  BoundGroup(const Program& program, const plan::Group& group, const ChosenTarget& target,
             std::string& why)
      : value_(group.steps[0].value) {
    bool fails = false, exact = false;
    for (const plan::Step& step : group.steps) {
      const Node& node = program.node(step.value);
      fails = fails || may_fail(program, node);
      exact = exact || node.type == DType::real;
      for (const ValueId id : node.operands) exact = exact || program.node(id).type == DType::real;
    }
    if (LineGroup::fits(program, group)) {
      lines_ = LineGroup::bind(program, group, target, why);
      if (lines_ == nullptr || !fails || lines_->has_visible_divisors()) return;
    }
    if (!BlockGroup::can_run(program, group, target.number, why)) return;
    blocks_ = std::make_unique<const BlockGroup>(program, group, target.number);
    finds_failures_ = !exact;  // exact numbers cannot go to a block
  }
  bool is_bound() const { return lines_ != nullptr || blocks_ != nullptr; }
  const LineGroup* lines() const { return lines_.get(); }
  // Whether find_failure() can tell.
  bool finds_failures() const { return blocks_ == nullptr || finds_failures_; }

  // The first node that failed, or kNoValue.
  ValueId run(std::span<const Place> at, RunReport& report) const {
    if (lines_ == nullptr) return blocks_->run(at, true, report.progress);
    report.target = lines_->kernel_target();
    return lines_->run(lines_->places(at), report.progress) ? value_ : kNoValue;
  }
  // The same, without a word to memory.
  ValueId find_failure(std::span<const Place> at) const {
    if (blocks_ != nullptr) return blocks_->run(at, false, nullptr);
    if (!lines_->has_visible_divisors()) return kNoValue;
    return lines_->has_zero_divisor(lines_->places(at)) ? value_ : kNoValue;
  }
  std::string describe() const { return lines_ ? lines_->describe() : blocks_->describe(); }

 private:
  const ValueId value_;  // of the first step
  std::unique_ptr<const LineGroup> lines_;
  std::unique_ptr<const BlockGroup> blocks_;  // instead, or to find failures
  bool finds_failures_ = true;
};

// Exact numbers in the workspace: zero, which needs no memory, until they are written.
class ExactTemporaries {
 public:
  ExactTemporaries(const plan::Plan& plan, std::byte* workspace)
      : plan_(plan), workspace_(workspace) {
    each([](Real* real) { new (real) Real(); });
  }
  ~ExactTemporaries() {
    each([](Real* real) { real->~Real(); });
  }
  ExactTemporaries(const ExactTemporaries&) = delete;
  ExactTemporaries& operator=(const ExactTemporaries&) = delete;

 private:
  template <class F>
  void each(F f) {
    for (const plan::Temporary& temporary : plan_.temporaries) {
      if (temporary.type != DType::real) continue;
      auto* const first = reinterpret_cast<Real*>(workspace_ + temporary.offset);
      for (std::int64_t i = 0; i < element_count(temporary.shape); ++i) f(first + i);
    }
  }
  const plan::Plan& plan_;
  std::byte* workspace_;
};

// All operands of a group, found in what was bound.
class GroupPlaces {
 public:
  GroupPlaces(const plan::Plan& plan, const plan::Group& group, const Bindings& bindings) {
    const std::vector<MemoryOperand>& operands = group.operands;
    if (operands.size() > few_.size()) many_.resize(operands.size());
    Place* const at = many_.empty() ? few_.data() : many_.data();
    for (std::size_t k = 0; k < operands.size(); ++k) at[k] = place(plan, operands[k], bindings);
    all_ = {at, operands.size()};
  }
  std::span<const Place> all() const { return all_; }

 private:
  static Place place(const plan::Plan& plan, const MemoryOperand& operand,
                     const Bindings& bindings) {
    switch (operand.kind) {
      case MemoryOperand::Kind::input:
        return bindings.inputs[operand.index];
      case MemoryOperand::Kind::output:
        return bindings.outputs[operand.index];
      case MemoryOperand::Kind::temporary:
        return {bindings.workspace + plan.temporaries[operand.index].offset, 0};
    }
    __builtin_unreachable();
  }
  std::array<Place, 32> few_;
  std::vector<Place> many_;
  std::span<const Place> all_;
};

class CpuExecutable final : public Executable {
 public:
  CpuExecutable(std::shared_ptr<const plan::Plan> plan, const ChosenTarget& target,
                std::string& why)
      : plan_(std::move(plan)), target_(target) {
    groups_.reserve(plan_->groups.size());
    for (const plan::Group& group : plan_->groups) {
      groups_.emplace_back(plan_->lowered.program, group, target, why);
      is_bound_ = is_bound_ && groups_.back().is_bound();
      if (!is_bound_) return;
    }
    // One call, with one node and maybe another behind it: nothing is looked for.
    const bool reads_inputs = groups_.size() == 1 && plan_->temporaries.empty() &&
                              plan_->outputs.size() == 1 && groups_[0].lines() != nullptr;
    one_ = reads_inputs ? groups_[0].lines() : nullptr;
    for (std::size_t k = 0; one_ != nullptr && k < plan_->groups[0].reads; ++k) {
      if (plan_->groups[0].operands[k].index != k) one_ = nullptr;
    }
    if (plan_->groups.empty() || plan_->groups[0].reads > 2) one_ = nullptr;
  }
  bool is_bound() const { return is_bound_; }

  void run(const Bindings& bindings, RunReport& report) const override {
    report.provider = "cpu";
    if (one_ != nullptr) [[likely]] {
      report.target = one_->kernel_target();
      const Place at[] = {bindings.inputs.empty() ? Place{} : bindings.inputs[0],
                          bindings.inputs.size() < 2 ? Place{} : bindings.inputs[1],
                          bindings.outputs[0]};
      if (one_->run(one_->places(at), report.progress)) {
        report.failed = plan_->groups[0].steps[0].value;
      }
      return;
    }
    report.target = target_.name;
    const ExactTemporaries exact(*plan_, bindings.workspace);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const GroupPlaces places(*plan_, plan_->groups[g], bindings);
      report.failed = groups_[g].run(places.all(), report);
      if (report.failed != kNoValue) return;
    }
  }

  ValueId find_failure(const Bindings& bindings) const override {
    // What a later group reads is not there.
    if (groups_.size() != 1 || !groups_[0].finds_failures()) {
      return ref_executable(plan_)->find_failure(bindings);
    }
    return groups_[0].find_failure(GroupPlaces(*plan_, plan_->groups[0], bindings).all());
  }

  std::string describe() const override {
    std::string text;
    for (const BoundGroup& group : groups_) {
      text += fmt::format("cpu, target {}, {}\n", target_.name, group.describe());
    }
    return text;
  }

 private:
  const std::shared_ptr<const plan::Plan> plan_;
  const ChosenTarget target_;
  std::vector<BoundGroup> groups_;
  const LineGroup* one_ = nullptr;  // all there is
  bool is_bound_ = true;
};

}  // namespace

std::unique_ptr<const Executable> make_executable(std::shared_ptr<const plan::Plan> plan,
                                                  const ChosenTarget& target, std::string& why) {
  auto made = std::make_unique<const CpuExecutable>(std::move(plan), target, why);
  if (!made->is_bound()) return nullptr;
  return made;
}

}  // namespace hadamard::exec::cpu
