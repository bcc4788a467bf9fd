// Paddle's elementwise_div: a divisor per channel, an activation in the same pass, and the
// gradients.
#include <cstdio>
#include <hadamard/paddle.hpp>

namespace paddle = hadamard::paddle;

int main() {
  // Two images of two channels with three pixels each.
  const auto x = hadamard::Tensor::from({2.0F, 4.0F, -6.0F, 3.0F, 6.0F, 9.0F,  //
                                         8.0F, -2.0F, 4.0F, 6.0F, 0.0F, -3.0F},
                                        {2, 2, 3});
  const auto scale = hadamard::Tensor::from({2.0F, 3.0F}, {2});
  const auto z = paddle::elementwise_div(x, scale, {.axis = 1, .act = "relu", .name = "z"});
  std::printf("%s\n", z.name.c_str());
  for (const std::int64_t image : {0, 1}) {
    for (const std::int64_t channel : {0, 1}) {
      std::printf("%g %g %g\n", z.value.at<float>({image, channel, 0}),
                  z.value.at<float>({image, channel, 1}), z.value.at<float>({image, channel, 2}));
    }
  }
  // Of the division itself, with e^0 as the gradient of its result.
  const auto out = paddle::elementwise_div(x, scale, {.axis = 1}).value;
  const auto dout = hadamard::exp(hadamard::sub(x, x));
  const auto [dx, dy] = paddle::elementwise_div_grad(x, scale, out, dout, 1);
  std::printf("dX %g %g  dY %g %g\n", dx.at<float>({0, 0, 0}), dx.at<float>({0, 1, 0}),
              dy.at<float>({0}), dy.at<float>({1}));
}
