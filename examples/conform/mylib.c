/* A library that `hadamard conform --lib` can check: add, sub, mul and div of fp32, int32 and int8.
 *
 *   cc -shared -fPIC -O2 -Iinclude examples/conform/mylib.c -o libmine.so
 *   hadamard conform --lib ./libmine.so
 *
 * With -DPLANTED_MISTAKE the quotient of integers is C's, rounded toward zero in every profile.
 * That is right for ONNX and wrong for SONNX: conform says which clause, and with which operands.
 */
#include <hadamard/hadamard_conform.h>
#include <string.h>

static int is_one_of(const char* word, const char* const* words, int count) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(word, words[i]) == 0) return 1;
  }
  return 0;
}

static float of_floats(char op, float a, float b) {
  return op == 'a' ? a + b : op == 's' ? a - b : op == 'm' ? a * b : a / b;
}

/* In 64 bits, where nothing overflows that 32-bit integers give. A divisor is not 0 here. */
static int64_t of_integers(char op, int rounds_down, int64_t a, int64_t b) {
  if (op != 'd') return op == 'a' ? a + b : op == 's' ? a - b : a * b;
  const int64_t toward_zero = a / b;
  const int below = toward_zero * b != a && (a < 0) != (b < 0);
  return rounds_down && below ? toward_zero - 1 : toward_zero;
}

static int64_t integer_at(const void* data, int64_t index, int is_int8) {
  return is_int8 ? ((const int8_t*)data)[index] : ((const int32_t*)data)[index];
}

int hadamard_conform_run(const char* profile, const char* op, const char* type, int32_t rank,
                         const int64_t* shape, const void* a, const void* b, void* y) {
  static const char* const ops[] = {"add", "sub", "mul", "div"};
  static const char* const types[] = {"fp32", "int32", "int8"};
  if (!is_one_of(op, ops, 4) || !is_one_of(type, types, 3)) return HADAMARD_CONFORM_UNSUPPORTED;
#ifdef PLANTED_MISTAKE
  const int rounds_down = 0 * (profile != NULL);
#else
  const int rounds_down = strcmp(profile, "sonnx") == 0;
#endif
  const int is_float = strcmp(type, "fp32") == 0;
  const int is_int8 = strcmp(type, "int8") == 0;
  int64_t count = 1;
  for (int32_t dim = 0; dim < rank; ++dim) count *= shape[dim];
  for (int64_t i = 0; i < count; ++i) {
    if (is_float) {
      ((float*)y)[i] = of_floats(op[0], ((const float*)a)[i], ((const float*)b)[i]);
      continue;
    }
    const int64_t divisor = integer_at(b, i, is_int8);
    if (op[0] == 'd' && divisor == 0) return HADAMARD_CONFORM_ERROR;
    const int64_t result = of_integers(op[0], rounds_down, integer_at(a, i, is_int8), divisor);
    if (is_int8) {
      ((uint8_t*)y)[i] = (uint8_t)result; /* unsigned: modulo 2^8 */
    } else {
      ((uint32_t*)y)[i] = (uint32_t)result;
    }
  }
  return HADAMARD_CONFORM_OK;
}
