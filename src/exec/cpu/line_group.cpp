#include "exec/cpu/line_group.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "base/threads.hpp"
#include "exec/cpu/kernel_lookup.hpp"
#include "exec/cpu/line_runner.hpp"
#include "exec/cpu/streaming.hpp"
#include "exec/executable.hpp"
#include "hwy/cache_control.h"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec::cpu {
namespace {

using plan::Slot;
using program::Node;
using program::Program;

const Node& node_of(const Program& program, const plan::Group& group, std::size_t step) {
  return program.node(group.steps[step].value);
}

// For types whose elements are integers; null for the others.
ZeroScan find_scan(DType type, std::int64_t target) {
  const ZeroScans* scans = zero_scans(target);
  if (scans == nullptr || (kind(type) != Kind::integer && kind(type) != Kind::boolean)) {
    return nullptr;
  }
  switch (bits(type)) {
    case 4:
      return scans->bits4;
    case 8:
      return scans->bits8;
    case 16:
      return scans->bits16;
    case 32:
      return scans->bits32;
    case 64:
      return scans->bits64;
    default:
      return nullptr;
  }
}

template <class T>
bool is_zero(const T& value) {
  if constexpr (Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::complex) {
    return false;
  } else if constexpr (std::is_same_v<T, Real>) {
    return value.is_zero();
  } else if constexpr (is_packed<T>) {
    return value.value == 0;
  } else {
    return value == T{0};
  }
}

// Looks through the loops from `dim` inwards, at each element of operand `k` once.
template <class T>
bool loops_have_zero(const plan::Loops& loops, std::size_t k, std::size_t dim, const void* data,
                     std::int64_t offset, ZeroScan scan) {
  const std::int64_t stride = loops.strides[k][dim];
  const std::int64_t extent = stride == 0 ? 1 : loops.extents[dim];
  const bool innermost = dim + 1 == loops.extents.size();
  if (innermost && stride == 1 && scan != nullptr && (!is_packed<T> || offset % 2 == 0)) {
    return scan(static_cast<const std::byte*>(data) + offset * bits(dtype_of<T>) / 8, extent);
  }
  for (std::int64_t i = 0; i < extent; ++i, offset += stride) {
    if (innermost ? is_zero(load_element<T>(data, offset))
                  : loops_have_zero<T>(loops, k, dim + 1, data, offset, scan)) {
      return true;
    }
  }
  return false;
}

LinePlan line_plan(const Program& program, const plan::Group& group) {
  const plan::Step& step = group.steps[0];
  const Node& node = node_of(program, group, 0);
  LinePlan plan;
  plan.op = node.op;
  plan.type = node.type;
  plan.int_division = node.attributes.int_division;
  if (group.steps.size() > 1) plan.then = node_of(program, group, 1).op;
  plan.count = group.count;
  plan.traffic = plan::bytes_read(group) + plan::bytes_written(group);
  std::array<Dims, 3> strides;
  for (const std::size_t k : {kA, kB}) {
    const Slot& slot = step.operands[std::min<std::size_t>(k, node.operands.size() - 1)];
    strides[k] = slot.kind == Slot::Kind::memory ? group.operands[slot.index].strides
                                                 : Dims::filled(group.shape.size(), 0);
  }
  strides[kY] = group.operands.back().strides;
  plan.loops = plan::make_loops(group.shape, strides);
  return plan;
}

}  // namespace

bool LineGroup::fits(const Program& program, const plan::Group& group) {
  if (group.steps.size() > 2 || !group.stores.empty()) return false;
  for (const plan::Step& step : group.steps) {
    if (program.node(step.value).attributes.values != nullptr) return false;  // kernels of blocks
  }
  if (!op::is_plain(node_of(program, group, 0).op)) return false;
  if (group.steps.size() == 1) return true;
  const Node& then = node_of(program, group, 1);
  return op::is_plain(then.op) && then.operands.size() == 1 && !may_fail(program, then) &&
         group.steps[0].result.kind == Slot::Kind::block &&
         group.steps[1].operands[0] == group.steps[0].result;
}

std::unique_ptr<const LineGroup> LineGroup::bind(const Program& program, const plan::Group& group,
                                                 const ChosenTarget& target, std::string& why) {
  LinePlan plan = line_plan(program, group);
  const auto find = [&](Op op) {
    const KernelSet* const set = find_set(op, plan.type, plan.int_division, target.number);
    if (set == nullptr) why = fmt::format("no kernel for {}/{}", name(op), name(plan.type));
    return set;
  };
  const auto line_of = [&](const KernelTable& table, Op op) {
    return kernel_of(table, op, plan.type, plan.int_division);
  };
  const auto columns_of = [&](const KernelSet& of) {
    return of.columns[static_cast<std::size_t>(plan.op)][static_cast<std::size_t>(plan.type)];
  };
  const KernelSet* const set = find(plan.op);
  if (set == nullptr) return nullptr;
  Kernels kernels;
  kernels.line = line_of(set->kernels, plan.op);
  kernels.columns = columns_of(*set);
  kernels.packers = packers(target.number);
  kernels.element_bytes = std::max<std::size_t>(1, static_cast<std::size_t>(bits(plan.type)) / 8);
  if (!plan.then) {
    kernels.packed = line_of(set->packed, plan.op);
  } else {
    const KernelSet* const next = find(*plan.then);
    if (next == nullptr) return nullptr;
    const KernelSet* const both = fused_kernels(*plan.then, target.number);
    const Kernel one_loop = both != nullptr ? line_of(both->kernels, plan.op) : nullptr;
    if (one_loop != nullptr) {
      kernels.line = one_loop;
      kernels.columns = columns_of(*both);
    } else {
      kernels.columns = {};
      kernels.then = line_of(next->kernels, *plan.then);
    }
  }
  std::array<Operand, 2> operands;
  const Node& node = node_of(program, group, 0);
  for (const std::size_t k : {kA, kB}) {
    const std::size_t own = std::min<std::size_t>(k, node.operands.size() - 1);
    const Slot& slot = group.steps[0].operands[own];
    if (slot.kind == Slot::Kind::memory) {
      operands[k].index = slot.index;
    } else {
      operands[k].constant = program.constant(program.node(node.operands[own])).data();
    }
  }
  return std::unique_ptr<const LineGroup>(
      new LineGroup(std::move(plan), operands, target, *set, kernels));
}

