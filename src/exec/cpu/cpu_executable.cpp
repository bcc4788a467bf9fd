#include "exec/cpu/cpu_executable.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/fail.hpp"
#include "exec/cpu/block_group.hpp"
#include "exec/ref/ref_executable.hpp"
#include "op/ops.hpp"

namespace hadamard::exec::cpu {
namespace {

using plan::MemoryOperand;
using plan::Slot;
using program::Node;
using program::Program;
using program::ValueId;

// A node of one or two operands of its own type has line kernels, with all their fast ways.
bool has_line_kernels(const Program& program, const plan::Group& group) {
  return group.steps.size() == 1 && op::is_plain(program.node(group.steps[0].value).op);
}

// A group of one node as a plan of that node.
plan::Plan node_plan(const Program& program, const plan::Group& group) {
  const plan::Step& step = group.steps[0];
  const Node& node = program.node(step.value);
  plan::Plan one;
  one.op = node.op;
  one.dtype = node.type;
  one.int_division = node.attributes.int_division;
  one.shape = group.shape;
  one.count = group.count;
  for (const std::size_t k : {plan::kA, plan::kB}) {
    const Slot& slot = step.operands[std::min(k, node.operands.size() - 1)];
    one.strides[k] = slot.kind == Slot::Kind::memory ? group.operands[slot.index].strides
                                                     : Dims::filled(group.shape.size(), 0);
  }
  one.strides[plan::kY] = group.operands.back().strides;
  one.operand_shapes = {group.shape, group.shape, group.shape};
  one.loops = plan::make_loops(one.shape, one.strides);
  return one;
}

// One group, bound to its kernels.
class BoundGroup {
 public:
  // Null program and no blocks, with the reason in `why`, where a node has no kernel.
  BoundGroup(const Program& program, const plan::Group& group, const ChosenTarget& target,
             const Provider& lines, std::string& why)
      : program_(program), group_(group) {
    if (has_line_kernels(program, group)) {
      node_ = lines.bind(node_plan(program, group), {"cpu", target.name}, why);
    } else if (BlockGroup::can_run(program, group, target.number, why)) {
      blocks_ = std::make_unique<const BlockGroup>(program, group, target.number);
    }
  }
  bool is_bound() const { return node_ != nullptr || blocks_ != nullptr; }
  bool has_lines() const { return node_ != nullptr; }

  // The first node that failed, or kNoValue.
  ValueId run(std::span<const Place> at, bool stores, ProgramReport& report) const {
    if (blocks_ != nullptr) return blocks_->run(at, stores, report.progress);
    const Places places{operand(at, 0), operand(at, arity() - 1), at.back()};
    bool failed = false;
    if (stores) {
      RunReport one;
      one.progress = report.progress;
      node_->run(places, one);
      report.target = one.target;
      failed = one.zero_divisor;
    } else {
      failed = node_->has_zero_divisor(places);
    }
    return failed ? group_.steps[0].value : kNoValue;
  }
  std::string describe() const { return blocks_ ? blocks_->describe() : node_->describe(); }

 private:
  std::size_t arity() const { return program_.node(group_.steps[0].value).operands.size(); }
  Place operand(std::span<const Place> at, std::size_t k) const {
    const Slot& slot = group_.steps[0].operands[k];
    if (slot.kind == Slot::Kind::memory) return at[slot.index];
    const Node& node = program_.node(group_.steps[0].value);
    return {program_.constant(program_.node(node.operands[k])).data(), 0};
  }

  const Program& program_;
  const plan::Group& group_;
  std::unique_ptr<const exec::Program> node_;
  std::unique_ptr<const BlockGroup> blocks_;
};

// Exact numbers in the workspace: zero, which needs no memory, until they are written.
class ExactTemporaries {
 public:
  ExactTemporaries(const plan::ProgramPlan& plan, std::byte* workspace)
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
  const plan::ProgramPlan& plan_;
  std::byte* workspace_;
};

class CpuExecutable final : public Executable {
 public:
  CpuExecutable(const plan::ProgramPlan& plan, const ChosenTarget& target, const Provider& lines,
                std::string& why)
      : plan_(plan), target_(target) {
    groups_.reserve(plan_.groups.size());
    for (const plan::Group& group : plan_.groups) {
      groups_.emplace_back(plan_.lowered.program, group, target, lines, why);
      is_bound_ = is_bound_ && groups_.back().is_bound();
      if (!is_bound_) return;
    }
    for (const Node& node : plan_.lowered.program.nodes()) {
      has_exact_ = has_exact_ || node.type == DType::real;
    }
  }
  bool is_bound() const { return is_bound_; }

  void run(const Bindings& bindings, ProgramReport& report) const override {
    report.provider = "cpu";
    report.target = target_.name;
    const ExactTemporaries exact(plan_, bindings.workspace);
    report.failed = run_groups(bindings, true, report);
  }

  ValueId find_failure(const Bindings& bindings) const override {
    // Exact numbers cannot go to a block, nor can what a later group reads.
    if (groups_.size() != 1 || (has_exact_ && !groups_[0].has_lines())) {
      return ref_executable(plan_)->find_failure(bindings);
    }
    ProgramReport report;
    return run_groups(bindings, false, report);
  }

  std::string describe() const override {
    std::string text;
    for (const BoundGroup& group : groups_) {
      const std::string one = group.describe();
      text += one.starts_with("cpu") ? one + "\n"
                                     : fmt::format("cpu, target {}, {}\n", target_.name, one);
    }
    return text;
  }

 private:
  ValueId run_groups(const Bindings& bindings, bool stores, ProgramReport& report) const {
    ValueId failed = kNoValue;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::vector<MemoryOperand>& operands = plan_.groups[g].operands;
      std::array<Place, 32> few;
      std::vector<Place> many;
      if (operands.size() > few.size()) many.resize(operands.size());
      Place* const at = many.empty() ? few.data() : many.data();
      for (std::size_t k = 0; k < operands.size(); ++k) at[k] = place(operands[k], bindings);
      failed = std::min(failed, groups_[g].run({at, operands.size()}, stores, report));
      if (failed != kNoValue) return failed;
    }
    return failed;
  }
  Place place(const MemoryOperand& operand, const Bindings& bindings) const {
    switch (operand.kind) {
      case MemoryOperand::Kind::input:
        return bindings.inputs[operand.index];
      case MemoryOperand::Kind::output:
        return bindings.outputs[operand.index];
      case MemoryOperand::Kind::temporary:
        return {bindings.workspace + plan_.temporaries[operand.index].offset, 0};
    }
    __builtin_unreachable();
  }

  const plan::ProgramPlan plan_;
  const ChosenTarget target_;
  std::vector<BoundGroup> groups_;
  bool is_bound_ = true;
  bool has_exact_ = false;
};

}  // namespace

std::unique_ptr<const Executable> make_executable(const plan::ProgramPlan& plan,
                                                  const ChosenTarget& target, const Provider& lines,
                                                  std::string& why) {
  auto made = std::make_unique<const CpuExecutable>(plan, target, lines, why);
  if (!made->is_bound()) return nullptr;
  return made;
}

}  // namespace hadamard::exec::cpu
