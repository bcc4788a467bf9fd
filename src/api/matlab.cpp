#include "api/matlab.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/prepared.hpp"
#include "base/fail.hpp"
#include "base/threads.hpp"
#include "dialect/dialect.hpp"
#include "dialect/matlab/promotion.hpp"
#include "exec/elements.hpp"
#include "hadamard/matlab.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

namespace rules = dialect::matlab;
using rules::Promotion;

// --- Views

// An operand as the step takes it; copied only where its type is another one.
class Operand {
 public:
  explicit Operand(const ConstView& view) : view_(view) {}
  Operand(const ConstView& view, DType type, Order order)
      : made_(view.dtype() == type ? std::optional<Tensor>()
                                   : std::optional<Tensor>(cast(view, type, order))),
        view_(made_ ? std::as_const(*made_).view() : view) {}
  Operand(Operand&&) = delete;
  const ConstView& view() const { return view_; }

 private:
  std::optional<Tensor> made_;
  ConstView view_;
};

// Two operands' layouts over the shape of their result.
struct Expanded {
  Layout a, b;
  const Dims& shape() const { return a.shape; }
};
Expanded expanded(const Layout& a, const Layout& b, const Options& options) {
  const plan::Aligned aligned =
      plan::broadcast(options.broadcast.value_or(Broadcast::matlab), options.axis, a, b);
  return {Layout(a.dtype, aligned.shape, aligned.a_strides),
          Layout(b.dtype, aligned.shape, aligned.b_strides)};
}
ConstView seen_as(const ConstView& view, const Layout& layout) {
  return ConstView(view.data(), layout, view.offset());
}

// Every second number of complex ones: all real parts, or all imaginary ones. Real numbers are
// both.
Layout part(const Layout& layout) {
  if (!rules::is_complex(layout.dtype)) return layout;
  Dims strides = layout.strides;
  for (std::int64_t& stride : strides) stride *= 2;
  return Layout(rules::part_type(layout.dtype), layout.shape, std::move(strides));
}
ConstView part(const ConstView& view, int which) {
  if (!rules::is_complex(view.dtype())) return view;
  const Layout layout = part(view.layout());
  const auto* const first = static_cast<const char*>(view.data());
  return ConstView(first + (view.count() == 0 ? 0 : which * bits(layout.dtype) / 8), layout);
}
View part(Tensor& tensor, int which) {
  const ConstView read = part(std::as_const(tensor).view(), which);
  return View(const_cast<void*>(read.data()), read.layout());
}

// --- The steps

// What the planned step is told: MATLAB's shapes, and nothing else of its dialect.
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

// complex .* real and complex ./ real are the parts' own: nothing is lost to 0·inf.
bool goes_by_parts(Op op, DType a, DType b) {
  if (rules::is_complex(a) == rules::is_complex(b)) return false;
  return op == Op::mul || (op == Op::div && rules::is_complex(a));
}

constexpr std::int64_t kBlock = 4096;  // elements

class Step {
 public:
  Step(Op op, const Options& options, std::atomic<std::int64_t>* progress)
      : op_(op), options_(step_options(options)), progress_(progress) {}

  Tensor binary(const ConstView& a, const ConstView& b, const Promotion& promotion) const {
    if (std::optional<Tensor> y = in_blocks(a, b, promotion)) return *std::move(y);
    if (promotion.keeps_integers) return integers(a, b, promotion);
    const Operand x(a, type_in(promotion, a.dtype()), options_.order);
    const Operand y(b, type_in(promotion, b.dtype()), options_.order);
    return floats(x.view(), y.view());
  }

  Tensor unary(const ConstView& a, const Promotion& promotion) const {
    if (promotion.keeps_integers) return integer_function(a, promotion);
    const Operand x(a, type_in(promotion, a.dtype()), options_.order);
    if (promotion.is_complex) return complex_function(x.view());
    const rules::Domain domain = rules::real_domain(op_);
    if (domain.is_bounded && exec::has_below(x.view(), domain.least)) {
      const Tensor z = matlab::to_complex(x.view(), options_.order);
      Tensor y = fresh(z.dtype(), z.shape());
      exec::complex_function(op_, z, y.view());
      // Elements inside the domain are what they would be alone.
      exec::put_reals_from(x.view(), domain.least, planned(op_, x.view(), x.view()), y.view());
      return matlab::narrowed(std::move(y));
    }
    return planned(op_, x.view(), x.view());
  }

