// Paddle's fluid: what it calls things, and its words for what goes wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "hadamard/types.hpp"

namespace hadamard::dialect::paddle {

// The operator that an activation's name stands for: any with one operand that Paddle has a name
// for.
std::optional<Op> activation(std::string_view name) noexcept;
// "relu, tanh, …": all names of activations.
std::string all_activations();

// What --act and its like take in every dialect: the name of an activation, or that of an operator
// with one operand (neg, log1p); and behind it attributes, exact decimals: leaky_relu(alpha=0.2).
struct Activation {
  Op op{};
  std::vector<Attribute> attributes;
};
// Nothing for a name that there is not. Throws bad_argument for attributes that are not written
// like that or that the operator does not have.
std::optional<Activation> activation_or_operator(std::string_view text);
// "pow, relu, …, neg": of those the ones that a dialect has; Paddle's names, then those of
// operators that Paddle calls otherwise or not.
std::string all_activations_and_operators(Dialect dialect);

// Throws what Paddle says of two shapes that do not broadcast, or of an axis that has no place.
// Returns where they do.
void require_broadcast(const Dims& x, const Dims& y, int axis);

// What Paddle says of an integer divided by zero.
inline constexpr std::string_view kZeroDivisor =
    "Integer division by zero encountered in divide. Please check.";

}  // namespace hadamard::dialect::paddle
