#include "model/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/dialect.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "model/interval.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string to_text(int128 value) {
  if (value == kBeyond) return "2^127 or more";
  if (value == -kBeyond) return "-2^127 or less";
  if (value < 0) return "-" + to_text(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// --- Constants and what the caller says ---------------------------------------------------------

template <class T>
std::optional<Range> range_of(const Tensor& tensor) {
  std::optional<Range> all;
  for (const T& x : tensor.to_vector<T>()) {
    Range one;
    if constexpr (Element<T>::kKind == Kind::floating) {
      const auto d = static_cast<double>(x);
      if (std::isnan(d)) {
        if (!all) all = float_range(-kInfinity, kInfinity, true);  // no number is the first one
        all->nan = true;
        continue;
      }
      one = float_range(d, d, false);
    } else if constexpr (is_packed<T>) {
      one = whole_range(x.value, x.value);
    } else {
      one = whole_range(x, x);
    }
    all = all ? join(*all, one) : one;
  }
  return all;
}

std::optional<Range> constant_range(const Tensor& tensor) {
  return with_type(tensor.dtype(), [&](auto t) -> std::optional<Range> {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::integer) {
      return range_of<T>(tensor);
    } else {
      return std::nullopt;
    }
  });
}

Range given_range(const GivenRange& given, DType type, std::string_view input) {
  const auto number = [&](const std::string& text) { return text::parse<double>(text); };
  const auto refuse = [&](std::string_view why) {
    fail(ErrorCode::bad_argument, "--range {}=[{},{}]: {}", io::quoted(input, 60), given.low,
         given.high, why);
  };
  const std::optional<Range> full = full_range(type);
  if (!full) refuse(fmt::format("the input is {}, which has no order", name(type)));
  if (full->whole) {
    const auto whole = [&](const std::string& text) -> int128 {
      if (text.find_first_not_of("+-0123456789") != std::string::npos) {
        refuse(fmt::format("{} is no whole number, but the input is {}", text, name(type)));
      }
      return text.front() == '-' ? int128{text::parse<std::int64_t>(text)}
                                 : int128{text::parse<std::uint64_t>(text)};
    };
    const Range r = whole_range(whole(given.low), whole(given.high));
    if (r.low < full->low || r.high > full->high) {
      refuse(fmt::format("{} holds only {}", name(type), model::to_text(*full)));
    }
    if (r.low > r.high) refuse("the lower end is above the upper one");
    return r;
  }
  const Range r =
      float_range(rounded(type, number(given.low)), rounded(type, number(given.high)), false);
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

  void set(std::size_t value, std::optional<Range> range) { ranges_[value] = std::move(range); }
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
    const std::optional<Range> range = result(node, *type);
    if (!fixed_[node.output]) ranges_[node.output] = range ? range : full_range(*type);
  }

 private:
  const std::optional<Range>& in(const Node& node, std::size_t i) const {
    static const std::optional<Range> none;
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
      return fmt::format("the {} may be 0: it lies in {}", what, model::to_text(*range));
    }
    return std::nullopt;
  }

  static bool may_be_negative(const std::optional<Range>& range) {
    return range && (range->whole ? range->low < 0 : range->from < 0);
  }

  // Of integers a zero divisor is a violation; of floats it has a result, and is worth a warning.
  void check_divisor(const Node& node) {
    if (!node.kind->is_operator()) return;
    const Op op = node.kind->op;
    if (op != Op::div && op != Op::pow && op != Op::reciprocal) return;
    const std::size_t i = op == Op::div ? 1 : 0;
    const std::optional<DType> type = type_of(node, i);
    if (!type) return;
    const bool whole = kind(*type) == Kind::integer;
    if (op == Op::pow && (!whole || !may_be_negative(in(node, 1)))) return;
    const auto found = possible_zero(node, i, op == Op::pow ? "base" : "divisor");
    if (!found) return;
    const std::string requirement =
        whole           ? rules().requirement(dialect::Violation::zero_divisor, op, *type)
        : op == Op::div ? "SONNX-DIV-FLOAT-C3"
                        : "SONNX-R3";
    problems_.add({ErrorCode::zero_divisor, requirement, node.label,
                   std::string(operand(node, i).name), *found,
                   op == Op::pow
                       ? "a base with a negative exponent must not contain 0: it is a divisor"
                   : whole ? "the divisor must not contain 0: integer division by it has no result"
                           : "division by it gives an infinity or NaN",
                   !whole});
  }

  // What a bool becomes: 0 or 1.
  static std::optional<Range> truth_range(DType type) {
    const std::optional<Range> full = full_range(type);
    if (!full) return std::nullopt;
    return full->whole ? whole_range(0, 1) : float_range(0, 1, false);
  }

  // The exact result; where the type does not hold it, that is told, and what comes out then. Only
  // floats that become integers saturate, which is worth a warning.
  std::optional<Range> held(const Node& node, DType type, const std::optional<Range>& exact,
                            bool saturates = false) {
    if (!exact || !exact->whole) return exact;
    const std::optional<Range> all = full_range(type);
    if (!all || !all->whole)
      return std::nullopt;  // declared as another kind of type: an error there
    const Range full = *all;
    if (exact->low >= full.low && exact->high <= full.high) return exact;
    problems_.add({ErrorCode::bad_argument,
                   dialect::requirement_id("SONNX", node.kind->onnx, "INT-OVERFLOW"), node.label,
                   std::string(graph_.values()[node.output].name),
                   fmt::format("{} may overflow: the exact result lies in {}", node.kind->onnx,
                               model::to_text(*exact)),
                   fmt::format("{} holds {}, and {}", name(type), model::to_text(full),
                               saturates ? "saturates" : "wraps"),
                   saturates || rules().id == Dialect::onnx});
    if (!saturates) return full;
    return whole_range(std::clamp(exact->low, full.low, full.high),
                       std::clamp(exact->high, full.low, full.high));
  }

  // Of a bound of Clip: an input, an attribute, or none.
  std::optional<Range> bound(const Node& node, std::size_t i, std::string_view attribute,
                             DType type) const {
    if (i < node.inputs.size() && node.inputs[i] != kNone) {
      return in(node, i) ? in(node, i) : full_range(type);
    }
    const io::OnnxAttribute* number = node.source->find(attribute);
    if (number == nullptr) return std::nullopt;
    return constant_range(cast(Tensor::scalar(number->number), type));
  }

  std::optional<Range> result(const Node& node, DType type) {
    const auto& first = in(node, 0);
    switch (node.kind->form) {
      case Form::identity:
        return first;
      case Form::cast:
        if (type_of(node, 0) == DType::bool_) return truth_range(type);
        return first ? held(node, type, cast_result(*first, type), !first->whole) : std::nullopt;
      case Form::where:
        return in(node, 1) && in(node, 2) && in(node, 1)->whole == in(node, 2)->whole
                   ? std::optional(join(*in(node, 1), *in(node, 2)))
                   : std::nullopt;
      case Form::clip: {
        std::optional<Range> r = first;
        const auto low = bound(node, 1, "min", type), high = bound(node, 2, "max", type);
        if (r && low) r = of_two(node, type, Op::max, *r, *low);
        if (r && high) r = of_two(node, type, Op::min, *r, *high);
        return r;
      }
      case Form::of_one:
        if (!first) return std::nullopt;
        return first->whole ? held(node, type, whole_result(node.kind->op, *first))
                            : float_result(type, node.kind->op, *first);
      case Form::of_two:
      case Form::of_many: {
        std::optional<Range> all = first;
        for (std::size_t i = 1; all && i < node.inputs.size(); ++i) {
          if (!in(node, i)) return std::nullopt;
          all = of_two(node, type, node.kind->op, *all, *in(node, i));
        }
        return all;
      }
      case Form::constant:
        break;
    }
    return std::nullopt;
  }
  std::optional<Range> of_two(const Node& node, DType type, Op op, const Range& a, const Range& b) {
    if (a.whole != b.whole) {
      return op == Op::pow && a.whole ? held(node, type, mixed_power_result(a, b, type))
                                      : std::nullopt;
    }
    return a.whole ? held(node, type, whole_result(op, a, b)) : float_result(type, op, a, b);
  }

  const Graph& graph_;
  const Facts& facts_;
  Problems& problems_;
  bool all_;
  std::vector<std::optional<Range>> ranges_;
  std::vector<bool> fixed_;  // constants that nobody can give
};

}  // namespace

std::string to_text(const Range& range) {
  if (range.whole) return fmt::format("[{}, {}]", to_text(range.low), to_text(range.high));
  return fmt::format("[{}, {}]{}", text::format(range.from), text::format(range.until),
                     range.nan ? " or NaN" : "");
}

std::optional<Range> full_range(DType type) {
  return with_type(type, [](auto t) -> std::optional<Range> {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      return float_range(-kInfinity, kInfinity, true);
    } else if constexpr (Element<T>::kKind == Kind::integer) {
      return whole_range(Element<T>::kMin, Element<T>::kMax);
    } else {
      return std::nullopt;
    }
  });
}

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
      ranges.set(i, full_range(*type));
    }
  }
  for (const Node& node : graph.nodes()) ranges.visit(node);
}

}  // namespace hadamard::model
