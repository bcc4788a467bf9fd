/* Planned once, run many times: hadamard_run allocates nothing. */
#include <hadamard/hadamard.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[] = {2, 2};
  double in[4] = {0}, out[4], gain[] = {1, 2, 3, 4};
  const hadamard_tensor a = {in, HADAMARD_DTYPE_fp64, 2, shape, NULL};
  const hadamard_tensor b = {gain, HADAMARD_DTYPE_fp64, 2, shape, NULL};
  const hadamard_tensor y = {out, HADAMARD_DTYPE_fp64, 2, shape, NULL};
  hadamard_prepared* scale = NULL;
  hadamard_status status = hadamard_prepare(HADAMARD_OP_mul, &a, &b, &y, NULL, &scale);
  for (int n = 0; n < 3 && status == HADAMARD_OK; ++n) {
    in[3] = 0.5 * n;
    status = hadamard_run(scale, in, gain, out);
    printf("%g\n", out[3]);
  }
  hadamard_release(scale);
  if (status != HADAMARD_OK) fprintf(stderr, "%s\n", hadamard_last_error());
  return status == HADAMARD_OK ? 0 : 1;
}
