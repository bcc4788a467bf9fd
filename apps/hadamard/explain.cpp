// hadamard explain OP A [B] --at i,j: one element, exactly.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <complex>
#include <memory>

#include "base/fail.hpp"
#include "command.hpp"
#include "dialect/dialect.hpp"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"
#include "operand.hpp"
#include "plan/broadcast.hpp"
#include "tensor/element.hpp"

namespace hadamard::app {
namespace {

struct ExplainArguments {
  std::string op, a, at;
  std::optional<std::string> b;
  OperationOptions operation;
};

Dims parse_index(std::string text) {
  const std::string given = text;
  std::erase_if(text, [](char c) { return c == ' '; });
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);  // as indices are printed
  }
  Dims index;
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  while (next < end) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(next, end, value);
    if (error != std::errc() || (stop != end && (*stop != ',' || stop + 1 == end))) {
      fail(ErrorCode::bad_argument, "--at '{}' is not an index such as 0,2", given);
    }
    index.push_back(value);
    next = stop == end ? end : stop + 1;
  }
  return index;
}

void row(std::string_view key, std::string_view value) {
  print(fmt::format("{:<10}{}\n", key, value));
}

// A number as a person wants it: exact, and roughly.
std::string exact_text(const Real& value) {
  const std::string exact = value.to_string();
  if (exact.find('/') == std::string::npos) return exact;
  return fmt::format("{}  (about {})", exact, text::format(value.to_double()));
}

// The world of complex numbers with exact rational parts.
struct ExactComplex {
  Real re, im;
};
struct ExactComplexWorld {
  using C = ExactComplex;
  C add(const C& a, const C& b) const { return {a.re + b.re, a.im + b.im}; }
  C sub(const C& a, const C& b) const { return {a.re - b.re, a.im - b.im}; }
  C mul(const C& a, const C& b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  C div(const C& a, const C& b) const {
    const Real norm = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
  }
  C identity(const C& a) const { return a; }
  C neg(const C& a) const { return {Real() - a.re, Real() - a.im}; }
  C conj(const C& a) const { return {a.re, Real() - a.im}; }
};

// The operator's own definition, in the world of exact numbers; nothing where it divides by zero or
// gives no rational number.
std::optional<Real> exact_result(Op op, const Real& a, const Real& b) {
  return op::with_op(op, [&](auto o) -> std::optional<Real> {
    using Operator = typename decltype(o)::type;
    if constexpr (op::is_plain_operator<Operator> &&
                  (op::defined_for<Operator, Real> || op::is_rational<Operator>)) {
      const op::Oracle world(IntDivision::floor);
      Real result = op::apply_to<Operator>(world, a, b);
      if (!world.zero_divisor()) return result;
    }
    return std::nullopt;
  });
}
std::optional<ExactComplex> exact_result(Op op, const ExactComplex& a, const ExactComplex& b) {
  return op::with_op(op, [&](auto o) -> std::optional<ExactComplex> {
    using Operator = typename decltype(o)::type;
    try {
      if constexpr (op::is_plain_operator<Operator> &&
                    op::defined_for<Operator, std::complex<double>> &&
                    op::offers<ExactComplexWorld, ExactComplex, Operator>) {
        return op::apply_to<Operator>(ExactComplexWorld{}, a, b);
      }
      return std::nullopt;
    } catch (const Error&) {  // Real's division by zero
      return std::nullopt;
    }
  });
}

template <class T>
Real exact_integer(const T& value) {
  if constexpr (is_packed<T>) {
    return Real(value.value);
  } else if constexpr (std::is_unsigned_v<T>) {
    return Real::from_unsigned(value);
  } else {
    return Real(value);
  }
}

// The error of a rounded float, in units of its last place. `is_exact` where `exact` is more than
// an approximation.
template <class F>
void explain_error(const Real& exact, F rounded, bool is_exact = true) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  if (!exact::is_finite(exact::bits_of(rounded), kFormat)) {
    row("error", "infinite: the exact result is beyond the largest finite number");
    return;
  }
  const Real value = exact::value_of(rounded);
  const Real error = value - exact;
  const Real ulps = error / exact::ulp_of(exact, kFormat);
  row("error", fmt::format("{} ULP{}", text::format(ulps.to_double()),
                           is_exact && error.is_zero() ? " (exact)" : ""));
}

// What is no rational number in general: its first digits, and what rounding made of it. False
// where the operator is no such function, or has no finite value here.
template <class F>
bool explain_function(Op op, F a, F b, F y) {
  const auto exact = op::approximation(op, static_cast<double>(a), static_cast<double>(b));
  if (!exact) return false;
  row("exact", exact->digits.size() < 40 ? exact->digits : exact->digits + "  (40 digits)");
  row("rounded", fmt::format("{}  {}", text::format(y), text::format_hex(y)));
  explain_error(exact->value, y, false);
  return true;
}