 private:
  static DType type_in(const Promotion& promotion, DType operand) {
    return rules::is_complex(operand) ? rules::complex_type(promotion.computed)
                                      : promotion.computed;
  }
  Tensor fresh(DType type, const Dims& shape) const {
    return Tensor::uninitialized(type, shape, options_.order);
  }
  Tensor planned(Op op, const ConstView& a, const ConstView& b) const {
    return apply_watched(op, a, b, options_, progress_);
  }

  // Long real operands of other types than the step's, each in one line beside the result or one
  // element: block by block, so that what is promoted never leaves the cache.
  std::optional<Tensor> in_blocks(const ConstView& a, const ConstView& b,
                                  const Promotion& promotion) const {
    const DType type = promotion.computed;
    const bool is_one_type = a.dtype() == type && b.dtype() == type && promotion.result == type;
    if (is_one_type || promotion.is_complex || op_ == Op::pow || rules::is_remainder(op_) ||
        kind(type) != Kind::floating) {
      return std::nullopt;
    }
    const Dims shape = expanded(a.layout(), b.layout(), options_).shape();
    const auto lies_in_line = [&](const ConstView& v) {
      return v.count() == 1 || (v.shape() == shape && v.layout().is_contiguous(options_.order));
    };
    if (element_count(shape) < 4 * kBlock || !lies_in_line(a) || !lies_in_line(b)) {
      return std::nullopt;
    }
    Tensor y = fresh(promotion.result, shape);
    blocks(a, b, y.view(), type);
    return y;
  }
  void blocks(const ConstView& a, const ConstView& b, const View& y, DType type) const {
    const auto line = [&](const ConstView& v, std::int64_t n) {
      return v.count() == 1 ? Layout(type, Dims{n}, Dims{0}) : Layout(type, Dims{n});
    };
    const auto plan_for = [&](std::int64_t n) {
      return prepare(op_, line(a, n), line(b, n), Layout(type, Dims{n}), options_);
    };
    const std::int64_t count = y.count(), rest = count % kBlock;
    const Prepared whole = plan_for(kBlock), last = plan_for(rest);
    for_chunks(count, 16 * kBlock, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) double memory[3][kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t n = std::min(end - at, kBlock);
        const auto operand = [&](const ConstView& v, void* made) -> const void* {
          const auto* const from =
              static_cast<const char*>(v.data()) + (v.count() == 1 ? 0 : at * bits(v.dtype()) / 8);
          if (v.dtype() == type) return from;
          const Dims part{v.count() == 1 ? 1 : n};
          exec::convert(ConstView(from, Layout(v.dtype(), part)), View(made, Layout(type, part)));
          return made;
        };
        char* const to = static_cast<char*>(y.data()) + at * bits(y.dtype()) / 8;
        void* const result = y.dtype() == type ? static_cast<void*>(to) : memory[2];
        (n == kBlock ? whole : last).run(operand(a, memory[0]), operand(b, memory[1]), result);
        if (result != to) {
          exec::convert_saturated(ConstView(result, Layout(type, Dims{n})),
                                  View(to, Layout(y.dtype(), Dims{n})));
        }
        if (progress_ != nullptr) progress_->fetch_add(n, std::memory_order_relaxed);
      }
    });
  }

  Tensor integers(const ConstView& a, const ConstView& b, const Promotion& promotion) const {
    if (rules::is_remainder(op_)) return integer_remainder(a, b, promotion);
    // A double stands beside an integer of 64 bits as it is.
    const auto beside = [&](const ConstView& v) {
      return v.dtype() == promotion.computed ? promotion.computed : DType::fp64;
    };
    const Operand x(a, beside(a), options_.order), y(b, beside(b), options_.order);
    if (promotion.computed == DType::fp64) {
      return matlab::convert(planned(op_, x.view(), y.view()), promotion.result, options_.order);
    }
    return wide_integers(op_, x.view(), y.view(), promotion.result);
  }
  // Of the class, whatever the other operand was. Doubles have every integer of 32 bits, and an
  // answer where the divisor is 0.
  Tensor integer_remainder(const ConstView& a, const ConstView& b,
                           const Promotion& promotion) const {
    const DType type = promotion.result;
    const Tensor x = matlab::convert(a, type, options_.order);
    const Tensor y = matlab::convert(b, type, options_.order);
    if (promotion.computed != DType::fp64) return wide_integers(op_, x, y, type);
    return matlab::convert(
        floats(cast(x, DType::fp64, options_.order), cast(y, DType::fp64, options_.order)), type,
        options_.order);
  }
  Tensor wide_integers(Op op, const ConstView& a, const ConstView& b, DType type) const {
    const Expanded both = expanded(a.layout(), b.layout(), options_);
    Tensor y = fresh(type, both.shape());
    exec::saturating_integers(op, seen_as(a, both.a), seen_as(b, both.b), y.view());
    return y;
  }
  Tensor integer_function(const ConstView& a, const Promotion& promotion) const {
    if (op_ == Op::floor || op_ == Op::ceil || op_ == Op::trunc) return Tensor(a, options_.order);
    if (op_ == Op::sign) return planned(op_, a, a);
    if (promotion.computed == DType::fp64) {
      const Operand x(a, DType::fp64, options_.order);
      return matlab::convert(planned(op_, x.view(), x.view()), promotion.result, options_.order);
    }
    const Tensor zero(promotion.result, Dims{});
    const Tensor negated = wide_integers(Op::sub, zero, a, promotion.result);
    return op_ == Op::abs ? planned(Op::max, a, negated) : negated;
  }

  Tensor floats(const ConstView& a, const ConstView& b) const {
    const bool of_complex = rules::is_complex(a.dtype()) || rules::is_complex(b.dtype());
    if (op_ == Op::pow) return power(a, b, of_complex);
    if (!of_complex) {
      Tensor y = planned(op_, a, b);
      if (rules::keeps_dividend(op_)) {
        const Expanded both = expanded(a.layout(), b.layout(), options_);
        exec::put_dividends(seen_as(a, both.a), seen_as(b, both.b), y.view());
      }
      return y;
    }
    if (goes_by_parts(op_, a.dtype(), b.dtype())) return matlab::narrowed(part_by_part(a, b));
    const DType type = rules::complex_type(rules::part_type(a.dtype()));
    const Operand x(a, type, options_.order), y(b, type, options_.order);
    if (op_ == Op::hypot) return hypot_of_complex(x.view(), y.view());
    if (!op::is_defined(op_, DType::complex128)) fail_complex(op_);
    return matlab::narrowed(planned(op_, x.view(), y.view()));
  }
  Tensor part_by_part(const ConstView& a, const ConstView& b) const {
    const Expanded both = expanded(a.layout(), b.layout(), options_);
    Tensor y = fresh(rules::complex_type(rules::part_type(a.dtype())), both.shape());
    for (const int which : {0, 1}) {
      apply_into(op_, part(y, which), part(a, which), part(b, which), options_);
    }
    return y;
  }
  Tensor hypot_of_complex(const ConstView& a, const ConstView& b) const {
    const Expanded both = expanded(a.layout(), b.layout(), options_);
    Tensor y = fresh(a.dtype(), both.shape());
    exec::complex_hypot(seen_as(a, both.a), seen_as(b, both.b), y.view());
    return matlab::real_part(y, options_.order);
  }
  // Looks at no more than it must: a scalar exponent that is whole, and bases that are not below 0,
  // decide alone.
  bool leaves_the_reals(const ConstView& a, const ConstView& b, const Expanded& both) const {
    if (b.count() == 1) {
      const ConstView one(b.data(), Layout(b.dtype(), Dims{}), b.offset());
      const Tensor below = b.dtype() == DType::fp32 ? Tensor::scalar(-1.0F) : Tensor::scalar(-1.0);
      if (!exec::has_complex_power(below, one)) return false;
    }
    if (!exec::has_below(a, 0)) return false;
    return exec::has_complex_power(seen_as(a, both.a), seen_as(b, both.b));
  }
  Tensor power(const ConstView& a, const ConstView& b, bool of_complex) const {
    const Expanded both = expanded(a.layout(), b.layout(), options_);
    if (!of_complex && !leaves_the_reals(a, b, both)) return planned(op_, a, b);
    const DType type = rules::complex_type(rules::part_type(a.dtype()));
    const Operand x(a, type, options_.order), p(b, type, options_.order);
    const Expanded complex = expanded(x.view().layout(), p.view().layout(), options_);
    Tensor y = fresh(type, complex.shape());
    exec::complex_power(seen_as(x.view(), complex.a), seen_as(p.view(), complex.b), y.view());
    if (!of_complex) {
      exec::put_real_powers(seen_as(a, both.a), seen_as(b, both.b), planned(op_, a, b), y.view());
    }
    return matlab::narrowed(std::move(y));
  }

  Tensor complex_function(const ConstView& a) const {
    if (op_ == Op::abs) return planned(Op::hypot, part(a, 0), part(a, 1));
    Tensor y = fresh(a.dtype(), a.shape());
    if (op_ == Op::neg || op_ == Op::floor || op_ == Op::ceil || op_ == Op::trunc) {
      for (const int which : {0, 1}) apply_into(op_, part(y, which), part(a, which), options_);
      return op_ == Op::neg ? std::move(y) : matlab::narrowed(std::move(y));
    }
    if (!exec::has_complex_function(op_)) fail_complex(op_);
    exec::complex_function(op_, a, y.view());
    return matlab::narrowed(std::move(y));
  }

  Op op_;
  Options options_;
  std::atomic<std::int64_t>* progress_;
};

