// The floating-point environment that every kernel and conversion runs in.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hadamard {

// For its lifetime, on this thread: round to nearest even, subnormals kept, no traps. A library
// that was loaded into the process (or the caller) may have set flush-to-zero, denormals-are-zero,
// another rounding or unmasked exceptions; those come back with the destructor, and so do the
// sticky flags. The register is written back without a look: reading it takes three times as long.
class ScopedFloatEnv {
 public:
  ScopedFloatEnv() noexcept : saved_(read()) {
    if ((saved_ & kControl) != kDefault) write(kDefault);
  }
  ~ScopedFloatEnv() { write(saved_); }
  ScopedFloatEnv(const ScopedFloatEnv&) = delete;
  ScopedFloatEnv& operator=(const ScopedFloatEnv&) = delete;

 private:
#if defined(__x86_64__)
  using Word = std::uint32_t;
  static constexpr Word kControl = 0xFFC0;  // all but the sticky flags and reserved bits
  static constexpr Word kDefault = 0x1F80;
  static Word read() noexcept { return _mm_getcsr(); }
  static void write(Word word) noexcept { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = std::uint64_t;  // FPCR, and above it FPSR, which has the sticky flags
  static constexpr Word kControl = 0xFFFFFFFF;
  static constexpr Word kDefault = 0;
  static Word read() noexcept {
    Word control, flags;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags) : : "memory");
    return (flags << 32) | (control & kControl);
  }
  static void write(Word word) noexcept {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                 :
                 : "r"(word & kControl), "r"(word >> 32)
                 : "memory");
  }
#else
#error "ScopedFloatEnv knows x86-64 and aarch64; teach it this CPU's control register"
#endif
  Word saved_;
};

}  // namespace hadamard
