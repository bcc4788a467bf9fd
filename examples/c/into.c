/* In place: the output is an operand. */
#include <hadamard/hadamard.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[] = {2, 2};
  float pixels[] = {0, 51, 102, 255}, scale = 255;
  const hadamard_tensor image = {pixels, HADAMARD_DTYPE_fp32, 2, shape, NULL};
  const hadamard_tensor divisor = {&scale, HADAMARD_DTYPE_fp32, 0, NULL, NULL}; /* rank 0 */
  if (hadamard_div(&image, &divisor, &image, NULL) != HADAMARD_OK) {
    fprintf(stderr, "%s\n", hadamard_last_error());
    return 1;
  }
  for (int i = 0; i < 4; ++i) printf("%g\n", pixels[i]);
  return 0;
}
