// ONNX's backend tests: folders with model.onnx, test_data_set_N/input_K.pb and output_K.pb.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hadamard/options.hpp"

namespace hadamard::conform {

struct DirectoryResult {
  std::string folder;
  std::size_t data_sets = 0;         // that were run
  std::vector<std::string> differs;  // a line for each output that is another one
  std::string error;                 // why it could not be run, or not to its end; empty: it was
};

// All folders with a model.onnx in `roots` and below, each root's in the order of their names.
// Throws io for a root that is no folder, bad_argument for one in which there is no such folder.
std::vector<std::string> find_directories(std::span<const std::string> roots);

// Runs every data set and compares bit for bit; any NaN is any other, and elements at most `ulp`
// apart are the same where it is given. Never throws hadamard::Error.
DirectoryResult run_directory(const std::string& folder, const Options& options,
                              std::optional<std::uint64_t> ulp = {});

// A line per folder, and the totals.
std::string to_text(std::span<const DirectoryResult> results);
std::string to_json(std::span<const DirectoryResult> results);  // folders, totals

}  // namespace hadamard::conform
