// Divides a little and says what did it; run by forced_test with HADAMARD_CPU and HADAMARD_PROVIDER
// set.
//   forced_helper TYPE    prints "PROVIDER/TARGET", or the error's code and text
//   forced_helper comparison    likewise "comparison/TARGET", whose kernels compare doubles
#include <cstdio>
#include <string>

#include "api/prepared.hpp"

int main(int argc, char** argv) {
  using namespace hadamard;
  const std::string what = argc == 2 ? argv[1] : "";
  const auto type = dtype_from_name(what);
  if (!type && what != "comparison") return 2;
  try {
    const Tensor a(type.value_or(DType::fp64), Dims{100});
    const Tensor y = type ? add(a, a) : lt(a, a);
    std::printf("%s/%s\n", type ? std::string(last_run.provider).c_str() : "comparison",
                std::string(last_run.target).c_str());
  } catch (const Error& error) {
    std::printf("%s: %s\n", std::string(name(error.code())).c_str(), error.what());
    return 1;
  }
  return 0;
}
