// What came of cases, and how it is told.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conform/case_file.hpp"
#include "hadamard/tensor.hpp"
#include "tensor/compare.hpp"

namespace hadamard::conform {

// What is wrong; nothing is where `what` is empty.
struct Finding {
  std::string what;  // one line
  // The first wrong element of a result, where that is what is wrong.
  std::optional<Difference> element;
  std::vector<ElementText> operands;  // of that element: A, B
};

// One wrong element: `expected` is A of the comparison, what came is B. Nothing where they are the
// same. Operands are shown where each of them has the result's shape.
Finding difference(const ConstView& expected, const ConstView& got,
                   std::span<const ConstView> operands, const Tolerance& tolerance);

// "; A 7 0x07, B 0 0x00"; empty where an operand has no such index.
std::string operands_text(std::span<const ConstView> operands, const Dims& index);

// "index":[1],"expected":{…},"got":{…},"distance":1 of a wrong element; no distance: null.
std::string json_members(const Difference& wrong);

struct Failure {
  const Case* at;
  std::string subject;
  Finding finding;
};

// Cases that say nothing about a subject, and why.
struct Skip {
  enum class Kind : std::uint8_t { unsupported, not_applicable, not_run };
  const Case* at;
  std::string subject;
  Kind kind;
  std::string why;
};

struct Report {
  std::vector<std::string> subjects;
  std::vector<Failure> failures;
  std::vector<Skip> skips;
  std::string gave_up;  // why the last cases were not run; empty where all were
};

// Failures, a line each; clause → cases → result of each subject, a line per clause; the totals.
// A result is `ok`, how many cases failed, how many of all were run, or why none was.
std::string to_text(std::span<const Case> cases, const Report& report);

// The same as one JSON object: subjects, clauses, failures, skipped, totals.
std::string to_json(std::span<const Case> cases, const Report& report);

}  // namespace hadamard::conform
