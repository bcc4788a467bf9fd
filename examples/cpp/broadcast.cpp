// Each second column of a matrix, divided by a column: a strided view against a broadcast operand.
#include <cstdint>
#include <cstdio>
#include <hadamard/hadamard.hpp>

int main() {
  // Two rows of four numbers that belong to somebody else; we look at columns 0 and 2.
  const std::int32_t matrix[] = {10, -1, 21,  -1,  //
                                 -7, -1, 100, -1};
  const std::int32_t column[] = {2, 3};
  const hadamard::ConstView every_second(matrix, {2, 2}, {4, 2});
  const hadamard::ConstView divisors(column, {2, 1});  // (2,1) stretches to (2,2)

  const auto truncated = hadamard::div(every_second, divisors);
  const auto floored =
      hadamard::div(every_second, divisors, {.int_division = hadamard::IntDivision::floor});
  for (const std::int64_t row : {0, 1}) {
    std::printf("trunc %d %d  floor %d %d\n", truncated.at<std::int32_t>({row, 0}),
                truncated.at<std::int32_t>({row, 1}), floored.at<std::int32_t>({row, 0}),
                floored.at<std::int32_t>({row, 1}));
  }
}
