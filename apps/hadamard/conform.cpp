// hadamard conform: do the cases of the specifications hold, here or in a library of the user's;
// and do ONNX's backend tests.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>

#include "base/fail.hpp"
#include "command.hpp"
#include "conform/case_run.hpp"
#include "conform/directory.hpp"
#include "conform/library.hpp"

namespace hadamard::app {
namespace {

constexpr double kShortestTimeout = 1, kLongestTimeout = 86400;

struct ConformArguments {
  std::vector<std::string> folders;
  std::optional<std::string> profile;
  std::optional<std::string> ulp;
  std::optional<std::string> library;
  std::optional<std::string> cases;
  std::optional<std::string> timeout;
  bool json = false, quiet = false;
};

conform::Limits limits_of(const ConformArguments& args) {
  conform::Limits limits;
  if (!args.timeout) return limits;
  if (!args.library) fail(ErrorCode::bad_argument, "--timeout is for --lib");
  std::string_view text = *args.timeout;
  if (text.starts_with(' ')) text.remove_prefix(1);  // main() puts one before a minus
  double seconds = 0;
  const auto [stop, error] = std::from_chars(text.begin(), text.end(), seconds);
  const bool in_range = seconds >= kShortestTimeout && seconds <= kLongestTimeout;
  if (error != std::errc() || stop != text.end() || !in_range) {
    fail(ErrorCode::bad_argument, "--timeout '{}' is no number of seconds from {} to {}", text,
         kShortestTimeout, kLongestTimeout);
  }
  limits.per_call = std::chrono::duration<double>(seconds);
  return limits;
}

conform::Report report_of(const ConformArguments& args, std::span<const conform::Case> cases) {
  const conform::Limits limits = limits_of(args);
  if (!args.library) return conform::run_cases(cases, conform::all_subjects());
  const auto load = [&] { return conform::load_library(*args.library); };
  const std::string name = std::filesystem::path(*args.library).filename().string();
  return conform::run_library(cases, name, load, limits);
}

int run_folders(const ConformArguments& args) {
  if (args.library || args.cases || args.timeout) {
    fail(ErrorCode::bad_argument,
         "folders of ONNX tests are run here: leave out --lib, --cases and --timeout, or the "
         "folders");
  }
  const Options options{.dialect = parse_profile(args.profile.value_or("sonnx"))};
  const std::optional<std::uint64_t> ulp = parse_ulp(args.ulp);
  std::vector<conform::DirectoryResult> results;
  bool differs = false, trouble = false;
  for (const conform::Directory& directory : conform::find_directories(args.folders)) {
    results.push_back(conform::run_directory(directory, options, ulp));
    differs = differs || !results.back().differs.empty();
    trouble = trouble || !results.back().error.empty();
  }
  if (!args.quiet) print(args.json ? conform::to_json(results) : conform::to_text(results));
  return trouble ? kTrouble : differs ? kDifferent : 0;
}

int run(const ConformArguments& args) {
  if (!args.folders.empty()) return run_folders(args);
  if (args.ulp) fail(ErrorCode::bad_argument, "--ulp is for folders of ONNX tests");
  if (args.profile) {
    fail(ErrorCode::bad_argument,
         "--profile is for folders of ONNX tests; a case names its dialect");
  }
  const std::vector<conform::Case> cases =
      args.cases ? conform::read_cases(*args.cases) : conform::builtin_cases();
  const conform::Report report = report_of(args, cases);
  if (!args.quiet) {
    print(args.json ? conform::to_json(cases, report) : conform::to_text(cases, report));
  }
  return report.failures.empty() ? 0 : kDifferent;
}

}  // namespace

void add_conform_command(CommandLine& line, int& exit_code) {
  auto args = std::make_shared<ConformArguments>();
  Command command = line.add(
      "conform",
      "Run the cases of the specifications: on every provider here, or on a library of yours");
  command.option("DIR", args->folders,
                 "Folders of ONNX backend tests instead (model.onnx, test_data_set_N/input_K.pb "
                 "and output_K.pb), and all below them");
  command.option("--profile", args->profile,
                 "With folders: sonnx (default) or onnx, as for hadamard run");
  command.option("--ulp", args->ulp,
                 "With folders: elements at most this far apart are equal, as for hadamard diff");
  command.option("--lib", args->library,
                 "A shared library that exports hadamard_conform_run, as "
                 "hadamard/hadamard_conform.h declares it, instead of the providers; it is run "
                 "in a process of its own, which may take 4 GiB of memory");
  command.option("--cases", args->cases,
                 "Run the .case files of this folder instead of the ones built in");
  command.option("--timeout", args->timeout,
                 "With --lib: seconds that one call may take, at least 1 (default: 10)");
  command.flag("--json", args->json,
               "Print all of it as JSON: subjects, clauses, failures and skips, or folders");
  command.flag("-q,--quiet", args->quiet, "Say it by the exit code only");
  command.footer(
      "Exit code: 0 all hold (are equal), 1 some do not, 2 an error (something could not be "
      "read).\n"
      "Examples:\n"
      "  hadamard conform\n"
      "  hadamard conform --lib ./libmine.so\n"
      "  hadamard conform onnx/backend/test/data/node --profile onnx");
  command.action([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
