#include "model/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "bound/operator_ranges.hpp"
#include "dialect/dialect.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "model/mixed_power.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;
using bound::hull, bound::kInfinity;
using bound::Interval, bound::float_interval, bound::full_interval, bound::whole_interval;

// --- Constants and what the caller says ---------------------------------------------------------

template <class T>
std::optional<Interval> range_of(const Tensor& tensor) {
  std::optional<Interval> all;
  for (const T& x : tensor.to_vector<T>()) {
    Interval one;
    if constexpr (Element<T>::kKind == Kind::floating) {
      const auto d = static_cast<double>(x);
      if (std::isnan(d)) {
        if (!all) all = float_interval(-kInfinity, kInfinity, true);  // no number is the first one
        all->nan = true;
        continue;
      }
      one = float_interval(d, d, false);
    } else if constexpr (is_packed<T>) {
      one = whole_interval(x.value, x.value);
    } else {
      one = whole_interval(x, x);
    }
    all = all ? hull(*all, one) : one;
  }
  return all;
}

std::optional<Interval> constant_range(const Tensor& tensor) {
  return with_type(tensor.dtype(), [&](auto t) -> std::optional<Interval> {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind != Kind::exact && Element<T>::kKind != Kind::complex) {
      return range_of<T>(tensor);
    } else {
      return std::nullopt;
    }
  });
}

// The type's number that is nearest.
double rounded(double x, DType type) {
  return cast(cast(Tensor::scalar(x), type), DType::fp64).at<double>({});
}

Interval given_range(const GivenRange& given, DType type, std::string_view input) {
  const auto number = [&](const std::string& text) { return text::parse<double>(text); };
  const auto refuse = [&](std::string_view why) {
    fail(ErrorCode::bad_argument, "--range {}=[{},{}]: {}", io::quoted(input, 60), given.low,
         given.high, why);
  };
  const std::optional<Interval> full = full_interval(type);
  if (!full || kind(type) == Kind::boolean) {
    refuse(fmt::format("the input is {}, which has no order", name(type)));
  }
  if (full->whole) {
    const auto whole = [&](const std::string& text) -> int128 {
      if (text.find_first_not_of("+-0123456789") != std::string::npos) {
        refuse(fmt::format("{} is no whole number, but the input is {}", text, name(type)));
      }
      return text.front() == '-' ? int128{text::parse<std::int64_t>(text)}
                                 : int128{text::parse<std::uint64_t>(text)};
    };
    const Interval r = whole_interval(whole(given.low), whole(given.high));
    if (r.low < full->low || r.high > full->high) {
      refuse(fmt::format("{} holds only {}", name(type), bound::to_text(*full)));
    }
    if (r.low > r.high) refuse("the lower end is above the upper one");
    return r;
  }
  const Interval r =
      float_interval(rounded(number(given.low), type), rounded(number(given.high), type));
  if (!(r.from <= r.until)) refuse("the lower end is above the upper one, or one is NaN");
  return r;
}

// --- What nodes make of ranges ------------------------------------------------------------------

class RangeCheck {
 public:
  RangeCheck(const Graph& graph, const Facts& facts, Problems& problems, bool all)
      : graph_(graph),
        facts_(facts),
        problems_(problems),
        all_(all),
        ranges_(graph.values().size()),
        fixed_(graph.values().size(), false) {}

  void set(std::size_t value, std::optional<Interval> range) { ranges_[value] = std::move(range); }
  // The value is a constant, and has these elements and no others.
  void set_constant(std::size_t value, const Tensor& tensor) {
    ranges_[value] = constant_range(tensor);
    fixed_[value] = true;
  }

  void visit(const Node& node) {
    if (node.output == kNone || node.kind == nullptr || !node.sound) return;
    if (node.kind->form == Form::constant) return;
    check_divisor(node);
    if (!all_) return;
    const auto type = facts_[node.output].dtype;
    if (!type) return;
    const std::optional<Interval> range = result(node, *type);
    if (!fixed_[node.output]) ranges_[node.output] = range ? range : full_interval(*type);
  }

 private:
  const std::optional<Interval>& in(const Node& node, std::size_t i) const {
    static const std::optional<Interval> none;
    return i < node.inputs.size() && node.inputs[i] != kNone ? ranges_[node.inputs[i]] : none;
  }
  const Value& operand(const Node& node, std::size_t i) const {
    return graph_.values()[node.inputs[i]];
  }
  std::optional<DType> type_of(const Node& node, std::size_t i) const {
    return facts_[node.inputs[i]].dtype;
  }
  const dialect::Rules& rules() const { return dialect::rules(graph_.profile()); }

  // Where a constant has its first zero; nothing for what is no constant.
  static std::optional<std::string> first_zero(const Value& value) {
    if (!value.constant) return std::nullopt;
    const Tensor& tensor = *value.constant;
    return with_type(tensor.dtype(), [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      const Dims* const strides[] = {&tensor.strides()};
      for (IndexWalk<1> walk(tensor.shape(), strides); !walk.done(); walk.next()) {
        const T x = load_element<T>(tensor.data(), walk.offset(0));
        if constexpr (is_packed<T>) {
          if (x.value == 0) return to_string(walk.index());
        } else if constexpr (Element<T>::kKind == Kind::floating) {
          if (static_cast<double>(x) == 0) return to_string(walk.index());
        } else if constexpr (Element<T>::kKind == Kind::integer) {
          if (x == 0) return to_string(walk.index());
        }
      }
      return std::nullopt;
    });
  }

