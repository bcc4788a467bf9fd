#include "exec/cpu/block_group.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "exec/cpu/kernel_lookup.hpp"
#include "exec/cpu/line_packing.hpp"
#include "exec/cpu/streaming.hpp"
#include "hwy/cache_control.h"
#include "tensor/element.hpp"

namespace hadamard::exec::cpu {

using plan::MemoryOperand;
using plan::Slot;
using program::Node;
using program::Program;
using program::ValueId;

namespace {

// All blocks of a thread are on its stack. What is live of a group stays in the first cache, or in
// the second where there are many.
constexpr std::int64_t kScratchBytes = 64 << 10;
// Short, so that what comes from memory keeps coming: the processor asks ahead while a step goes
// straight on, and the arithmetic of one step hides behind the memory of the next.
constexpr std::int64_t kBlockBytes = 2 << 10;
constexpr std::int64_t kShortLineBytes = 2 << 10;
constexpr std::size_t kMaxLoops = 64;

std::size_t line_bytes(DType type) { return std::max<std::size_t>(1, bytes_of(type)); }

DType kernel_type(const Program& program, const Node& node) {
  return program.node(node.operands[node.operands.size() - 1]).type;
}
FoundKernel kernel_for(const Program& program, const Node& node, std::int64_t target) {
  return find_kernel(node.op, program.node(node.operands[0]).type, kernel_type(program, node),
                     node.type, node.attributes, target);
}

}  // namespace

bool BlockGroup::can_run(const Program& program, const plan::Group& group, std::int64_t target,
                         std::string& why) {
  for (const plan::Step& step : group.steps) {
    const Node& node = program.node(step.value);
    if (kernel_for(program, node, target).kernel != nullptr) continue;
    why = fmt::format("no kernel for {}/{}", name(node.op), name(kernel_type(program, node)));
    return false;
  }
  return true;
}

BlockGroup::BlockGroup(const Program& program, const plan::Group& group, std::int64_t target)
    : group_(group), packers_(packers(target)) {
  for (const plan::Step& step : group_.steps) {
    const Node& node = program.node(step.value);
    BoundStep bound{kernel_for(program, node, target).kernel,
                    step.value,
                    node.operands.size(),
                    line_bytes(node.type),
                    step.operands,
                    step.result,
                    node.attributes.values};
    for (std::size_t k = 0; k < bound.arity; ++k) {
      if (bound.operands[k].kind != Slot::Kind::constant) continue;
      const Tensor& value = program.constant(program.node(node.operands[k]));
      std::array<std::byte, 16> element{};
      if (is_packed_type(value.dtype())) {
        gather(value.dtype(), *packers_, {value.data(), 0, 0}, 1, element.data());
      } else {
        std::memcpy(element.data(), value.data(), value.size_bytes());
      }
      bound.operands[k].index = static_cast<std::uint32_t>(constants_.size());
      constants_.push_back(element);
    }
    steps_.push_back(bound);
  }
  choose_blocks();
}

void BlockGroup::choose_blocks() {
  const plan::Loops& loops = group_.loops;
  std::size_t largest = 1;
  bool any_packed = false;
  for (std::size_t k = 0; k < group_.operands.size(); ++k) {
    largest = std::max(largest, line_bytes(group_.operands[k].type));
    any_packed = any_packed || is_packed_operand(k);
  }
  for (const BoundStep& step : steps_) largest = std::max(largest, step.result_bytes);
  block_count_ = group_.blocks + 1;  // one for results that are not wanted
  for (std::size_t k = 0; k < group_.operands.size(); ++k) pack_.push_back(block_count_++);
  const std::int64_t share = kScratchBytes / block_count_ / 64 * 64;
  block_bytes_ = std::clamp<std::int64_t>(share, 64, kBlockBytes);
  block_elements_ = std::max<std::int64_t>(1, block_bytes_ / static_cast<std::int64_t>(largest));
  for (const MemoryOperand& operand : group_.operands) {
    has_exact_ = has_exact_ || operand.type == DType::real;
  }
  if (has_exact_) block_elements_ = 1;
  if (group_.count == 0) return;
  const std::size_t inner = loops.extents.size() - 1;
  const std::int64_t line = loops.extents[inner] * static_cast<std::int64_t>(largest);
  is_grouped_ = inner > 0 && line < kShortLineBytes && !any_packed && !has_exact_;
  for (std::size_t k = 0; k < group_.operands.size(); ++k) {
    const std::int64_t step = loops.strides[k][inner];
    is_grouped_ = is_grouped_ && (step == 1 || (step == 0 && k < group_.reads));
    std::int64_t whole = 1;
    for (std::size_t dim = inner + 1; k >= group_.reads && dim-- > 0;) {
      is_grouped_ = is_grouped_ && loops.strides[k][dim] == whole;
      whole *= loops.extents[dim];
    }
  }
  is_linear_ = !any_packed && !has_exact_;
  for (std::size_t k = 0; k < group_.operands.size(); ++k) {
    const std::int64_t step = loops.strides[k][inner];
    is_linear_ = is_linear_ && (step == 1 || (step == 0 && k < group_.reads));
  }
  for (const BoundStep& step : steps_) {
    bool all_scalar = true;
    for (std::size_t k = 0; k < step.arity; ++k) {
      const Slot& slot = step.operands[k];
      const bool is_line =
          slot.kind == Slot::Kind::block ||
          (slot.kind == Slot::Kind::memory && loops.strides[slot.index][inner] == 1);
      all_scalar = all_scalar && !is_line;
    }
    is_linear_ = is_linear_ && !all_scalar;
  }
  const std::int64_t traffic = plan::bytes_read(group_) + plan::bytes_written(group_);
  const std::int64_t per_element = std::max<std::int64_t>(1, traffic / group_.count);
  grain_ = std::max<std::int64_t>(64, kChunkBytes / per_element);
  grain_ = (grain_ + block_elements_ - 1) / block_elements_ * block_elements_;
  parallel_ = traffic >= kParallelBytes;
  stream_ = traffic >= kStreamBytes;
}

// The blocks of one thread, and where it is.
class BlockRun {
 public:
  BlockRun(const BlockGroup& group, std::span<const Place> at, bool stores)
      : of_(group), group_(group.group_), loops_(group.group_.loops), at_(at), stores_(stores) {}

