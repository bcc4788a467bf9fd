// Every clause of the documents has a case, or a reason why it cannot have one.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "conform/builtin.hpp"
#include "conform/case_file.hpp"
#include "dialect/sonnx/requirements.hpp"

namespace hadamard::conform {
namespace {

TEST(Clauses, EveryOneHasACaseOrAReason) {
  std::set<std::string> shown;
  for (const Case& c : read_cases(HADAMARD_CASES)) {
    shown.insert(c.clauses.begin(), c.clauses.end());
  }
  std::set<std::string> listed;
  for (const dialect::Requirement& requirement : dialect::requirements()) {
    const std::string id(requirement.id);
    EXPECT_TRUE(listed.insert(id).second) << id << " stands twice in the list";
    EXPECT_EQ(shown.count(id) == 0, !requirement.no_case.empty()) << id;
    EXPECT_FALSE(requirement.statement.empty() || requirement.enforced.empty()) << id;
  }
  for (const std::string& id : shown) {
    EXPECT_TRUE(listed.count(id) != 0) << id << " is not in the list of requirements";
  }
}

TEST(Clauses, ThereAreCasesEnough) { EXPECT_GE(read_cases(HADAMARD_CASES).size(), 150u); }

// The program carries the files of the tree, all of them, to the last character.
TEST(Clauses, AreBuiltIntoTheProgram) {
  for (const CaseText& inside : builtin_texts()) {
    std::ifstream stream(std::string(HADAMARD_CASES "/").append(inside.file), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(inside.text, text) << inside.file;
  }
  const std::vector<Case> files = read_cases(HADAMARD_CASES), inside = builtin_cases();
  ASSERT_EQ(inside.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(inside[i].place(), files[i].place());
}

// An error's requirement is one of the clauses that its case stands for.
TEST(Clauses, AnErrorIsTracedToItsRequirement) {
  for (const Case& c : read_cases(HADAMARD_CASES)) {
    if (!c.error || c.error->requirement.empty()) continue;
    EXPECT_NE(std::find(c.clauses.begin(), c.clauses.end(), c.error->requirement), c.clauses.end())
        << c.place();
  }
}

}  // namespace
}  // namespace hadamard::conform