  // Whether, and where, an operand may be 0; nothing where it may not, or nobody has said.
  std::optional<std::string> possible_zero(const Node& node, std::size_t i,
                                           std::string_view what) const {
    const auto& range = in(node, i);
    const auto zero = first_zero(operand(node, i));
    if (zero) return fmt::format("the constant {} is 0 at index {}", what, *zero);
    if (!fixed_[node.inputs[i]] && all_ && range && range->contains_zero()) {
      return fmt::format("the {} may be 0: it lies in {}", what, bound::to_text(*range));
    }
    return std::nullopt;
  }

  // The operand that an operator divides by, if any. A base is a divisor where the exponent is
  // negative, of integers alone.
  struct DividingOperand {
    std::size_t index;
    bool is_base = false;
  };
  static std::optional<DividingOperand> dividing_operand(Op op) {
    const bool is_power =
        op::with_op(op, [](auto o) { return op::is_power<typename decltype(o)::type>; });
    if (is_power) return DividingOperand{0, true};
    switch (op::divisor(op)) {
      case op::Divisor::a:
        return DividingOperand{0};
      case op::Divisor::b:
        return DividingOperand{1};
      case op::Divisor::none:
      case op::Divisor::computed:
        break;
    }
    return std::nullopt;
  }

  // Of integers a zero divisor is a violation; of floats it has a result, and is worth a warning.
  void check_divisor(const Node& node) {
    if (!node.kind->is_operator()) return;
    const Op op = node.kind->op;
    const std::optional<DividingOperand> divisor = dividing_operand(op);
    if (!divisor) return;
    const std::size_t i = divisor->index;
    const std::optional<DType> type = type_of(node, i);
    if (!type) return;
    const bool whole = kind(*type) == Kind::integer;
    const auto& exponent = in(node, 1);
    if (divisor->is_base && !(whole && exponent && exponent->may_be_negative())) return;
    const auto found = possible_zero(node, i, divisor->is_base ? "base" : "divisor");
    if (!found) return;
    // What floats do is said by SONNX alone.
    const dialect::Rules& said_by = whole ? rules() : dialect::sonnx();
    problems_.add(
        {ErrorCode::zero_divisor, said_by.requirement(dialect::Violation::zero_divisor, op, *type),
         node.label, std::string(operand(node, i).name), *found,
         divisor->is_base ? "a base with a negative exponent must not contain 0: it is a divisor"
         : whole          ? "the divisor must not contain 0: integer division by it has no result"
                          : "division by it gives an infinity or NaN",
         !whole});
  }

  // Only floats that become integers saturate, which is worth a warning.
  void tell_overflow(const Node& node, DType type, const Interval& exact, bool saturates) {
    problems_.add(
        {ErrorCode::bad_argument, dialect::requirement_id("SONNX", node.kind->onnx, "INT-OVERFLOW"),
         node.label, std::string(graph_.values()[node.output].name),
         fmt::format("{} may overflow: the exact result lies in {}", node.kind->onnx,
                     bound::to_text(exact)),
         fmt::format("{} holds {}, and {}", name(type), bound::to_text(*full_interval(type)),
                     saturates ? "saturates" : "wraps"),
         saturates || rules().id == Dialect::onnx});
  }

  // Of a bound of Clip: an input, an attribute, or none, which is the end of the type.
  std::optional<Interval> clip_bound(const Node& node, std::size_t i, DType type) const {
    const bool is_upper = i == 2;
    const std::optional<Interval> all = full_interval(type);
    if (!all) return std::nullopt;
    const Interval full = *all;
    if (i < node.inputs.size() && node.inputs[i] != kNone) {
      return in(node, i) ? in(node, i) : full;
    }
    const io::OnnxAttribute* number = node.source->find(is_upper ? "max" : "min");
    if (number != nullptr) return constant_range(cast(Tensor::scalar(number->number), type));
    if (full.whole) {
      const int128 end = is_upper ? full.high : full.low;
      return whole_interval(end, end);
    }
    const double end = is_upper ? full.until : full.from;
    return float_interval(end, end);
  }

