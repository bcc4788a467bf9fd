#include "matlab/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"

namespace hadamard::matlab {

std::span<const Function> functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> list;
    for (const auto& table :
         {arithmetic_functions(), extreme_functions(), constructor_functions(), array_functions(),
          value_functions(), session_functions(), file_functions()}) {
      list.insert(list.end(), table.begin(), table.end());
    }
    std::sort(list.begin(), list.end(),
              [](const Function& a, const Function& b) { return a.name < b.name; });
    return list;
  }();
  return all;
}

const Function* find_function(std::string_view name) {
  const std::span<const Function> all = functions();
  const auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const Function& f, std::string_view wanted) { return f.name < wanted; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

std::string_view similar_function(std::string_view name) {
  // A letter too many, missing, or another one: both begin and end alike around it.
  const auto is_similar = [](std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (a.size() < 3 || b.size() > a.size() + 1 || a[0] != b[0]) return false;
    if (b.size() < 4) return false;  // too many short words are alike
    const std::size_t first =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    const std::size_t skipped = a.size() == b.size() ? 1 : 0;
    return first == a.size() || a.substr(first + skipped) == b.substr(first + 1);
  };
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower != name && find_function(lower) != nullptr) return find_function(lower)->name;
  for (const Function& function : functions()) {
    if (is_similar(name, function.name)) return function.name;
  }
  return {};
}

std::string_view why_absent(std::string_view name) {
  static constexpr std::string_view kOutOfScope[] = {
      "sum",  "prod",   "cumsum", "cumprod", "mean", "median", "std",  "var",  "any", "all",
      "sort", "unique", "find",   "diff",    "dot",  "cross",  "kron", "norm", "det", "inv"};
  static constexpr std::string_view kNotHere[] = {
      "tan",     "asin",    "acos",    "atan",    "sinh",   "cosh",   "asinh",  "acosh",
      "atanh",   "nthroot", "xor",     "bitand",  "bitor",  "bitxor", "bitcmp", "bitshift",
      "idivide", "cat",     "permute", "squeeze", "diag",   "flip",   "fliplr", "flipud",
      "isa",     "sprintf", "fprintf", "num2str", "mat2str"};
  const auto has = [name](std::span<const std::string_view> list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (has(kOutOfScope)) return "it is not element-wise, and so out of scope";
  return has(kNotHere) ? "it is one of MATLAB's functions that are not here" : "";
}

std::string text_of(const Value& value, std::string_view function) {
  if (value.cls() != Class::char_ && value.cls() != Class::string) {
    throw Fault{"MATLAB:invalidType", fmt::format("{}: expected text, found {} {}", function,
                                                  size_text(value.size()), name(value.cls()))};
  }
  std::string text;
  const auto* const units = data_of<std::uint16_t>(value);
  append_utf16(text, value.numel(), [units](std::int64_t i) -> char32_t { return units[i]; });
  return text;
}

bool is_text(const Value& value) {
  return value.cls() == Class::char_ || value.cls() == Class::string;
}

bool is_option(const Value& value, std::string_view word) {
  if (!is_text(value) || value.numel() != static_cast<std::int64_t>(word.size())) return false;
  const std::string text = text_of(value, "option");
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

const Value* take_prototype(Arguments& arguments, std::size_t operands, std::string_view function) {
  const std::size_t count = arguments.size();
  if (count > operands && is_option(arguments.back(), "like")) {
    throw Fault{"MATLAB:invalidOption",
                fmt::format("{0}: 'like' needs a prototype: {0}(…, 'like', P)", function)};
  }
  if (count < operands + 2 || !is_option(arguments[count - 2], "like")) return nullptr;
  const Value* const prototype = &arguments.back();
  if (is_text(*prototype)) {
    throw Fault{"MATLAB:invalidType",
                fmt::format("{}: expected a numeric or logical prototype, found {} {}", function,
                            size_text(prototype->size()), name(prototype->cls()))};
  }
  arguments = arguments.first(count - 2);
  return prototype;
}

std::optional<Value> call(const Function& function, Workspace& workspace, Arguments arguments) {
  const Value* const prototype =
      function.takes_like
          ? take_prototype(arguments, static_cast<std::size_t>(function.fewest), function.name)
          : nullptr;
  const auto count = static_cast<int>(arguments.size());
  const bool are_too_many = function.most >= 0 && count > function.most;
  if (are_too_many && function.takes_like &&
      is_text(arguments[static_cast<std::size_t>(function.most)])) {
    throw Fault{"MATLAB:invalidOption",
                fmt::format("{}: argument {} can only be 'like', with a prototype", function.name,
                            function.most + 1)};
  }
  if (count < function.fewest || are_too_many) {
    throw Fault{count < function.fewest ? "MATLAB:minrhs" : "MATLAB:maxrhs",
                fmt::format("{} takes {}{} argument{}, not {}", function.name, function.fewest,
                            function.most == function.fewest ? ""
                            : function.most < 0              ? " or more"
                                                             : fmt::format(" to {}", function.most),
                            function.fewest == 1 && function.most == 1 ? "" : "s", count)};
  }
  workspace.is_like_given = prototype != nullptr;
  std::optional<Value> y = function.run(workspace, arguments);
  if (prototype == nullptr || !y) return y;
  y = like(*std::move(y), *prototype);
  for (Value& more : workspace.more_results) more = more.with_residency(y->residency());
  return y;
}

double number_of(const Value& value, std::string_view function) {
  if (!value.is_scalar() || value.is_complex() || value.cls() == Class::string) {
    throw Fault{
        "MATLAB:invalidType",
        fmt::format("{}: expected a real scalar, found {} {}{}", function, size_text(value.size()),
                    value.is_complex() ? "complex " : "", name(value.cls()))};
  }
  return data_of<double>(convert(value, Class::double_))[0];
}

std::int64_t extent_of(const Value& value, std::string_view function) {
  const double n = number_of(value, function);
  if (n != std::trunc(n) || std::isnan(n)) {
    throw Fault{"MATLAB:NonIntegerInput",
                fmt::format("{}: a size must be a whole number, found {}", function, n)};
  }
  if (n > 9e15) {
    throw Fault{"MATLAB:nomem", fmt::format("{}: out of memory: {} is too large", function, n)};
  }
  return n < 0 ? 0 : static_cast<std::int64_t>(n);
}

Dims size_of(Arguments arguments, std::string_view function) {
  if (arguments.empty()) return {1, 1};
  Dims size;
  if (arguments.size() == 1 && !arguments[0].is_scalar()) {
    const Value numbers = convert(arguments[0], Class::double_);
    if (numbers.numel() < 2 || numbers.numel() > 1024) {
      throw Fault{"MATLAB:invalidType",
                  fmt::format("{}: a size has at least two extents", function)};
    }
    for (std::int64_t i = 0; i < numbers.numel(); ++i) {
      size.push_back(extent_of(Value::scalar(data_of<double>(numbers)[i]), function));
    }
  } else {
    for (const Value& argument : arguments) size.push_back(extent_of(argument, function));
    if (size.size() == 1) size.push_back(size[0]);
  }
  while (size.size() > 2 && size[size.size() - 1] == 1) size.resize(size.size() - 1);
  return size;
}

}  // namespace hadamard::matlab