  ValueId run(std::int64_t begin, std::int64_t end) {
    if (of_.is_grouped_) {
      run_grouped(begin, end);
    } else {
      run_lines(begin, end);
    }
    return failed_;
  }

 private:
  struct Found {  // not set where it is declared: there are many
    const std::byte* data;
    bool is_scalar;
    bool is_near;
  };
  static constexpr std::size_t kMostInline = 32;

  std::byte* block(std::uint32_t i) { return scratch_ + i * of_.block_bytes_; }
  const std::byte* element(std::size_t k, std::int64_t i) const {
    return static_cast<const std::byte*>(at_[k].data) +
           i * static_cast<std::int64_t>(bytes_of(group_.operands[k].type));
  }

  // Lines that are longer than a block or not contiguous: block by block along each.
  void run_lines(std::int64_t begin, std::int64_t end) {
    const std::size_t inner = loops_.extents.size() - 1;
    std::array<std::int64_t, kMaxLoops> index;
    std::int64_t rest = begin;
    for (std::size_t dim = inner + 1; dim-- > 0; rest /= loops_.extents[dim]) {
      index[dim] = rest % loops_.extents[dim];
    }
    std::vector<std::int64_t> first_of;
    std::array<std::int64_t, kMostInline> few;
    std::int64_t* first = few.data();
    if (at_.size() > kMostInline) {
      first_of.resize(at_.size());
      first = first_of.data();
    }
    while (begin < end) {
      const std::int64_t length = std::min(loops_.extents[inner] - index[inner], end - begin);
      for (std::size_t k = 0; k < at_.size(); ++k) {
        first[k] = at_[k].offset + loops_.start[k];
        for (std::size_t dim = 0; dim <= inner; ++dim) {
          first[k] += index[dim] * loops_.strides[k][dim];
        }
      }
      std::int64_t n = 0;
      if (of_.is_linear_) {
        run_linear(first, length);
        n = length;
      }
      for (std::int64_t done = n; done < length; done += n) {
        n = std::min(length - done, done == 0 ? first_block(first) : of_.block_elements_);
        run_steps(
            n, [&](std::size_t k) { return find(k, first[k], done, n); },
            [&](std::size_t k) { return line_of(k, first[k], done); });
      }
      begin += length;
      index[inner] = 0;
      for (std::size_t dim = inner; dim-- > 0;) {
        if (++index[dim] < loops_.extents[dim]) break;
        index[dim] = 0;
      }
    }
  }
  // Every operand is contiguous or constant along the line: what a step reads and writes is found
  // once, and moves on from block to block.
  struct Moving {
    Line line;
    std::int64_t a, b, c, y;  // bytes from an element to the next; 0 stays
  };
  void run_linear(const std::int64_t* first, std::int64_t length) {
    // As many as there are: to set all would take as long as a short line.
    alignas(Moving) std::byte memory[plan::kMostSteps * sizeof(Moving)];
    Moving* const steps = reinterpret_cast<Moving*>(memory);
    for (std::size_t i = 0; i < of_.steps_.size(); ++i) {
      std::construct_at(steps + i, moving(of_.steps_[i], first));
    }
    std::int64_t n = std::min(length, first_block(first));
    for (std::int64_t done = 0; done < length; n = std::min(length - done, of_.block_elements_)) {
      for (std::size_t i = 0; i < of_.steps_.size(); ++i) {
        Moving& step = steps[i];
        step.line.n = n;
        if (of_.steps_[i].kernel(step.line)) failed_ = std::min(failed_, of_.steps_[i].value);
        step.line.a = static_cast<const std::byte*>(step.line.a) + n * step.a;
        step.line.b = static_cast<const std::byte*>(step.line.b) + n * step.b;
        step.line.c = static_cast<const std::byte*>(step.line.c) + n * step.c;
        step.line.y = static_cast<std::byte*>(step.line.y) + n * step.y;
      }
      for (const plan::Store& store : group_.stores) {
        if (!stores_) break;
        put(store.operand, block(store.block), n,
            {at_[store.operand].data, first[store.operand] + done, 1});
      }
      done += n;
    }
  }
  Moving moving(const BlockGroup::BoundStep& step, const std::int64_t* first) {
    const auto size_of = [&](std::size_t k) {
      return static_cast<std::int64_t>(bytes_of(group_.operands[k].type));
    };
    Found found[program::kMostOperands];
    std::int64_t by[program::kMostOperands] = {};
    for (std::size_t k = 0; k < program::kMostOperands; ++k) {
      const Slot& slot = step.operands[k < step.arity ? k : 0];
      found[k] = operand(slot, [&](std::size_t of) { return find(of, first[of], 0, 1); });
      const bool moves = slot.kind == Slot::Kind::memory && !found[k].is_scalar;
      by[k] = moves ? size_of(slot.index) : 0;
    }
    const bool direct = stores_ && step.result.kind == Slot::Kind::memory;
    const std::size_t y = step.result.index;
    std::byte* const result =
        direct ? const_cast<std::byte*>(element(y, first[y]))
               : block(step.result.kind == Slot::Kind::memory ? group_.blocks : step.result.index);
    const Line line{.a = found[0].data,
                    .b = found[1].data,
                    .y = result,
                    .n = 0,
                    .a_is_scalar = found[0].is_scalar,
                    .b_is_scalar = found[1].is_scalar,
                    .stream = direct && of_.stream_,
                    .a_is_near = found[0].is_near,
                    .b_is_near = found[1].is_near,
                    .c = found[2].data,
                    .c_is_scalar = found[2].is_scalar,
                    .attributes = step.attributes.get()};
    return {line, by[0], by[1], by[2], direct ? size_of(y) : 0};
  }

