/* Y = A ./ B through the C ABI. And what happens where there is no answer. */
#include <hadamard/hadamard.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[] = {3};
  double a[] = {6.1, 9.5, 35.7}, b[] = {3.0, 3.3, 5.1}, y[3];
  const hadamard_tensor ta = {a, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  const hadamard_tensor tb = {b, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  const hadamard_tensor ty = {y, HADAMARD_DTYPE_fp64, 1, shape, NULL};
  if (hadamard_div(&ta, &tb, &ty, NULL) != HADAMARD_OK) return 1;
  for (int i = 0; i < 3; ++i) printf("%.16g\n", y[i]);

  /* Floats have an answer for zero (inf, nan); integers have none. */
  const int64_t two[] = {2};
  int32_t i[] = {7, 8}, zero[] = {2, 0}, q[] = {-1, -1};
  const hadamard_tensor ti = {i, HADAMARD_DTYPE_int32, 1, two, NULL};
  const hadamard_tensor tz = {zero, HADAMARD_DTYPE_int32, 1, two, NULL};
  const hadamard_tensor tq = {q, HADAMARD_DTYPE_int32, 1, two, NULL};
  hadamard_options options = HADAMARD_OPTIONS_DEFAULT;
  options.dialect = HADAMARD_DIALECT_sonnx;
  const hadamard_status status = hadamard_div(&ti, &tz, &tq, &options);
  printf("%s\n%s\n", hadamard_status_name(status), hadamard_last_error());
  return q[0] == -1 && q[1] == -1 ? 0 : 1; /* nothing was written */
}
