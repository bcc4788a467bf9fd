// exp, log, sin and their like: the C library's estimates, correctly rounded. Of integers: powers,
// remainders, and functions that round to whole numbers, which they are.
#include <type_traits>

#include "base/float_env.hpp"
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
#define HADAMARD_FAST_FUNCTION_1(id) \
  T id(const T& a) const { return elementary::rounded<Function::id>(a); }
#define HADAMARD_FAST_FUNCTION_2(id) \
  T id(const T& a, const T& b) const { return elementary::rounded<Function::id>(a, b); }
#define HADAMARD_FAST_FUNCTION(id, arity) HADAMARD_FAST_FUNCTION_##arity(id)
  HADAMARD_FUNCTIONS(HADAMARD_FAST_FUNCTION)
#undef HADAMARD_FAST_FUNCTION
#undef HADAMARD_FAST_FUNCTION_2
#undef HADAMARD_FAST_FUNCTION_1
  bool zero_divisor() const { return false; }

 private:
  ScopedExtendedPrecision extended_;
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
class IntegerWorld {
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
  // With the divisor's sign.
  T mod(const T& a, const T& b) const {
    const T r = remainder(a, b);
    return r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
  }
  // With the dividend's sign.
  T rem(const T& a, const T& b) const { return remainder(a, b); }
  T floor(const T& a) const { return a; }
  T ceil(const T& a) const { return a; }
  T round(const T& a) const { return a; }
  T trunc(const T& a) const { return a; }
  bool zero_divisor() const { return zero_divisor_; }

 private:
  T remainder(const T& a, const T& b) const {
    zero_divisor_ |= b == 0;
    if (b == 0) return a;
    if (b == static_cast<T>(-1) && std::is_signed_v<T>) return 0;  // MIN / -1 has no quotient
    return static_cast<T>(a % b);
  }
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
    enter_plain<IntegerWorld<int4>>(DType::int4, s);
    enter_plain<IntegerWorld<std::int8_t>>(DType::int8, s);
    enter_plain<IntegerWorld<std::int16_t>>(DType::int16, s);
    enter_plain<IntegerWorld<std::int32_t>>(DType::int32, s);
    enter_plain<IntegerWorld<std::int64_t>>(DType::int64, s);
    enter_plain<IntegerWorld<uint4>>(DType::uint4, s);
    enter_plain<IntegerWorld<std::uint8_t>>(DType::uint8, s);
    enter_plain<IntegerWorld<std::uint16_t>>(DType::uint16, s);
    enter_plain<IntegerWorld<std::uint32_t>>(DType::uint32, s);
    enter_plain<IntegerWorld<std::uint64_t>>(DType::uint64, s);
    return s;
  }();
  return &set;
}

}  // namespace hadamard::exec::cpu