  // So long that the next one begins with a whole cache line of the output.
  std::int64_t first_block(const std::int64_t* first) const {
    const std::size_t k = group_.reads;
    const auto bytes = static_cast<std::int64_t>(bytes_of(group_.operands[k].type));
    if (!of_.stream_ || bytes == 0) return of_.block_elements_;
    const auto address = reinterpret_cast<std::uintptr_t>(element(k, first[k]));
    const std::int64_t shift = static_cast<std::int64_t>((0 - address) % kCacheLine) / bytes;
    return shift == 0 ? of_.block_elements_ : std::min(shift, of_.block_elements_);
  }
  Strided line_of(std::size_t k, std::int64_t first, std::int64_t done) const {
    const std::int64_t stride = loops_.strides[k][loops_.extents.size() - 1];
    return {at_[k].data, first + done * stride, stride};
  }
  Found find(std::size_t k, std::int64_t first, std::int64_t done, std::int64_t n) {
    const Strided line = line_of(k, first, done);
    const bool packed = of_.is_packed_operand(k);
    if (line.stride == 0 && !packed && !of_.has_exact_)
      return {element(k, line.first), true, false};
    if (!packed && (line.stride == 1 || of_.has_exact_))
      return {element(k, line.first), false, false};
    std::byte* const to = block(of_.pack_[k]);
    gather(group_.operands[k].type, *of_.packers_, line, line.stride == 0 ? 1 : n, to);
    return {to, line.stride == 0, true};
  }

