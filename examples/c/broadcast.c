/* Each second column of a matrix, divided by a column: a strided view against a broadcast operand.
 */
#include <hadamard/hadamard.h>
#include <stdio.h>

int main(void) {
  int32_t matrix[] = {10, -1, 21, -1, -7, -1, 100, -1}; /* two rows of four */
  int32_t column[] = {2, 3}, truncated[4], floored[4];
  const int64_t shape[] = {2, 2}, every_second[] = {4, 2}, column_shape[] = {2, 1};
  const hadamard_tensor a = {matrix, HADAMARD_DTYPE_int32, 2, shape, every_second};
  const hadamard_tensor b = {column, HADAMARD_DTYPE_int32, 2, column_shape, NULL};
  const hadamard_tensor t = {truncated, HADAMARD_DTYPE_int32, 2, shape, NULL};
  const hadamard_tensor f = {floored, HADAMARD_DTYPE_int32, 2, shape, NULL};
  hadamard_options by_floor = HADAMARD_OPTIONS_DEFAULT;
  by_floor.int_division = 1; /* floor */
  if (hadamard_div(&a, &b, &t, NULL) != HADAMARD_OK ||
      hadamard_div(&a, &b, &f, &by_floor) != HADAMARD_OK) {
    fprintf(stderr, "%s\n", hadamard_last_error());
    return 1;
  }
  for (int row = 0; row < 2; ++row) {
    printf("trunc %d %d  floor %d %d\n", (int)truncated[2 * row], (int)truncated[2 * row + 1],
           (int)floored[2 * row], (int)floored[2 * row + 1]);
  }
  return 0;
}