// Of complex numbers too.
bool is_always_real(Op op) { return op == Op::abs || op == Op::hypot; }

Promotion promotion_of(Op op, const Layout& a, const Layout* b, const Options& options) {
  require_op(op, b == nullptr ? 1 : 2);
  require_valid(a);
  if (b == nullptr) return rules::promote(op, a.dtype, options.integers);
  require_valid(*b);
  const Promotion promotion = rules::promote(op, a.dtype, b->dtype, options.integers);
  if (options.broadcast.value_or(Broadcast::matlab) == Broadcast::matlab) {
    rules::expanded_size(a.shape, b->shape);
  }
  return promotion;
}

}  // namespace

Tensor apply_matlab(Op op, const ConstView& a, const ConstView* b, const Options& options,
                    std::atomic<std::int64_t>* progress) {
  const Promotion promotion =
      promotion_of(op, a.layout(), b == nullptr ? nullptr : &b->layout(), options);
  const Step step(op, options, progress);
  return b == nullptr ? step.unary(a, promotion) : step.binary(a, *b, promotion);
}

Layout matlab_result_layout(Op op, const Layout& a, const Layout* b, const Options& options) {
  const Promotion promotion = promotion_of(op, a, b, options);
  const bool is_complex = promotion.is_complex && !is_always_real(op);
  const DType type = is_complex ? rules::complex_type(promotion.result) : promotion.result;
  if (b == nullptr) return Layout(type, a.shape, options.order);
  const Broadcast rule = options.broadcast.value_or(Broadcast::matlab);
  return Layout(type, plan::broadcast(rule, options.axis, a, *b).shape, options.order);
}

