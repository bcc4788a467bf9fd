// Floating-point environments that a caller may have, for tests: traps, roundings, flags.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hadamard::floatenv {

// Control and sticky flags of the thread. On x86-64 MXCSR, above it the x87 unit's control word and
// the flags of its status word; on aarch64 FPCR, above it FPSR.
using Word = std::uint64_t;

struct Environment {
  std::string name;
  Word word;
};

#if defined(__x86_64__)

inline constexpr Word x87(Word control, Word flags = 0) { return control << 32 | flags << 48; }
inline constexpr Word kX87 = 0x037F;
inline constexpr Word kDefault = 0x1F80 | x87(kX87);
inline constexpr Word kFlush = 0x8040;  // FTZ, DAZ
inline constexpr Word kDown = 0x2000 | x87(0x0400);
inline constexpr Word kUp = 0x4000 | x87(0x0800);

inline Word now() {
  std::uint16_t control, status;
  asm volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status) : : "memory");
  return _mm_getcsr() | x87(control, status & 0x7FU);
}
inline void set(Word word) {
  struct {
    std::uint16_t control, reserved0, status, reserved1;
    std::uint32_t others[5];
  } all;
  asm volatile("fnclex\n\tfnstenv %0" : "=m"(all) : : "memory");
  all.control = static_cast<std::uint16_t>(word >> 32);
  all.status = static_cast<std::uint16_t>(word >> 48);
  asm volatile("fldenv %0" : : "m"(all) : "memory");
  _mm_setcsr(static_cast<unsigned>(word));
}

// `some` has what is worth its time with many elements, too.
inline std::vector<Environment> all() {
  std::vector<Environment> list = {
      {"default", kDefault},
      {"ftz", kDefault | 0x8000},
      {"daz", kDefault | 0x0040},
      {"down", kDefault | kDown},
      {"to zero", kDefault | 0x6000 | x87(0x0C00)},
      {"x87 with 24 bits", (kDefault & ~x87(0x0300))},
      {"x87 with 53 bits", (kDefault & ~x87(0x0100))},
      {"two flags", kDefault | 0x0006},
      {"two flags of the x87 unit", kDefault | x87(0, 0x0024)},
      {"an exception of the x87 unit pending", (kDefault & ~x87(0x0008)) | x87(0, 0x0008)},
  };
  const char* const traps[] = {"invalid",  "denormal",  "division by zero",
                               "overflow", "underflow", "inexact"};
  for (int k = 0; k < 6; ++k) {
    const Word mask = Word{0x80} << k | x87(Word{1} << k);
    list.push_back({std::string("trap on ") + traps[k], kDefault & ~mask});
  }
  // As feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) leaves it.
  list.push_back({"three traps", kDefault & ~(Word{0x0680} | x87(0x000D))});
  return list;
}
inline std::vector<Environment> some() {
  return {{"ftz+daz, up", kDefault | kFlush | kUp},
          {"all traps", x87(0x0340)},
          {"all traps, to zero, ftz+daz, 24 bits", 0x6000 | kFlush | x87(0x0C40)},
          {"all flags", kDefault | 0x003F | x87(0, 0x003F)}};
}

#elif defined(__aarch64__)

inline constexpr Word kDefault = 0;
inline constexpr Word kFlush = 0x0100'0000;
inline constexpr Word kUp = 0x0040'0000;
inline constexpr Word kDown = 0x0080'0000;

inline Word now() {
  Word control, flags;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags) : : "memory");
  return control | (flags << 32);
}
inline void set(Word word) {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1"
               :
               : "r"(word & 0xFFFFFFFF), "r"(word >> 32)
               : "memory");
}

// Bits that a CPU does not have (traps, mostly) read as 0.
inline std::vector<Environment> all() {
  return {{"default", kDefault},
          {"flush", kFlush},
          {"flush fp16", 0x0008'0000},
          {"default NaN", 0x0200'0000},
          {"alternative fp16", 0x0400'0000},
          {"up", kUp},
          {"to zero", 0x00C0'0000},
          {"trap on invalid", 0x0100},
          {"trap on division by zero", 0x0200},
          {"trap on overflow", 0x0400},
          {"trap on underflow", 0x0800},
          {"trap on inexact", 0x1000},
          {"all traps", 0x9F00},
          {"two flags", 0x0000'0006'0000'0000}};
}
inline std::vector<Environment> some() {
  return {
      {"down", kDown}, {"everything at once", 0x07C8'0000}, {"all flags", 0x0800'009F'0000'0000}};
}

#else
#error "teach these tests the CPU's control register"
#endif

// Both.
inline std::vector<Environment> every() {
  std::vector<Environment> list = all();
  for (Environment& environment : some()) list.push_back(std::move(environment));
  return list;
}

}  // namespace hadamard::floatenv