  // Short lines: a block holds many of them, the output's follow one another, and an operand that
  // is broadcast is put side by side first.
  void run_grouped(std::int64_t begin, std::int64_t end) {
    const std::size_t lead = group_.reads;
    while (begin < end) {
      const std::int64_t n = std::min(end - begin, of_.block_elements_);
      run_steps(
          n,
          [&](std::size_t k) -> Found {
            const std::int64_t first = at_[k].offset + loops_.start[k];
            if (loops_.strides[k] == loops_.strides[lead])
              return {element(k, first + begin), false, false};
            const Dims& strides = loops_.strides[k];
            if (std::all_of(strides.begin(), strides.end(), [](auto s) { return s == 0; })) {
              return {element(k, first), true, false};
            }
            std::byte* const to = block(of_.pack_[k]);
            gather_lines(loops_, k, at_[k], bytes_of(group_.operands[k].type), begin, n, to);
            return {to, false, true};
          },
          [&](std::size_t k) -> Strided {
            return {at_[k].data, at_[k].offset + loops_.start[k] + begin, 1};
          });
      begin += n;
    }
  }

  template <class OfMemory>
  Found operand(const Slot& slot, OfMemory of_memory) {
    switch (slot.kind) {
      case Slot::Kind::memory:
        return of_memory(slot.index);
      case Slot::Kind::constant:
        return {of_.constants_[slot.index].data(), true, true};
      case Slot::Kind::block:
        return {block(slot.index), false, true};
    }
    __builtin_unreachable();
  }

  // `find` gives an operand of the group that is read, `line` one that is written.
  template <class Find, class LineOf>
  void run_steps(std::int64_t n, Find find, LineOf line) {
    for (std::size_t k = 0; k < group_.reads; ++k) {
      if (k < kMostInline) found_[k] = find(k);
    }
    const auto of_memory = [&](std::size_t k) { return k < kMostInline ? found_[k] : find(k); };
    for (const BlockGroup::BoundStep& step : of_.steps_) {
      const Found a = operand(step.operands[0], of_memory);
      const Found b = step.arity > 1 ? operand(step.operands[1], of_memory) : a;
      const Found c = step.arity > 2 ? operand(step.operands[2], of_memory) : a;
      Line one{.a = a.data,
               .b = b.data,
               .y = nullptr,
               .n = n,
               .a_is_scalar = a.is_scalar,
               .b_is_scalar = b.is_scalar,
               .stream = false,
               .a_is_near = a.is_near,
               .b_is_near = b.is_near,
               .c = c.data,
               .c_is_scalar = c.is_scalar};
      store_result(step, one, line);
    }
    if (!stores_) return;
    for (const plan::Store& store : group_.stores) {
      put(store.operand, block(store.block), n, line(store.operand));
    }
  }

