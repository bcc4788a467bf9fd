#include "plan/plan.hpp"

#include <algorithm>
#include <limits>

#include "base/fail.hpp"
#include "num/dtype.hpp"
#include "plan/distinct.hpp"
#include "tensor/element.hpp"

namespace hadamard::plan {
namespace {

using program::Node;
using program::Program;
using program::ValueId;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kAlignment = 64;

bool is_operation(const Node& node) { return node.kind == Node::Kind::operation; }

// Exact numbers own memory, which blocks do not.
bool can_fuse(const Program& program, const Node& node) {
  bool exact = node.type == DType::real;
  for (const ValueId id : node.operands) exact = exact || program.node(id).type == DType::real;
  return !exact;
}

// Which group computes each value. A value of another shape than its reader's is a level before it;
// one of the same shape, at the same level, as late as its readers allow: so what is small is
// computed first, and all that one shape has to do is done at once.
class Grouping {
 public:
  Grouping(const Lowered& lowered, const Limits& limits)
      : lowered_(lowered), program_(lowered.program), limits_(limits) {
    const std::size_t n = program_.nodes().size();
    of_.resize(n, kNone);
    find_levels();
    std::vector<ValueId> order;
    for (ValueId id = 0; id < n; ++id) {
      if (is_operation(program_.node(id))) order.push_back(id);
    }
    std::sort(order.begin(), order.end(), [&](ValueId x, ValueId y) {
      return level_[x] != level_[y] ? level_[x] < level_[y] : x < y;
    });
    for (const ValueId id : order) of_[id] = place(id);
  }
  std::uint32_t of(ValueId id) const { return of_[id]; }
  std::size_t count() const { return groups_.size(); }
  const Dims& shape(std::size_t group) const { return *groups_[group].shape; }

 private:
  struct Sketch {
    const Dims* shape;
    std::uint32_t level;
    std::size_t steps;
    bool can_grow;
  };

  bool are_together(ValueId a, ValueId b) const {
    return lowered_.shapes[a] == lowered_.shapes[b] && can_fuse(program_, program_.node(a)) &&
           can_fuse(program_, program_.node(b));
  }
  void find_levels() {
    const std::size_t n = program_.nodes().size();
    level_.resize(n, 0);
    for (ValueId id = 0; id < n; ++id) {
      for (const ValueId operand : program_.node(id).operands) {
        if (!is_operation(program_.node(operand))) continue;
        const std::uint32_t after = level_[operand] + (are_together(operand, id) ? 0 : 1);
        level_[id] = std::max(level_[id], after);
      }
    }
    std::vector<std::uint32_t> latest(n, kNone);
    for (auto id = static_cast<ValueId>(n); id-- > 0;) {
      if (latest[id] != kNone) level_[id] = latest[id];
      for (const ValueId operand : program_.node(id).operands) {
        const std::uint32_t before = level_[id] - (are_together(operand, id) ? 0 : 1);
        if (is_operation(program_.node(operand))) {
          latest[operand] = std::min(latest[operand], before);
        }
      }
    }
  }

  std::uint32_t place(ValueId id) {
    const Dims& shape = lowered_.shapes[id];
    const bool fuses = can_fuse(program_, program_.node(id));
    for (std::size_t g = groups_.size(); fuses && g-- > 0;) {
      Sketch& group = groups_[g];
      if (group.level != level_[id]) break;
      if (!group.can_grow || *group.shape != shape) continue;
      if (group.steps >= limits_.steps) break;  // those after it belong into the next one
      ++group.steps;
      return static_cast<std::uint32_t>(g);
    }
    groups_.push_back({&shape, level_[id], 1, fuses});
    return static_cast<std::uint32_t>(groups_.size() - 1);
  }

  const Lowered& lowered_;
  const Program& program_;
  const Limits limits_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> of_;
  std::vector<Sketch> groups_;
};

// The blocks of a group: taken for a value, given back after its last use.
class Blocks {
 public:
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t block = free_.back();
    free_.pop_back();
    return block;
  }
  void release(std::uint32_t block) { free_.push_back(block); }
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

class Planner {
 public:
  Planner(Plan& plan, const Limits& limits)
      : plan_(plan), program_(plan.lowered.program), grouping_(plan.lowered, limits) {}

  void run() {
    find_uses();
    plan_.groups.resize(grouping_.count());
    for (ValueId id = 0; id < program_.nodes().size(); ++id) {
      if (grouping_.of(id) != kNone) members_[grouping_.of(id)].push_back(id);
    }
    place_temporaries();
    for (std::uint32_t g = 0; g < plan_.groups.size(); ++g) make_group(g);
  }

 private:
  void find_uses() {
    const std::size_t n = program_.nodes().size();
    last_use_.resize(n, 0);
    last_group_.resize(n, 0);
    outputs_.resize(n);
    members_.resize(grouping_.count());
    for (ValueId id = 0; id < n; ++id) {
      const std::uint32_t group = grouping_.of(id);
      for (const ValueId operand : program_.node(id).operands) {
        if (group == grouping_.of(operand)) last_use_[operand] = id;
        last_group_[operand] = std::max(last_group_[operand], group);
      }
    }
    for (std::uint32_t i = 0; i < program_.outputs().size(); ++i) {
      outputs_[program_.outputs()[i].value].push_back(i);
    }
  }
  bool crosses(ValueId id) const { return last_group_[id] > grouping_.of(id); }

