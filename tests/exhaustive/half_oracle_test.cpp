// Who checks the oracle? Answers that are known by hand.
#include "half_oracle.hpp"

#include <cstdio>

namespace half_oracle {
namespace {

struct Known {
  char op;
  std::uint16_t a, b, y;
};

constexpr Known kFp16[] = {
    {'+', 0x3C00, 0x3C00, 0x4000},  // 1+1
    {'+', 0x3C00, 0x1000, 0x3C00},  // 1+2^-11: a tie, to even
    {'+', 0x3C00, 0x1001, 0x3C01},  // just above the tie
    {'+', 0x3C01, 0x1000, 0x3C02},  // a tie, to even, upwards
    {'+', 0x7BFF, 0x4BFF, 0x7BFF},  // 65504+15.99
    {'+', 0x7BFF, 0x4C00, 0x7C00},  // 65504+16: the tie that overflows
    {'+', 0x0001, 0x8001, 0x0000},  // +0 from cancellation
    {'+', 0x8000, 0x8000, 0x8000},  // -0
    {'+', 0x7BFF, 0x8001, 0x7BFF},  // far apart
    {'-', 0x3C00, 0x0001, 0x3C00},  // sticky below
    {'-', 0x0000, 0x0000, 0x0000}, {'-', 0x8000, 0x0000, 0x8000},
    {'-', 0x7C00, 0x7C00, 0x7E00}, {'*', 0x0001, 0x3800, 0x0000},  // 2^-25: a tie, to even
    {'*', 0x0003, 0x3800, 0x0002},                                 // 1.5 subnormals: a tie, to even
    {'*', 0x0001, 0x3801, 0x0001}, {'*', 0x8001, 0x0001, 0x8000},  // underflow keeps the sign
    {'*', 0x0000, 0xFC00, 0x7E00}, {'*', 0x7BFF, 0x4000, 0x7C00},
    {'/', 0x3C00, 0x4200, 0x3555},  // 1/3
    {'/', 0x0000, 0x8000, 0x7E00}, {'/', 0xBC00, 0x0000, 0xFC00},
    {'/', 0x3C00, 0x0001, 0x7C00},                                 // 2^24
    {'/', 0x0001, 0x7BFF, 0x0000}, {'/', 0x7C01, 0x3C00, 0x7E00},  // a signalling NaN
    {'/', 0x03FF, 0x3BFF, 0x03FF},  // 1023/(2047/2048) = 1023.49… subnormals
};
constexpr Known kBf16[] = {
    {'+', 0x3F80, 0x3B80, 0x3F80},  // 1+2^-8: a tie, to even
    {'+', 0x3F81, 0x3B80, 0x3F82}, {'+', 0x7F7F, 0x7F7F, 0x7F80},
    {'-', 0x0080, 0x0001, 0x007F},  // the smallest normal less the smallest subnormal
    {'*', 0x3F81, 0x3F81, 0x3F82},  // 1+2^-6+2^-14
    {'*', 0x0080, 0x3F00, 0x0040}, {'/', 0x3F80, 0x4040, 0x3EAB},  // 1/3
    {'/', 0x7F80, 0xFF80, 0x7FC0}, {'/', 0x3F80, 0x7F7F, 0x0020},  // 2^-128 (1+2^-8): subnormal
};

template <class F>
bool check(const Known& known) {
  const Parts a = decode<F>(known.a);
  const Parts b = decode<F>(known.b);
  std::uint16_t y = 0;
  switch (known.op) {
    case '+':
      y = add<F>(a, b);
      break;
    case '-':
      y = sub<F>(a, b);
      break;
    case '*':
      y = mul<F>(a, b);
      break;
    default:
      y = div<F>(a, b);
      break;
  }
  if (y == known.y) return true;
  std::printf("the oracle says %04X %c %04X = %04X in %s; it is %04X\n", known.a, known.op, known.b,
              y, F::kName, known.y);
  return false;
}

// Decoding and rounding are inverse for every number.
template <class F>
bool round_trips() {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const Parts parts = decode<F>(static_cast<std::uint16_t>(bits));
    if (parts.kind != Class::finite) continue;
    if (round<F>(parts.sign, parts.mantissa, parts.exponent) != bits) {
      std::printf("the oracle does not decode and round %04X of %s to itself\n", bits, F::kName);
      return false;
    }
  }
  return true;
}

}  // namespace

bool knows_its_own_mind() {
  bool good = round_trips<Fp16>() && round_trips<Bf16>();
  for (const Known& known : kFp16) good = check<Fp16>(known) && good;
  for (const Known& known : kBf16) good = check<Bf16>(known) && good;
  return good;
}

}  // namespace half_oracle
