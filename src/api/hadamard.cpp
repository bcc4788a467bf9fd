#include "hadamard/hadamard.hpp"

#include <utility>

#include "api/memo.hpp"
#include "api/prepared.hpp"
#include "base/fail.hpp"
#include "base/threads.hpp"
#include "dialect/dialect.hpp"
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

}  // namespace

thread_local constinit LastRun last_run [[gnu::tls_model("initial-exec")]];

void Prepared::run(const void* a, const void* b, void* y) const {
  require_prepared(impl_.get());
  const exec::Places places{{a, 0}, {b, 0}, {y, 0}};
  if ((a == nullptr || b == nullptr || y == nullptr) && impl_->plan.count > 0) {
    fail(ErrorCode::bad_argument, "run() got a null pointer for a tensor that has elements");
  }
  const auto any = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                   reinterpret_cast<std::uintptr_t>(y);
  if ((any & (impl_->alignment - 1)) != 0) {
    fail(ErrorCode::bad_argument, "run() got a pointer that is not aligned to the {} bytes of {}",
         impl_->alignment, name(impl_->plan.dtype));
  }
  run_checked(*impl_, places);
}

void Prepared::run(const ConstView& a, const ConstView& b, const View& y) const {
  require_prepared(impl_.get());
  require_same_layout(a.layout(), impl_->layouts[0], "A");
  require_same_layout(b.layout(), impl_->layouts[1], "B");
  require_same_layout(y.layout(), impl_->layouts[2], "Y");
  run_checked(*impl_, {place(a), place(b), place(y)});
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

Layout result_layout(Op op, const Layout& a, const Layout& b, const Options& options) {
  const plan::Request request = dialect::settle(op, a, b, options);
  return {a.dtype, dialect::result_shape(request, a, b, options), options.order};
}

Prepared prepare(Op op, const Layout& a, const Layout& b, const Layout& y, const Options& options) {
  Prepared prepared;
  prepared.impl_ = std::make_shared<const Prepared::Impl>(make_impl(op, a, b, &y, options));
  return prepared;
}

Tensor apply_watched(Op op, const ConstView& a, const ConstView& b, const Options& options,
                     std::atomic<std::int64_t>* progress) {
  const Planned impl(op, a.layout(), b.layout(), nullptr, options);
  Tensor y = Tensor::uninitialized(impl->layouts[2]);
  run_fresh(*impl, {place(a), place(b), {y.data(), 0}}, progress);
  return y;
}

Tensor apply(Op op, const ConstView& a, const ConstView& b, const Options& options) {
  return apply_watched(op, a, b, options, nullptr);
}

void apply_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                const Options& options) {
  const Planned impl(op, a.layout(), b.layout(), &y.layout(), options);
  const exec::Places places{place(a), place(b), place(y)};
  if (impl->overlap.harmful(impl->plan, places)) {
    copy_elements(y, apply(op, a, b, options));
  } else {
    run_kept(*impl, places);
  }
}

void set_threads(int count) { set_thread_limit(count); }
int threads() { return thread_limit(); }

std::string_view version() noexcept { return HADAMARD_VERSION; }

}  // namespace hadamard
