#include "conform/directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"
#include "model/session.hpp"
#include "tensor/compare.hpp"

namespace hadamard::conform {
namespace {

namespace fs = std::filesystem;
using model::Named;
using model::Session;

constexpr std::string_view kModel = "model.onnx";
constexpr std::size_t kShown = 3;  // differences of an output

// The number of "input_12.pb" for "input_" and ".pb".
std::optional<std::size_t> numbered(std::string_view name, std::string_view prefix,
                                    std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
      name.size() <= prefix.size() + suffix.size()) {
    return std::nullopt;
  }
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(name.begin(), name.end(), number);
  if (error != std::errc() || stop != name.end()) return std::nullopt;
  return number;
}

// The entries of a folder that are so called, by their numbers: 0, 1, 2, … without a gap.
std::vector<std::string> numbered_entries(const fs::path& folder, std::string_view prefix,
                                          std::string_view suffix) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const auto number = numbered(entry.path().filename().string(), prefix, suffix);
    if (number) found.emplace_back(*number, entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (const auto& [number, path] : found) {
    if (number != paths.size()) {
      fail(ErrorCode::bad_file, "{} has no {}{}{}", io::quoted(folder.string(), 200), prefix,
           paths.size(), suffix);
    }
    paths.push_back(path);
  }
  return paths;
}

// "Y: 2 of 3 elements differ, the first at (1): 0x… expected, 0x… came, 1 ULP"; empty: the same.
std::string difference(const std::string& name, const ConstView& expected, const ConstView& got,
                       std::optional<std::uint64_t> ulp) {
  const std::string output = io::quoted(name, 80);
  if (expected.dtype() != got.dtype() || !(expected.shape() == got.shape())) {
    return fmt::format("output {}: {} {} expected, {} {} came", output,
                       hadamard::name(expected.dtype()), to_string(expected.shape()),
                       hadamard::name(got.dtype()), to_string(got.shape()));
  }
  const Comparison c = compare(expected, got, {.ulp = ulp, .any_nan = true}, kShown);
  if (c.beyond == 0) return {};
  std::string text = fmt::format("output {}: {} of {} elements differ, by at most {} ULP", output,
                                 c.beyond, c.count, c.largest);
  for (const Difference& d : c.first) {
    text += fmt::format("; at {}: {} expected, {} came, {}", to_string(d.index), to_string(d.a),
                        to_string(d.b), distance_text(d));
  }
  return text;
}

void run_data_set(const Session& session, const std::string& folder,
                  std::optional<std::uint64_t> ulp, DirectoryResult& result) {
  const std::vector<std::string> input_files = numbered_entries(folder, "input_", ".pb");
  const std::vector<std::string> output_files = numbered_entries(folder, "output_", ".pb");
  const std::vector<Session::Input> declared = session.inputs();
  if (input_files.size() > declared.size()) {
    fail(ErrorCode::bad_file, "{} has {} inputs, but the model has {}", io::quoted(folder, 200),
         input_files.size(), declared.size());
  }
  std::vector<Named> inputs;
  for (std::size_t i = 0; i < input_files.size(); ++i) {
    const auto tensor = io::read_onnx_tensor(input_files[i]).value;
    inputs.push_back({declared[i].name, tensor->view(), tensor});
  }
  const std::vector<Named> outputs = session.run(inputs);
  if (output_files.size() != outputs.size()) {
    fail(ErrorCode::bad_file, "{} has {} outputs, but the model has {}", io::quoted(folder, 200),
         output_files.size(), outputs.size());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto expected = io::read_onnx_tensor(output_files[i]).value;
    std::string what = difference(outputs[i].name, expected->view(), outputs[i].view, ulp);
    if (what.empty()) continue;
    result.differs.push_back(
        fmt::format("{}: {}", fs::path(folder).filename().string(), std::move(what)));
  }
  ++result.data_sets;
}

}  // namespace

std::vector<std::string> find_directories(std::span<const std::string> roots) {
  std::vector<std::string> folders;
  for (const std::string& root : roots) {
    std::vector<std::string> found;
    try {
      if (!fs::is_directory(root)) {
        fail(ErrorCode::io, "{} is no folder", io::quoted(root, 200));
      }
      if (fs::exists(fs::path(root) / kModel)) found.push_back(root);
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_directory() && fs::exists(entry.path() / kModel)) {
          found.push_back(entry.path().string());
        }
      }
    } catch (const fs::filesystem_error& error) {
      fail(ErrorCode::io, "cannot look through {}: {}", io::quoted(root, 200),
           error.code().message());
    }
    if (found.empty()) {
      fail(ErrorCode::bad_argument, "there is no folder with a {} in {}", kModel,
           io::quoted(root, 200));
    }
    std::sort(found.begin(), found.end());
    folders.insert(folders.end(), found.begin(), found.end());
  }
  return folders;
}

DirectoryResult run_directory(const std::string& folder, const Options& options,
                              std::optional<std::uint64_t> ulp) {
  DirectoryResult result;
  result.folder = folder;
  try {
    const Session session(io::read_onnx_model((fs::path(folder) / kModel).string()), options);
    const std::vector<std::string> sets = numbered_entries(folder, "test_data_set_", "");
    if (sets.empty()) {
      fail(ErrorCode::bad_file, "there is no test_data_set_0 beside the model");
    }
    for (const std::string& set : sets) run_data_set(session, set, ulp, result);
  } catch (const Error& error) {
    result.error = error.what();
  } catch (const fs::filesystem_error& error) {
    result.error = error.what();
  }
  return result;
}

namespace {
struct Totals {
  std::size_t equal = 0, different = 0, not_run = 0;
};
Totals totals_of(std::span<const DirectoryResult> results) {
  Totals totals;
  for (const DirectoryResult& r : results) {
    totals.equal += r.error.empty() && r.differs.empty() ? 1 : 0;
    totals.different += r.differs.empty() ? 0 : 1;
    totals.not_run += r.error.empty() ? 0 : 1;
  }
  return totals;
}
}  // namespace

std::string to_text(std::span<const DirectoryResult> results) {
  std::string text;
  for (const DirectoryResult& r : results) {
    if (r.error.empty() && r.differs.empty()) {
      text += fmt::format("equal    {} ({} data set{})\n", io::quoted(r.folder), r.data_sets,
                          r.data_sets == 1 ? "" : "s");
    }
    for (const std::string& what : r.differs) {
      text += fmt::format("differs  {}: {}\n", io::quoted(r.folder), what);
    }
    if (!r.error.empty()) text += fmt::format("error    {}: {}\n", io::quoted(r.folder), r.error);
  }
  const Totals totals = totals_of(results);
  return text + fmt::format("{} folder{}: {} equal, {} different, {} not run\n", results.size(),
                            results.size() == 1 ? "" : "s", totals.equal, totals.different,
                            totals.not_run);
}

std::string to_json(std::span<const DirectoryResult> results) {
  std::string items;
  for (const DirectoryResult& r : results) {
    std::string differs;
    for (const std::string& what : r.differs) {
      differs += (differs.empty() ? "" : ",") + json_string(what);
    }
    items += fmt::format("{}{{\"folder\":{},\"data_sets\":{},\"differs\":[{}],\"error\":{}}}",
                         items.empty() ? "" : ",", json_string(r.folder), r.data_sets, differs,
                         json_string(r.error));
  }
  const Totals totals = totals_of(results);
  return fmt::format(
      "{{\"folders\":[{}],\"totals\":{{\"equal\":{},\"different\":{},\"not_run\":{}}}}}\n", items,
      totals.equal, totals.different, totals.not_run);
}

}  // namespace hadamard::conform
