#include <hadamard/hadamard.h>
#include <stdio.h>

int main(void) {
  double a[3] = {6.1, 9.5, 35.7};
  double b[3] = {3.0, 3.3, 5.1};
  double y[3] = {0, 0, 0};
  const int64_t shape[1] = {3};
  const hadamard_tensor ta = {a, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  const hadamard_tensor tb = {b, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  const hadamard_tensor ty = {y, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  if (hadamard_div(&ta, &tb, &ty, NULL) != HADAMARD_OK) {
    puts(hadamard_last_error());
    return 1;
  }
  for (int i = 0; i < 3; ++i) printf("%.16g\n", y[i]);
  return 0;
}
