#include "hadamard/hadamard.hpp"

#include <array>
#include <iterator>
#include <utility>

#include "api/matlab.hpp"
#include "api/memo.hpp"
#include "api/prepared.hpp"
#include "base/fail.hpp"
#include "base/threads.hpp"
#include "dialect/call.hpp"
#include "dialect/matlab/promotion.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

void require_same_layout(const Layout& now, const Layout& then, std::string_view operand) {
  if (now.dtype != then.dtype) {
    fail(ErrorCode::type_mismatch, "{} was prepared as {} but came as {}", operand,
         name(then.dtype), name(now.dtype));
  }
  if (now.shape != then.shape || now.strides != then.strides) {
    fail(ErrorCode::shape_mismatch,
         "{} was prepared with shape {} and strides {} but came with {} and {}", operand,
         to_string(then.shape), to_string(then.strides), to_string(now.shape),
         to_string(now.strides));
  }
}

// Nothing is done here for a number that is no operator: planning says so.
[[gnu::always_inline]] inline void require_operands(Op op, int count) {
  static constexpr std::uint8_t kArity[] = {
#define HADAMARD_ARITY(id, Name, arity) arity,
      HADAMARD_OPERATORS(HADAMARD_ARITY)
#undef HADAMARD_ARITY
  };
  const auto number = static_cast<std::size_t>(op);
  if (number < std::size(kArity) && kArity[number] != count) [[unlikely]] {
    fail(ErrorCode::bad_argument, "{} expects {} operand{}, got {}", name(op), kArity[number],
         kArity[number] == 1 ? "" : "s", count);
  }
}

// The result of a conversion has a type that a call without an output does not name.
[[gnu::always_inline]] inline void require_named_type(Op op) {
  if (static_cast<int>(op) < op::kOpCount && op::type_rule(op) == op::TypeRule::convert)
      [[unlikely]] {
    fail(ErrorCode::bad_argument, "{} needs the type of its result: use cast(a, type)", name(op));
  }
}

void require_prepared(const Prepared::Impl* impl) {
  if (impl == nullptr) fail(ErrorCode::bad_argument, "this Prepared was moved from");
}

// Into memory of the caller, which an error must leave as it was.
[[gnu::always_inline]] inline void run_checked(const Prepared::Impl& impl,
                                               const exec::Bindings& bindings) {
  if (impl.overlap.harmful(bindings.inputs, bindings.outputs)) {
    fail(ErrorCode::overlap,
         "the output overlaps an operand at other indices; copy one of them, or use the _into "
         "function, which does");
  }
  if (impl.may_fail) check_first(impl, bindings);
  run_plan(impl, bindings);
}

// A call of dialect matlab is more than one step, and behind the last one there is none to fuse.
void require_nothing_follows(const Options& options) {
  if (options.then) {
    fail(ErrorCode::bad_argument, "dialect matlab applies nothing to each result: use two calls");
  }
  if (!options.attributes.empty() || !options.then_attributes.empty()) {
    fail(ErrorCode::bad_argument, "dialect matlab has no operators with attributes");
  }
}

bool takes_two(Op op) { return static_cast<int>(op) < op::kOpCount && op::arity(op) == 2; }

Layout layout_of_result(Op op, std::span<const Layout> operands, const Options& options) {
  if (options.dialect == Dialect::matlab) {
    require_nothing_follows(options);
    return matlab_result_layout(op, operands[0], operands.size() > 1 ? &operands[1] : nullptr,
                                options);
  }
  return result_layouts(dialect::lower_call(op, operands, options), options.order)[0];
}

template <std::size_t count>
void run_at(const Prepared::Impl& impl, const std::array<exec::Place, count>& operands, void* y) {
  if (impl.is_empty) return;  // nothing to do, with whatever memory
  const auto is_aligned = [](const void* data, std::size_t alignment) {
    return (reinterpret_cast<std::uintptr_t>(data) & (alignment - 1)) == 0;
  };
  bool is_null = y == nullptr, all_aligned = is_aligned(y, impl.output_alignment);
  for (std::size_t i = 0; i < count; ++i) {
    is_null = is_null || operands[i].data == nullptr;
    all_aligned = all_aligned && is_aligned(operands[i].data, impl.alignment[i]);
  }
  if (is_null) {
    fail(ErrorCode::bad_argument, "run() got a null pointer for a tensor that has elements");
  }
  if (!all_aligned) {
    fail(ErrorCode::bad_argument, "run() got a pointer that is not aligned to the {} bytes of {}",
         impl.output_alignment, name(impl.output->dtype));
  }
  const exec::Place to{y, 0};
  with_workspace(impl, [&](std::byte* workspace) {
    run_checked(impl, {operands, {&to, 1}, workspace});
  });
}

