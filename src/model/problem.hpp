// What is wrong with a model, where, and which requirement says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/error.hpp"
#include "hadamard/options.hpp"

namespace hadamard::model {

struct Problem {
  ErrorCode code = ErrorCode::bad_file;  // of the error, where the model is to be run
  std::string requirement;               // "SONNX-DIV-INT-C3"; empty: the profile has no id for it
  std::string node;                      // "node 3 'd' (Div)"; empty: of the graph
  std::string tensor;                    // its name; empty: of none
  std::string found;                     // what is there
  std::string demanded;                  // what should be
  bool warning = false;                  // legal, but worth knowing before anything runs
};

// "node 3 'd' (Div), tensor 'B': found; demanded [SONNX-…]"
std::string to_text(const Problem& problem);

// The problems of one model. All are counted, and of each severity the first kMostKept kept: a file
// of a few megabytes can have millions.
class Problems {
 public:
  static constexpr std::size_t kMostKept = 100;
  enum class Policy { collect, throw_first };

  // The requirements of SONNX are not those of a model that is held to ONNX's own rules: with
  // another profile than sonnx, problems do not name them.
  explicit Problems(Dialect profile, Policy policy = Policy::collect)
      : profile_(profile), policy_(policy) {}

  // With Policy::throw_first throws hadamard::Error for it.
  void add(Problem problem);

  const std::vector<Problem>& kept() const noexcept { return kept_; }
  std::size_t violations() const noexcept { return violations_; }
  std::size_t warnings() const noexcept { return warnings_; }
  std::size_t left_out() const noexcept { return violations_ + warnings_ - kept_.size(); }

 private:
  Dialect profile_;
  Policy policy_;
  std::vector<Problem> kept_;
  std::size_t violations_ = 0, warnings_ = 0;
};

// "'A' 'B' 'C'", for messages of one line: the first kMostListed, and how many more there are.
inline constexpr std::size_t kMostListed = 8;
std::string listed(const std::vector<std::string_view>& names);

}  // namespace hadamard::model
