// Choosing among the copies that Highway made of a file, one per instruction set.
#pragma once

#include <cstdint>

#include "hwy/highway.h"

// HADAMARD_TARGET_TABLE(f): f of the namespace compiled for `target`, or null. To be used after
// foreach_target.h has made all copies, in #if HWY_ONCE.
#if HWY_TARGETS & HWY_AVX2
#define HADAMARD_IF_AVX2(f) \
  if (target == HWY_AVX2) return N_AVX2::f();
#else
#define HADAMARD_IF_AVX2(f)
#endif
#if HWY_TARGETS & HWY_SSE4
#define HADAMARD_IF_SSE4(f) \
  if (target == HWY_SSE4) return N_SSE4::f();
#else
#define HADAMARD_IF_SSE4(f)
#endif
#if HWY_TARGETS & HWY_NEON
#define HADAMARD_IF_NEON(f) \
  if (target == HWY_NEON) return N_NEON::f();
#else
#define HADAMARD_IF_NEON(f)
#endif
#if HWY_TARGETS & HWY_SCALAR
#define HADAMARD_IF_SCALAR(f) \
  if (target == HWY_SCALAR) return N_SCALAR::f();
#else
#define HADAMARD_IF_SCALAR(f)
#endif
#define HADAMARD_RETURN_FOR_TARGET(f) \
  HADAMARD_IF_AVX2(f)                 \
  HADAMARD_IF_SSE4(f)                 \
  HADAMARD_IF_NEON(f)                 \
  HADAMARD_IF_SCALAR(f)               \
  return nullptr
