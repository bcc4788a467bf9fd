// Hashes of what programs are made of.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace hadamard::program {

// Of what a node computes: operator, type, operands, attributes.
std::uint64_t hash_of(const Node& node) noexcept;
// Of a constant's type and bits.
std::uint64_t hash_of(const Tensor& constant);

}  // namespace hadamard::program