void run_views(const Prepared::Impl& impl, const CallOperands& operands, const View& y) {
  constexpr std::string_view kNames[] = {"A", "B", "C"};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    require_same_layout(operands.layout(i), impl.inputs[i], kNames[i]);
  }
  require_same_layout(y.layout(), *impl.output, "Y");
  const exec::Place to{y.data(), y.offset()};
  const CallPlaces at(operands);
  with_workspace(impl, [&](std::byte* workspace) { run_checked(impl, {at, {&to, 1}, workspace}); });
}

void require_same_shape_and_type(const Layout& y, const Layout& result) {
  if (y.dtype != result.dtype) {
    fail(ErrorCode::type_mismatch, "the result is {}, but Y is {}", name(result.dtype),
         name(y.dtype));
  }
  if (y.shape != result.shape) {
    fail(ErrorCode::shape_mismatch, "the result has shape {}, but Y has {}",
         to_string(result.shape), to_string(y.shape));
  }
}

// A result of dialect matlab in memory of the caller's, which must have its type; a complex tensor
// takes a real result too.
void store_matlab(const View& y, Tensor result) {
  if (dialect::matlab::is_complex(y.dtype()) &&
      dialect::matlab::part_type(y.dtype()) == result.dtype()) {
    result = cast(result, y.dtype());
  }
  require_same_shape_and_type(y.layout(), result.layout());
  copy_elements(y, result);
}

// Into new memory: what has no result is found while the others are computed.
[[gnu::always_inline]] inline Tensor apply_fresh(Op op, const CallOperands& operands,
                                                 const Options& options,
                                                 std::atomic<std::int64_t>* progress,
                                                 DType to = {}) {
  const CallPlaces at(operands);  // before the call below, so that their number stays known
  const Planned impl(op, operands, nullptr, options, to);
  if (impl->asks_for_memory) [[unlikely]]
    require_results(*impl);
  Tensor y = Tensor::uninitialized(*impl->output);
  const exec::Place result{y.data(), 0};
  with_workspace(*impl, [&](std::byte* workspace) {
    run_plan(*impl, {at, {&result, 1}, workspace}, progress);
  });
  return y;
}

// Into memory of the caller, which an error must leave as it was: what may fail is looked at first.
[[gnu::always_inline]] inline void apply_to_place(Op op, const View& y,
                                                  const CallOperands& operands,
                                                  const Options& options) {
  const bool names_type =
      static_cast<int>(op) < op::kOpCount && op::type_rule(op) == op::TypeRule::convert;
  const DType to = names_type ? y.dtype() : DType{};
  const CallPlaces at(operands);
  const exec::Place result{y.data(), y.offset()};
  const Planned impl(op, operands, &y.layout(), options, to);
  const std::span<const exec::Place> inputs = at;
  const bool apart = impl->may_fail && !impl->can_check_first();
  if (apart || impl->overlap.harmful(inputs, {&result, 1})) [[unlikely]] {
    return copy_elements(y, apply_fresh(op, operands, options, nullptr, to));
  }
  with_workspace(*impl, [&](std::byte* workspace) {
    const exec::Bindings bindings{inputs, {&result, 1}, workspace};
    if (impl->may_fail) check_first(*impl, bindings);
    run_plan(*impl, bindings);
  });
}

bool is_matlab(Op op, const Options& options) {
  return options.dialect == Dialect::matlab &&
         (static_cast<int>(op) >= op::kOpCount || op::is_plain(op));
}
}  // namespace

CallOperands::CallOperands(std::span<const ConstView> views) : count_(views.size()) {
  if (views.size() > program::kMostOperands) {
    fail(ErrorCode::bad_argument, "no operator expects {} operands; expected at most {}",
         views.size(), program::kMostOperands);
  }
  for (std::size_t i = 0; i < views.size(); ++i) views_[i] = &views[i];
}
std::vector<Layout> CallOperands::layouts() const {
  std::vector<Layout> all;
  for (std::size_t i = 0; i < count_; ++i) all.push_back(views_[i]->layout());
  return all;
}

Prepared::Impl make_impl(Op op, std::vector<Layout> operands, const Layout* y,
                         const Options& options, DType to) {
  Prepared::Impl impl;
  impl.op = op;
  plan::Lowered lowered = dialect::lower_call(op, operands, options, to);
  std::vector<Layout> outputs =
      y != nullptr ? std::vector<Layout>{*y} : result_layouts(lowered, options.order);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    impl.alignment[i] = alignment_of(operands[i].dtype);
  }
  impl.output_alignment = alignment_of(outputs[0].dtype);
  bind_plan(impl, std::move(lowered), std::move(operands), std::move(outputs), options);
  impl.arity = impl.plan->inputs.size();
  impl.is_empty = impl.plan->outputs[0].count() == 0;
  impl.inputs = impl.plan->inputs.data();
  impl.output = impl.plan->outputs.data();
  return impl;
}

