// A new tensor from two: A ./ B. And what happens where there is no answer.
#include <cstdint>
#include <cstdio>
#include <hadamard/hadamard.hpp>

int main() {
  const auto a = hadamard::Tensor::from({6.1, 9.5, 35.7}, {3});
  const auto b = hadamard::Tensor::from({3.0, 3.3, 5.1}, {3});
  for (const double y : hadamard::div(a, b).to_vector<double>()) std::printf("%.16g\n", y);

  // Floats have an answer for zero (inf, nan); integers have none.
  const auto i = hadamard::Tensor::from<std::int32_t>({7, 8}, {2});
  const auto zero = hadamard::Tensor::from<std::int32_t>({2, 0}, {2});
  try {
    hadamard::div(i, zero, {.dialect = hadamard::Dialect::sonnx});
  } catch (const hadamard::Error& error) {
    std::printf("%s\n%s\n", std::string(hadamard::name(error.code())).c_str(), error.what());
  }
}
