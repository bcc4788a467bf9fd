// The element types that C++ itself does not have, and the runtime name of every element type.
#pragma once

#if __cplusplus < 202002L
#error "Hadamard's headers need C++20: compile with -std=c++20"
#endif

#include <compare>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hadamard/lists.h"

namespace hadamard {

// IEEE 754 binary16. A bit pattern with exact widening and correctly rounded (nearest even)
// narrowing.
struct float16 {
  std::uint16_t bits = 0;
  float16() = default;
  explicit float16(double value) noexcept;
  explicit operator double() const noexcept;
  static constexpr float16 from_bits(std::uint16_t b) noexcept {
    float16 r;
    r.bits = b;
    return r;
  }
};

// bfloat16: the upper half of a binary32. Narrowing is correctly rounded (nearest even), not
// truncated.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  explicit bfloat16(double value) noexcept;
  explicit operator double() const noexcept;
  static constexpr bfloat16 from_bits(std::uint16_t b) noexcept {
    bfloat16 r;
    r.bits = b;
    return r;
  }
};

// One 4-bit integer as a value; tensors store two to a byte, the first in the low nibble.
// Construction wraps modulo 16.
struct int4 {
  std::int8_t value = 0;
  int4() = default;
  explicit constexpr int4(std::int64_t v) noexcept
      : value(static_cast<std::int8_t>(static_cast<std::int8_t>(((v & 15) ^ 8) - 8))) {}
};
struct uint4 {
  std::uint8_t value = 0;
  uint4() = default;
  explicit constexpr uint4(std::uint64_t v) noexcept : value(static_cast<std::uint8_t>(v & 15)) {}
};

// An exact rational number of any size: SONNX's `real`. Always in lowest terms.
class Real {
 public:
  Real() noexcept = default;  // zero, without an allocation
  Real(const Real& other);
  Real(Real&& other) noexcept : rep_(other.rep_) { other.rep_ = nullptr; }
  Real& operator=(const Real& other);
  Real& operator=(Real&& other) noexcept;
  ~Real();

  Real(std::int64_t numerator, std::int64_t denominator = 1);  // NOLINT: numbers convert
  static Real from_unsigned(std::uint64_t value);
  static Real from_double(double value);  // exact; throws bad_argument for NaN and infinities
  // "61/30", "-7", "6.1", "1.5e-3": exact. Throws bad_literal. Decimal exponents beyond +-9999 are
  // refused.
  static Real parse(std::string_view text);

  std::string to_string() const;             // "61/30", "7"
  std::string to_decimal(int digits) const;  // "2.0333": rounded half to even at `digits` decimals
  double to_double() const noexcept;         // nearest even; overflows to infinity
  bool is_zero() const noexcept { return rep_ == nullptr; }
  int sign() const noexcept;

  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);  // throws zero_divisor
  friend bool operator==(const Real& a, const Real& b) noexcept { return compare(a, b) == 0; }
  friend std::strong_ordering operator<=>(const Real& a, const Real& b) noexcept {
    return compare(a, b) <=> 0;
  }

  struct Rep;  // a canonical rational of the multiple-precision library; null stands for zero
  const Rep* rep() const noexcept { return rep_; }
  static Real adopt(Rep* rep) noexcept;  // takes ownership

 private:
  static int compare(const Real& a, const Real& b) noexcept;
  Rep* rep_ = nullptr;
};

enum class DType : std::uint8_t {
#define HADAMARD_TYPE_ENUM(id, Type) id,
  HADAMARD_TYPES(HADAMARD_TYPE_ENUM)
#undef HADAMARD_TYPE_ENUM
};

std::string_view name(DType type) noexcept;                            // "fp16"
std::optional<DType> dtype_from_name(std::string_view name) noexcept;  // by that name
int bits(DType type) noexcept;  // storage of one element: 4 … 128

// dtype_of<float> == DType::fp32 and so on.
template <class T>
struct DTypeOf {
  static_assert(sizeof(T) == 0, "not an element type: see HADAMARD_TYPES in hadamard/lists.h");
};
#define HADAMARD_TYPE_OF(id, Type)            \
  template <>                                 \
  struct DTypeOf<Type> {                      \
    static constexpr DType value = DType::id; \
  };
HADAMARD_TYPES(HADAMARD_TYPE_OF)
#undef HADAMARD_TYPE_OF
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

template <class T>
inline constexpr bool is_element_type = false;
#define HADAMARD_IS_TYPE(id, Type) \
  template <>                      \
  inline constexpr bool is_element_type<Type> = true;
HADAMARD_TYPES(HADAMARD_IS_TYPE)
#undef HADAMARD_IS_TYPE

enum class Op : std::uint8_t {
#define HADAMARD_OP_ENUM(id, Name, arity) id,
  HADAMARD_OPERATORS(HADAMARD_OP_ENUM)
#undef HADAMARD_OP_ENUM
};

std::string_view name(Op op) noexcept;  // "div"
std::optional<Op> op_from_name(std::string_view name) noexcept;

// How integer division rounds.
enum class IntDivision : std::uint8_t {
#define HADAMARD_INTDIVISION_ENUM(id) id,
  HADAMARD_INT_DIVISIONS(HADAMARD_INTDIVISION_ENUM)
#undef HADAMARD_INTDIVISION_ENUM
};
std::string_view name(IntDivision rounding) noexcept;
std::optional<IntDivision> int_division_from_name(std::string_view name) noexcept;

}  // namespace hadamard
