#include "model/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/dialect.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "num/text.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Range whole_range(int128 low, int128 high) {
  Range r;
  r.whole = true;
  r.low = low;
  r.high = high;
  return r;
}
Range float_range(double from, double until, bool nan) {
  Range r;
  r.from = from;
  r.until = until;
  r.nan = nan;
  return r;
}

std::string to_text(int128 value) {
  if (value < 0) return "-" + to_text(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// The type's number for `x`: rounding is monotone, so an end that is rounded is an end still.
double rounded(DType type, double x) {
  return cast(cast(Tensor::scalar(x), type), DType::fp64).at<double>({});
}

// One step outward, against the rounding of the operation that gave the end.
Range outward(DType type, double from, double until, bool nan) {
  return float_range(rounded(type, std::nextafter(from, -kInfinity)),
                     rounded(type, std::nextafter(until, kInfinity)), nan);
}

Range join(const Range& a, const Range& b) {
  if (a.whole) return whole_range(std::min(a.low, b.low), std::max(a.high, b.high));
  return float_range(std::min(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
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
        if (!all) all = float_range(kInfinity, -kInfinity, true);
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

Range given_range(const GivenRange& given, DType type, const std::string& input) {
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

// The ends of all of four candidates; NaN where infinities or zeros meet.
Range corners(DType type, const Range& a, const Range& b, double (*f)(double, double)) {
  double from = kInfinity, until = -kInfinity;
  bool nan = a.nan || b.nan;
  for (const double x : {a.from, a.until}) {
    for (const double y : {b.from, b.until}) {
      const double z = f(x, y);
      if (std::isnan(z)) return float_range(-kInfinity, kInfinity, true);
      from = std::min(from, z);
      until = std::max(until, z);
    }
  }
  return outward(type, from, until, nan);
}

int128 floor_quotient(int128 a, int128 b) {
  const int128 q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

class RangeCheck {
 public:
  RangeCheck(const Graph& graph, std::vector<Problem>& problems, bool all)
      : graph_(graph), problems_(problems), all_(all), ranges_(graph.values().size()) {}

  std::optional<Range>& operator[](std::size_t value) { return ranges_[value]; }

  void visit(const Node& node) {
    if (node.output == kNone || node.kind == nullptr || ranges_[node.output]) return;
    if (node.kind->form == Form::of_two && node.kind->op == Op::div) check_divisor(node);
    if (!all_) return;
    const auto type = graph_.values()[node.output].dtype;
    if (!type || !node.sound) return;
    ranges_[node.output] = result(node, *type);
    if (!ranges_[node.output]) ranges_[node.output] = full_range(*type);
  }

 private:
  const std::optional<Range>& in(const Node& node, std::size_t i) const {
    static const std::optional<Range> none;
    return i < node.inputs.size() && node.inputs[i] != kNone ? ranges_[node.inputs[i]] : none;
  }
  const Value& operand(const Node& node, std::size_t i) const {
    return graph_.values()[node.inputs[i]];
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

  // Of integers a zero divisor is a violation; of floats it has a result, and is worth a warning.
  void check_divisor(const Node& node) {
    const Value& divisor = operand(node, 1);
    if (!divisor.dtype) return;
    const bool whole = kind(*divisor.dtype) == Kind::integer;
    const auto zero = first_zero(divisor);
    const auto& range = in(node, 1);
    std::string found;
    if (zero) {
      found = fmt::format("the constant divisor is 0 at index {}", *zero);
    } else if (!divisor.constant && all_ && range && range->contains_zero()) {
      found = fmt::format("the divisor may be 0: it lies in {}", model::to_text(*range));
    } else {
      return;
    }
    const std::string requirement =
        rules().id != Dialect::sonnx ? ""
        : whole ? rules().requirement(dialect::Violation::zero_divisor, Op::div, *divisor.dtype)
                : "SONNX-DIV-FLOAT-C3";
    problems_.push_back(
        {ErrorCode::zero_divisor, requirement, node.label, divisor.name, found,
         whole ? "the divisor must not contain 0: integer division by it has no result"
               : "division by it gives an infinity or NaN",
         !whole});
  }

  static std::string overflow_id(const Node& node) {
    std::string id = fmt::format("SONNX-{}-INT-OVERFLOW", name(node.kind->op));
    std::transform(id.begin(), id.end(), id.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return id;
  }

  // The exact result; where the type does not hold it, that is told, and all of the type comes out.
  std::optional<Range> wrapped(const Node& node, DType type, const Range& exact) {
    const Range full = *full_range(type);
    if (exact.low >= full.low && exact.high <= full.high) return exact;
    problems_.push_back({ErrorCode::bad_argument, overflow_id(node), node.label,
                         graph_.values()[node.output].name,
                         fmt::format("{} may overflow: the exact result lies in {}",
                                     node.kind->onnx, model::to_text(exact)),
                         fmt::format("{} holds {}, and wraps", name(type), model::to_text(full))});
    return full;
  }

  std::optional<Range> of_whole(const Node& node, DType type, const Range& a, const Range& b) {
    const auto corners_of = [&](auto f) {
      int128 low = f(a.low, b.low), high = low;
      for (const int128 z : {f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)}) {
        low = std::min(low, z);
        high = std::max(high, z);
      }
      return whole_range(low, high);
    };
    switch (node.kind->op) {
      case Op::add:
        return wrapped(node, type, whole_range(a.low + b.low, a.high + b.high));
      case Op::sub:
        return wrapped(node, type, whole_range(a.low - b.high, a.high - b.low));
      case Op::mul:
        return wrapped(node, type, corners_of([](int128 x, int128 y) { return x * y; }));
      case Op::div: {
        // By 1 and -1 at most, where 0 is among the divisors: it is told elsewhere.
        std::optional<Range> all;
        for (const Range& part : {whole_range(b.low, std::min<int128>(b.high, -1)),
                                  whole_range(std::max<int128>(b.low, 1), b.high)}) {
          if (part.low > part.high) continue;
          for (const int128 x : {a.low, a.high}) {
            for (const int128 y : {part.low, part.high}) {
              const Range one = whole_range(floor_quotient(x, y), floor_quotient(x, y));
              const Range toward = whole_range(x / y, x / y);
              all = all ? join(*all, join(one, toward)) : join(one, toward);
            }
          }
        }
        return all ? wrapped(node, type, *all) : all;
      }
      case Op::max:
        return whole_range(std::max(a.low, b.low), std::max(a.high, b.high));
      case Op::min:
        return whole_range(std::min(a.low, b.low), std::min(a.high, b.high));
      default:
        return std::nullopt;
    }
  }

  static std::optional<Range> of_floats(DType type, Op op, const Range& a, const Range& b) {
    switch (op) {
      case Op::add:
        return corners(type, a, b, [](double x, double y) { return x + y; });
      case Op::sub:
        return corners(type, a, b, [](double x, double y) { return x - y; });
      case Op::mul:
        return corners(type, a, b, [](double x, double y) { return x * y; });
      case Op::div:
        if (b.contains_zero()) return std::nullopt;
        return corners(type, a, b, [](double x, double y) { return x / y; });
      case Op::max:
        return float_range(std::max(a.from, b.from), std::max(a.until, b.until), a.nan || b.nan);
      case Op::min:
        return float_range(std::min(a.from, b.from), std::min(a.until, b.until), a.nan || b.nan);
      default:
        return std::nullopt;
    }
  }

  std::optional<Range> of_one(const Node& node, DType type, const Range& a) {
    const Op op = node.kind->op;
    if (a.whole) {
      switch (op) {
        case Op::neg:
          return wrapped(node, type, whole_range(-a.high, -a.low));
        case Op::abs: {
          const int128 largest =
              std::max(a.low < 0 ? -a.low : a.low, a.high < 0 ? -a.high : a.high);
          const int128 least = a.contains_zero() ? 0
                                                 : std::min(a.low < 0 ? -a.low : a.low,
                                                            a.high < 0 ? -a.high : a.high);
          return wrapped(node, type, whole_range(least, largest));
        }
        case Op::sign:
          return whole_range(a.low > 0   ? 1
                             : a.low < 0 ? -1
                                         : 0,
                             a.high > 0   ? 1
                             : a.high < 0 ? -1
                                          : 0);
        case Op::relu:
          return whole_range(std::max<int128>(a.low, 0), std::max<int128>(a.high, 0));
        default:
          return std::nullopt;
      }
    }
    // By the operator itself, which is monotone: the ends of the result are those of its ends.
    const auto at = [&](double x) {
      return cast(apply(op, cast(Tensor::scalar(x), type)), DType::fp64).at<double>({});
    };
    switch (op) {
      case Op::neg:
        return float_range(-a.until, -a.from, a.nan);
      case Op::abs:
        return float_range(a.contains_zero() ? 0 : std::min(std::fabs(a.from), std::fabs(a.until)),
                           std::max(std::fabs(a.from), std::fabs(a.until)), a.nan);
      case Op::reciprocal:
        if (a.contains_zero()) return std::nullopt;
        return float_range(at(a.until), at(a.from), a.nan);
      case Op::log:
      case Op::sqrt:
        if (a.from < 0) return std::nullopt;
        [[fallthrough]];
      case Op::exp:
      case Op::tanh:
      case Op::sigmoid:
      case Op::sign:
      case Op::relu:
      case Op::floor:
      case Op::ceil:
      case Op::round:
        return float_range(at(a.from), at(a.until), a.nan);
      default:
        return std::nullopt;
    }
  }

  std::optional<Range> cast_range(const Range& a, DType type) const {
    const auto full = full_range(type);
    if (!full) return std::nullopt;
    if (a.whole && full->whole) {
      return a.low >= full->low && a.high <= full->high ? a : *full;
    }
    if (a.whole)
      return outward(type, static_cast<double>(a.low), static_cast<double>(a.high), false);
    if (!full->whole) return float_range(rounded(type, a.from), rounded(type, a.until), a.nan);
    const auto saturated = [&](double x) {
      if (x <= static_cast<double>(full->low)) return full->low;
      if (x >= static_cast<double>(full->high)) return full->high;
      return static_cast<int128>(x);
    };
    Range r = whole_range(saturated(a.from), saturated(a.until));
    return a.nan ? join(r, whole_range(0, 0)) : r;
  }

  std::optional<Range> result(const Node& node, DType type) {
    const auto& first = in(node, 0);
    switch (node.kind->form) {
      case Form::identity:
        return first;
      case Form::cast:
        return first ? cast_range(*first, type) : std::nullopt;
      case Form::where:
        return in(node, 1) && in(node, 2) ? std::optional(join(*in(node, 1), *in(node, 2)))
                                          : std::nullopt;
      case Form::clip: {
        if (!first) return std::nullopt;
        Range r = *first;
        if (const auto& low = in(node, 1)) r = *combined(node, type, Op::max, r, *low);
        if (const auto& high = in(node, 2)) r = *combined(node, type, Op::min, r, *high);
        return r;
      }
      case Form::of_one:
        return first ? of_one(node, type, *first) : std::nullopt;
      case Form::of_two:
      case Form::of_many: {
        std::optional<Range> all = first;
        for (std::size_t i = 1; all && i < node.inputs.size(); ++i) {
          if (!in(node, i) || in(node, i)->whole != all->whole) return std::nullopt;
          all = all->whole ? of_whole(node, type, *all, *in(node, i))
                           : of_floats(type, node.kind->op, *all, *in(node, i));
        }
        return all;
      }
      case Form::constant:
        break;
    }
    return std::nullopt;
  }
  static std::optional<Range> combined(const Node&, DType type, Op op, const Range& a,
                                       const Range& b) {
    if (!a.whole) return of_floats(type, op, a, b);
    return op == Op::max ? whole_range(std::max(a.low, b.low), std::max(a.high, b.high))
                         : whole_range(std::min(a.low, b.low), std::min(a.high, b.high));
  }

  const Graph& graph_;
  std::vector<Problem>& problems_;
  bool all_;
  std::vector<std::optional<Range>> ranges_;
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

void check_ranges(const Graph& graph, const std::map<std::string, GivenRange>& given,
                  std::vector<Problem>& problems) {
  const ScopedFloatEnv env;
  RangeCheck ranges(graph, problems, !given.empty());
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
    if (v.is_input && found != given.end() && v.dtype) {
      ranges[i] = given_range(found->second, *v.dtype, v.name);
    } else if (v.constant) {
      ranges[i] = constant_range(*v.constant);
    } else if (v.is_input && v.dtype) {
      ranges[i] = full_range(*v.dtype);
    }
  }
  for (const Node& node : graph.nodes()) ranges.visit(node);
}

}  // namespace hadamard::model
