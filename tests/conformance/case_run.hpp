// Running cases: a Case and somebody who computes, and what came of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "case_file.hpp"

namespace hadamard::conformance {

// Who is tested. `compute` returns the result or throws hadamard::Error, as hadamard::apply does.
struct Subject {
  std::string name;  // "cpu/avx2"
  std::function<Tensor(Op op, const Tensor& a, const Tensor& b, const Options& options)> compute;
};

// Every provider of this machine, and of the CPU provider every target. Each throws `internal`
// where another one than the named computed.
std::vector<Subject> all_subjects();

// What is wrong, in one line; empty where the case holds. Type, shape and every bit of the result
// are compared (text of the exact value for `real`), and of an error the code, the requirement and
// the index. Where both operands have one shape the elements are also repeated to a length at
// which full SIMD vectors are used.
std::string run_case(const Case& c, const Subject& subject);

struct Failure {
  const Case* at;
  std::string subject;
  std::string what;
};

struct Report {
  std::vector<std::string> subjects;
  std::size_t cases = 0;
  std::vector<Failure> failures;
};
Report run_cases(std::span<const Case> cases, std::span<const Subject> subjects);

// clause → cases → result, one line per clause, and a last line with the totals.
std::string table(std::span<const Case> cases, const Report& report);

}  // namespace hadamard::conformance
