// Functions that ask what a value is, or make it another class or put it elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "matlab/arithmetic.hpp"
#include "matlab/comparison.hpp"
#include "matlab/device.hpp"
#include "matlab/elements.hpp"
#include "matlab/functions.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

// The number that a string is written as, by MATLAB's double("…"); NaN where it is none.
double number_in(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = NAN;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_all = end == text.data() + text.size() && !text.empty();
  if (problem == std::errc::result_out_of_range && is_all) {
    return std::strtod(std::string(text).c_str(), nullptr);
  }
  return problem == std::errc() && is_all ? number : NAN;
}

template <Class cls>
Result to_class(Workspace&, Arguments a) {
  return in_class(a[0], cls);
}

// char(A), or char(A, B, …): the rows of each below those of the last, filled up with blanks; what
// has no rows is one.
Result char_function(Workspace& workspace, Arguments a) {
  if (a.size() == 1) return to_class<Class::char_>(workspace, a);
  std::vector<Value> parts;
  std::int64_t rows = 0, columns = 0;
  for (const Value& argument : a) {
    parts.push_back(*to_class<Class::char_>(workspace, {&argument, 1}));
    const Dims& size = parts.back().size();
    if (size.size() > 2) {
      throw Fault{"MATLAB:char:invalidSize",
                  fmt::format("char(A, B, …): expected matrices, found {}", size_text(size))};
    }
    rows += std::max<std::int64_t>(size[0], 1);
    columns = std::max(columns, size[0] == 0 ? 0 : size[1]);
  }
  workspace.rules.room.require({rows, columns}, DType::uint16);
  Tensor y = uninitialized(DType::uint16, {rows, columns});
  auto* const out = data_of<std::uint16_t>(y);
  std::fill_n(out, rows * columns, std::uint16_t{' '});
  std::int64_t first = 0;
  for (const Value& part : parts) {
    const std::int64_t height = part.size()[0];
    for (std::int64_t k = 0; k < part.numel(); ++k) {
      out[k / height * rows + first + k % height] = data_of<std::uint16_t>(part)[k];
    }
    first += std::max<std::int64_t>(height, 1);
  }
  return Value(Class::char_, std::move(y));
}

Result class_(Workspace&, Arguments a) {
  return Value::text(a[0].residency() == Residency::device ? "gpuArray" : name(a[0].cls()));
}

// [m, n] = size(A): the last one is the product of all extents that are left.
Result extents(Workspace& workspace, const Dims& size) {
  const auto extent = [&](std::size_t d) { return d < size.size() ? size[d] : 1; };
  for (std::size_t r = 1; r < workspace.results_wanted; ++r) {
    std::int64_t n = extent(r);
    for (std::size_t d = r + 1; r + 1 == workspace.results_wanted && d < size.size(); ++d) {
      n *= size[d];
    }
    workspace.more_results.push_back(Value::scalar(static_cast<double>(n)));
  }
  return Value::scalar(static_cast<double>(size[0]));
}

Result size_function(Workspace& workspace, Arguments a) {
  const Dims& size = a[0].size();
  if (a.size() == 1 && workspace.results_wanted > 1) return extents(workspace, size);
  if (a.size() == 2) {
    const std::int64_t d = extent_of(a[1], "size");
    if (d < 1) throw Fault{"MATLAB:getdimarg", "size: dimensions count from 1"};
    const bool there = d <= static_cast<std::int64_t>(size.size());
    return Value::scalar(there ? static_cast<double>(size[static_cast<std::size_t>(d - 1)]) : 1);
  }
  Tensor y = uninitialized(DType::fp64, {1, static_cast<std::int64_t>(size.size())});
  for (std::size_t d = 0; d < size.size(); ++d) {
    data_of<double>(y)[d] = static_cast<double>(size[d]);
  }
  return Value(Class::double_, std::move(y));
}
Result numel(Workspace&, Arguments a) { return Value::scalar(static_cast<double>(a[0].numel())); }
Result ndims(Workspace&, Arguments a) {
  return Value::scalar(static_cast<double>(a[0].size().size()));
}
Result isreal(Workspace&, Arguments a) {
  return Value::logical(!a[0].is_complex() && a[0].cls() != Class::string);
}
template <bool (*test)(const Value&)>
Result query(Workspace&, Arguments a) {
  return Value::logical(test(a[0]));
}
bool is_number_class(const Value& v) { return is_float(v.cls()) || is_integer(v.cls()); }
bool is_float_value(const Value& v) { return is_float(v.cls()); }
bool is_integer_value(const Value& v) { return is_integer(v.cls()); }
bool is_logical_value(const Value& v) { return v.cls() == Class::logical; }
bool is_char_value(const Value& v) { return v.cls() == Class::char_; }
bool is_scalar_value(const Value& v) { return v.is_scalar(); }
bool is_vector_value(const Value& v) {
  return v.size().size() == 2 && (v.size()[0] == 1 || v.size()[1] == 1);
}
Result length(Workspace&, Arguments a) {
  std::int64_t longest = 0;
  for (const std::int64_t extent : a[0].size()) longest = std::max(longest, extent);
  return Value::scalar(a[0].is_empty() ? 0 : static_cast<double>(longest));
}

Result isempty(Workspace&, Arguments a) { return Value::logical(a[0].is_empty()); }
Result isgpuarray(Workspace&, Arguments a) {
  return Value::logical(a[0].residency() == Residency::device);
}

