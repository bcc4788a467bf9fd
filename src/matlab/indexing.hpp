// A(i), A(i,j,…), A(:) and assignment to them.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "matlab/room.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

struct All {};  // a bare ':'
using Index = std::variant<All, Value>;

// The extent that 'end' means at position `at` of `count` indices.
std::int64_t end_of(const Value& value, std::size_t at, std::size_t count);

// Throws Fault for indices that are no positive whole numbers or lie outside; its message begins
// with the variable, A(5), where that is not empty.
Value indexed(const Value& value, std::span<const Index> indices, std::string_view variable,
              const Room& room);

// value(indices) = part: the value grows where it must and keeps its class, unless only double can
// hold what is assigned (complex numbers). An empty 0x0 `part` deletes elements of a vector, rows
// or columns. Where it throws, the value is what it was.
void assign(Value& value, std::span<const Index> indices, const Value& part,
            std::string_view variable, const Room& room);

}  // namespace hadamard::matlab
