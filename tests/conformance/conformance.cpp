// Runs all cases on every provider and CPU target.
//
//   conformance [--table] FOLDER
//
// Exit code: 0 all hold, 1 some do not, 2 a file is not in the format.
#include <cstdio>
#include <string_view>

#include "case_file.hpp"
#include "case_run.hpp"

int main(int argc, char** argv) {
  using namespace hadamard::conformance;
  const bool with_table = argc == 3 && std::string_view(argv[1]) == "--table";
  if (argc != 2 && !with_table) {
    std::fprintf(stderr, "usage: conformance [--table] FOLDER\n");
    return 2;
  }
  try {
    const std::vector<Case> cases = read_cases(argv[argc - 1]);
    const std::vector<Subject> subjects = all_subjects();
    const Report report = run_cases(cases, subjects);
    for (const Failure& failure : report.failures) {
      std::printf("%s: %s: %s\n", failure.at->place().c_str(), failure.subject.c_str(),
                  failure.what.c_str());
    }
    if (with_table) {
      std::fputs(table(cases, report).c_str(), stdout);
    } else {
      std::printf("%zu cases on %zu providers and targets, %zu failures\n", cases.size(),
                  subjects.size(), report.failures.size());
    }
    return report.failures.empty() ? 0 : 1;
  } catch (const CaseError& error) {
    std::fprintf(stderr, "conformance: %s\n", error.what());
    return 2;
  }
}
