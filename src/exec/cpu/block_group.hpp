// A group of nodes on the CPU: computed in blocks that stay in the first cache, any kernel of any
// type a step. Each operand is read once, each result written once.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/cpu/kernel.hpp"
#include "exec/executable.hpp"
#include "plan/plan.hpp"

namespace hadamard::exec::cpu {

class BlockGroup {
 public:
  // Throws nothing; `why` says where a node has no kernel.
  static bool can_run(const program::Program& program, const plan::Group& group,
                      std::int64_t target, std::string& why);
  // The group must outlive it.
  BlockGroup(const program::Program& program, const plan::Group& group, std::int64_t target);

  // `at` are the group's operands. Without `stores` nothing is written to them. Returns the first
  // node that has no result for some element, or kNoValue.
  program::ValueId run(std::span<const Place> at, bool stores,
                       std::atomic<std::int64_t>* progress) const;
  std::string describe() const;

 private:
  friend class BlockRun;
  struct BoundStep {
    Kernel kernel;
    program::ValueId value;
    std::size_t arity;
    std::size_t result_bytes;  // of an element
    std::array<plan::Slot, program::kMostOperands> operands;
    plan::Slot result;
    op::AttributesPtr attributes;
  };

  void choose_blocks();
  bool may_split(std::span<const Place> at) const;
  bool is_packed_operand(std::size_t k) const { return is_packed_type(group_.operands[k].type); }

  const plan::Group& group_;
  std::vector<BoundStep> steps_;
  std::vector<std::array<std::byte, 16>> constants_;  // as lines have them
  const Packers* packers_ = nullptr;
  std::vector<std::uint32_t> pack_;  // the block that each operand may be packed in
  std::uint32_t block_count_ = 0;    // with those
  std::int64_t block_bytes_ = 0;
  std::int64_t block_elements_ = 0;
  std::int64_t grain_ = 1;
  bool has_exact_ = false;   // exact numbers own memory: computed where they are, one by one
  bool is_linear_ = false;   // every operand is contiguous or constant along a line
  bool is_grouped_ = false;  // short lines, many at once
  bool parallel_ = false;
  bool stream_ = false;
};

}  // namespace hadamard::exec::cpu
