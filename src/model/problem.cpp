#include "model/problem.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/file.hpp"

namespace hadamard::model {
namespace {

constexpr std::size_t kLongestName = 1000;  // that is kept: a name may be as long as its file

}  // namespace

std::string to_text(const Problem& problem) {
  std::string where = problem.node;
  if (!problem.tensor.empty()) {
    where += fmt::format("{}tensor {}", where.empty() ? "" : ", ", io::quoted(problem.tensor, 80));
  }
  return fmt::format("{}{}{}; {}{}", where, where.empty() ? "" : ": ", problem.found,
                     problem.demanded,
                     problem.requirement.empty() ? "" : fmt::format(" [{}]", problem.requirement));
}

void Problems::add(Problem problem) {
  std::size_t& count = problem.warning ? warnings_ : violations_;
  if (++count > kMostKept) return;
  if (profile_ != Dialect::sonnx && problem.requirement.starts_with("SONNX-")) {
    problem.requirement.clear();
  }
  if (problem.tensor.size() > kLongestName) {
    problem.tensor.resize(kLongestName);
    problem.tensor.shrink_to_fit();
  }
  if (policy_ == Policy::throw_first) {
    throw Error(problem.code, to_text(problem), problem.requirement);
  }
  kept_.push_back(std::move(problem));
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostListed; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " ", io::quoted(names[i], 60));
  }
  if (names.empty()) return "none";
  if (names.size() > kMostListed) text += fmt::format(" and {} more", names.size() - kMostListed);
  return text;
}

}  // namespace hadamard::model