LineGroup::LineGroup(LinePlan plan, const std::array<Operand, 2>& operands,
                     const ChosenTarget& target, const KernelSet& set, const Kernels& kernels)
    : plan_(std::move(plan)),
      operands_(operands),
      target_(target),
      set_(set),
      kernels_(kernels),
      scan_(find_scan(plan_.type, target.number)) {
  const op::Divisor divisor = op::divisor(plan_.op);
  if (divisor == op::Divisor::a) divisor_ = &Places::a;
  if (divisor == op::Divisor::b) divisor_ = &Places::b;
  if (plan_.count == 0) return;
  const plan::Loops& loops = plan_.loops;
  const std::int64_t element_bits = bits(plan_.type);
  const std::int64_t per_element = std::max<std::int64_t>(1, plan_.traffic / plan_.count);
  grain_ = std::max<std::int64_t>(64, kChunkBytes / per_element);
  parallel_ = plan_.traffic >= kParallelBytes;
  units_ = plan_.count;
  tiled_ = runs_in_tiles(plan_);
  if (tiled_) {
    units_ = tile_count(plan_);
    grain_ = std::max<std::int64_t>(1, grain_ / (plan_.count / units_ + 1));
  }
  const std::int64_t line_bytes = loops.extents[loops.extents.size() - 1] * element_bits / 8;
  stream_ =
      plan_.traffic >= kStreamBytes && (line_bytes >= kStreamLineBytes || runs_in_groups(plan_));
  one_line_ = loops.extents.size() == 1 && loops.kind != plan::LoopKind::strided &&
              !is_packed_type(plan_.type);
  is_short_line_ = one_line_ && !parallel_;
  for (std::size_t k = 0; k < 3; ++k) {
    start_[k] = loops.start[k] * element_bits / 8;
    step_[k] = loops.strides[k][0] * element_bits / 8;
  }
}

bool LineGroup::run_part(const Places& places, std::int64_t begin, std::int64_t end,
                         std::atomic<std::int64_t>* progress) const {
  const ScopedFloatEnv env;
  std::int64_t elements = tiled_ ? 0 : end - begin;
  const bool zero_divisor =
      one_line_ ? kernels_.run(line(places.a, places.b, places.y, begin, end - begin))
      : tiled_  ? run_tiles(plan_, kernels_, places, begin, end, elements)
                : run_range(plan_, kernels_, places, begin, end, stream_);
  if (stream_) hwy::FlushStream();
  if (progress != nullptr) progress->fetch_add(elements, std::memory_order_relaxed);
  return zero_divisor;
}

bool LineGroup::run_large(const Places& places, std::atomic<std::int64_t>* progress) const {
  if (units_ == 0) return false;
  if (!parallel_ || !may_split(places)) return run_part(places, 0, units_, progress);
  std::atomic<bool> zero_divisor{false};
  for_chunks(units_, grain_, [&](std::int64_t begin, std::int64_t end) {
    if (run_part(places, begin, end, progress)) {
      zero_divisor.store(true, std::memory_order_relaxed);
    }
  });
  return zero_divisor.load();
}

bool LineGroup::has_zero_divisor(const Places& places) const {
  if (plan_.count == 0) return false;
  const Place& divisor = places.*divisor_;
  const std::size_t k = divisor_ == &Places::a ? kA : kB;
  const bool is_line = one_line_ && scan_ != nullptr && step_[k] != 0;
  if (!is_line || !parallel_) {
    return with_type(plan_.type, [&](auto t) {
      return loops_have_zero<typename decltype(t)::type>(
          plan_.loops, k, 0, divisor.data, divisor.offset + plan_.loops.start[k], scan_);
    });
  }
  std::atomic<bool> zero{false};
  for_chunks(plan_.count, grain_, [&](std::int64_t begin, std::int64_t end) {
    const auto* data = static_cast<const std::byte*>(divisor.data) + start_[k] + begin * step_[k];
    if (scan_(data, end - begin)) zero.store(true, std::memory_order_relaxed);
  });
  return zero.load();
}

std::string LineGroup::describe() const {
  return fmt::format("kernel {}/{} ({}){}, {}{}", name(plan_.op), name(plan_.type), set_.target,
                     plan_.then ? fmt::format(", then {}", name(*plan_.then)) : "",
                     parallel_ ? "threads by oneTBB" : "one thread",
                     stream_ ? ", output past the cache" : "");
}

// Two threads must not write to one byte: 4-bit outputs are split only where every chunk begins at
// a whole byte.
bool LineGroup::may_split(const Places& places) const {
  if (!is_packed_type(plan_.type)) return true;
  const plan::Loops& loops = plan_.loops;
  return grain_ % 2 == 0 && loops.extents.size() == 1 && loops.strides[kY][0] == 1 &&
         (places.y.offset + loops.start[kY]) % 2 == 0;
}

}  // namespace hadamard::exec::cpu
