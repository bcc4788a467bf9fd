// Complex numbers, bool and exact rationals: plain loops, the same code for every target.

#include "exec/cpu/kernel.hpp"
#include "num/complex.hpp"

namespace hadamard::exec::cpu {
namespace {

// A bool in memory is a byte; any nonzero one is true.
struct BoolByte {
  std::uint8_t byte;
  int value() const { return byte != 0 ? 1 : 0; }
};

template <class T>
class PlainWorld {
 public:
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
  bool zero_divisor() const { return zero_divisor_; }

 private:
  static constexpr bool kBool = std::is_same_v<T, BoolByte>;
  static constexpr bool kComplex = !kBool && !std::is_same_v<T, Real>;
  static BoolByte truth(int value) { return {static_cast<std::uint8_t>(value != 0)}; }
  mutable bool zero_divisor_ = false;
};

template <class Operator, class T>
bool run_plain(const Line& line) {
  const PlainWorld<T> world;
  const auto* a = static_cast<const T*>(line.a);
  const auto* b = static_cast<const T*>(line.b);
  auto* y = static_cast<T*>(line.y);
  const std::int64_t a_step = line.a_is_scalar ? 0 : 1;
  const std::int64_t b_step = line.b_is_scalar ? 0 : 1;
  for (std::int64_t i = 0; i < line.n; ++i) {
    y[i] = Operator::apply(world, a[i * a_step], b[i * b_step]);
  }
  return world.zero_divisor();
}

template <class T>
void enter_plain(DType type, KernelSet& set) {
  for (const Op op : op::kAllOps) {
    op::with_op(op, [&](auto o) {
      Kernel(&slot)[2] = set.kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
      slot[0] = slot[1] = &run_plain<typename decltype(o)::type, T>;
    });
  }
}

}  // namespace

const KernelSet* plain_kernels() {
  static const KernelSet set = [] {
    KernelSet s;
    s.target = "any";
    enter_plain<std::complex<float>>(DType::complex64, s);
    enter_plain<std::complex<double>>(DType::complex128, s);
    enter_plain<BoolByte>(DType::bool_, s);
    enter_plain<Real>(DType::real, s);
    return s;
  }();
  return &set;
}

}  // namespace hadamard::exec::cpu