  template <class LineOf>
  void store_result(const BlockGroup::BoundStep& step, Line& one, LineOf line) {
    if (step.result.kind == Slot::Kind::block) {
      one.y = block(step.result.index);
      return compute(step, one);
    }
    const std::size_t k = step.result.index;
    const Strided to = line(k);
    const bool direct = stores_ && !of_.is_packed_operand(k) && (to.stride == 1 || of_.has_exact_);
    if (direct) {
      one.y = const_cast<std::byte*>(element(k, to.first));
      one.stream = of_.stream_ && !of_.has_exact_;
      return compute(step, one);
    }
    one.y = block(group_.blocks);
    compute(step, one);
    if (stores_) put(k, static_cast<std::byte*>(one.y), one.n, to);
  }

  void compute(const BlockGroup::BoundStep& step, const Line& one) {
    const bool all_scalar = one.a_is_scalar && (step.arity < 2 || one.b_is_scalar) &&
                            (step.arity < 3 || one.c_is_scalar);
    Line line = one;
    line.attributes = step.attributes.get();
    if (all_scalar && one.n > 1) {  // once, and then repeated
      line.n = 1;
      line.stream = false;
      line.a_is_scalar = line.b_is_scalar = line.c_is_scalar = false;
    }
    if (step.kernel(line)) failed_ = std::min(failed_, step.value);
    if (line.n != one.n) {
      auto* const y = static_cast<std::byte*>(one.y);
      repeat(y, step.result_bytes, one.n, y);
    }
  }

  void put(std::size_t k, const std::byte* from, std::int64_t n, const Strided& to) const {
    const DType type = group_.operands[k].type;
    if (to.stride == 1 && !of_.is_packed_operand(k)) {
      std::memcpy(const_cast<void*>(address(type, to)), from,
                  static_cast<std::size_t>(n) * bytes_of(type));
    } else {
      scatter(type, from, n, to);
    }
  }

  const BlockGroup& of_;
  const plan::Group& group_;
  const plan::Loops& loops_;
  std::span<const Place> at_;
  const bool stores_;
  ValueId failed_ = kNoValue;
  std::array<Found, kMostInline> found_;
  alignas(64) std::byte scratch_[kScratchBytes];
};

ValueId BlockGroup::run(std::span<const Place> at, bool stores,
                        std::atomic<std::int64_t>* progress) const {
  if (group_.count == 0) return kNoValue;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    const ScopedFloatEnv env;
    BlockRun run(*this, at, stores);
    const ValueId failed = run.run(begin, end);
    if (stream_) hwy::FlushStream();
    if (progress != nullptr) progress->fetch_add(end - begin, std::memory_order_relaxed);
    return failed;
  };
  if (!parallel_ || !may_split(at)) return part(0, group_.count);
  std::atomic<ValueId> failed{kNoValue};
  for_chunks(group_.count, grain_, [&](std::int64_t begin, std::int64_t end) {
    const ValueId here = part(begin, end);
    ValueId known = failed.load(std::memory_order_relaxed);
    while (here < known && !failed.compare_exchange_weak(known, here)) {
    }
  });
  return failed.load();
}

// Two threads must not write to one byte: 4-bit outputs are split only where every chunk begins at
// a whole byte.
bool BlockGroup::may_split(std::span<const Place> at) const {
  for (std::size_t k = group_.reads; k < group_.operands.size(); ++k) {
    if (!is_packed_operand(k)) continue;
    const bool whole_bytes = grain_ % 2 == 0 && group_.loops.extents.size() == 1 &&
                             group_.loops.strides[k][0] == 1 &&
                             (at[k].offset + group_.loops.start[k]) % 2 == 0;
    if (!whole_bytes) return false;
  }
  return true;
}

std::string BlockGroup::describe() const {
  return fmt::format("{} step{} in blocks of {} elements, {}{}", steps_.size(),
                     steps_.size() == 1 ? "" : "s", block_elements_,
                     parallel_ ? "threads by oneTBB" : "one thread",
                     stream_ ? ", output past the cache" : "");
}

}  // namespace hadamard::exec::cpu
