#include "hadamard/hadamard.hpp"

#include <array>
#include <iterator>
#include <utility>

#include "api/matlab.hpp"
#include "api/memo.hpp"
#include "api/prepared.hpp"
#include "api/program.hpp"
#include "base/fail.hpp"
#include "base/threads.hpp"
#include "dialect/dialect.hpp"
#include "dialect/lowering.hpp"
#include "dialect/matlab/promotion.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

exec::Place place(const ConstView& view) noexcept { return {view.data(), view.offset()}; }

// Into memory that nobody has seen: the zero check rides along with the computation.
[[gnu::always_inline]] inline void run_fresh(const Prepared::Impl& impl, const exec::Places& places,
                                             std::atomic<std::int64_t>* progress) {
  exec::RunReport report;
  report.progress = progress;
  impl.program->run(places, report);
  last_run = {report.provider, report.target};
  if (report.zero_divisor) dialect::fail_zero_divisor(impl.dialect, impl.plan, places);
}

// Into memory of the caller's, which an error must leave as it was: divisors are looked at first.
[[gnu::always_inline]] inline void run_kept(const Prepared::Impl& impl,
                                            const exec::Places& places) {
  if (impl.may_divide_by_zero && impl.program->has_zero_divisor(places)) {
    dialect::fail_zero_divisor(impl.dialect, impl.plan, places);
  }
  run_fresh(impl, places, nullptr);
}

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
    fail(ErrorCode::bad_argument, "{} takes {} operand{}, but {} came", name(op), kArity[number],
         kArity[number] == 1 ? "" : "s", count);
  }
}

// Whether the operator is one of one type and at most two operands; planning refuses a number that
// is none.
[[gnu::always_inline]] inline bool has_lines(Op op, DType type) {
  return static_cast<int>(op) >= op::kOpCount || op::is_plain_for(op, type);
}

void require_prepared(const Prepared::Impl* impl) {
  if (impl == nullptr) fail(ErrorCode::bad_argument, "this Prepared was moved from");
}

void run_checked(const Prepared::Impl& impl, const exec::Places& places) {
  if (impl.overlap.harmful(impl.plan, places)) {
    fail(ErrorCode::overlap,
         "the output overlaps an operand at other indices; copy one of them, or use the _into "
         "function, which does");
  }
  run_kept(impl, places);
}

// A call of dialect matlab is more than one step, and behind the last one there is none to fuse.
void require_nothing_follows(const Options& options) {
  if (options.then) {
    fail(ErrorCode::bad_argument, "dialect matlab applies nothing to each result: use two calls");
  }
}

bool takes_two(Op op) { return static_cast<int>(op) < op::kOpCount && op::arity(op) == 2; }

// An operator with one operand is planned and run as one with two that are the same.
Layout layout_of_result(Op op, const Layout& a, const Layout& b, const Options& options) {
  if (options.dialect == Dialect::matlab) {
    require_nothing_follows(options);
    return matlab_result_layout(op, a, takes_two(op) ? &b : nullptr, options);
  }
  if (!has_lines(op, a.dtype)) {
    dialect::Lowering lowering(options);
    std::vector<dialect::LoweredOperand> operands{lowering.input("A", a)};
    if (takes_two(op)) operands.emplace_back(lowering.input("B", b));
    lowering.output("Y", lowering.apply(op, operands));
    return result_layouts(lowering.finish(), options.order)[0];
  }
  const plan::Request request = dialect::settle(op, a, b, options);
  return {a.dtype, dialect::result_shape(request, a, b, options), options.order};
}

void run_at(const Prepared::Impl& impl, const void* a, const void* b, void* y) {
  if (impl.plan.count == 0) return;  // nothing to do, with whatever memory
  const exec::Places places{{a, 0}, {b, 0}, {y, 0}};
  if (a == nullptr || b == nullptr || y == nullptr) {
    fail(ErrorCode::bad_argument, "run() got a null pointer for a tensor that has elements");
  }
  const auto any = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                   reinterpret_cast<std::uintptr_t>(y);
  if ((any & (impl.alignment - 1)) != 0) {
    fail(ErrorCode::bad_argument, "run() got a pointer that is not aligned to the {} bytes of {}",
         impl.alignment, name(impl.plan.dtype));
  }
  run_checked(impl, places);
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

[[gnu::always_inline]] inline void apply_to_place(Op op, const View& y, const ConstView& a,
                                                  const ConstView& b, const Options& options) {
  if (options.dialect == Dialect::matlab && !dialect::matlab::is_one_step(op, a.dtype(), b.dtype()))
      [[unlikely]] {
    return store_matlab(y, apply_watched(op, a, b, options, nullptr));
  }
  const Planned impl(op, a.layout(), b.layout(), &y.layout(), options);
  const exec::Places places{place(a), place(b), place(y)};
  if (impl->overlap.harmful(impl->plan, places)) {
    copy_elements(y, apply_watched(op, a, b, options, nullptr));
  } else {
    run_kept(*impl, places);
  }
}

}  // namespace

