#include "exec/ref/ref_executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/float_env.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

using program::ElementLine;
using program::Evaluated;
using program::Failure;
using program::Node;
using program::Program;
using program::ValueId;

// The values of a program, each in a tensor of its own. It walks the plain, uncollapsed indices and
// knows nothing of groups, so that it checks the planner as well as the kernels.
class Walk {
 public:
  Walk(const plan::Plan& plan, std::span<const Place> inputs)
      : plan_(plan), program_(plan.lowered.program), inputs_(inputs) {
    values_.resize(program_.nodes().size());
  }

  // Computes a node; where an element has no result, which one.
  Evaluated compute(ValueId id, Dims* index = nullptr) {
    values_[id].emplace(Tensor(program_.node(id).type, plan_.lowered.shapes[id]));
    return walk(id, index, values_[id]->data(), true);
  }
  // The same, but that the value goes nowhere.
  Evaluated examine(ValueId id, Dims& index) {
    const Tensor piece(program_.node(id).type, Dims{kPiece});
    return walk(id, &index, piece.data(), false);
  }

  const Tensor& value(ValueId id) const { return *values_[id]; }
  void release(ValueId id) { values_[id].reset(); }

 private:
  static constexpr std::int64_t kPiece = 1024;  // elements

  // Line by line, in pieces: each behind the last in `to`, or at its beginning.
  Evaluated walk(ValueId id, Dims* index, const void* to, bool keeps) {
    const Node& node = program_.node(id);
    const Dims& shape = plan_.lowered.shapes[id];
    std::vector<Dims> strides;
    std::vector<ElementLine> lines;
    std::vector<DType> types;
    for (const ValueId operand : node.operands) {
      types.push_back(program_.node(operand).type);
      lines.push_back(start_of(operand));
      strides.push_back(strides_of(operand));
    }
    const std::size_t inner = shape.size();
    Dims at = Dims::filled(shape.size(), 0);
    const std::int64_t count = element_count(shape);
    const std::int64_t length = inner == 0 ? 1 : shape[inner - 1];
    for (std::int64_t done = 0; done < count; done += length) {
      std::vector<ElementLine> now = lines;
      for (std::size_t k = 0; k < now.size(); ++k) {
        for (std::size_t i = 0; i + 1 < inner; ++i) now[k].first += at[i] * strides[k][i];
        now[k].stride = inner == 0 ? 0 : strides[k][inner - 1];
      }
      for (std::int64_t begin = 0; begin < length; begin += kPiece) {
        const std::int64_t n = std::min(kPiece, length - begin);
        const ElementLine result{to, keeps ? done + begin : 0, 1};
        const Evaluated evaluated = program::evaluate(node, types, now, result, n);
        if (evaluated.failure != Failure::none) {
          if (inner > 0) at[inner - 1] = begin + evaluated.at;
          if (index != nullptr) *index = at;
          return evaluated;
        }
        for (ElementLine& line : now) line.first += n * line.stride;
      }
      for (std::size_t i = inner; i-- > 1;) {
        if (++at[i - 1] < shape[i - 1]) break;
        at[i - 1] = 0;
      }
    }
    return {};
  }

  ElementLine start_of(ValueId id) const {
    const Node& node = program_.node(id);
    switch (node.kind) {
      case Node::Kind::input:
        return {inputs_[node.index].data, inputs_[node.index].offset, 0};
      case Node::Kind::constant:
        return {program_.constant(node).data(), 0, 0};
      case Node::Kind::operation:
        return {values_[id]->data(), 0, 0};
    }
    __builtin_unreachable();
  }
  Dims strides_of(ValueId id) const {
    const Node& node = program_.node(id);
    if (node.kind == Node::Kind::input) return plan_.lowered.input_strides[node.index];
    Dims strides = Dims::filled(plan_.lowered.rank, 0);
    if (node.kind == Node::Kind::constant) return strides;
    const Dims& shape = plan_.lowered.shapes[id];
    const Dims own = contiguous_strides(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] != 1) strides[i] = own[i];
    }
    return strides;
  }

  const plan::Plan& plan_;
  const Program& program_;
  std::span<const Place> inputs_;
  std::vector<std::optional<Tensor>> values_;
};

