// The `.case` format: what an operation must give, and the clause of the specification that says
// so. tests/cases/README.md describes it. This header only reads; case_run.hpp runs.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/error.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"

namespace hadamard::conform {

// What an operation that must fail says.
struct ExpectedError {
  ErrorCode code{};
  std::string requirement;  // empty: the dialect has none for it
  std::string place;        // "(0,1)"; empty: the error has no index
};

struct Case {
  std::string file;
  int line = 0;  // of its first key
  std::vector<std::string> clauses;
  std::string note;
  Op op{};
  Options options;  // dialect and policies; not who runs it
  Tensor a;
  Tensor b;  // A again where the operator has one operand
  // Exactly one of the two.
  std::optional<Tensor> y;
  std::optional<ExpectedError> error;

  std::string place() const;                // "sonnx/div-real.case:12"
  std::vector<ConstView> operands() const;  // as many as the operator has: A, B
};

// A text that is not in the format: "file:line: what was expected and what came".
class CaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `file` is for messages and Case::file. Throws CaseError.
std::vector<Case> parse_cases(std::string_view text, const std::string& file);

// All *.case files below `folder`, in the order of their names. Throws CaseError, also for a case
// that another file already has and for a folder without any; io for what cannot be read or is not
// a regular file.
std::vector<Case> read_cases(const std::string& folder);

// The cases that are a part of the program.
std::vector<Case> builtin_cases();

}  // namespace hadamard::conform
