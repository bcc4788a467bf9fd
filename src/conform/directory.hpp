// ONNX's backend tests: folders with model.onnx, test_data_set_N/input_K.pb and output_K.pb.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "tensor/compare.hpp"

namespace hadamard::conform {

// An output that is another one than expected.
struct OutputDifference {
  std::string data_set;  // "test_data_set_0"
  std::string output;
  Layout expected, got;
  Comparison compared;  // where type and shape are the same
};

struct DirectoryResult {
  std::string folder;
  std::size_t data_sets = 0;  // that were run
  std::int64_t elements = 0;  // that were compared: 0 shows nothing
  std::vector<OutputDifference> differs;
  std::string error;  // why it could not be run, or not to its end; empty: it was
};

// A folder with a model.onnx, or one that could not be looked through.
struct Directory {
  std::string path;
  std::string error;  // of the second kind: why
};

// All folders with a model.onnx in `roots` and below, each root's in the order of their names and
// each folder once. Links to folders are looked into, not through. Throws io for a root that is no
// folder, bad_argument for one in which there is no such folder.
std::vector<Directory> find_directories(std::span<const std::string> roots);

// Runs every data set and compares bit for bit; any NaN is any other, and elements at most `ulp`
// apart are the same where it is given. Never throws hadamard::Error.
DirectoryResult run_directory(const Directory& directory, const Options& options,
                              std::optional<std::uint64_t> ulp = {});

// A line per folder, and the totals.
std::string to_text(std::span<const DirectoryResult> results);
std::string to_json(std::span<const DirectoryResult> results);  // folders, totals

}  // namespace hadamard::conform
