#include "api/matlab.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "api/prepared.hpp"
#include "api/program.hpp"
#include "base/fail.hpp"
#include "dialect/dialect.hpp"
#include "dialect/matlab/lower.hpp"
#include "dialect/matlab/promotion.hpp"
#include "hadamard/matlab.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

namespace rules = dialect::matlab;
using rules::Promotion;
using rules::Request;
using Plan = std::shared_ptr<const PreparedProgram::Impl>;

// What a program is told: MATLAB's shapes, and nothing else of its dialect.
Options step_options(const Options& options) {
  Options step = options;
  step.dialect = Dialect::native;
  step.broadcast = options.broadcast.value_or(Broadcast::matlab);
  return step;
}

[[noreturn]] void fail_complex(Op op) {
  rules::fail_as("Hadamard:noComplexForm", ErrorCode::unsupported_type,
                 fmt::format("{} has no complex form here", op::names(op).matlab));
}

void require_op(Op op, int operands) {
  if (static_cast<int>(op) < op::kOpCount && dialect::matlab_rules().has_op(op) &&
      op::arity(op) == operands) {
    return;
  }
  std::string names;
  for (const Op known : op::kPlainOps) {
    if (dialect::matlab_rules().has_op(known)) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name(known));
    }
  }
  fail(ErrorCode::bad_argument, "dialect matlab has no operator {}; it has: {}", name(op), names);
}

// --- Plans

// The value of a request, the same where some results leave the reals, which of them do, or which
// of the operand's elements are complex.
enum class Form : std::uint8_t { value, beyond_reals, guard, is_complex };

Plan make_plan(const Request& request, Form form, const Options& options) {
  plan::Lowered lowered = form == Form::is_complex ? rules::lower_is_complex(request.a, options)
                          : form == Form::guard
                              ? rules::lower_guard(request, options)
                              : rules::lower(request, form == Form::beyond_reals, options);
  std::vector<Layout> inputs{request.a};
  if (request.b) inputs.push_back(*request.b);
  std::vector<Layout> outputs = result_layouts(lowered, options.order);
  return make_program_impl(std::move(lowered), std::move(inputs), std::move(outputs), options);
}

// The plans of this thread's last calls.
struct Entry {
  Op op{};
  Form form{};
  DType result{};  // what the rule on integers made of the types
  bool keeps_integers = false;
  Options options;
  std::string provider, cpu_target;  // owns what `options` would only point at
  Plan plan;

  bool is_for(const Request& request, Form wanted, const Options& given) const {
    const bool is_same =
        plan != nullptr && op == request.op && form == wanted &&
        result == request.promotion.result && keeps_integers == request.promotion.keeps_integers &&
        options.broadcast == given.broadcast && options.axis == given.axis &&
        options.order == given.order && provider == given.provider &&
        cpu_target == given.cpu_target && plan->plan->inputs.size() == (request.b ? 2U : 1U);
    return is_same && plan->plan->inputs[0] == request.a &&
           (!request.b || plan->plan->inputs[1] == *request.b);
  }
};
struct Memo {
  std::array<Entry, 8> entries;
  std::size_t next = 0;
};
// Null at the thread's end: a static object's destructor may still call us.
Memo* this_memo() {
  std::shared_ptr<void>* const kept = kept_for_thread();
  if (kept == nullptr) return nullptr;
  if (*kept == nullptr) *kept = std::make_shared<Memo>();
  return static_cast<Memo*>(kept->get());
}

Plan plan_for(const Request& request, Form form, const Options& options) {
  Memo* const memo = this_memo();
  if (memo == nullptr) return make_plan(request, form, options);
  for (const Entry& entry : memo->entries) {
    if (entry.is_for(request, form, options)) return entry.plan;
  }
  Plan plan = make_plan(request, form, options);
  memo->entries[memo->next] = {request.op,
                               form,
                               request.promotion.result,
                               request.promotion.keeps_integers,
                               options,
                               std::string(options.provider),
                               std::string(options.cpu_target),
                               plan};
  memo->next = (memo->next + 1) % memo->entries.size();
  return plan;
}

// Whether a truth value holds somewhere.
bool any(const Tensor& truth) {
  return truth.count() != 0 &&
         std::memchr(truth.data(), 1, static_cast<std::size_t>(truth.count())) != nullptr;
}

// --- One call

class Step {
 public:
  Step(Request request, const ConstView& a, const ConstView* b, const Options& options,
       std::atomic<std::int64_t>* progress)
      : request_(std::move(request)),
        a_(a),
        b_(b),
        options_(step_options(options)),
        progress_(progress) {}