void Prepared::run(const void* a, const void* b, void* y) const {
  require_prepared(impl_.get());
  require_operands(impl_->op, 2);
  run_at<2>(*impl_, {exec::Place{a, 0}, exec::Place{b, 0}}, y);
}
void Prepared::run(const void* a, void* y) const {
  require_prepared(impl_.get());
  require_operands(impl_->op, 1);
  run_at<1>(*impl_, {exec::Place{a, 0}}, y);
}

void Prepared::run(const ConstView& a, const ConstView& b, const View& y) const {
  require_prepared(impl_.get());
  require_operands(impl_->op, 2);
  run_views(*impl_, CallOperands(a, b), y);
}
void Prepared::run(const ConstView& a, const View& y) const {
  require_prepared(impl_.get());
  require_operands(impl_->op, 1);
  run_views(*impl_, CallOperands(a), y);
}

const Dims& Prepared::shape() const noexcept { return impl_->output->shape; }
DType Prepared::dtype() const noexcept { return impl_->output->dtype; }

std::string Prepared::explain() const {
  std::string text = fmt::format("{:<10}{}\n", "dialect", name(impl_->dialect));
  text += plan::call_text(*impl_->plan);
  for (const std::string& reason : impl_->declined) text += fmt::format("{:<10}{}\n", "", reason);
  text += fmt::format("{:<10}{}", "provider", impl_->executable->describe());
  return text;
}

Layout result_layout(Op op, const Layout& a, const Options& options) {
  require_operands(op, 1);
  return layout_of_result(op, {&a, 1}, options);
}
Layout result_layout(Op op, const Layout& a, const Layout& b, const Options& options) {
  require_operands(op, 2);
  return layout_of_result(op, std::array{a, b}, options);
}

Prepared prepare(Op op, const Layout& a, const Layout& y, const Options& options) {
  require_operands(op, 1);
  Prepared prepared;
  const bool names_type =
      static_cast<int>(op) < op::kOpCount && op::type_rule(op) == op::TypeRule::convert;
  prepared.impl_ = std::make_shared<const Prepared::Impl>(
      make_impl(op, {a}, &y, options, names_type ? y.dtype : DType{}));
  return prepared;
}
Prepared prepare(Op op, const Layout& a, const Layout& b, const Layout& y, const Options& options) {
  require_operands(op, 2);
  Prepared prepared;
  prepared.impl_ = std::make_shared<const Prepared::Impl>(make_impl(op, {a, b}, &y, options));
  return prepared;
}

Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress) {
  const bool two = takes_two(op);
  if (is_matlab(op, options)) [[unlikely]] {
    require_nothing_follows(options);
    return apply_matlab(op, a, two ? &b : nullptr, options, progress);
  }
  return two ? apply_fresh(op, CallOperands(a, b), options, progress)
             : apply_fresh(op, CallOperands(a), options, progress);
}

Tensor apply(Op op, const ConstView& a, const ConstView& b, const Options& options) {
  require_operands(op, 2);
  if (is_matlab(op, options)) [[unlikely]]
    return apply_watched(op, a, b, options);
  return apply_fresh(op, CallOperands(a, b), options, nullptr);
}
Tensor apply(Op op, const ConstView& a, const Options& options) {
  require_operands(op, 1);
  if (is_matlab(op, options)) [[unlikely]]
    return apply_watched(op, a, a, options);
  require_named_type(op);
  return apply_fresh(op, CallOperands(a), options, nullptr);
}
Tensor apply(Op op, std::span<const ConstView> operands, const Options& options) {
  if (operands.size() == 1) return apply(op, operands[0], options);
  if (operands.size() == 2) return apply(op, operands[0], operands[1], options);
  return apply_fresh(op, CallOperands(operands), options, nullptr);
}

void apply_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                const Options& options) {
  require_operands(op, 2);
  if (is_matlab(op, options) && !dialect::matlab::is_one_step(op, a.dtype(), b.dtype()))
      [[unlikely]] {
    return store_matlab(y, apply_watched(op, a, b, options));
  }
  apply_to_place(op, y, CallOperands(a, b), options);
}
void apply_into(Op op, const View& y, const ConstView& a, const Options& options) {
  require_operands(op, 1);
  if (is_matlab(op, options) && !dialect::matlab::is_one_step(op, a.dtype(), a.dtype()))
      [[unlikely]] {
    return store_matlab(y, apply_watched(op, a, a, options));
  }
  apply_to_place(op, y, CallOperands(a), options);
}
void apply_into(Op op, const View& y, std::span<const ConstView> operands, const Options& options) {
  if (operands.size() == 1) return apply_into(op, y, operands[0], options);
  if (operands.size() == 2) return apply_into(op, y, operands[0], operands[1], options);
  apply_to_place(op, y, CallOperands(operands), options);
}

Tensor cast(const ConstView& a, DType to, Order order) {
  return apply_fresh(Op::cast, CallOperands(a), {.order = order}, nullptr, to);
}

void set_threads(int count) { set_thread_limit(count); }
int threads() { return thread_limit(); }

std::string_view version() noexcept { return HADAMARD_VERSION; }

}  // namespace hadamard
