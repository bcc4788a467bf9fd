#include "conform/directory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <system_error>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "conform/report.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"
#include "model/session.hpp"

namespace hadamard::conform {
namespace {

namespace fs = std::filesystem;
using model::Named;
using model::Session;

constexpr std::string_view kModel = "model.onnx";
constexpr std::string_view kDataSet = "test_data_set_";
constexpr std::size_t kShown = 3;  // differences of an output

// Opening a FIFO would wait for a writer.
void require_regular(const fs::path& path) {
  std::error_code problem;
  if (fs::is_regular_file(path, problem)) return;
  fail(ErrorCode::bad_file, "{} is no regular file{}{}", io::quoted(path.string(), 200),
       problem ? ": " : "", problem ? problem.message() : "");
}

// The number of "input_12.pb" for "input_" and ".pb"; throws for what is nearly such a name.
std::optional<std::size_t> numbered(const fs::path& path, std::string_view prefix,
                                    std::string_view suffix) {
  const std::string file = path.filename().string();
  std::string_view name = file;
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (!name.ends_with(suffix)) return std::nullopt;
  name.remove_suffix(suffix.size());
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(name.begin(), name.end(), number);
  if (error == std::errc() && stop == name.end() && name == std::to_string(number)) return number;
  // Beside the data sets there are others' files, "test_data_set_0.npz".
  const bool is_meant = !suffix.empty() || name.find_first_not_of("0123456789") == name.npos;
  if (!is_meant) return std::nullopt;
  fail(ErrorCode::bad_file, "{} is none of {}0{}, {}1{}, …: rename it or take it away",
       io::quoted(path.string(), 200), prefix, suffix, prefix, suffix);
}

// The entries of a folder that are so called, by their numbers: 0, 1, 2, … without a gap.
std::vector<std::string> numbered_entries(const fs::path& folder, std::string_view prefix,
                                          std::string_view suffix) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const auto number = numbered(entry.path(), prefix, suffix);
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

std::shared_ptr<const Tensor> read_tensor(const std::string& path) {
  require_regular(path);
  return io::read_onnx_tensor(path).value;
}

bool same_type_and_shape(const Layout& a, const Layout& b) {
  return a.dtype == b.dtype && a.shape == b.shape;
}

void compare_output(const std::string& data_set, const Named& output, const ConstView& expected,
                    std::optional<std::uint64_t> ulp, DirectoryResult& result) {
  OutputDifference found{data_set, output.name, expected.layout(), output.view.layout(), {}};
  if (same_type_and_shape(found.expected, found.got)) {
    found.compared = compare(expected, output.view, {.ulp = ulp, .any_nan = true}, kShown);
    result.elements += found.compared.count;
    if (found.compared.beyond == 0) return;
  }
  result.differs.push_back(std::move(found));
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
    const auto tensor = read_tensor(input_files[i]);
    inputs.push_back({declared[i].name, tensor->view(), tensor});
  }
  const std::vector<Named> outputs = session.run(inputs);
  if (output_files.size() != outputs.size()) {
    fail(ErrorCode::bad_file, "{} has {} outputs, but the model has {}", io::quoted(folder, 200),
         output_files.size(), outputs.size());
  }
  const std::string data_set = fs::path(folder).filename().string();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    compare_output(data_set, outputs[i], read_tensor(output_files[i])->view(), ulp, result);
  }
  ++result.data_sets;
}

std::string cannot_look(const fs::path& folder, const std::error_code& problem) {
  return fmt::format("cannot look through {}: {}", io::quoted(folder.string(), 200),
                     problem.message());
}