  Tensor run() const {
    const bool leaves_reals = rules::has_guard(request_) && has_complex_results();
    if (!leaves_reals && rules::is_plain(request_)) {
      return apply_watched(request_.op, a_, b_ == nullptr ? a_ : *b_, options_, progress_);
    }
    if (request_.promotion.is_complex && !rules::has_complex_form(request_.op)) {
      fail_complex(request_.op);
    }
    Tensor y = computed(leaves_reals ? Form::beyond_reals : Form::value, progress_);
    const bool stays = op::matlab_rules(request_.op).stays_complex;
    return stays ? std::move(y) : matlab::narrowed(std::move(y));
  }

 private:
  Tensor computed(Form form, std::atomic<std::int64_t>* progress) const {
    exec::Place inputs[2] = {{a_.data(), a_.offset()}, {}};
    if (b_ != nullptr) inputs[1] = {b_->data(), b_->offset()};
    const Plan plan = plan_for(request_, form, options_);
    return std::move(run_fresh(*plan, {inputs, b_ == nullptr ? 1U : 2U}, progress)[0]);
  }

  // Looks at no more than it must: an exponent alone that is whole, and bases that are not below
  // 0, decide for themselves.
  bool has_complex_results() const {
    if (b_ == nullptr) return any(computed(Form::guard, nullptr));
    if (b_->count() == 1) {
      const ConstView one(b_->data(), Layout(b_->dtype(), Dims{}), b_->offset());
      const double exponent = cast(one, DType::fp64).at<double>({});
      if (!std::isfinite(exponent) || exponent == std::trunc(exponent)) return false;
    }
    if (a_.dtype() == DType::bool_) return false;
    const Tensor zero(a_.dtype(), Dims{});
    if (!any(lt(a_, zero, options_))) return false;
    return any(computed(Form::guard, nullptr));
  }

  const Request request_;
  const ConstView& a_;
  const ConstView* const b_;
  const Options options_;
  std::atomic<std::int64_t>* const progress_;
};

Request request_of(Op op, const Layout& a, const Layout* b, const Options& options) {
  require_op(op, b == nullptr ? 1 : 2);
  require_valid(a);
  if (b == nullptr) return {op, a, std::nullopt, rules::promote(op, a.dtype, options.integers)};
  require_valid(*b);
  Request request{op, a, *b, rules::promote(op, a.dtype, b->dtype, options.integers)};
  if (options.broadcast.value_or(Broadcast::matlab) == Broadcast::matlab) {
    rules::expanded_size(a.shape, b->shape);
  }
  return request;
}

// Whether the result is complex where an operand is; that of abs and hypot is not.
bool has_complex_result(const Request& request) {
  return request.promotion.is_complex && op::is_plain_for(request.op, DType::complex128);
}

}  // namespace

Tensor apply_matlab(Op op, const ConstView& a, const ConstView* b, const Options& options,
                    std::atomic<std::int64_t>* progress) {
  Request request = request_of(op, a.layout(), b == nullptr ? nullptr : &b->layout(), options);
  return Step(std::move(request), a, b, options, progress).run();
}

Layout matlab_result_layout(Op op, const Layout& a, const Layout* b, const Options& options) {
  const Request request = request_of(op, a, b, options);
  const Promotion& promotion = request.promotion;
  const DType type =
      has_complex_result(request) ? rules::complex_type(promotion.result) : promotion.result;
  if (b == nullptr) return Layout(type, a.shape, options.order);
  const Broadcast rule = options.broadcast.value_or(Broadcast::matlab);
  return Layout(type, plan::broadcast(rule, options.axis, a, *b).shape, options.order);
}

namespace {

// What becomes of the operands, as "A int32 -> fp64, B …".
std::string promoted_text(const Request& request) {
  const Promotion& promotion = request.promotion;
  std::string changes;
  const auto tell = [&](char operand, DType type) {
    const bool stays = promotion.keeps_integers && type != promotion.computed;
    const DType computed = rules::is_complex(type) ? rules::complex_type(promotion.computed)
                           : stays                 ? DType::fp64
                                                   : promotion.computed;
    if (computed == type) return;
    changes += fmt::format("{}{} {} -> {}", changes.empty() ? "" : ", ", operand, name(type),
                           name(computed));
  };
  tell('A', request.a.dtype);
  if (request.b) tell('B', request.b->dtype);
  return changes.empty() ? "nothing" : changes;
}
std::string result_text(const Request& request, DType type) {
  const Promotion& promotion = request.promotion;
  const op::MatlabRules& own = op::matlab_rules(request.op);
  std::string text(name(type));
  const std::string_view complex = name(rules::complex_type(promotion.result));
  if (promotion.keeps_integers) {
    text += ", rounded half away from zero, saturated";
  } else if (has_complex_result(request)) {
    text += fmt::format("; {} where all imaginary parts are 0", name(promotion.result));
  } else if (own.least && !promotion.is_complex) {
    text += fmt::format("; {} where an element is below {}", complex, *own.least);
  } else if (own.is_power) {
    text += fmt::format("; {} where a negative base has a broken exponent", complex);
  }
  return text;
}

}  // namespace

