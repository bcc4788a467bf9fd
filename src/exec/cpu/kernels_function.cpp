// exp, log, tanh, sigmoid and powers: the C library's estimates, correctly rounded.
#include <type_traits>

#include "exec/cpu/plain_loop.hpp"
#include "num/elementary.hpp"

namespace hadamard::exec::cpu {
namespace {

using elementary::Function;

template <class F>
class FunctionWorld {
 public:
  using T = F;
  using Element = F;
  T exp(const T& a) const { return elementary::rounded<Function::exp>(a); }
  T log(const T& a) const { return elementary::rounded<Function::log>(a); }
  T tanh(const T& a) const { return elementary::rounded<Function::tanh>(a); }
  T sigmoid(const T& a) const { return elementary::rounded<Function::sigmoid>(a); }
  T pow(const T& a, const T& b) const { return elementary::rounded<Function::pow>(a, b); }
  bool zero_divisor() const { return false; }

 private:
  elementary::ScopedExtendedPrecision extended_;
};

// What lies in a line: a 4-bit integer is a byte there.
template <class I, bool packed = is_packed<I>>
struct LineElement {
  using Type = I;
};
template <class I>
struct LineElement<I, true> {
  using Type = decltype(I::value);
};

template <class I>
class PowerWorld {
 public:
  using Element = I;
  using T = typename LineElement<I>::Type;

  // Modulo 2^n; of a negative exponent the reciprocal, truncated.
  T pow(const T& base, const T& exponent) const {
    if (exponent < 0) return inverse_power(base, exponent);
    std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
    for (auto bits = static_cast<std::uint64_t>(exponent); bits != 0; bits >>= 1) {
      if ((bits & 1) != 0) result *= square;
      square *= square;
    }
    if constexpr (is_packed<I>) {
      return I(static_cast<std::int64_t>(result & 15)).value;
    } else {
      return static_cast<T>(result);
    }
  }
  bool zero_divisor() const { return zero_divisor_; }

 private:
  T inverse_power(const T& base, const T& exponent) const {
    zero_divisor_ |= base == 0;
    if (base == T{1}) return T{1};
    if (base != static_cast<T>(-1)) return T{0};
    return exponent % 2 == 0 ? T{1} : base;
  }
  mutable bool zero_divisor_ = false;
};

}  // namespace

const KernelSet* function_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
    enter_plain<FunctionWorld<float16>>(DType::fp16, s);
    enter_plain<FunctionWorld<bfloat16>>(DType::bf16, s);
    enter_plain<FunctionWorld<float>>(DType::fp32, s);
    enter_plain<FunctionWorld<double>>(DType::fp64, s);
    enter_plain<PowerWorld<int4>>(DType::int4, s);
    enter_plain<PowerWorld<std::int8_t>>(DType::int8, s);
    enter_plain<PowerWorld<std::int16_t>>(DType::int16, s);
    enter_plain<PowerWorld<std::int32_t>>(DType::int32, s);
    enter_plain<PowerWorld<std::int64_t>>(DType::int64, s);
    enter_plain<PowerWorld<uint4>>(DType::uint4, s);
    enter_plain<PowerWorld<std::uint8_t>>(DType::uint8, s);
    enter_plain<PowerWorld<std::uint16_t>>(DType::uint16, s);
    enter_plain<PowerWorld<std::uint32_t>>(DType::uint32, s);
    enter_plain<PowerWorld<std::uint64_t>>(DType::uint64, s);
    return s;
  }();
  return &set;
}

}  // namespace hadamard::exec::cpu