  // Memory for values that later groups read and that no output holds, shared by values that do
  // not live at the same time.
  void place_temporaries() {
    struct Held {
      std::size_t offset, bytes;
      std::uint32_t until;
    };
    std::vector<Held> held;
    temporary_.resize(program_.nodes().size(), kNone);
    for (std::uint32_t g = 0; g < grouping_.count(); ++g) {
      std::erase_if(held, [&](const Held& h) { return h.until < g; });
      for (const ValueId id : members_[g]) {
        if (!crosses(id) || !outputs_[id].empty()) continue;
        const Node& node = program_.node(id);
        const Dims& shape = plan_.lowered.shapes[id];
        const std::size_t bytes = bytes_of(node.type, shape);
        std::sort(held.begin(), held.end(),
                  [](const Held& a, const Held& b) { return a.offset < b.offset; });
        std::size_t at = node.type == DType::real ? plan_.workspace_bytes : 0;
        for (const Held& h : held) {
          if (at + bytes <= h.offset) break;
          at = std::max(at, h.offset + h.bytes);
        }
        // Exact numbers own memory until the end.
        held.push_back({at, bytes, node.type == DType::real ? kNone : last_group_[id]});
        plan_.workspace_bytes = std::max(plan_.workspace_bytes, at + bytes);
        temporary_[id] = static_cast<std::uint32_t>(plan_.temporaries.size());
        plan_.temporaries.push_back({node.type, shape, at});
      }
    }
  }
  static std::size_t bytes_of(DType type, const Dims& shape) {
    const double bytes = static_cast<double>(element_count(shape)) * bits(type) / 8;
    if (bytes > 0x1p62)
      fail(ErrorCode::too_large, "an intermediate value of shape {} is too large",
           to_string(shape));
    const auto whole =
        (static_cast<std::size_t>(element_count(shape)) * static_cast<std::size_t>(bits(type)) +
         7) /
        8;
    return (whole + kAlignment - 1) / kAlignment * kAlignment;
  }

  Dims output_strides(std::uint32_t output) const {
    const Lowered::Placement& at = plan_.lowered.outputs[output];
    Dims strides = Dims::filled(plan_.lowered.rank, 0);
    for (std::size_t i = 0; i < at.shape.size(); ++i) {
      if (at.shape[i] != 1) strides[at.first + i] = plan_.outputs[output].strides[i];
    }
    return strides;
  }
  Dims temporary_strides(const Dims& shape) const {
    Dims strides = contiguous_strides(shape);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) strides[i] = 0;
    }
    return strides;
  }

  // Where a group reads a value that it does not compute.
  MemoryOperand source_of(ValueId id) const {
    const Node& node = program_.node(id);
    if (node.kind == Node::Kind::input) {
      return {MemoryOperand::Kind::input, node.index, node.type,
              plan_.lowered.input_strides[node.index]};
    }
    if (!outputs_[id].empty()) {
      const std::uint32_t output = outputs_[id][0];
      return {MemoryOperand::Kind::output, output, node.type, output_strides(output)};
    }
    return {MemoryOperand::Kind::temporary, temporary_[id], node.type,
            temporary_strides(plan_.lowered.shapes[id])};
  }

  void make_group(std::uint32_t g) {
    Group& group = plan_.groups[g];
    group.shape = grouping_.shape(g);
    group.count = element_count(group.shape);
    find_reads(g);
    const ValueId last_reader = find_last_reader(g);
    Blocks blocks;
    std::vector<std::uint32_t> block(program_.nodes().size(), kNone);
    for (const ValueId id : members_[g]) make_step(g, id, last_reader, blocks, block);
    group.blocks = blocks.count();
    std::vector<Dims> strides;
    for (const MemoryOperand& operand : group.operands) strides.push_back(operand.strides);
    group.loops = make_loops(group.shape, strides);
  }

  void find_reads(std::uint32_t g) {
    Group& group = plan_.groups[g];
    read_.assign(program_.nodes().size(), kNone);
    for (const ValueId id : members_[g]) {
      for (const ValueId operand : program_.node(id).operands) {
        const Node& node = program_.node(operand);
        if (node.kind == Node::Kind::constant || grouping_.of(operand) == g) continue;
        if (read_[operand] != kNone) continue;
        read_[operand] = static_cast<std::uint32_t>(group.operands.size());
        group.operands.push_back(source_of(operand));
      }
    }
    group.reads = group.operands.size();
  }
  // The last node that reads memory: results of later ones may go there at once, even where an
  // output is an input.
  ValueId find_last_reader(std::uint32_t g) const {
    ValueId last = 0;
    for (const ValueId id : members_[g]) {
      for (const ValueId operand : program_.node(id).operands) {
        if (read_[operand] != kNone) last = id;
      }
    }
    return last;
  }