std::string explain_matlab(Op op, const Layout& a, const Layout* b, const Options& options) {
  const Request request = request_of(op, a, b, options);
  const auto row = [](std::string_view head, const std::string& text) {
    return fmt::format("{:<10}{}\n", head, text);
  };
  const Layout result = matlab_result_layout(op, a, b, options);
  std::string text = row("dialect", std::string(name(Dialect::matlab)));
  text += row("promoted", promoted_text(request));
  text += row("result", result_text(request, result.dtype));
  const Options step = step_options(options);
  if (rules::is_plain(request)) {
    const std::string plan = b == nullptr ? prepare(op, a, result, step).explain()
                                          : prepare(op, a, *b, result, step).explain();
    return text + plan.substr(plan.find('\n') + 1);  // behind its own dialect
  }
  if (b != nullptr && rules::is_scaled(op, a.dtype, b->dtype)) {
    text += row("step", "part by part: a real factor or divisor is no complex number with 0i");
  }
  if (request.promotion.is_complex && !rules::has_complex_form(op)) fail_complex(op);
  const std::string plan = make_prepared(make_plan(request, Form::value, step)).explain();
  return text + plan.substr(plan.find('\n') + 1);
}

namespace matlab {
namespace {

Options options_of(const Settings& settings) {
  Options options;
  options.dialect = Dialect::matlab;
  options.broadcast = settings.broadcast;
  options.order = settings.order;
  options.integers = settings.integers;
  return options;
}
Tensor settled(Tensor y, const Settings& settings) {
  const bool widens = settings.is_complex && !rules::is_complex(y.dtype());
  return widens ? to_complex(y, settings.order) : std::move(y);
}

}  // namespace

Settings like(const ConstView& prototype, Settings settings) {
  settings.is_complex = rules::is_complex(prototype.dtype());
  return settings;
}

Tensor compute(Op op, const ConstView& a, const ConstView& b, const Settings& settings) {
  return settled(apply_matlab(op, a, &b, options_of(settings)), settings);
}
Tensor compute(Op op, const ConstView& a, const Settings& settings) {
  return settled(apply_matlab(op, a, nullptr, options_of(settings)), settings);
}

Tensor convert(const ConstView& a, DType to, Order order) {
  rules::promote(Op::neg, a.dtype(), Integers::as_double);  // is it a class?
  require_valid(a.layout());
  const bool from_complex = rules::is_complex(a.dtype());
  if (from_complex && !rules::is_complex(to)) {
    rules::fail_as("MATLAB:complexToInteger", ErrorCode::type_mismatch,
                   fmt::format("complex values have no {}; take the real part or abs", name(to)));
  }
  if (to == DType::bool_ && kind(a.dtype()) == Kind::floating && any(isnan(a))) {
    rules::fail_as("MATLAB:nologicalnan", ErrorCode::bad_argument,
                   "NaN's cannot be converted to logicals");
  }
  Tensor y = Tensor::uninitialized(to, a.shape(), order);
  const Op op = kind(to) == Kind::integer ? Op::saturating_cast : Op::cast;
  apply_into(op, y.view(), std::span(&a, 1));
  return y;
}

Tensor to_complex(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? Tensor(a, order)
                                      : cast(a, rules::complex_type(a.dtype()), order);
}
Tensor real_part(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? hadamard::real(a, {.order = order}) : Tensor(a, order);
}
Tensor imaginary_part(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? hadamard::imag(a, {.order = order})
                                      : Tensor(a.dtype(), a.shape(), order);
}
Tensor angle(const ConstView& a, Order order) {
  const Options options{.broadcast = Broadcast::matlab, .order = order};
  if (rules::is_complex(a.dtype())) return hadamard::angle(a, options);
  const DType type = a.dtype() == DType::fp32 ? DType::fp32 : DType::fp64;
  if (a.dtype() != type) return matlab::angle(cast(a, type, order), order);
  return atan2(Tensor(type, Dims{}), a, options);
}
Tensor conjugate(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? conj(a, {.order = order}) : Tensor(a, order);
}
bool has_imaginary_part(const ConstView& a) {
  const Options options{.broadcast = Broadcast::matlab, .order = Order::column_major};
  const Request request{Op::imag, a.layout(), std::nullopt, {}};
  const exec::Place at{a.data(), a.offset()};
  return any(run_fresh(*plan_for(request, Form::is_complex, options), {&at, 1})[0]);
}
Tensor narrowed(Tensor a) {
  if (!rules::is_complex(a.dtype()) || has_imaginary_part(a)) return a;
  const Order order =
      a.layout().is_contiguous(Order::column_major) ? Order::column_major : Order::row_major;
  return real_part(a, order);
}

}  // namespace matlab
}  // namespace hadamard
