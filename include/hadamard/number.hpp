// Plain numbers as operands: div(a, 3.0), div(1, a), max_into(y, a, 0).
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "hadamard/lists.h"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "hadamard/types.hpp"

namespace hadamard {

// A number of a type that C++ has itself, exactly. As an operand it is a scalar of the other
// operand's element type; with dialect matlab, where types are promoted, of fp64.
//   floats, complex      rounded once, to nearest even; a floating-point number beyond the largest
//                        finite one becomes infinite, an integer there is an error
//   integers, bool, real must hold it exactly, else bad_argument, which names number and type
// For numbers of other types there is Tensor::scalar.
class Number {
 public:
  Number(float value) noexcept;   // NOLINT: numbers convert
  Number(double value) noexcept;  // NOLINT
  Number(long double) = delete;
  template <std::signed_integral T>
  requires(sizeof(T) <= 8) Number(T value)
  noexcept  // NOLINT
      : Number(value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                    : static_cast<std::uint64_t>(value)) {}
  template <std::unsigned_integral T>  // bool, too
  requires(sizeof(T) <= 8) Number(T value)
  noexcept : Number(false, std::uint64_t{value}) {}  // NOLINT

  // The element that it is in a tensor of `type`, at `element`, which has room for one, is aligned
  // and of `real` constructed. `role` names it in errors.
  void store(DType type, void* element, std::string_view role) const;

 private:
  enum class Form : std::uint8_t { integer, floating, infinite, nan };
  Number(bool negative, std::uint64_t magnitude) noexcept;
  struct Rounding;

  // (-1)^negative * significand * 2^exponent; the significand is odd or 0.
  std::uint64_t significand_ = 0;
  int exponent_ = 0;
  bool negative_ = false;
  Form form_ = Form::integer;
};

Tensor apply(Op op, const ConstView& a, Number b, const Options& options = {});
Tensor apply(Op op, Number a, const ConstView& b, const Options& options = {});
void apply_into(Op op, const View& y, const ConstView& a, Number b, const Options& options = {});
void apply_into(Op op, const View& y, Number a, const ConstView& b, const Options& options = {});

#define HADAMARD_DECLARE_1(id)
#define HADAMARD_DECLARE_2(id)                                                  \
  inline Tensor id(const ConstView& a, Number b, const Options& options = {}) { \
    return apply(Op::id, a, b, options);                                        \
  }                                                                             \
  inline Tensor id(Number a, const ConstView& b, const Options& options = {}) { \
    return apply(Op::id, a, b, options);                                        \
  }                                                                             \
  inline void id##_into(const View& y, const ConstView& a, Number b,            \
                        const Options& options = {}) {                          \
    apply_into(Op::id, y, a, b, options);                                       \
  }                                                                             \
  inline void id##_into(const View& y, Number a, const ConstView& b,            \
                        const Options& options = {}) {                          \
    apply_into(Op::id, y, a, b, options);                                       \
  }
#define HADAMARD_DECLARE_3(id)
#define HADAMARD_DECLARE(id, Name, arity) HADAMARD_DECLARE_##arity(id)
HADAMARD_OPERATORS(HADAMARD_DECLARE)
#undef HADAMARD_DECLARE
#undef HADAMARD_DECLARE_1
#undef HADAMARD_DECLARE_2
#undef HADAMARD_DECLARE_3

}  // namespace hadamard
