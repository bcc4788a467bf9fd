// From operators on operands to a program: types, literals, shapes and broadcasting, by the rules
// of a dialect. No arithmetic.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executable.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "plan/plan.hpp"
#include "program/builder.hpp"

namespace hadamard::dialect {

// What an operator is applied to: a value of the program, or a number that has no type yet and is
// rounded once to the type that it meets.
class LoweredOperand {
 public:
  LoweredOperand(program::ValueId value) : value_(value) {}  // NOLINT: a value is an operand
  explicit LoweredOperand(Real number, bool is_imaginary = false, program::SourceRange source = {})
      : number_(std::move(number)),
        is_imaginary_(is_imaginary),
        is_negative_(number_.sign() < 0),
        source_(source) {}

  // An infinity or NaN.
  static LoweredOperand special(double value) {
    LoweredOperand operand{Real()};
    operand.special_ = value;
    return operand;
  }

  bool is_number() const noexcept { return !value_.has_value(); }
  program::ValueId value() const { return *value_; }
  const Real& number() const noexcept { return number_; }
  std::optional<double> special() const noexcept { return special_; }  // instead of number()
  bool is_imaginary() const noexcept { return is_imaginary_; }
  bool is_negative() const noexcept { return is_negative_; }  // -0 too
  LoweredOperand negated() const {
    LoweredOperand other = *this;
    other.number_ = Real() - number_;
    if (special_) other.special_ = -*special_;
    other.is_negative_ = !is_negative_;
    return other;
  }
  program::SourceRange source() const noexcept { return source_; }

 private:
  std::optional<program::ValueId> value_;
  Real number_;
  std::optional<double> special_;
  bool is_imaginary_ = false;
  bool is_negative_ = false;
  program::SourceRange source_;
};

// Throws for options that have no meaning in a program of several operators.
void require_program_options(const Options& options);

class Lowering {
 public:
  // `number_type` is what numbers become that meet no value.
  explicit Lowering(const Options& options, DType number_type = DType::fp64);

  program::ValueId input(std::string name, const Layout& layout);
  // Throws type_mismatch, unsupported_type, shape_mismatch; bad_argument for a number that the type
  // which it meets cannot hold, for an operator that the dialect does not have, and for
  // attributes that the operator does not have.
  program::ValueId apply(Op op, std::span<const LoweredOperand> operands,
                         program::SourceRange source = {}, DType to = {},
                         std::span<const Attribute> attributes = {});
  // A number alone is a value too.
  program::ValueId value_of(const LoweredOperand& operand);
  void output(std::string name, program::ValueId value);

  const Dims& shape(program::ValueId value) const { return shapes_[value]; }
  DType type(program::ValueId value) const { return builder_.type(value); }

  plan::Lowered finish();

 private:
  program::ValueId constant(const LoweredOperand& number, DType type);
  program::ValueId converted(Op op, const LoweredOperand& number, DType to);
  DType type_to_meet(Op op, std::span<const LoweredOperand> operands) const;
  program::ValueId checked_apply(Op op, const program::Operands& operands,
                                 const program::Attributes& attributes, program::SourceRange source,
                                 DType to);
  std::string shapes_text(Op op, const program::Operands& operands) const;
  std::string advice(const program::Operands& operands) const;
  Dims result_shape(const program::Operands& operands) const;
  std::size_t first_dim(const Dims& shape, std::size_t rank) const;

  const Options options_;
  const DType number_type_;
  const Broadcast rule_;
  program::Builder builder_;
  std::vector<Dims> shapes_;  // of each value, with its own rank
  std::vector<Layout> inputs_;
  std::vector<std::string> input_names_;
  std::vector<program::ValueId> outputs_;
};

// "line 2, column 5: 'A + B'": a place in a text, for a message.
std::string place_text(std::string_view source, program::SourceRange range);

// Throws zero_divisor or bad_argument for the first element that has no result.
[[noreturn]] void fail_node(Dialect dialect, const plan::Plan& plan,
                            std::span<const exec::Place> inputs, program::ValueId failed);

}  // namespace hadamard::dialect
