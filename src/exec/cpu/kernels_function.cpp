// exp, log, sin and their like: the C library's estimates, correctly rounded. Of integers: powers,
// remainders, and functions that round to whole numbers, which they are.
#include <type_traits>

#include "base/float_env.hpp"
#include "exec/cpu/line_element.hpp"
#include "exec/cpu/plain_loop.hpp"
#include "num/complex_functions.hpp"
#include "op/rounded.hpp"

namespace hadamard::exec::cpu {
namespace {

template <class F>
class FunctionWorld {
 public:
  using T = F;
  using Element = F;
  template <class Function>
  T function(const T& a) const {
    return op::rounded<Function>(a);
  }
  template <class Function>
  T function(const T& a, const T& b) const {
    return op::rounded<Function>(a, b);
  }
  T sqrt(const T& a) const { return op::rounded<op::Sqrt>(a); }
  T pow(const T& a, const T& b) const { return op::rounded<op::Pow>(a, b); }
  T mod(const T& a, const T& b) const { return op::rounded<op::Mod>(a, b); }
  T rem(const T& a, const T& b) const { return op::rounded<op::Rem>(a, b); }
  bool zero_divisor() const { return false; }

 private:
  ScopedExtendedPrecision extended_;
};

// Those that have a form on complex numbers.
template <class C>
class ComplexFunctionWorld {
 public:
  using T = C;
  using Element = C;
  template <class Function>
  requires op::has_complex_form<Function> T function(const T& a)
  const { return cx::function(Function::complex_form, a); }
  T sqrt(const T& a) const { return function<op::Sqrt>(a); }
  T sign(const T& a) const { return function<op::Sign>(a); }
  T pow(const T& a, const T& b) const { return cx::power(a, b); }
  bool zero_divisor() const { return false; }

 private:
  ScopedExtendedPrecision extended_;
};

template <class I>
class IntegerWorld {
 public:
  using Element = I;
  using T = LineElement<I>;

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

template <class E>
void enter_functions(DType type, KernelSet& set) {
  if constexpr (Element<E>::kKind == Kind::floating) {
    enter_plain<FunctionWorld<E>>(type, set);
  } else if constexpr (Element<E>::kKind == Kind::integer) {
    enter_plain<IntegerWorld<E>>(type, set);
  } else if constexpr (Element<E>::kKind == Kind::complex) {
    enter_plain<ComplexFunctionWorld<E>>(type, set);
  }
}

}  // namespace

const KernelSet* function_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
#define HADAMARD_ENTER_FUNCTIONS(id, Type) enter_functions<Type>(DType::id, s);
    HADAMARD_TYPES(HADAMARD_ENTER_FUNCTIONS)
#undef HADAMARD_ENTER_FUNCTIONS
    return s;
  }();
  return &set;
}

}  // namespace hadamard::exec::cpu
