#include <cstdio>
#include <hadamard/hadamard.hpp>
#include <hadamard/matlab.hpp>
#include <span>
#include <vector>

int main() {
  const auto a = hadamard::Tensor::from({6.1, 9.5, 35.7}, {3});
  const auto b = hadamard::Tensor::from({3.0, 3.3, 5.1}, {3});
  auto y = hadamard::div(a, b);
  for (const double value : y.to_vector<double>()) std::printf("%.16g\n", value);

  const auto plan = hadamard::prepare(hadamard::Op::sub, a.layout(), b.layout(), y.layout());
  plan.run(a.data(), b.data(), y.data());
  std::printf("%.16g\n", y.at<double>({2}));

  // What is there already: vectors, spans, numbers, extents of any type of integer.
  std::vector<double> v{6, 9};
  const std::size_t rows = 2;
  hadamard::div_into(hadamard::View(v, {rows, 1}), hadamard::ConstView(v, {rows, 1}), 3);
  const auto halves = hadamard::div(1, std::span<const double>(v));
  std::printf("%g %g %g %g\n", v[0], v[1], halves.data<double>()[0],
              hadamard::Tensor::from(v, {1, rows}).at<double>({0, 1}));

  // Types are promoted there.
  const auto seven = hadamard::Tensor::scalar(std::int32_t{7});
  const auto complex = hadamard::Tensor::scalar(std::complex<double>(0, 1));
  std::printf("%.16g\n",
              hadamard::matlab::rdivide(seven, hadamard::Tensor::scalar(2.f)).at<float>({}));
  std::printf("%.16g\n", hadamard::matlab::times(complex, complex).at<double>({}));

  // An exception of the library's is caught by its type in another program.
  try {
    hadamard::div(hadamard::Tensor::from<std::int32_t>({1, 2}, {2}),
                  hadamard::Tensor::from<std::int32_t>({1, 0}, {2}));
    std::puts("no exception");
  } catch (const hadamard::Error& error) {
    std::puts(std::string(hadamard::name(error.code())).c_str());
  }
  return 0;
}
