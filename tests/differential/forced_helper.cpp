// Divides a little and says what did it; run by forced_test with HADAMARD_CPU and HADAMARD_PROVIDER
// set.
//   forced_helper TYPE    prints "PROVIDER/TARGET", or the error's code and text
//   forced_helper comparison    likewise "comparison/TARGET", whose kernels compare for MATLAB
#include <cstdio>
#include <string>

#include "api/prepared.hpp"
#include "exec/cpu/comparison.hpp"
#include "exec/cpu/cpu_provider.hpp"

namespace {

void say_who_compares() {
  using namespace hadamard::exec;
  const cpu::ComparisonKernels& chosen = cpu::comparison_kernels();
  for (const CpuTarget& target : cpu_targets()) {
    if (cpu::comparison_kernels(target.number) != &chosen) continue;
    std::printf("comparison/%s\n", std::string(target.name).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hadamard;
  const std::string what = argc == 2 ? argv[1] : "";
  const auto type = dtype_from_name(what);
  if (!type && what != "comparison") return 2;
  try {
    if (!type) {
      say_who_compares();
      return 0;
    }
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
