#include "dialect/matlab/lower.hpp"

#include <initializer_list>
#include <utility>

#include "base/fail.hpp"
#include "dialect/lowering.hpp"
#include "num/dtype.hpp"
#include "op/matlab_form.hpp"
#include "op/ops.hpp"
#include "program/node_arithmetic.hpp"

namespace hadamard::dialect::matlab {
namespace {

using op::MatlabRules;
using program::ValueId;

// The arithmetic of records, as nodes of a lowering.
struct Nodes {
  Lowering& lowering;
  ValueId apply(Op op, std::initializer_list<ValueId> values) const {
    LoweredOperand operands[program::kMostOperands] = {ValueId{}, ValueId{}, ValueId{}};
    std::size_t count = 0;
    for (const ValueId value : values) operands[count++] = value;
    return lowering.apply(op, {operands, count});
  }
  ValueId number(int value, ValueId like) const {
    const LoweredOperand number{Real(value)};
    return lowering.apply(Op::cast, {&number, 1}, {}, lowering.type(like));
  }
};
using Arithmetic = program::NodeArithmetic<Nodes>;

// A record's form on integers that saturate.
ValueId saturating(Op op, const Arithmetic& w, std::span<const ValueId> operands) {
  return op::with_op(op, [&](auto o) -> ValueId {
    using Operator = typename decltype(o)::type;
    if constexpr (requires { Operator::saturating(w, operands[0]); }) {
      return Operator::saturating(w, operands[0]);
    } else if constexpr (requires { Operator::saturating(w, operands[0], operands[1]); }) {
      return Operator::saturating(w, operands[0], operands[1]);
    } else {
      fail(ErrorCode::internal, "{} has no form on integers that saturate", name(op));
    }
  });
}

// A record's form on real floats: the operator, where it says nothing else.
ValueId real_form(Op op, const Arithmetic& w, std::span<const ValueId> operands) {
  return op::with_op(op, [&](auto o) -> ValueId {
    using Operator = typename decltype(o)::type;
    if constexpr (op::has_matlab_form<Operator>) {
      return Operator::in_matlab(w, operands[0], operands[1]);
    } else {
      return operands.size() == 1 ? w.nodes.apply(op, {operands[0]})
                                  : w.nodes.apply(op, {operands[0], operands[1]});
    }
  });
}

class Maker {
 public:
  Maker(const Request& request, const Options& options)
      : request_(request), rules_(op::matlab_rules(request.op)), lowering_(options) {
    values_[count_++] = lowering_.input("A", request.a);
    if (request.b) values_[count_++] = lowering_.input("B", *request.b);
  }

  plan::Lowered value(bool leaves_reals) {
    const bool is_complex = request_.promotion.is_complex;
    return finish(request_.promotion.keeps_integers ? integers()
                  : is_complex                      ? complex()
                  : leaves_reals                    ? beyond_reals()
                                                    : real_form(request_.op, w_, in_floats()));
  }
  plan::Lowered guard() {
    in_floats();
    return finish(is_beyond());
  }

 private:
  plan::Lowered finish(ValueId y) {
    lowering_.output("Y", y);
    return lowering_.finish();
  }
  std::span<const ValueId> values() const { return {values_, count_}; }
  ValueId apply(Op op, std::initializer_list<ValueId> operands) const {
    return w_.nodes.apply(op, operands);
  }
  ValueId converted(Op op, ValueId value, DType to) {
    const LoweredOperand operand(value);
    return lowering_.type(value) == to ? value : lowering_.apply(op, {&operand, 1}, {}, to);
  }
  ValueId as(ValueId value, DType to) { return converted(Op::cast, value, to); }
  ValueId with_number(Op op, ValueId value, double number) {
    const LoweredOperand operands[] = {value, LoweredOperand(Real(static_cast<int>(number)))};
    return lowering_.apply(op, operands);
  }

  // Of their class. Those of up to 32 bits are computed in doubles, whose rounding MATLAB shows,
  // and remainders in the class; a double stands beside an integer of 64 bits as it is.
  ValueId integers() {
    const Promotion& promotion = request_.promotion;
    const DType type = promotion.result;
    if (rules_.computes_in_class) {
      for (ValueId& value : std::span(values_, count_)) {
        value = converted(Op::saturating_cast, value, type);
      }
      return saturating(request_.op, w_, values());
    }
    if (count_ == 1) return saturating(request_.op, w_, values());
    if (promotion.computed == DType::fp64) {
      for (ValueId& value : std::span(values_, count_)) value = as(value, DType::fp64);
      return converted(Op::saturating_cast, apply(request_.op, {values_[0], values_[1]}), type);
    }
    for (ValueId& value : std::span(values_, count_)) {
      if (lowering_.type(value) != type) value = as(value, DType::fp64);
    }
    return saturating(request_.op, w_, values());
  }

