// Programs written as text: "Y = (A - B) ./ (C + 1e-6)". The grammar is that of expressions in
// MATLAB; what the operators mean is the dialect's.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/options.hpp"
#include "plan/plan.hpp"
#include "program/syntax/syntax.hpp"

namespace hadamard::dialect {

class ProgramText {
 public:
  // Throws bad_literal, with the place, for text that is not of the language; bad_argument for
  // parts of it that are not element-wise, and for names that are read before they are assigned.
  explicit ProgramText(std::string source);

  // Names that no statement assigns, in the order in which they are read.
  const std::vector<std::string>& inputs() const noexcept { return inputs_; }
  // Assigned names that no later statement reads, in order; a last expression without a name is Y.
  const std::vector<std::string>& outputs() const noexcept { return outputs_; }
  // All assigned names.
  const std::vector<std::string>& assigned() const noexcept { return assigned_; }
  const std::string& source() const noexcept { return source_; }

  // Names that stand for numbers, which take the type that they meet, as those in the text do.
  using Numbers = std::map<std::string, Real, std::less<>>;
  // The program of these outputs; without any, of outputs(). `inputs` are those of inputs() that
  // are not among `numbers`. Numbers that meet no value are `number_type`. Throws as Lowering does,
  // with the place in the text, and bad_argument for an output that is not assigned.
  plan::Lowered lower(std::span<const Layout> inputs, std::span<const std::string> wanted,
                      const Options& options, DType number_type = DType::fp64,
                      const Numbers& numbers = {}) const;

 private:
  void check_calls(const syntax::Node& node) const;
  void check_attributes(Op op, const syntax::Node& call) const;
  void refuse_remainders() const;
  void find_names();

  std::string source_;
  std::vector<syntax::Statement> statements_;
  std::vector<std::string> targets_;  // of each statement
  std::vector<std::string> inputs_, outputs_, assigned_;
};

}  // namespace hadamard::dialect
