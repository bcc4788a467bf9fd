// What is behind the calls of one operator, for our own programs and tests.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "api/program.hpp"
#include "hadamard/hadamard.hpp"
#include "program/program.hpp"

namespace hadamard {

// The operands of a call, which outlive it.
class CallOperands {
 public:
  template <class... Views>
  explicit CallOperands(const Views&... views) noexcept
      : views_{&views...}, count_(sizeof...(Views)) {}
  // Throws bad_argument above kMostOperands.
  explicit CallOperands(std::span<const ConstView> views);

  std::size_t size() const noexcept { return count_; }
  const Layout& layout(std::size_t i) const noexcept { return views_[i]->layout(); }
  std::vector<Layout> layouts() const;
  std::array<exec::Place, program::kMostOperands> places() const noexcept {
    std::array<exec::Place, program::kMostOperands> at;
    for (std::size_t i = 0; i < count_; ++i) at[i] = {views_[i]->data(), views_[i]->offset()};
    return at;
  }

 private:
  std::array<const ConstView*, program::kMostOperands> views_{};
  std::size_t count_;
};

// A program of one node, or of two where an operator is applied to each result.
struct Prepared::Impl : PreparedProgram::Impl {
  Op op{};
  const Layout* inputs = nullptr;  // those of the plan, one step nearer
  const Layout* output = nullptr;
  std::array<std::size_t, program::kMostOperands> alignment{};  // of the operands' types
  std::size_t output_alignment = 1;
};

// Checks everything but values and addresses, plans, and finds the code to run. Throws as
// hadamard::prepare. `y` is null for a result that is still to be allocated: it then has the layout
// that the operator gives it. `to` is the type that a cast gives.
Prepared::Impl make_impl(Op op, std::vector<Layout> operands, const Layout* y,
                         const Options& options, DType to = {});

// apply() of an operator with one or two operands (with one, `b` is `a`) that counts the elements
// done, for a progress line.
Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress = nullptr);

}  // namespace hadamard
