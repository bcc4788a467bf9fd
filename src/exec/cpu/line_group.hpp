// A group of nodes that line kernels run, with all their fast paths: one operator with one or two
// operands, maybe with another one behind it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "exec/cpu/kernel.hpp"
#include "exec/cpu/line_plan.hpp"
#include "exec/cpu/target.hpp"
#include "plan/plan.hpp"

namespace hadamard::exec::cpu {

class LineGroup {
 public:
  // Whether there are line kernels for groups of that form.
  static bool fits(const program::Program& program, const plan::Group& group);
  // Null, with the reason in `why`, where a node has no kernel. The program must outlive it.
  static std::unique_ptr<const LineGroup> bind(const program::Program& program,
                                               const plan::Group& group, const ChosenTarget& target,
                                               std::string& why);

  // The operands of the group, where its places are `at`.
  Places places(std::span<const Place> at) const noexcept {
    return {operands_[kA].of(at), operands_[kB].of(at), at.back()};
  }
  // Returns whether a divisor was zero where the type has no answer for that; the output is then
  // unspecified.
  bool run(const Places& places, std::atomic<std::int64_t>* progress) const;

  // Whether zero divisors can be seen in an operand, without computing.
  bool has_visible_divisors() const noexcept { return divisor_ != nullptr; }
  // Whether one is there. Writes nothing and allocates nothing.
  bool has_zero_divisor(const Places& places) const;

  std::string_view kernel_target() const noexcept { return set_.target; }
  std::string describe() const;

 private:
  // A place that is given with the run, or a constant's.
  struct Operand {
    const void* constant = nullptr;
    std::uint32_t index = 0;
    Place of(std::span<const Place> at) const noexcept {
      return constant != nullptr ? Place{constant, 0} : at[index];
    }
  };

  LineGroup(LinePlan plan, const std::array<Operand, 2>& operands, const ChosenTarget& target,
            const KernelSet& set, const Kernels& kernels);
  bool run_part(const Places& places, std::int64_t begin, std::int64_t end,
                std::atomic<std::int64_t>* progress) const;
  bool run_line(const Places& places, std::int64_t begin, std::int64_t end) const;
  bool may_split(const Places& places) const;

  LinePlan plan_;
  std::array<Operand, 2> operands_;
  ChosenTarget target_;
  const KernelSet& set_;
  Kernels kernels_;
  ZeroScan scan_;
  const Place Places::*divisor_ = nullptr;  // the operand that is divided by, if it is one
  std::int64_t units_ = 0;                  // of work: elements, or tiles
  std::int64_t grain_ = 1;                  // units
  std::array<std::int64_t, 3> start_{};     // bytes, where all is one line
  std::array<std::int64_t, 3> step_{};
  bool parallel_ = false;
  bool stream_ = false;
  bool one_line_ = false;
  bool tiled_ = false;
};

}  // namespace hadamard::exec::cpu
