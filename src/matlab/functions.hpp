// What the files functions_*.cpp share. Each of them has one table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "matlab/interpreter.hpp"

namespace hadamard::matlab {

using Arguments = std::span<const Value>;

std::span<const Function> arithmetic_functions();   // rdivide, sqrt, gamma, …
std::span<const Function> extreme_functions();      // max, min, round
std::span<const Function> constructor_functions();  // zeros, eye, rand, cast, …
std::span<const Function> array_functions();        // magic, linspace, reshape, …
std::span<const Function> value_functions();        // class, size, double, gpuArray, …
std::span<const Function> session_functions();      // disp, format, who, help, …
std::span<const Function> file_functions();         // load, save

// The text of a char or string value, in UTF-8. Throws Fault, naming the function, for another one.
std::string text_of(const Value& value, std::string_view function);
// char or string?
bool is_text(const Value& value);
// Is it text, and that word, whatever the case of its letters?
bool is_option(const Value& value, std::string_view word);
// The P of f(…, 'like', P), which is taken off the arguments together with the word; null where
// there is none. The first `operands` arguments are no options. Throws Fault where P is missing, or
// is text.
const Value* take_prototype(Arguments& arguments, std::size_t operands, std::string_view function);
// The function's result. Throws Fault for a wrong number of arguments.
std::optional<Value> call(const Function& function, Workspace& workspace, Arguments arguments);
// What the function with the name of the class gives: int8(A). Of a string char has the characters
// and double the number; the other classes have nothing of it.
Value in_class(const Value& value, Class cls);
// A real scalar.
double number_of(const Value& value, std::string_view function);
// An extent: a whole number; negative ones are 0. Throws Fault where it is none or too large.
std::int64_t extent_of(const Value& value, std::string_view function);
// A value's size from arguments: (n) is n x n, ([m n p]), (m, n, p).
Dims size_of(Arguments arguments, std::string_view function);

}  // namespace hadamard::matlab
