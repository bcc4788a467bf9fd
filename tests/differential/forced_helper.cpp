// Divides a little and says what did it; run by forced_test with HADAMARD_CPU and HADAMARD_PROVIDER
// set.
//   forced_helper TYPE    prints "PROVIDER/TARGET", or the error's code and text
#include <cstdio>
#include <string>

#include "api/prepared.hpp"

int main(int argc, char** argv) {
  using namespace hadamard;
  const auto type = dtype_from_name(argc == 2 ? argv[1] : "");
  if (!type) return 2;
  try {
    const Tensor a(*type, Dims{100});
    const Tensor y = add(a, a);
    std::printf("%s/%s\n", std::string(last_run.provider).c_str(),
                std::string(last_run.target).c_str());
  } catch (const Error& error) {
    std::printf("%s: %s\n", std::string(name(error.code())).c_str(), error.what());
    return 1;
  }
  return 0;
}