thread_local constinit LastRun last_run [[gnu::tls_model("initial-exec")]];

void Prepared::run(const void* a, const void* b, void* y) const {
  require_prepared(impl_.get());
  require_operands(impl_->plan.op, 2);
  run_at(*impl_, a, b, y);
}
void Prepared::run(const void* a, void* y) const {
  require_prepared(impl_.get());
  require_operands(impl_->plan.op, 1);
  run_at(*impl_, a, a, y);
}

void Prepared::run(const ConstView& a, const ConstView& b, const View& y) const {
  require_prepared(impl_.get());
  require_operands(impl_->plan.op, 2);
  require_same_layout(a.layout(), impl_->layouts[0], "A");
  require_same_layout(b.layout(), impl_->layouts[1], "B");
  require_same_layout(y.layout(), impl_->layouts[2], "Y");
  run_checked(*impl_, {place(a), place(b), place(y)});
}
void Prepared::run(const ConstView& a, const View& y) const {
  require_prepared(impl_.get());
  require_operands(impl_->plan.op, 1);
  require_same_layout(a.layout(), impl_->layouts[0], "A");
  require_same_layout(y.layout(), impl_->layouts[2], "Y");
  run_checked(*impl_, {place(a), place(a), place(y)});
}

const Dims& Prepared::shape() const noexcept { return impl_->plan.shape; }
DType Prepared::dtype() const noexcept { return impl_->plan.dtype; }

std::string Prepared::explain() const {
  std::string text = fmt::format("{:<10}{}\n", "dialect", name(impl_->dialect));
  text += plan::to_text(impl_->plan);
  for (const std::string& reason : impl_->declined) text += fmt::format("{:<10}{}\n", "", reason);
  text += fmt::format("{:<10}{}\n", "provider", impl_->program->describe());
  return text;
}

Layout result_layout(Op op, const Layout& a, const Options& options) {
  require_operands(op, 1);
  return layout_of_result(op, a, a, options);
}
Layout result_layout(Op op, const Layout& a, const Layout& b, const Options& options) {
  require_operands(op, 2);
  return layout_of_result(op, a, b, options);
}

Prepared prepare(Op op, const Layout& a, const Layout& y, const Options& options) {
  require_operands(op, 1);
  Prepared prepared;
  prepared.impl_ = std::make_shared<const Prepared::Impl>(make_impl(op, a, a, &y, options));
  return prepared;
}
Prepared prepare(Op op, const Layout& a, const Layout& b, const Layout& y, const Options& options) {
  require_operands(op, 2);
  Prepared prepared;
  prepared.impl_ = std::make_shared<const Prepared::Impl>(make_impl(op, a, b, &y, options));
  return prepared;
}

Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress) {
  if (options.dialect == Dialect::matlab) [[unlikely]] {
    require_nothing_follows(options);
    return apply_matlab(op, a, takes_two(op) ? &b : nullptr, options, progress);
  }
  if (!has_lines(op, a.dtype())) [[unlikely]] {
    const ConstView both[] = {a, b};
    return apply(op, std::span(both, takes_two(op) ? 2 : 1), options);
  }
  const Planned impl(op, a.layout(), b.layout(), nullptr, options);
  Tensor y = Tensor::uninitialized(impl->layouts[2]);
  run_fresh(*impl, {place(a), place(b), {y.data(), 0}}, progress);
  return y;
}

Tensor apply(Op op, const ConstView& a, const ConstView& b, const Options& options) {
  require_operands(op, 2);
  if (!has_lines(op, a.dtype())) [[unlikely]]
    return apply(op, std::array<ConstView, 2>{a, b}, options);
  return apply_watched(op, a, b, options, nullptr);
}
Tensor apply(Op op, const ConstView& a, const Options& options) {
  require_operands(op, 1);
  if (!has_lines(op, a.dtype())) [[unlikely]]
    return apply(op, std::span<const ConstView>(&a, 1), options);
  return apply_watched(op, a, a, options, nullptr);
}

void apply_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                const Options& options) {
  require_operands(op, 2);
  if (!has_lines(op, a.dtype())) [[unlikely]] {
    const ConstView both[] = {a, b};
    return apply_into(op, y, both, options);
  }
  apply_to_place(op, y, a, b, options);
}
void apply_into(Op op, const View& y, const ConstView& a, const Options& options) {
  require_operands(op, 1);
  if (!has_lines(op, a.dtype())) [[unlikely]]
    return apply_into(op, y, std::span<const ConstView>(&a, 1), options);
  apply_to_place(op, y, a, a, options);
}

void set_threads(int count) { set_thread_limit(count); }
int threads() { return thread_limit(); }

std::string_view version() noexcept { return HADAMARD_VERSION; }

}  // namespace hadamard
