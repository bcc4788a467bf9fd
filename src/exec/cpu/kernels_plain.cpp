// Complex numbers, bool and exact rationals: plain loops, the same code for every target.

#include "exec/cpu/plain_loop.hpp"
#include "num/complex.hpp"

namespace hadamard::exec::cpu {
namespace {

// A bool in memory is a byte; any nonzero one is true.
struct BoolByte {
  std::uint8_t byte;
  int value() const { return byte != 0 ? 1 : 0; }
};

template <class E>
class PlainWorld {
  static constexpr bool kBool = std::is_same_v<E, BoolByte>;
  static constexpr bool kComplex = !kBool && !std::is_same_v<E, Real>;
  static constexpr bool kOrdered = !kComplex;

 public:
  using T = E;
  using Element = std::conditional_t<std::is_same_v<T, BoolByte>, bool, T>;
  T add(const T& a, const T& b) const {
    if constexpr (kComplex)
      return cx::add(a, b);
    else if constexpr (kBool)
      return truth(a.value() + b.value());
    else
      return a + b;
  }
  T sub(const T& a, const T& b) const {
    if constexpr (kComplex)
      return cx::sub(a, b);
    else if constexpr (kBool)
      return truth(a.value() - b.value());
    else
      return a - b;
  }
  T mul(const T& a, const T& b) const {
    if constexpr (kComplex)
      return cx::mul(a, b);
    else if constexpr (kBool)
      return truth(a.value() * b.value());
    else
      return a * b;
  }
  T div(const T& a, const T& b) const {
    if constexpr (kComplex) {
      return cx::div(a, b);
    } else if constexpr (kBool) {
      zero_divisor_ |= b.value() == 0;
      return truth(a.value());  // by 1, the only other divisor
    } else {
      if (!b.is_zero()) return a / b;
      zero_divisor_ = true;
      return T{};
    }
  }
  T identity(const T& a) const {
    if constexpr (kComplex)
      return {cx::canonical(a.real()), cx::canonical(a.imag())};
    else if constexpr (kBool)
      return truth(a.value());
    else
      return a;
  }
  T neg(const T& a) const {
    if constexpr (kComplex)
      return {cx::canonical(-a.real()), cx::canonical(-a.imag())};
    else if constexpr (kBool)
      return truth(a.value());
    else
      return T{} - a;
  }
  T conj(const T& a) const requires(kComplex) {
    return {cx::canonical(a.real()), cx::canonical(-a.imag())};
  }
  T abs(const T& a) const requires(kOrdered) {
    if constexpr (kBool)
      return truth(a.value());
    else
      return a.sign() < 0 ? T{} - a : a;
  }
  T sign(const T& a) const requires(kOrdered) {
    if constexpr (kBool)
      return truth(a.value());
    else
      return T(a.sign());
  }
  T max(const T& a, const T& b) const requires(kOrdered) {
    if constexpr (kBool)
      return truth(a.value() | b.value());
    else
      return a < b ? b : a;
  }
  T min(const T& a, const T& b) const requires(kOrdered) {
    if constexpr (kBool)
      return truth(a.value() & b.value());
    else
      return b < a ? b : a;
  }
  T zero(const T&) const requires(kOrdered) { return T{}; }
  T one(const T&) const requires(std::is_same_v<T, Real>) { return T(1); }
  bool zero_divisor() const { return zero_divisor_; }

 private:
  static BoolByte truth(int value) { return {static_cast<std::uint8_t>(value != 0)}; }
  mutable bool zero_divisor_ = false;
};

}  // namespace

const KernelSet* plain_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
    enter_plain<PlainWorld<std::complex<float>>>(DType::complex64, s);
    enter_plain<PlainWorld<std::complex<double>>>(DType::complex128, s);
    enter_plain<PlainWorld<BoolByte>>(DType::bool_, s);
    enter_plain<PlainWorld<Real>>(DType::real, s);
    return s;
  }();
  return &set;
}

}  // namespace hadamard::exec::cpu
