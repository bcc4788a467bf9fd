#include "model/problem.hpp"

#include <fmt/format.h>

#include "io/file.hpp"

namespace hadamard::model {

std::string to_text(const Problem& problem) {
  std::string where = problem.node;
  if (!problem.tensor.empty()) {
    where += fmt::format("{}tensor {}", where.empty() ? "" : ", ", io::quoted(problem.tensor, 80));
  }
  return fmt::format("{}{}{}; {}{}", where, where.empty() ? "" : ": ", problem.found,
                     problem.demanded,
                     problem.requirement.empty() ? "" : fmt::format(" [{}]", problem.requirement));
}

void fail_with(const Problem& problem) {
  throw Error(problem.code, to_text(problem), problem.requirement);
}

}  // namespace hadamard::model
