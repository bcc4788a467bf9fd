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

namespace hadamard::conform {
namespace {

struct Clause {
  std::string_view id;
  std::string_view not_testable;  // why no case can show it; empty: a case must
};

constexpr std::string_view kSparse =
    "sparse tensors cannot be expressed: no type, literal, file or call of Hadamard has them";

// What the documents list per operator and family: restrictions R…, general restrictions GR…,
// constraints C…, the definition (SPEC) and examples (EX…). TYPES: the types that the operator has.
constexpr Clause kClauses[] = {
    // sonnx-div.md
    {"SONNX-DIV-REAL-R1", ""},
    {"SONNX-DIV-REAL-GR1", kSparse},
    {"SONNX-DIV-REAL-C1", ""},
    {"SONNX-DIV-REAL-C2", ""},
    {"SONNX-DIV-REAL-SIGNATURE", ""},
    {"SONNX-DIV-REAL-SPEC", ""},
    {"SONNX-DIV-REAL-EX1", ""},
    {"SONNX-DIV-REAL-EX2", ""},
    {"SONNX-DIV-FLOAT-R1", ""},
    {"SONNX-DIV-FLOAT-R2", ""},
    {"SONNX-DIV-FLOAT-GR1", kSparse},
    {"SONNX-DIV-FLOAT-C1", ""},
    {"SONNX-DIV-FLOAT-C2", ""},
    {"SONNX-DIV-FLOAT-C3", ""},
    {"SONNX-DIV-FLOAT-SPEC", ""},
    {"SONNX-DIV-FLOAT-EX1", ""},
    {"SONNX-DIV-FLOAT-EX2", ""},
    {"SONNX-DIV-INT-R1", ""},
    {"SONNX-DIV-INT-R2", ""},
    {"SONNX-DIV-INT-R3", ""},
    {"SONNX-DIV-INT-GR1", kSparse},
    {"SONNX-DIV-INT-C1", ""},
    {"SONNX-DIV-INT-C2", ""},
    {"SONNX-DIV-INT-C3", ""},
    {"SONNX-DIV-INT-SPEC", ""},
    {"SONNX-DIV-INT-EX1", ""},
    {"SONNX-DIV-INT-EX2", ""},
    {"SONNX-DIV-TYPES", ""},
    // sonnx-mul.md. REAL-C2 does not apply (SEMANTICS.md); its cases show that zeros are legal. The
    // signature stands for types of `real`, where no constraint names them. INT has two "Example
    // 1".
    {"SONNX-MUL-REAL-R1", ""},
    {"SONNX-MUL-REAL-GR1", kSparse},
    {"SONNX-MUL-REAL-C1", ""},
    {"SONNX-MUL-REAL-C2", ""},
    {"SONNX-MUL-REAL-SIGNATURE", ""},
    {"SONNX-MUL-REAL-SPEC", ""},
    {"SONNX-MUL-REAL-EX1", ""},
    {"SONNX-MUL-FLOAT-R1", ""},
    {"SONNX-MUL-FLOAT-R2", ""},
    {"SONNX-MUL-FLOAT-GR1", kSparse},
    {"SONNX-MUL-FLOAT-C1", ""},
    {"SONNX-MUL-FLOAT-SPEC", ""},
    {"SONNX-MUL-FLOAT-EX1", ""},
    {"SONNX-MUL-INT-R1", ""},
    {"SONNX-MUL-INT-GR1", kSparse},
    {"SONNX-MUL-INT-C1", ""},
    {"SONNX-MUL-INT-C2", ""},
    {"SONNX-MUL-INT-SPEC", ""},
    {"SONNX-MUL-INT-EX1-UINT8", ""},
    {"SONNX-MUL-INT-EX1-INT8", ""},
    {"SONNX-MUL-TYPES", ""},
    // sonnx-sub.md. Its sparse restriction is called R2 (REAL, INT) and R3 (FLOAT).
    {"SONNX-SUB-REAL-R1", ""},
    {"SONNX-SUB-REAL-R2", kSparse},
    {"SONNX-SUB-REAL-C1", ""},
    {"SONNX-SUB-REAL-C2", ""},
    {"SONNX-SUB-REAL-SIGNATURE", ""},
    {"SONNX-SUB-REAL-SPEC", ""},
    {"SONNX-SUB-REAL-EX1", ""},
    {"SONNX-SUB-FLOAT-R1", ""},
    {"SONNX-SUB-FLOAT-R2", ""},
    {"SONNX-SUB-FLOAT-R3", kSparse},
    {"SONNX-SUB-FLOAT-C1", ""},
    {"SONNX-SUB-FLOAT-SPEC", ""},
    {"SONNX-SUB-FLOAT-EX1", ""},
    {"SONNX-SUB-INT-R1", ""},
    {"SONNX-SUB-INT-R2", kSparse},
    {"SONNX-SUB-INT-C1", ""},
    {"SONNX-SUB-INT-C2", ""},
    {"SONNX-SUB-INT-SPEC", ""},
    {"SONNX-SUB-INT-EX1-UINT8", ""},
    {"SONNX-SUB-INT-EX1-INT8", ""},
    {"SONNX-SUB-TYPES", ""},
    // Add has no document; SEMANTICS.md gives it the types and rules of the others.
    {"SONNX-ADD-REAL-R1", ""},
    {"SONNX-ADD-REAL-C1", ""},
    {"SONNX-ADD-REAL-SIGNATURE", ""},
    {"SONNX-ADD-REAL-SPEC", ""},
    {"SONNX-ADD-FLOAT-R1", ""},
    {"SONNX-ADD-FLOAT-R2", ""},
    {"SONNX-ADD-FLOAT-C1", ""},
    {"SONNX-ADD-FLOAT-SPEC", ""},
    {"SONNX-ADD-INT-R1", ""},
    {"SONNX-ADD-INT-C1", ""},
    {"SONNX-ADD-INT-C2", ""},
    {"SONNX-ADD-INT-SPEC", ""},
    {"SONNX-ADD-TYPES", ""},
    // The dialect onnx, from the table of SEMANTICS.md.
    {"ONNX-BROADCAST", ""},
    {"ONNX-SHAPE", ""},
    {"ONNX-TYPE", ""},
    {"ONNX-TYPES", ""},
    {"ONNX-INT-DIVISION", ""},
    {"ONNX-ZERO-DIVISOR", ""},
    {"ONNX-WRAP", ""},
    {"ONNX-FLOAT", ""},
    {"OPTION-INT-DIVISION", ""},
    {"OPTION-BROADCAST", ""},
    {"OPTION-AXIS", ""},
};

TEST(Clauses, EveryOneHasACaseOrAReason) {
  std::set<std::string> shown;
  for (const Case& c : read_cases(HADAMARD_CASES)) {
    shown.insert(c.clauses.begin(), c.clauses.end());
  }
  std::set<std::string> listed;
  for (const Clause& clause : kClauses) {
    const std::string id(clause.id);
    EXPECT_TRUE(listed.insert(id).second) << id << " stands twice in this list";
    EXPECT_EQ(shown.count(id) == 0, !clause.not_testable.empty()) << id;
  }
  for (const std::string& id : shown) {
    EXPECT_TRUE(listed.count(id) != 0) << id << " is not in the list of this test";
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
