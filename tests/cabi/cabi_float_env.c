/* The caller's traps, flags and rounding: every operator and type computes the same, and leaves
 * them as they were. */
#define _GNU_SOURCE /* feenableexcept */
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "cabi.h"

enum { kElements = 96, kBytes = kElements * 16 };

/* Bytes of any type: random ones, and stretches that are zeros, infinities, NaNs, extremes,
 * subnormals. */
static void fill(unsigned char* bytes, unsigned seed) {
  static const unsigned char kPatterns[][16] = {
      {0},
      {1},
      {0x00, 0x7C, 0x00, 0x7C, 0x00, 0x7C, 0x00, 0x7C, 0x00, 0x7C, 0x00, 0x7C, 0x00, 0x7C, 0x00,
       0x7C},
      {0x80, 0x7F, 0x80, 0x7F, 0x80, 0x7F, 0x80, 0x7F, 0x80, 0x7F, 0x80, 0x7F, 0x80, 0x7F, 0x80,
       0x7F},
      {0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF, 0, 0, 0x80, 0x7F, 0, 0, 0x80, 0x7F},
      {0, 0, 0, 0, 0, 0, 0xF0, 0x7F, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF},
      {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
       0xFF},
      {0, 0, 0, 0, 0, 0x88, 0xD3, 0x40, 0, 0, 0, 0, 0, 0x88, 0xD3, 0x40}}; /* 20000.0 */
  for (int i = 0; i < kBytes; ++i) {
    seed = seed * 1664525U + 1013904223U;
    bytes[i] = (unsigned char)(seed >> 24);
  }
  for (size_t k = 0; k < sizeof kPatterns / sizeof kPatterns[0]; ++k) {
    memcpy(bytes + 16 * (2 * k + seed % 2), kPatterns[k], 16);
  }
}

static hadamard_status compute(int32_t op, int one, int32_t dtype, void* a, void* b, void* y) {
  const int64_t count = kElements;
  const hadamard_tensor ta = {a, dtype, 1, &count, NULL};
  const hadamard_tensor tb = {b, dtype, 1, &count, NULL};
  const hadamard_tensor ty = {y, dtype, 1, &count, NULL};
  return hadamard_apply(op, &ta, one ? NULL : &tb, &ty, NULL);
}

/* Twice under the traps: what the first call left behind would end the second one. */
static void check_under(int traps, int round, int32_t op, int one, int32_t dtype) {
  static _Alignas(16) unsigned char a[kBytes], b[kBytes], expected[kBytes], got[2][kBytes];
  fill(a, 1);
  fill(b, 2);
  memset(expected, 0, kBytes);
  memset(got, 0, sizeof got);
  const hadamard_status status = compute(op, one, dtype, a, b, expected);
  hadamard_status again[2];
  fenv_t before;
  fegetenv(&before);
  feclearexcept(FE_ALL_EXCEPT);
  fesetround(round);
  const int can_trap = feenableexcept(traps) != -1; /* an ARM CPU mostly cannot */
  again[0] = compute(op, one, dtype, a, b, got[0]);
  again[1] = compute(op, one, dtype, a, b, got[1]);
  const int flags = fetestexcept(FE_ALL_EXCEPT), unmasked = fegetexcept(), rounding = fegetround();
  fesetenv(&before);
  CHECK(again[0] == status);
  CHECK(again[1] == status);
  CHECK(memcmp(got[0], expected, kBytes) == 0);
  CHECK(memcmp(got[1], expected, kBytes) == 0);
  CHECK(flags == 0);
  CHECK(!can_trap || unmasked == traps);
  CHECK(rounding == round);
}

void test_float_env(void) {
  static const int kArity[] = {
#define ARITY(id, Name, arity) arity,
      HADAMARD_OPERATORS(ARITY)
#undef ARITY
  };
  static const int kTraps[] = {FE_INVALID,
                               FE_DIVBYZERO,
                               FE_OVERFLOW,
                               FE_UNDERFLOW,
                               FE_INEXACT,
                               FE_ALL_EXCEPT,
                               FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW,
                               0};
  for (size_t op = 0; op < sizeof kArity / sizeof kArity[0]; ++op) {
    for (int32_t dtype = 0; hadamard_dtype_name(dtype) != NULL; ++dtype) {
      for (size_t t = 0; t < sizeof kTraps / sizeof kTraps[0]; ++t) {
        check_under(kTraps[t], t % 2 == 0 ? FE_TONEAREST : FE_UPWARD, (int32_t)op, kArity[op] == 1,
                    dtype);
      }
    }
  }
}
