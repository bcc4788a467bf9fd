// [m, n] = size(A): what may stand before '='.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "program/syntax/syntax.hpp"

namespace hadamard::syntax {
namespace {

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

// "[first, second] = value", with ';' where it is silent.
std::string parsed(std::string_view source) {
  const std::vector<Statement> statements = parse(source);
  if (statements.size() != 1 || !statements[0].target) return "no assignment";
  std::string targets = to_source(*statements[0].target);
  for (const NodePtr& target : statements[0].more) targets += ", " + to_source(*target);
  if (!statements[0].more.empty()) targets = '[' + targets + ']';
  return targets + " = " + to_source(*statements[0].value) + (statements[0].is_silent ? ";" : ",");
}

std::string error_of(std::string_view source) {
  try {
    parse(source);
  } catch (const SyntaxError& error) {
    return fmt::format("{}-{}: {}", error.place.begin, error.place.end, error.message);
  }
  return "none";
}

TEST(ParserTargets, Several) {
  const Pairs pairs = {
      {"[m, n] = size(A)", "[m, n] = size(A),"},
      {"[m n] = size(A);", "[m, n] = size(A);"},
      {"[x] = f(1)", "x = f(1),"},
      {"[~, i] = max(A)", "[~, i] = max(A),"},
      {"[m, ~] = max(A)", "[m, ~] = max(A),"},
      {"[A(2), b(:,1)] = f", "[A(2), b(:, 1)] = f,"},
  };
  for (const auto& [source, wanted] : pairs) EXPECT_EQ(parsed(source), wanted) << source;
}

TEST(ParserTargets, WhatIsNoTarget) {
  const Pairs pairs = {
      {"[a; b] = f(1)", "0-6: expected variables in one row before '=', as in [m, n] = size(A)"},
      {"[a, 1] = f(1)", "4-5: expected a variable before '=', or elements of one as in A(2,:)"},
      {"[a, b.c(1)] = f(1)",
       "4-10: there are no structures ('.') here: expected a variable before '=', or elements of "
       "one "
       "as in A(2,:)"},
      {"[] = f(1)", "0-2: expected variables in one row before '=', as in [m, n] = size(A)"},
      {"[~, 1]", "2-3: expected a number, a name or a bracket, found ','"},
      {"[1, ~]", "5-6: expected a number, a name or a bracket, found ']'"},
      {"[a, f(~, 1)] = f(1)", "7-8: expected a number, a name or a bracket, found ','"},
      {"[a, [~]] = f(1)", "4-7: expected variables in one row before '=', as in [m, n] = size(A)"},
      {"[~, a] = [~, 1]", "11-12: expected a number, a name or a bracket, found ','"},
  };
  for (const auto& [source, wanted] : pairs) EXPECT_EQ(error_of(source), wanted) << source;
}

}  // namespace
}  // namespace hadamard::syntax