  // By the operator itself; where a type does not hold the exact result, that is told.
  std::optional<Interval> applied(const Node& node, Op op, DType type,
                                  std::initializer_list<DType> types,
                                  std::initializer_list<Interval> operands) {
    // A value that is declared with another kind of type than it has is an error of its own.
    const auto fits = [](DType t, const Interval& x) {
      const std::optional<Interval> full = full_interval(t);
      return full && full->whole == x.whole;
    };
    if (!full_interval(type) || !std::equal(types.begin(), types.end(), operands.begin(), fits)) {
      return std::nullopt;
    }
    program::Node step;
    step.op = op;
    step.type = type;
    step.attributes.int_division = rules().int_division;
    const bound::OperatorRange result = bound::operator_range(
        step, std::span(types.begin(), types.size()), std::span(operands.begin(), operands.size()));
    const bool saturates = kind(*types.begin()) == Kind::floating;
    if (result.overflow) tell_overflow(node, type, *result.overflow, saturates);
    return result.range;
  }
  std::optional<Interval> of_two(const Node& node, DType type, const Interval& a,
                                 const Interval& b) {
    const Op op = node.kind->op;
    if (a.whole == b.whole) return applied(node, op, type, {type, type}, {a, b});
    if (op::onnx_operands(op) != op::OnnxOperands::mixed_types || !a.whole) return std::nullopt;
    const std::optional<Interval> all = full_interval(type);
    if (!all || !all->whole) return std::nullopt;
    const Interval exact = mixed_power_range(a, b, type), full = *all;
    if (exact.low >= full.low && exact.high <= full.high) return exact;
    tell_overflow(node, type, exact, false);
    return full;
  }

  std::optional<Interval> result(const Node& node, DType type) {
    const auto& first = in(node, 0);
    switch (node.kind->form) {
      case Form::identity:
        return first;
      case Form::cast: {
        const std::optional<DType> from = type_of(node, 0);
        if (!from) return std::nullopt;
        const auto& x = first || *from != DType::bool_ ? first : full_interval(*from);
        return x ? applied(node, op::op_of<op::Cast>, type, {*from}, {*x}) : std::nullopt;
      }
      case Form::where: {
        const auto &a = in(node, 1), &b = in(node, 2);
        if (!a || !b || a->whole != b->whole) return std::nullopt;
        const Interval condition = first.value_or(bound::truth_interval(true, true));
        return applied(node, op::op_of<op::Where>, type, {DType::bool_, type, type},
                       {condition, *a, *b});
      }
      case Form::clip: {
        if (!first) return std::nullopt;
        const auto low = clip_bound(node, 1, type), high = clip_bound(node, 2, type);
        if (!low || !high) return std::nullopt;
        return applied(node, op::op_of<op::Clip>, type, {type, type, type}, {*first, *low, *high});
      }
      case Form::of_one:
        return first ? applied(node, node.kind->op, type, {type}, {*first}) : std::nullopt;
      case Form::of_two:
      case Form::of_many: {
        std::optional<Interval> all = first;
        for (std::size_t i = 1; all && i < node.inputs.size(); ++i) {
          if (!in(node, i)) return std::nullopt;
          all = of_two(node, type, *all, *in(node, i));
        }
        return all;
      }
      case Form::constant:
        break;
    }
    return std::nullopt;
  }

  const Graph& graph_;
  const Facts& facts_;
  Problems& problems_;
  bool all_;
  std::vector<std::optional<Interval>> ranges_;
  std::vector<bool> fixed_;  // constants that nobody can give
};

}  // namespace

GivenRange parse_range(std::string_view text) {
  std::string body;
  for (const char c : text) {
    if (c != ' ') body += c;
  }
  const auto comma = body.find(',');
  if (body.size() < 5 || body.front() != '[' || body.back() != ']' || comma == std::string::npos) {
    fail(ErrorCode::bad_argument, "{} is no range such as [1,2]", io::quoted(text, 60));
  }
  const GivenRange range{body.substr(1, comma - 1),
                         body.substr(comma + 1, body.size() - comma - 2)};
  for (const std::string& end : {range.low, range.high}) {
    if (!text::is_number(end)) {
      fail(ErrorCode::bad_argument, "{} is no range such as [1,2]: '{}' is no number",
           io::quoted(text, 60), end);
    }
  }
  return range;
}

void check_ranges(const Graph& graph, const Facts& facts,
                  const std::map<std::string, GivenRange, std::less<>>& given, bool all_values,
                  Problems& problems) {
  const ScopedFloatEnv env;
  const bool values_matter = all_values || !given.empty();
  // An input with an initializer may be given another value. Before IR version 4 every initializer
  // had to be listed as an input, which says nothing.
  const bool lists_on_purpose = graph.model().ir_version >= 4;
  RangeCheck ranges(graph, facts, problems, values_matter);
  for (const auto& [name, range] : given) {
    const std::size_t at = graph.find(name);
    if (at == kNone || !graph.values()[at].is_input) {
      fail(ErrorCode::bad_argument, "--range {}: the model has no such input",
           io::quoted(name, 60));
    }
  }
  for (std::size_t i = 0; i < graph.values().size(); ++i) {
    const Value& v = graph.values()[i];
    const auto found = given.find(v.name);
    const std::optional<DType> type = facts[i].dtype;
    if (v.is_input && found != given.end() && type) {
      ranges.set(i, given_range(found->second, *type, v.name));
    } else if (v.constant && !(values_matter && v.is_input && lists_on_purpose)) {
      ranges.set_constant(i, *v.constant);
    } else if (v.is_input && type) {
      ranges.set(i, full_interval(*type));
    }
  }
  for (const Node& node : graph.nodes()) ranges.visit(node);
}

}  // namespace hadamard::model
