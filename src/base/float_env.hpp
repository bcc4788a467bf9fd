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
  using Word = std::uint64_t;
  static constexpr Word kControl = ~Word{0};  // the flags are in another register, FPSR
  static constexpr Word kDefault = 0;
  static Word read() noexcept {
    Word word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(Word word) noexcept { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
#error "ScopedFloatEnv knows x86-64 and aarch64; teach it this CPU's control register"
#endif
  Word saved_;
};

}  // namespace hadamard
