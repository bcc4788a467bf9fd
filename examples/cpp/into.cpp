// The result into memory of the caller's. The output may be an operand.
#include <cstdio>
#include <hadamard/hadamard.hpp>
#include <vector>

int main() {
  std::vector<float> pixels = {0, 51, 102, 255};
  const float scale = 255;
  const hadamard::View image(pixels.data(), {2, 2});
  const hadamard::ConstView divisor(&scale, {});  // rank 0: one element for all

  hadamard::div_into(image, image, divisor);
  for (const float p : pixels) std::printf("%g\n", p);
}
