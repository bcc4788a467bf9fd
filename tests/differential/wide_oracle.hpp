// fp32 and fp64 by way of a wider type, and pairs worth trying.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "hadamard/types.hpp"

namespace hadamard::difftest {

// IEEE's binary128.
#if defined(__aarch64__)
using Quad = long double;
#else
__extension__ typedef __float128 Quad;  // NOLINT: __extension__ wants a typedef with both compilers
#endif

template <class F>
struct WideOracle;
template <>
struct WideOracle<float> {
  using Wide = double;
  using Bits = std::uint32_t;
  static constexpr int kFraction = 23;
  static constexpr Bits kNan = 0x7FC00000;
  static float from_bits(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<Bits>(bits));
  }
  static float compute(Op op, float a, float b);
};
template <>
struct WideOracle<double> {
  using Wide = Quad;
  using Bits = std::uint64_t;
  static constexpr int kFraction = 52;
  static constexpr Bits kNan = 0x7FF8000000000000;
  static double from_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }
  static double compute(Op op, double a, double b);
};

// The operators that this oracle knows. Others are compared with the reference only.
inline bool has_wide_oracle(Op op) {
  return op == Op::add || op == Op::sub || op == Op::mul || op == Op::div;
}

// In the wider type. Not inlined, and with operands of the wider type: seeing that both come from a
// narrower one and that the result goes back into it, compilers replace all of it by the narrow
// operation, which is the very thing that is to be checked.
template <class Wide>
[[gnu::noinline]] Wide wide_result(Op op, Wide x, Wide y) {
  switch (op) {
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return x * y;
    case Op::div:
      return x / y;
    default:
      std::abort();  // see has_wide_oracle
  }
}

template <class F>
F compute_wide(Op op, F a, F b) {
  const auto result = static_cast<F>(wide_result<typename WideOracle<F>::Wide>(op, a, b));
  return result != result ? WideOracle<F>::from_bits(WideOracle<F>::kNan) : result;
}
inline float WideOracle<float>::compute(Op op, float a, float b) { return compute_wide(op, a, b); }
inline double WideOracle<double>::compute(Op op, double a, double b) {
  return compute_wide(op, a, b);
}

// Random and structured pairs, quickly.
template <class F>
class PairSource {
 public:
  using Bits = typename WideOracle<F>::Bits;
  explicit PairSource(std::uint64_t seed) : state_(seed) {}

  void next(Op op, F& a, F& b) {
    const std::uint64_t how = random() % 8;
    a = number();
    b = number();
    switch (how) {
      case 0:
        break;  // any bits
      case 1:
        b = with_exponent(b, exponent(a), 2);
        break;  // cancellation
      case 2:
        b = with_exponent(b, exponent(a), kFraction + 3);
        break;  // ties and sticky bits
      case 3:
        a = few_bits(a), b = few_bits(b);
        break;  // exact results and ties
      case 4:
        near_halfway(op, a, b);
        break;
      case 5:
        at_the_edge(op, a, b, 1 - kBias);
        break;  // results around the smallest normal
      case 6:
        at_the_edge(op, a, b, kBias);
        break;  // results around overflow
      default:  // near one
        a = with_exponent(a, kBias, 3);
        b = with_exponent(b, kBias, 3);
    }
  }

 private:
  static constexpr int kFraction = WideOracle<F>::kFraction;
  static constexpr int kBias = std::numeric_limits<F>::max_exponent - 1;
  static constexpr int kFields = 2 * kBias + 2;

  std::uint64_t random() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  F number() { return std::bit_cast<F>(static_cast<Bits>(random())); }
  static int exponent(F x) {
    return static_cast<int>(std::bit_cast<Bits>(x) >> kFraction & (kFields - 1));
  }
  // x with an exponent field within `spread` of `field`.
  F with_exponent(F x, int field, int spread) {
    const int any =
        field - spread + static_cast<int>(random() % (2 * static_cast<unsigned>(spread) + 1));
    const int clipped = any < 0 ? 0 : any > kFields - 2 ? kFields - 2 : any;
    const Bits mask = static_cast<Bits>(static_cast<Bits>(kFields - 1) << kFraction);
    return std::bit_cast<F>(static_cast<Bits>((std::bit_cast<Bits>(x) & ~mask) |
                                              static_cast<Bits>(clipped) << kFraction));
  }
  F few_bits(F x) {
    const unsigned cleared = static_cast<unsigned>(random() % (kFraction + 1));
    return std::bit_cast<F>(static_cast<Bits>(std::bit_cast<Bits>(x) >> cleared << cleared));
  }
  F step(F x) {
    const auto steps = static_cast<int>(random() % 5) - 2;
    return std::bit_cast<F>(static_cast<Bits>(std::bit_cast<Bits>(x) + static_cast<Bits>(steps)));
  }
  // Operands whose exact result lies next to a tie: a quotient's or product's neighbour, a half
  // ulp.
  void near_halfway(Op op, F& a, F& b) {
    a = with_exponent(a, kBias, 20);
    b = with_exponent(b, kBias, 20);
    if (op == Op::div) {
      const F q = with_exponent(number(), kBias, 4);
      a = step(q * b);
    } else if (op == Op::mul) {
      const F y = with_exponent(number(), kBias, 4);
      a = step(y / b);
    } else {
      b = step(with_exponent(few_bits(b), exponent(a) - kFraction - 1, 1));
    }
  }
  // Operands whose result has about the exponent `wanted`.
  void at_the_edge(Op op, F& a, F& b, int wanted) {
    const int ea = static_cast<int>(random() % (kFields - 1));
    a = with_exponent(a, ea, 0);
    const int eb = op == Op::mul   ? wanted - (ea - kBias) + kBias
                   : op == Op::div ? (ea - kBias) - wanted + kBias
                                   : wanted + kBias;
    b = with_exponent(b, eb, kFraction + 2);
    if (op == Op::add || op == Op::sub) a = with_exponent(a, wanted + kBias, kFraction + 2);
  }

  std::uint64_t state_;
};

}  // namespace hadamard::difftest