std::string explain_matlab(Op op, const Layout& a, const Layout* b, const Options& options) {
  const Promotion promotion = promotion_of(op, a, b, options);
  const auto row = [](std::string_view head, const std::string& text) {
    return fmt::format("{:<10}{}\n", head, text);
  };
  const auto computed = [&](DType type) {
    if (rules::is_complex(type)) return rules::complex_type(promotion.computed);
    const bool stays = promotion.keeps_integers && type != promotion.computed;
    return stays ? DType::fp64 : promotion.computed;
  };
  std::string changes;
  const auto tell = [&](char operand, DType type) {
    if (computed(type) == type) return;
    changes += fmt::format("{}{} {} -> {}", changes.empty() ? "" : ", ", operand, name(type),
                           name(computed(type)));
  };
  tell('A', a.dtype);
  if (b != nullptr) tell('B', b->dtype);
  const Layout result = matlab_result_layout(op, a, b, options);
  std::string then = std::string(name(result.dtype));
  if (promotion.keeps_integers) {
    then += ", rounded half away from zero, saturated";
  } else if (promotion.is_complex && !is_always_real(op)) {
    then += fmt::format("; {} where all imaginary parts are 0", name(promotion.result));
  } else if (rules::real_domain(op).is_bounded) {
    then += fmt::format("; {} where an element is below {}",
                        name(rules::complex_type(promotion.result)), rules::real_domain(op).least);
  } else if (op == Op::pow) {
    then += fmt::format("; {} where a negative base has a broken exponent",
                        name(rules::complex_type(promotion.result)));
  }
  std::string text = row("dialect", std::string(name(Dialect::matlab)));
  text += row("promoted", changes.empty() ? "nothing" : changes);
  text += row("result", then);
  // The planned step, where there is one of the operands' shapes.
  const bool complex_step = promotion.is_complex && !op::is_defined(op, DType::complex128);
  const bool exact_step = promotion.keeps_integers && promotion.computed != DType::fp64;
  if (complex_step || exact_step) {
    return text + row("operator", fmt::format("{}  ({})", name(op), op::notation(op))) +
           row("loop", exact_step ? "exact integers, element by element"
                                  : "complex function, element by element");
  }
  const Options step = step_options(options);
  const bool parts = b != nullptr && goes_by_parts(op, a.dtype, b->dtype);
  const DType type =
      promotion.is_complex ? rules::complex_type(promotion.computed) : promotion.computed;
  // As the step gets it.
  const auto retyped = [&](const Layout& layout) {
    const DType own = parts ? computed(layout.dtype) : type;
    return layout.dtype == own ? layout : Layout(own, layout.shape, options.order);
  };
  if (parts) {
    text += row("step", "part by part: a real factor or divisor is no complex number with 0i");
    const Layout y(type, result.shape, options.order);
    const std::string plan =
        prepare(op, part(retyped(a)), part(retyped(*b)), part(y), step).explain();
    return text + plan.substr(plan.find('\n') + 1);
  }
  const Layout x = retyped(a), y(type, result.shape, options.order);
  const std::string plan = b == nullptr ? prepare(op, x, y, step).explain()
                                        : prepare(op, x, retyped(*b), y, step).explain();
  return text + plan.substr(plan.find('\n') + 1);  // behind its own dialect
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
  if (to == DType::bool_ && kind(a.dtype()) == Kind::floating && exec::has_nan(a)) {
    rules::fail_as("MATLAB:nologicalnan", ErrorCode::bad_argument,
                   "NaN's cannot be converted to logicals");
  }
  Tensor y = Tensor::uninitialized(to, a.shape(), order);
  exec::convert_saturated(a, y.view());
  return y;
}

