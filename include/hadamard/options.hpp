// What a call may say beside its operands: the dialect and its policies.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hadamard/attribute.hpp"
#include "hadamard/lists.h"
#include "hadamard/tensor.hpp"

namespace hadamard {

// Whose rules hold: a set of policies on shapes, types and the rounding of integer division. Beyond
// those it changes no result.
//   native  every type; NumPy broadcasting; integers divide as in C++ (truncation)
//   sonnx   SONNX, the safety-related ONNX profile: same shape, same type, integers divide by floor
//   onnx    ONNX: NumPy broadcasting, integers divide by truncation
//   matlab  MATLAB: types are promoted, dimensions expand from the first on, and results may have
//           another type than the operands (hadamard/matlab.hpp)
//   paddle  Paddle's fluid: the operand of lower rank begins at dimension `axis` of the other,
//           integers divide by truncation (hadamard/paddle.hpp)
enum class Dialect : std::uint8_t {
#define HADAMARD_DIALECT_ENUM(id) id,
  HADAMARD_DIALECTS(HADAMARD_DIALECT_ENUM)
#undef HADAMARD_DIALECT_ENUM
};
std::string_view name(Dialect dialect) noexcept;
std::optional<Dialect> dialect_from_name(std::string_view name) noexcept;

// How two shapes become one.
//   none    they must be the same
//   numpy   aligned at the last dimension; extent 1 stretches
//   matlab  aligned at the first dimension; extent 1 stretches
//   paddle  the operand of lower rank starts at dimension `axis` of the other; extent 1 stretches
enum class Broadcast : std::uint8_t {
#define HADAMARD_BROADCAST_ENUM(id) id,
  HADAMARD_BROADCASTS(HADAMARD_BROADCAST_ENUM)
#undef HADAMARD_BROADCAST_ENUM
};
std::string_view name(Broadcast rule) noexcept;
std::optional<Broadcast> broadcast_from_name(std::string_view name) noexcept;

// What dialect matlab makes of integers.
//   as_double  doubles, which the result stays
//   as_matlab  the class is kept: rounded half away from zero, saturated; two classes are an error
enum class Integers : std::uint8_t {
#define HADAMARD_INTEGERS_ENUM(id, name) id,
  HADAMARD_INTEGERS(HADAMARD_INTEGERS_ENUM)
#undef HADAMARD_INTEGERS_ENUM
};
std::string_view name(Integers integers) noexcept;  // "double", "matlab"
std::optional<Integers> integers_from_name(std::string_view name) noexcept;

// What a call may say beside its operands. What is not said is the dialect's.
struct Options {
  Dialect dialect = Dialect::native;
  std::optional<Broadcast> broadcast{};
  std::optional<IntDivision> int_division{};
  int axis = -1;                   // of Broadcast::paddle; -1 aligns at the last dimension
  Order order = Order::row_major;  // of a result that the library allocates
  std::string_view provider{};     // "cpu", "ref"; empty: HADAMARD_PROVIDER, else the best one
  std::string_view
      cpu_target{};  // "avx2", "sse4", "scalar"; empty: HADAMARD_CPU, else the best one
  Integers integers = Integers::as_double;  // of dialect matlab
  // An operator with one operand that is applied to each result before it is stored: an activation.
  // The bits are those of two calls, the way through memory is one. It must be defined for the type
  // and, of integers, must not divide. Not with dialect matlab.
  std::optional<Op> then{};
  // Of the operator, and of the one that follows: those that are not named have their defaults.
  std::vector<Attribute> attributes{};
  std::vector<Attribute> then_attributes{};
};

}  // namespace hadamard