// Adds `folder` where it has a model, or cannot be read; and what is below it.
void look_through(const fs::path& folder, bool also_below, std::vector<Directory>& found) {
  std::error_code problem, no_matter;
  bool has_model = false;
  std::vector<fs::directory_entry> below;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (at->path().filename() == kModel) {
      has_model = true;
    } else if (also_below && at->is_directory(no_matter)) {
      below.push_back(*at);
    }
  }
  if (problem) {
    found.push_back({folder.string(), cannot_look(folder, problem)});
  } else if (has_model) {
    found.push_back({folder.string(), {}});
  }
  for (const fs::directory_entry& entry : below) {
    const bool is_data = entry.path().filename().string().starts_with(kDataSet);
    if (has_model && is_data) continue;  // is read when the model is run
    look_through(entry.path(), !entry.is_symlink(no_matter), found);
  }
}

}  // namespace

std::vector<Directory> find_directories(std::span<const std::string> roots) {
  std::vector<Directory> directories;
  std::set<fs::path> known;  // by their true names
  for (const std::string& root : roots) {
    std::error_code problem;
    if (!fs::is_directory(root, problem)) {
      fail(ErrorCode::io, "{} is no folder{}{}", io::quoted(root, 200), problem ? ": " : "",
           problem ? problem.message() : "");
    }
    std::vector<Directory> found;
    look_through(root, true, found);
    if (found.empty()) {
      fail(ErrorCode::bad_argument, "there is no folder with a {} in {}", kModel,
           io::quoted(root, 200));
    }
    std::sort(found.begin(), found.end(),
              [](const Directory& a, const Directory& b) { return a.path < b.path; });
    for (Directory& directory : found) {
      const fs::path true_name = fs::canonical(directory.path, problem);
      if (known.insert(problem ? fs::path(directory.path) : true_name).second) {
        directories.push_back(std::move(directory));
      }
    }
  }
  return directories;
}

DirectoryResult run_directory(const Directory& directory, const Options& options,
                              std::optional<std::uint64_t> ulp) {
  DirectoryResult result;
  result.folder = directory.path;
  result.error = directory.error;
  if (!result.error.empty()) return result;
  const fs::path folder = directory.path;
  try {
    require_regular(folder / kModel);
    const Session session(io::read_onnx_model((folder / kModel).string()), options);
    const std::vector<std::string> sets = numbered_entries(folder, kDataSet, "");
    if (sets.empty()) {
      fail(ErrorCode::bad_file, "there is no test_data_set_0 beside the model");
    }
    for (const std::string& set : sets) run_data_set(session, set, ulp, result);
  } catch (const Error& error) {
    result.error = error.what();
  } catch (const fs::filesystem_error& error) {
    result.error = cannot_look(error.path1(), error.code());
  }
  return result;
}