  void make_step(std::uint32_t g, ValueId id, ValueId last_reader, Blocks& blocks,
                 std::vector<std::uint32_t>& block) {
    Group& group = plan_.groups[g];
    const Node& node = program_.node(id);
    Step step;
    step.value = id;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const ValueId operand = node.operands[k];
      const Node& from = program_.node(operand);
      if (from.kind == Node::Kind::constant) {
        step.operands[k] = {Slot::Kind::constant, from.index};
      } else if (block[operand] != kNone) {
        step.operands[k] = {Slot::Kind::block, block[operand]};
      } else {
        step.operands[k] = {Slot::Kind::memory, read_[operand]};
      }
    }
    std::vector<std::uint32_t> written;  // operands of the group that hold the value
    for (const std::uint32_t output : outputs_[id]) {
      written.push_back(static_cast<std::uint32_t>(group.operands.size()));
      group.operands.push_back(
          {MemoryOperand::Kind::output, output, node.type, output_strides(output)});
    }
    if (temporary_[id] != kNone) {
      written.push_back(static_cast<std::uint32_t>(group.operands.size()));
      group.operands.push_back({MemoryOperand::Kind::temporary, temporary_[id], node.type,
                                temporary_strides(plan_.lowered.shapes[id])});
    }
    const bool goes_to_memory = written.size() == 1 && last_use_[id] == 0 && id >= last_reader;
    if (goes_to_memory) {
      step.result = {Slot::Kind::memory, written[0]};
    } else {
      block[id] = blocks.take();
      step.result = {Slot::Kind::block, block[id]};
      for (const std::uint32_t operand : written) group.stores.push_back({block[id], operand});
    }
    release_operands(node, id, block, blocks);
    group.steps.push_back(step);
  }

  // After the step has taken a block of its own: a result does not overwrite an operand. What is
  // stored at the end of a block keeps its place.
  void release_operands(const Node& node, ValueId id, const std::vector<std::uint32_t>& block,
                        Blocks& blocks) const {
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const ValueId operand = node.operands[k];
      const bool again = std::find(node.operands.begin(), node.operands.begin() + k, operand) !=
                         node.operands.begin() + k;
      const bool stored = !outputs_[operand].empty() || temporary_[operand] != kNone;
      if (block[operand] == kNone || again || stored || last_use_[operand] != id) continue;
      blocks.release(block[operand]);
    }
  }

  Plan& plan_;
  const Program& program_;
  Grouping grouping_;
  std::vector<std::vector<ValueId>> members_;        // of each group, in order
  std::vector<ValueId> last_use_;                    // in its own group; 0: none
  std::vector<std::uint32_t> last_group_;            // that reads the value
  std::vector<std::vector<std::uint32_t>> outputs_;  // that are the value
  std::vector<std::uint32_t> temporary_;
  std::vector<std::uint32_t> read_;  // operand of the group at hand
};

void require_outputs(const Plan& plan) {
  const Program& program = plan.lowered.program;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const Layout& given = plan.outputs[i];
    require_valid(given);
    const DType type = program.node(program.outputs()[i].value).type;
    const std::string which = plan.outputs.size() == 1
                                  ? "the result"
                                  : fmt::format("the result {}", program.outputs()[i].name);
    if (given.dtype != type) {
      fail(ErrorCode::type_mismatch, "{} is {}, but the output given for it is {}", which,
           name(type), name(given.dtype));
    }
    if (given.shape != plan.lowered.outputs[i].shape) {
      fail(ErrorCode::shape_mismatch, "{} has shape {}, but the output given for it has {}", which,
           to_string(plan.lowered.outputs[i].shape), to_string(given.shape));
    }
    require_distinct_elements(given);
  }
}

std::int64_t bytes_of_operand(const Group& group, const MemoryOperand& operand) {
  double elements = group.count == 0 ? 0 : 1;  // a product of extents can exceed any memory
  for (std::size_t i = 0; i < group.shape.size(); ++i) {
    if (operand.strides[i] != 0) elements *= static_cast<double>(group.shape[i]);
  }
  return static_cast<std::int64_t>(std::min(elements * bits(operand.type) / 8, 0x1p56));
}

}  // namespace

std::int64_t bytes_read(const Group& group) noexcept {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < group.reads; ++i) bytes += bytes_of_operand(group, group.operands[i]);
  return bytes;
}
std::int64_t bytes_written(const Group& group) noexcept {
  std::int64_t bytes = 0;
  for (std::size_t i = group.reads; i < group.operands.size(); ++i) {
    bytes += bytes_of_operand(group, group.operands[i]);
  }
  return bytes;
}

Plan make_plan(Lowered lowered, std::vector<Layout> inputs, std::vector<Layout> outputs,
               const Limits& limits) {
  Plan plan;
  plan.lowered = std::move(lowered);
  plan.inputs = std::move(inputs);
  plan.outputs = std::move(outputs);
  require_outputs(plan);
  Planner(plan, limits).run();
  return plan;
}

}  // namespace hadamard::plan
