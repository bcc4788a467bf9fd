// Tables for estimates of elementary functions of fp64: values as sums of two doubles.
#pragma once

namespace hadamard::elementary {

// 2^(i/128), within 2^-106: hi is the nearest double.
struct ExpTable {
  static constexpr int kSize = 128;
  double hi[kSize], lo[kSize];
};

// Significands from 0x1.6Ap-1 to twice that, in 256 intervals: those whose bits begin alike. Each
// has a number c near the inverse of what it holds, and -log(c): hi is a multiple of 2^-42, hi + lo
// within 2^-95. c has so few bits that c m - 1 is a double for every m of the interval, at most
// 2^-8. Around 1, where |m - 1| <= 2^-8, c is 1.
struct LogTable {
  static constexpr int kSize = 256;
  double c[kSize], hi[kSize], lo[kSize];
};

// sin(i pi/512), within 2^-106 of its size. The cosines are the same backwards.
struct SinTable {
  static constexpr int kSize = 257;
  double hi[kSize], lo[kSize];
};

struct Tables {
  ExpTable exp;
  LogTable log;
  SinTable sin;
};

// Computed by multiple precision at the first call, which takes about a millisecond.
const Tables& tables();

}  // namespace hadamard::elementary
