// What an operator's record says of MATLAB.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hadamard::op {

struct MatlabRules {
  // What becomes of integers: doubles; of their class by MATLAB's own rule (Integers::as_matlab),
  // else doubles; of their class by any rule.
  enum class Integers : std::uint8_t { as_double, by_rule, kept };
  // A real factor or divisor beside a complex number is no complex one with imaginary part 0: the
  // parts are multiplied, or divided, by it.
  enum class Scale : std::uint8_t { none, either, by_second };

  std::string_view symbol{};  // of the language, where it is another one
  std::string_view help{};    // where MATLAB has another domain or other classes
  Integers integers = Integers::as_double;
  std::optional<double> least{};   // a real operand that is below it has a complex result
  bool is_power = false;           // so has a negative one with an exponent that is broken
  bool computes_in_class = false;  // of integers in their class, not in doubles: mod, rem
  Scale scale = Scale::none;
  bool by_parts = false;       // of complex numbers each part for itself
  bool stays_complex = false;  // also where all imaginary parts are 0
  bool commutes = false;       // one device hook serves a scalar on either side
};

template <class Operator>
constexpr MatlabRules matlab_rules_of() {
  if constexpr (requires { Operator::matlab; }) {
    return Operator::matlab;
  } else {
    return {};
  }
}

}  // namespace hadamard::op