template <class F>
void explain_float(Op op, F a, F b, F y) {
  constexpr FloatFormat kFormat = Element<F>::kFormat;
  const bool finite =
      exact::is_finite(exact::bits_of(a), kFormat) && exact::is_finite(exact::bits_of(b), kFormat);
  const std::optional<Real> exact =
      finite ? exact_result(op, exact::value_of(a), exact::value_of(b)) : std::nullopt;
  if (finite && explain_function(op, a, b, y)) return;
  if (!exact) {
    const bool whole =
        op::with_op(op, [](auto o) { return op::is_whole<typename decltype(o)::type>; });
    row("exact", whole && finite
                     ? text::format(y)
                     : "none: IEEE 754 defines the result for infinities, NaN and outside "
                       "of the domain, division by zero included");
    row("rounded", fmt::format("{}  {}", text::format(y), text::format_hex(y)));
    return;
  }
  row("exact", exact_text(*exact));
  row("rounded", fmt::format("{}  {}", text::format(y), text::format_hex(y)));
  explain_error(*exact, y);
}

template <class T>
void explain_integer(Op op, const T& a, const T& b, const T& y, IntDivision rounding) {
  const std::optional<Real> result = exact_result(op, exact_integer(a), exact_integer(b));
  if (result) row("exact", exact_text(*result));
  row("result", fmt::format("{}  {}", text::format(y), text::format_hex(y)));
  if (!result) return;  // powers (a zero divisor was an error before we came here)
  const Real& exact = *result;
  const Real difference = exact_integer(y) - exact;
  if (difference.is_zero()) {
    row("error", "0 (exact)");
  } else if (difference > Real(-1) && difference < Real(1)) {
    row("error", fmt::format("{} by rounding ({})", difference.to_string(), name(rounding)));
  } else {
    row("error",
        fmt::format("{}: the result wraps modulo 2^{}", difference.to_string(), Element<T>::kBits));
  }
}

template <class F>
void explain_complex(Op op, std::complex<F> a, std::complex<F> b, std::complex<F> y) {
  row("rounded", fmt::format("{}  {}", text::format(y), text::format_hex(y)));
  const auto finite = [](std::complex<F> z) {
    return std::isfinite(z.real()) && std::isfinite(z.imag());
  };
  const std::optional<ExactComplex> exact =
      !finite(a) || !finite(b)
          ? std::nullopt
          : exact_result(op, ExactComplex{exact::value_of(a.real()), exact::value_of(a.imag())},
                         ExactComplex{exact::value_of(b.real()), exact::value_of(b.imag())});
  if (!exact) {
    const bool is_function =
        finite(a) && finite(b) && finite(y) && !op::is_defined(op, DType::real);
    row("exact", is_function
                     ? "no rational number in general: docs/semantics/types.md has the error bounds"
                     : "none: the rules for infinities, NaN and division by zero apply");
    return;
  }
  row("exact re", exact_text(exact->re));
  explain_error(exact->re, y.real());
  row("exact im", exact_text(exact->im));
  explain_error(exact->im, y.imag());
}

template <class T>
void explain_element(Op op, const T& a, const T& b, const T& y, IntDivision rounding) {
  constexpr Kind kKind = Element<T>::kKind;
  const bool has_bits = kKind != Kind::exact;
  row("A", text::format(a) + (has_bits ? "  " + text::format_hex(a) : ""));
  if (op::arity(op) == 2) row("B", text::format(b) + (has_bits ? "  " + text::format_hex(b) : ""));
  if constexpr (kKind == Kind::floating) {
    explain_float(op, a, b, y);
  } else if constexpr (kKind == Kind::integer) {
    explain_integer(op, a, b, y, rounding);
  } else if constexpr (kKind == Kind::complex) {
    explain_complex(op, a, b, y);
  } else if constexpr (kKind == Kind::exact) {
    row("exact", exact_text(y));
    row("error", "0 (exact)");
  } else {
    row("result", text::format(y));
  }
}

// One element of a view as a tensor of rank 0, so that nothing else is computed or can fail.
ConstView element_at(const ConstView& v, const Dims& strides, const Dims& index) {
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < index.size(); ++i) steps += index[i] * strides[i];
  const void* data = v.data();
  std::int64_t offset = v.offset();
  move_by(data, offset, v.dtype(), steps);
  return ConstView(data, Layout(v.dtype(), Dims{}), offset);
}

