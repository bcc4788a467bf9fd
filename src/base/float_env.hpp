// The floating-point environment that every kernel and conversion runs in: the vector unit's, and
// the x87 unit's where long double is computed.
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

// The same for the x87 unit, which computes long double on x86-64: 64 bits of precision, to
// nearest, no traps. The caller's control word and sticky flags come back, an exception that is
// pending (flagged and unmasked) included: every instruction that could deliver it here runs while
// no flag is set. Nothing where long double is another type.
class ScopedExtendedPrecision {
 public:
#if defined(__x86_64__)
  ScopedExtendedPrecision() noexcept {
    asm volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control_), "=m"(status_) : : "memory");
    if ((status_ & kFlags) != 0) asm volatile("fnclex" : : : "memory");
    if (control_ != kDefault) load_control(kDefault);
  }
  ~ScopedExtendedPrecision() {
    std::uint16_t now;
    asm volatile("fnstsw %0" : "=m"(now) : : "memory");
    if ((now & kFlags) != 0) asm volatile("fnclex" : : : "memory");
    if ((status_ & kFlags) != 0) {
      load_flags();
    } else if (control_ != kDefault) {
      load_control(control_);
    }
  }
#else
  ScopedExtendedPrecision() noexcept {}
  ~ScopedExtendedPrecision() {}
#endif
  ScopedExtendedPrecision(const ScopedExtendedPrecision&) = delete;
  ScopedExtendedPrecision& operator=(const ScopedExtendedPrecision&) = delete;

#if defined(__x86_64__)
 private:
  static constexpr std::uint16_t kDefault = 0x037F;
  static constexpr std::uint16_t kFlags = 0x00FF;  // sticky ones, stack fault, summary

  static void load_control(std::uint16_t word) noexcept {
    asm volatile("fldcw %0" : : "m"(word) : "memory");
  }
  // Flags can only be set together with all of the environment.
  void load_flags() const noexcept {
    struct {
      std::uint16_t control, reserved0, status, reserved1;
      std::uint32_t others[5];
    } all;
    asm volatile("fnstenv %0" : "=m"(all) : : "memory");
    all.control = control_;
    all.status = static_cast<std::uint16_t>((all.status & ~kFlags) | (status_ & kFlags));
    asm volatile("fldenv %0" : : "m"(all) : "memory");
  }

  std::uint16_t control_;
  std::uint16_t status_;
#endif
};

}  // namespace hadamard