namespace {

enum class Verdict { equal, different, empty, not_run };

// Where something differs and the rest could not be run, both are told.
bool has_verdict(Verdict verdict, const DirectoryResult& r) {
  switch (verdict) {
    case Verdict::different:
      return !r.differs.empty();
    case Verdict::not_run:
      return !r.error.empty();
    default:
      return r.differs.empty() && r.error.empty() &&
             (r.elements > 0) == (verdict == Verdict::equal);
  }
}

std::int64_t count_of(Verdict verdict, std::span<const DirectoryResult> results) {
  return std::count_if(results.begin(), results.end(),
                       [&](const DirectoryResult& r) { return has_verdict(verdict, r); });
}

std::int64_t elements_of(std::span<const DirectoryResult> results) {
  std::int64_t elements = 0;
  for (const DirectoryResult& r : results) elements += r.elements;
  return elements;
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// No distance at all is not a distance of 0.
std::optional<std::uint64_t> largest_distance(const Comparison& c) {
  if (c.bits_differ == c.unordered) return std::nullopt;
  return c.largest;
}

// "output 'Y': 2 of 3 elements differ, by at most 1 ULP; at (1): … expected, … came, 1 ULP; …"
std::string to_text(const OutputDifference& d) {
  const std::string output = io::quoted(d.output, 80);
  if (!same_type_and_shape(d.expected, d.got)) {
    return fmt::format("output {}: {} {} expected, {} {} came", output, name(d.expected.dtype),
                       to_string(d.expected.shape), name(d.got.dtype), to_string(d.got.shape));
  }
  const Comparison& c = d.compared;
  std::string text = fmt::format("output {}: {} of {} elements differ", output, c.beyond, c.count);
  if (const auto largest = largest_distance(c))
    text += fmt::format(", by at most {} ULP", *largest);
  for (const Difference& element : c.first) {
    text += fmt::format("; at {}: {} expected, {} came, {}", to_string(element.index),
                        to_string(element.a), to_string(element.b), distance_text(element));
  }
  return text;
}

std::string json_of(const Layout& layout) {
  return fmt::format("{{\"type\":{},\"shape\":[{}]}}", json_string(name(layout.dtype)),
                     fmt::join(layout.shape, ","));
}

std::string json_of(const OutputDifference& d) {
  std::string text =
      fmt::format("{{\"data_set\":{},\"output\":{},\"what\":{},\"expected\":{},\"got\":{}",
                  json_string(d.data_set), json_string(d.output), json_string(to_text(d)),
                  json_of(d.expected), json_of(d.got));
  if (same_type_and_shape(d.expected, d.got)) {
    std::vector<std::string> first;
    for (const Difference& element : d.compared.first) {
      first.push_back(fmt::format("{{{}}}", json_members(element)));
    }
    const auto largest = largest_distance(d.compared);
    text += fmt::format(",\"elements\":{},\"different\":{},\"largest_distance\":{},\"first\":[{}]",
                        d.compared.count, d.compared.beyond,
                        largest ? std::to_string(*largest) : "null", fmt::join(first, ","));
  }
  return text + '}';
}

}  // namespace

std::string to_text(std::span<const DirectoryResult> results) {
  std::string text;
  for (const DirectoryResult& r : results) {
    const std::string folder = io::quoted(r.folder);
    const std::string sets = counted(static_cast<std::int64_t>(r.data_sets), "data set");
    if (has_verdict(Verdict::equal, r)) {
      text += fmt::format("equal    {} ({}, {})\n", folder, sets, counted(r.elements, "element"));
    }
    if (has_verdict(Verdict::empty, r)) {
      text += fmt::format("empty    {} ({}, 0 elements: nothing was compared)\n", folder, sets);
    }
    for (const OutputDifference& d : r.differs) {
      text += fmt::format("differs  {}: {}: {}\n", folder, d.data_set, to_text(d));
    }
    if (!r.error.empty()) text += fmt::format("error    {}: {}\n", folder, r.error);
  }
  return text +
         fmt::format("{}: {} equal, {} different, {} empty, {} not run; {} compared\n",
                     counted(std::ssize(results), "folder"), count_of(Verdict::equal, results),
                     count_of(Verdict::different, results), count_of(Verdict::empty, results),
                     count_of(Verdict::not_run, results), counted(elements_of(results), "element"));
}

std::string to_json(std::span<const DirectoryResult> results) {
  std::vector<std::string> items;
  for (const DirectoryResult& r : results) {
    std::vector<std::string> differs;
    for (const OutputDifference& d : r.differs) differs.push_back(json_of(d));
    items.push_back(fmt::format(
        "{{\"folder\":{},\"data_sets\":{},\"elements\":{},\"differs\":[{}],\"error\":{}}}",
        json_string(r.folder), r.data_sets, r.elements, fmt::join(differs, ","),
        json_string(r.error)));
  }
  return fmt::format(
      "{{\"folders\":[{}],\"totals\":{{\"equal\":{},\"different\":{},\"empty\":{},\"not_run\":{},"
      "\"elements\":{}}}}}\n",
      fmt::join(items, ","), count_of(Verdict::equal, results),
      count_of(Verdict::different, results), count_of(Verdict::empty, results),
      count_of(Verdict::not_run, results), elements_of(results));
}

}  // namespace hadamard::conform