// apply() to the elements at `index`, which its error names.
Tensor apply_at(const Dims& index, Op op, const ConstView& a, const ConstView& b,
                const Options& options) {
  try {
    return op::arity(op) == 2 ? apply(op, a, b, options) : apply(op, a, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::zero_divisor) throw;
    std::string text = error.what();
    if (const auto at = text.find("index ()"); at != std::string::npos) {
      text.replace(at, 8, "index " + to_string(index));
    }
    throw Error(error.code(), text, error.requirement());
  }
}

// What the second operator (--act) makes of the rounded result: a step of its own, with an error of
// its own.
void explain_then(Op then, const Tensor& y, const Options& options) {
  const Tensor z = apply(then, y, options);
  with_type(y.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    std::string value = text::format(z.at<T>({}));
    if constexpr (Element<T>::kKind != Kind::exact) value += "  " + text::format_hex(z.at<T>({}));
    row("act", fmt::format("{}  ({} of the result)", value, name(then)));
  });
}

void explain(const ExplainArguments& args, const Options& options) {
  const std::optional<Op> op = op_from_name(args.op);
  if (!op) {
    std::string names;
    for (const Op known : op::kPlainOps) names += fmt::format(" {}", name(known));
    fail(ErrorCode::bad_argument, "'{}' is no operator; expected one of:{}", args.op, names);
  }
  const bool two = op::arity(*op) == 2;
  if (args.b.has_value() != two) {
    fail(ErrorCode::bad_argument, "{} takes {}: hadamard explain {} A{}", name(*op),
         two ? "two operands" : "one operand", name(*op), two ? " B" : "");
  }
  const Operands in =
      read_operands(*op, args.a, args.b.value_or(""), args.operation.element_type());
  const ConstView& a = in.a.view();
  const ConstView& b = in.b.view();
  const Layout result = two ? result_layout(*op, a.layout(), b.layout(), options)
                            : result_layout(*op, a.layout(), options);
  Dims index = parse_index(args.at);
  if (args.at.empty()) {
    if (result.count() != 1) {
      fail(ErrorCode::bad_argument, "the result has {} elements (shape {}); name one with --at",
           result.count(), to_string(result.shape));
    }
    index = Dims::filled(result.rank(), 0);
  }
  bool inside = index.size() == result.rank();
  for (std::size_t i = 0; inside && i < index.size(); ++i) {
    inside = index[i] >= 0 && index[i] < result.shape[i];
  }
  if (!inside) {
    fail(ErrorCode::bad_argument, "--at {} is no index into the result, whose shape is {}",
         to_string(index), to_string(result.shape));
  }
  if (!op::is_plain_for(*op, a.dtype())) {
    fail(ErrorCode::unavailable, "explain is for results of the operands' type; {} of {} has not",
         name(*op), name(a.dtype()));
  }
  const dialect::Policy request = dialect::settle(*op, a.layout(), b.layout(), options);
  const plan::Aligned aligned = plan::broadcast(request.rule, request.axis, a.layout(), b.layout());
  const ConstView ea = element_at(a, aligned.a_strides, index);
  const ConstView eb = element_at(b, aligned.b_strides, index);
  Options one_step = options;
  one_step.then.reset();
  const Tensor y = apply_at(index, *op, ea, eb, one_step);
  row("operation", fmt::format("{} at {}, {}, dialect {}", op::notation(*op), to_string(index),
                               name(a.dtype()), name(options.dialect)));
  with_type(a.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    explain_element<T>(*op, ea.at<T>({}), eb.at<T>({}), y.at<T>({}), request.int_division);
  });
  if (options.then) explain_then(*options.then, y, one_step);
}

void run(const ExplainArguments& args) {
  const Options options = args.operation.settle();
  try {
    explain(args, options);
  } catch (const Error& error) {
    throw with_advice(error, options);
  }
}

}  // namespace

void add_explain_command(CommandLine& line) {
  auto args = std::make_shared<ExplainArguments>();
  Command command = line.add(
      "explain",
      "One element: operands, the exact result, the rounded one, its bits, the error in ULP");
  command.operand("OP", args->op, "An operator, such as div");
  command.operand("A", args->a, "A .npy file, a literal or a number");
  command.option("B", args->b, "Likewise, where the operator takes two");
  command.option("--at", args->at, "The index into the result: i,j,… (not needed for one element)");
  args->operation.add_to(command);
  command.footer("Example:\n  hadamard explain div '[6.1 9.5 35.7]' '[3.0 3.3 5.1]' --at 1");
  command.action([args] { run(*args); });
}

}  // namespace hadamard::app