Tensor to_complex(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? Tensor(a, order)
                                      : cast(a, rules::complex_type(a.dtype()), order);
}
Tensor real_part(const ConstView& a, Order order) {
  return Tensor(rules::is_complex(a.dtype()) ? part(a, 0) : a, order);
}
Tensor imaginary_part(const ConstView& a, Order order) {
  return rules::is_complex(a.dtype()) ? Tensor(part(a, 1), order)
                                      : Tensor(a.dtype(), a.shape(), order);
}
Tensor angle(const ConstView& a, Order order) {
  const Options options{.broadcast = Broadcast::matlab, .order = order};
  if (rules::is_complex(a.dtype())) return atan2(part(a, 1), part(a, 0), options);
  const Operand x(a, a.dtype() == DType::fp32 ? DType::fp32 : DType::fp64, order);
  return atan2(Tensor(x.view().dtype(), Dims{}), x.view(), options);
}
Tensor conjugate(const ConstView& a, Order order) {
  Tensor y(a, order);
  if (!rules::is_complex(a.dtype())) return y;
  neg_into(part(y, 1), part(std::as_const(y).view(), 1));
  return y;
}
Tensor narrowed(Tensor a) {
  if (!rules::is_complex(a.dtype()) || exec::has_imaginary_part(a)) return a;
  const Order order =
      a.layout().is_contiguous(Order::column_major) ? Order::column_major : Order::row_major;
  return real_part(a, order);
}

}  // namespace matlab
}  // namespace hadamard
