// display() and disp() against the table display.cases, whose first lines say what is in it.
#include "matlab/display.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

namespace hadamard::matlab {
namespace {

struct Case {
  int line = 0;
  std::string expression, show, value, expected;
};

std::vector<Case> read_cases(const std::string& path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const auto rest = [&](std::string_view word) { return line.substr(word.size()); };
    if (line.starts_with("case ")) {
      cases.push_back({number, rest("case "), "", "", ""});
    } else if (line.starts_with("show ")) {
      cases.back().show = rest("show ");
    } else if (line.starts_with("value ")) {
      cases.back().value = rest("value ");
    } else if (line.starts_with("|")) {
      cases.back().expected += rest("|") + '\n';
    }
  }
  return cases;
}

Class class_named(std::string_view wanted) {
  for (int i = 0; i <= static_cast<int>(Class::string); ++i) {
    if (name(static_cast<Class>(i)) == wanted) return static_cast<Class>(i);
  }
  ADD_FAILURE() << "no class " << wanted;
  return Class::double_;
}

// "double 1x2 3ff0000000000000 4000000000000000"
Value build(const std::string& text) {
  std::istringstream words(text);
  std::string cls_name, size, element;
  words >> cls_name >> size;
  Dims shape;
  std::istringstream extents(size);
  for (std::string extent; std::getline(extents, extent, 'x');) shape.push_back(std::stoll(extent));
  std::vector<unsigned char> bytes;
  const auto append = [&](const std::string& hex) {
    for (std::size_t i = hex.size(); i >= 2; i -= 2) {  // the lowest byte first
      bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(i - 2, 2), nullptr, 16)));
    }
  };
  bool is_complex = false;
  while (words >> element) {
    const std::size_t colon = element.find(':');
    is_complex = is_complex || colon != std::string::npos;
    append(element.substr(0, colon));
    if (colon != std::string::npos) append(element.substr(colon + 1));
  }
  const Class cls = class_named(cls_name);
  Tensor elements(element_type(cls, is_complex), shape, Order::column_major);
  EXPECT_EQ(elements.size_bytes(), bytes.size()) << text;
  if (elements.size_bytes() == bytes.size() && !bytes.empty()) {
    std::memcpy(elements.data(), bytes.data(), bytes.size());
  }
  return Value(cls, std::move(elements));
}

DisplayOptions options_of(const std::string& format, const std::string& scale) {
  DisplayOptions options;
  if (format == "long") options.format = Format::long_;
  if (format == "hex") options.format = Format::hex;
  options.common_scale = scale == "common";
  return options;
}

TEST(DisplayCases, AreAsStored) {
  const char* other = std::getenv("HADAMARD_DISPLAY_CASES");  // of display_from_octave.py --random
  const std::string path = other != nullptr ? other : HADAMARD_MATLAB_TESTS "/display.cases";
  const std::vector<Case> cases = read_cases(path);
  EXPECT_GE(cases.size(), 150u);
  for (const Case& one : cases) {
    std::istringstream words(one.show);
    std::string how, format, scale;
    words >> how >> format >> scale;
    const DisplayOptions options = options_of(format, scale);
    const Value value = build(one.value);
    EXPECT_EQ(how == "disp" ? disp(value, options) : display("x", value, options), one.expected)
        << path << ":" << one.line << ": " << one.expression << " (" << one.show << ")";
  }
}

}  // namespace
}  // namespace hadamard::matlab