  std::span<const ValueId> in_floats() {
    for (ValueId& value : std::span(values_, count_))
      value = as(value, request_.promotion.computed);
    return values();
  }

  ValueId complex() {
    const DType part = request_.promotion.computed, type = complex_type(part);
    const Op op = request_.op;
    for (ValueId& value : std::span(values_, count_)) {
      value = as(value, is_complex(lowering_.type(value)) ? type : part);
    }
    if (count_ == 1) {
      const ValueId z = values_[0];
      if (!rules_.by_parts) return apply(op, {z});
      return w_.nodes.apply(Op::from_parts, {apply(op, {w_.real(z)}), apply(op, {w_.imag(z)})});
    }
    const ValueId x = values_[0], y = values_[1];
    if (!is_scaled(op, lowering_.type(x), lowering_.type(y))) {
      return apply(op, {as(x, type), as(y, type)});
    }
    const bool first = is_complex(lowering_.type(x));
    const auto scaled = [&](Op part_of) {
      return first ? apply(op, {apply(part_of, {x}), y}) : apply(op, {x, apply(part_of, {y})});
    };
    const ValueId re = scaled(Op::real);
    return apply(Op::from_parts, {re, scaled(Op::imag)});
  }

  // Whether the result of the real operands is complex.
  ValueId is_beyond() {
    if (rules_.least) return with_number(Op::lt, values_[0], *rules_.least);
    const ValueId exponent = values_[1];
    const ValueId is_broken = apply(Op::ne, {exponent, apply(Op::trunc, {exponent})});
    return apply(Op::logical_and,
                 {with_number(Op::lt, values_[0], 0),
                  apply(Op::logical_and, {apply(Op::isfinite, {exponent}), is_broken})});
  }
  ValueId beyond_reals() {
    in_floats();
    const DType type = complex_type(request_.promotion.computed);
    const Op op = request_.op;
    const ValueId real = as(real_form(op, w_, values()), type);
    const ValueId z = as(values_[0], type);
    const ValueId complex = count_ == 1 ? apply(op, {z}) : apply(op, {z, as(values_[1], type)});
    return apply(Op::where, {is_beyond(), complex, real});
  }

  const Request& request_;
  const MatlabRules& rules_;
  Lowering lowering_;
  const Arithmetic w_{{lowering_}};
  ValueId values_[2] = {};
  std::size_t count_ = 0;
};

}  // namespace

bool has_complex_form(Op op) noexcept {
  return op::is_defined(op, DType::complex128) || !op::is_plain_for(op, DType::complex128) ||
         op::matlab_rules(op).by_parts;
}

bool has_guard(const Request& request) noexcept {
  const MatlabRules& rules = op::matlab_rules(request.op);
  return !request.promotion.is_complex && !request.promotion.keeps_integers &&
         (rules.least || rules.is_power);
}

bool is_plain(const Request& request) noexcept {
  const Promotion& promotion = request.promotion;
  return !promotion.keeps_integers && !promotion.is_complex && !has_own_form(request.op) &&
         request.a.dtype == promotion.computed &&
         (!request.b || request.b->dtype == promotion.computed);
}

bool is_scaled(Op op, DType a, DType b) noexcept {
  if (is_complex(a) == is_complex(b)) return false;
  switch (op::matlab_rules(op).scale) {
    case MatlabRules::Scale::none:
      return false;
    case MatlabRules::Scale::either:
      return true;
    case MatlabRules::Scale::by_second:
      return is_complex(a);
  }
  __builtin_unreachable();
}

plan::Lowered lower(const Request& request, bool leaves_reals, const Options& options) {
  return Maker(request, options).value(leaves_reals);
}

plan::Lowered lower_is_complex(const Layout& a, const Options& options) {
  Lowering lowering(options);
  const LoweredOperand z = lowering.input("A", a);
  const LoweredOperand operands[] = {lowering.apply(Op::imag, {&z, 1}), LoweredOperand(Real())};
  lowering.output("Y", lowering.apply(Op::ne, operands));
  return lowering.finish();
}

plan::Lowered lower_guard(const Request& request, const Options& options) {
  return Maker(request, options).guard();
}

}  // namespace hadamard::dialect::matlab