class RefExecutable final : public Executable {
 public:
  explicit RefExecutable(std::shared_ptr<const plan::Plan> plan) : plan_(std::move(plan)) {
    const Program& program = plan_->lowered.program;
    last_use_.resize(program.nodes().size(), 0);
    for (ValueId id = 0; id < program.nodes().size(); ++id) {
      for (const ValueId operand : program.node(id).operands) last_use_[operand] = id;
    }
    for (const program::Output& output : program.outputs()) last_use_[output.value] = kNoValue;
  }

  void run(const Bindings& bindings, RunReport& report) const override {
    report.provider = "ref";
    report.target = "element by element";
    compute(bindings, report, true);
  }
  ValueId find_failure(const Bindings& bindings) const override {
    RunReport report;
    compute(bindings, report, false);
    return report.failed;
  }
  std::string describe() const override { return "ref, one node and one element at a time\n"; }

 private:
  void compute(const Bindings& bindings, RunReport& report, bool stores) const {
    const ScopedFloatEnv env;
    const Program& program = plan_->lowered.program;
    Walk walk(*plan_, bindings.inputs);
    for (ValueId id = 0; id < program.nodes().size(); ++id) {
      const Node& node = program.node(id);
      if (node.kind != Node::Kind::operation) continue;
      if (walk.compute(id).failure != Failure::none) {
        report.failed = id;
        return;
      }
      if (report.progress != nullptr) {
        report.progress->fetch_add(walk.value(id).count(), std::memory_order_relaxed);
      }
      for (const ValueId operand : node.operands) {
        if (last_use_[operand] == id) walk.release(operand);
      }
    }
    if (!stores) return;
    // Behind the last node: an output may be an input.
    for (std::size_t i = 0; i < program.outputs().size(); ++i) {
      const Tensor& value = walk.value(program.outputs()[i].value);
      const Layout own(value.dtype(), plan_->lowered.outputs[i].shape);
      const Place& to = bindings.outputs[i];
      copy_elements(View(const_cast<void*>(to.data), plan_->outputs[i], to.offset),
                    ConstView(value.data(), own));
    }
  }

  const std::shared_ptr<const plan::Plan> plan_;
  std::vector<ValueId> last_use_;
};

}  // namespace

std::unique_ptr<const Executable> ref_executable(std::shared_ptr<const plan::Plan> plan) {
  return std::make_unique<RefExecutable>(std::move(plan));
}

FailedElement first_failure(const plan::Plan& plan, std::span<const Place> inputs, ValueId node) {
  const ScopedFloatEnv env;
  const Program& program = plan.lowered.program;
  std::vector<ValueId> last_use(program.nodes().size(), 0);
  for (ValueId id = 0; id <= node; ++id) {
    for (const ValueId operand : program.node(id).operands) last_use[operand] = id;
  }
  Walk walk(plan, inputs);
  for (ValueId id = 0; id <= node; ++id) {
    if (program.node(id).kind != Node::Kind::operation) continue;
    FailedElement failed;
    failed.node = id;
    failed.failure =
        (id == node ? walk.examine(id, failed.index) : walk.compute(id, &failed.index)).failure;
    if (failed.failure != Failure::none) return failed;
    for (const ValueId operand : program.node(id).operands) {
      if (last_use[operand] == id) walk.release(operand);
    }
  }
  return {};  // another thread changed the operands meanwhile
}

bool may_fail(const Program& program, const Node& node) {
  if (node.kind != Node::Kind::operation) return false;
  const DType from = program.node(node.operands[node.operands.size() - 1]).type;
  const Kind kind_of = kind(from);
  if (op::type_rule(node.op) == op::TypeRule::convert) {
    return node.type == DType::real && kind_of == Kind::floating;  // others saturate
  }
  const bool has_answer = kind_of == Kind::floating || kind_of == Kind::complex;
  return !has_answer && op::divisor(node.op) != op::Divisor::none;
}
bool may_fail(const Program& program) {
  for (const Node& node : program.nodes()) {
    if (may_fail(program, node)) return true;
  }
  return false;
}

}  // namespace hadamard::exec
