// Makes programs: checks types, shares what is computed twice, computes what has constant operands,
// and leaves out what no output needs.
//
//   Builder b;
//   const ValueId x = b.input("x", DType::fp32);
//   const ValueId y = b.apply(Op::mul, {x, b.constant(Tensor::scalar(2.0F))});
//   b.output("y", y);
//   const Program p = b.finish();
//
// Nothing is simplified that could change a bit: x * 1 and log(exp(x)) stay what they are.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "program/program.hpp"

namespace hadamard::program {

class Builder {
 public:
  // Every call is another input, even with a name that is there.
  ValueId input(std::string name, DType type);
  // Of rank 0. Equal constants (bit by bit) are one value.
  ValueId constant(Tensor value, SourceRange source = {});
  // The operator's value. Throws type_mismatch or unsupported_type where the operands' types do not
  // fit it, too_large above kMostNodes. `to` is the type that a cast gives.
  ValueId apply(Op op, const Operands& operands, const Attributes& attributes = {},
                SourceRange source = {}, DType to = {});
  ValueId cast(ValueId operand, DType to, SourceRange source = {}) {
    return apply(Op::cast, {operand}, {}, source, to);
  }

  void output(std::string name, ValueId value);

  DType type(ValueId id) const noexcept { return program_.nodes_[id].type; }
  const Node& node(ValueId id) const noexcept { return program_.nodes_[id]; }
  const Tensor& constant_of(ValueId id) const { return program_.constant(node(id)); }

  // The program, without the nodes that no output needs. Inputs stay, used or not.
  Program finish();

 private:
  ValueId add(Node node);
  ValueId shared(Node node);  // the node that computes the same, or this one, added
  bool folds(const Node& node) const;

  Program program_;
  std::unordered_multimap<std::uint64_t, ValueId> known_;  // by hash
};

}  // namespace hadamard::program