Result isequal(Workspace& workspace, Arguments a) {
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (a[i].size() != a[0].size()) return Value::logical(false);
    if ((a[i].cls() == Class::string) != (a[0].cls() == Class::string))
      return Value::logical(false);
    if (a[0].cls() == Class::string) {
      if (text_of(a[0], "isequal") != text_of(a[i], "isequal")) return Value::logical(false);
      continue;
    }
    const Value same = binary(Operator::eq, a[0], a[i], workspace.rules);
    for (std::int64_t k = 0; k < same.numel(); ++k) {
      if (!data_of<bool>(same)[k]) return Value::logical(false);
    }
  }
  return Value::logical(true);
}

template <bool (*test)(double)>
Value tested(const Value& a) {
  if (a.is_complex()) {
    const Value re = tested<test>(real_part(a)), im = tested<test>(imaginary_part(a));
    return logic(Operator::or_, re, im).with_residency(a.residency());
  }
  Tensor y = uninitialized(DType::bool_, a.size());
  with_real_type(a.elements().dtype(), [&](auto t) {
    for_each(a.numel(), data_of<decltype(t)>(a), data_of<bool>(y),
             [](auto x) { return test(static_cast<double>(x)); });
  });
  return {Class::logical, std::move(y), a.residency()};
}
bool is_nan(double x) { return std::isnan(x); }
bool is_inf(double x) { return std::isinf(x); }
Result isnan_(Workspace&, Arguments a) { return tested<is_nan>(a[0]); }
Result isinf_(Workspace&, Arguments a) { return tested<is_inf>(a[0]); }
Result isfinite_(Workspace&, Arguments a) {
  return negation(logic(Operator::or_, tested<is_nan>(a[0]), tested<is_inf>(a[0])))
      .with_residency(a[0].residency());
}

Result gpu_array(Workspace&, Arguments a) {
  if (a[0].cls() == Class::string || a[0].cls() == Class::char_) {
    throw Fault{"MATLAB:gpuArray:classNotSupported", "gpuArray: text does not go to the device"};
  }
  return a[0].with_residency(Residency::device);
}
Result gpu_device(Workspace& workspace, Arguments) {
  std::string text = "device: " + device().name() + "\n";
  if (const auto* const here = dynamic_cast<const InProcessDevice*>(&device())) {
    for (const auto& [hook, count] : here->calls()) {
      text += fmt::format("  {:<14}{:>6}\n", hook, count);
    }
  }
  workspace.out(text);
  return std::nullopt;
}
Result gather(Workspace&, Arguments a) { return a[0].with_residency(Residency::host); }

}  // namespace

Value in_class(const Value& value, Class cls) {
  if (value.cls() == Class::string && cls == Class::char_)
    return Value::text(text_of(value, "char"));
  if (value.cls() == Class::string && cls == Class::double_) {
    return Value::scalar(number_in(text_of(value, "double")));
  }
  return convert(value, cls);
}

std::span<const Function> value_functions() {
  static constexpr Function kTable[] = {
      {"double", 1, 1, "as double", to_class<Class::double_>, true},
      {"single", 1, 1, "as single", to_class<Class::single_>, true},
      {"logical", 1, 1, "is it not 0?", to_class<Class::logical>},
      {"char", 1, -1, "as characters; char(A, B, …): in rows, filled up with blanks",
       char_function},
      {"int8", 1, 1, "as int8, rounded and saturated", to_class<Class::int8>},
      {"int16", 1, 1, "as int16, rounded and saturated", to_class<Class::int16>},
      {"int32", 1, 1, "as int32, rounded and saturated", to_class<Class::int32>},
      {"int64", 1, 1, "as int64, rounded and saturated", to_class<Class::int64>},
      {"uint8", 1, 1, "as uint8, rounded and saturated", to_class<Class::uint8>},
      {"uint16", 1, 1, "as uint16, rounded and saturated", to_class<Class::uint16>},
      {"uint32", 1, 1, "as uint32, rounded and saturated", to_class<Class::uint32>},
      {"uint64", 1, 1, "as uint64, rounded and saturated", to_class<Class::uint64>},
      {"class", 1, 1, "the name of the class", class_},
      {"size", 1, 2, "the extents, or one of them", size_function},
      {"numel", 1, 1, "how many elements", numel},
      {"ndims", 1, 1, "how many dimensions", ndims},
      {"isreal", 1, 1, "is it stored without imaginary parts?", isreal},
      {"isempty", 1, 1, "has it no elements?", isempty},
      {"isnumeric", 1, 1, "is it double, single or an integer?", query<is_number_class>},
      {"isfloat", 1, 1, "is it double or single?", query<is_float_value>},
      {"isinteger", 1, 1, "is it of an integer class?", query<is_integer_value>},
      {"islogical", 1, 1, "is it logical?", query<is_logical_value>},
      {"ischar", 1, 1, "is it char?", query<is_char_value>},
      {"isscalar", 1, 1, "has it one element?", query<is_scalar_value>},
      {"isvector", 1, 1, "is it a row or a column?", query<is_vector_value>},
      {"length", 1, 1, "the largest extent, 0 where it is empty", length},
      {"isfinite", 1, 1, "where it is neither NaN nor infinite", isfinite_},
      {"isequal", 2, -1, "the same size and values?", isequal},
      {"isnan", 1, 1, "where it is NaN", isnan_},
      {"isinf", 1, 1, "where it is infinite", isinf_},
      {"gpuArray", 1, 1, "on the device", gpu_array},
      {"gpuDevice", 0, 0, "the device, and how often each of its hooks was called", gpu_device},
      {"gather", 1, 1, "back from the device", gather},
      {"isgpuarray", 1, 1, "is it on the device?", isgpuarray},
  };
  return kTable;
}

}  // namespace hadamard::matlab
