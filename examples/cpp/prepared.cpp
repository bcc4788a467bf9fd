// Planned once, run many times: `run` plans nothing and allocates nothing.
#include <cstdio>
#include <hadamard/hadamard.hpp>

int main() {
  constexpr int kFrames = 3;
  const hadamard::Layout frame(hadamard::DType::fp64, {2, 2});
  const auto gain = hadamard::Tensor::from({1.0, 2.0, 3.0, 4.0}, {2, 2});
  const hadamard::Prepared scale =
      hadamard::prepare(hadamard::Op::mul, frame, gain.layout(), frame);

  hadamard::Tensor in(hadamard::DType::fp64, {2, 2});
  hadamard::Tensor out(hadamard::DType::fp64, {2, 2});
  for (int n = 0; n < kFrames; ++n) {
    in.set({1, 1}, 0.5 * n);
    scale.run(in.data(), gain.data(), out.data());
    std::printf("%g\n", out.at<double>({1, 1}));
  }
}
