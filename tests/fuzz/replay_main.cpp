// Runs the files of the given folders through a fuzz target, without libFuzzer: what was once found
// stays found in every build. A target that is not content aborts or throws; each file's name is
// printed before it runs when HADAMARD_FUZZ_VERBOSE is set.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool passes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) {
    std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
    return false;
  }
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), e.what());
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  int passed = 0;
  int failed = 0;
  const bool verbose = std::getenv("HADAMARD_FUZZ_VERBOSE") != nullptr;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : files_of(argv[i])) {
      if (verbose) std::fprintf(stderr, "%s\n", file.c_str());
      ++(passes(file) ? passed : failed);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0) std::fprintf(stderr, "usage: %s corpus-folder...\n", argv[0]);
  return failed == 0 && passed > 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
