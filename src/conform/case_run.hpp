// Running cases on whoever computes: our own providers, or anything that is called as we are.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conform/case_file.hpp"
#include "conform/report.hpp"

namespace hadamard::conform {

// Who is tested. `compute` returns the result or throws hadamard::Error, as hadamard::apply does.
struct Subject {
  std::string name;  // "cpu/avx2"
  std::function<Tensor(Op op, const Tensor& a, const Tensor& b, const Options& options)> compute;
};

// Every provider of this machine, and of the CPU provider every target. Each throws `internal`
// where another one than the named computed.
std::vector<Subject> all_subjects();

// The case with its elements over and over, as a line at which full SIMD vectors are used. Nothing
// where that is another case: an error, an empty result, operands of two shapes.
std::optional<Case> repeated(const Case& c);
inline constexpr char kWhenRepeated[] = "repeated to a long line: ";  // begins what is found there

// Type, shape and every bit of the result are compared (of `real` the exact value), and of an error
// the code, the requirement and the index. Then the same with repeated().
Finding run_case(const Case& c, const Subject& subject);

Report run_cases(std::span<const Case> cases, std::span<const Subject> subjects);

}  // namespace hadamard::conform
