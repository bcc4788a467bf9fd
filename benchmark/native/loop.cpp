// The loop that everybody would write, as the compiler makes it for this machine's CPU: vectors for
// floats, one by one for the division of integers (there is no instruction for it).
#include <bit>
#include <complex>
#include <type_traits>

#include "contender.hpp"
#include "dispatch.hpp"

namespace bench {
namespace {

struct Brain {  // bf16: computed in float, rounded to nearest even
  std::uint16_t bits;
  float wide() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  static Brain of(float v) {
    const auto u = std::bit_cast<std::uint32_t>(v);
    if (v != v) return {static_cast<std::uint16_t>((u >> 16) | 0x40)};
    return {static_cast<std::uint16_t>((u + 0x7FFF + ((u >> 16) & 1)) >> 16)};
  }
};

template <class Operator, bool kFloor, class T>
inline T compute(T a, T b) {
  if constexpr (std::is_same_v<T, Brain>) {
    return Brain::of(Operator::of(a.wide(), b.wide()));
  } else if constexpr (std::is_integral_v<T> && std::is_same_v<Operator, Div> && kFloor) {
    const auto quotient = a / b;
    return static_cast<T>(quotient - ((a % b != 0) & ((a < 0) != (b < 0))));
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<Operator, Div>) {
    using U = std::make_unsigned_t<T>;  // wraps
    return static_cast<T>(Operator::of(std::uint64_t{U(a)}, std::uint64_t{U(b)}));
  } else {
    return static_cast<T>(Operator::of(a, b));
  }
}

template <class T, class Operator, bool kFloor, bool kScalarRight>
class Loop : public Contender {
 public:
  explicit Loop(const HbCase& c)
      : a_(static_cast<const T*>(c.a.data)),
        b_(static_cast<const T*>(c.b.data)),
        y_(static_cast<T*>(c.y.data)),
        count_(count_of(c.y)) {}
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) {
      const T* __restrict a = a_;
      const T* __restrict b = b_;
      T* __restrict y = y_;
      for (std::int64_t j = 0; j < count_; ++j) {
        y[j] = compute<Operator, kFloor>(a[j], b[kScalarRight ? 0 : j]);
      }
      keep_memory();
    }
  }

 private:
  const T* a_;
  const T* b_;
  T* y_;
  std::int64_t count_;
};

template <class T, class Operator>
std::unique_ptr<Contender> make(const HbCase& c) {
  const bool scalar = is_one_element(c.b) && !is_one_element(c.y);
  const bool floor = std::string_view(c.rounding) == "floor";
  if constexpr (std::is_same_v<Operator, Div> && std::is_integral_v<T> && std::is_signed_v<T>) {
    if (floor && scalar) return std::make_unique<Loop<T, Operator, true, true>>(c);
    if (floor) return std::make_unique<Loop<T, Operator, true, false>>(c);
  }
  if (scalar) return std::make_unique<Loop<T, Operator, false, true>>(c);
  return std::make_unique<Loop<T, Operator, false, false>>(c);
}

}  // namespace

std::unique_ptr<Contender> make_loop(const HbCase& c) {
  const bool b_fits = is_contiguous(c.b) && (count_of(c.b) == count_of(c.y) || is_one_element(c.b));
  if (c.threads > 1) throw Unsupported{"one thread"};
  if (!is_contiguous(c.a) || !is_contiguous(c.y) || count_of(c.a) != count_of(c.y) || !b_fits) {
    throw Unsupported{"contiguous operands only"};
  }
  return with_operator(c.op, [&]<class Operator>(Operator) -> std::unique_ptr<Contender> {
    const std::string_view type = c.type;
    if (type == "bf16") return make<Brain, Operator>(c);
#ifdef __FLT16_MANT_DIG__
    if (type == "fp16") return make<_Float16, Operator>(c);
#endif
    return with_plain_type(type, [&]<class T>(T) { return make<T, Operator>(c); });
  });
}

}  // namespace bench
