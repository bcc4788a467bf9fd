// Expressions, and what GNU Octave makes of them (expressions.cases says how they are written).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "matlab/elements.hpp"
#include "matlab/interpreter.hpp"

namespace hadamard::matlab {
namespace {

struct Row {
  std::size_t line = 0;
  std::string section, flags, expression, result;
  bool has(std::string_view flag) const { return flags.find(flag) != std::string::npos; }
};

std::vector<Row> rows() {
  std::ifstream file(HADAMARD_MATLAB_TESTS "/expressions.cases");
  std::vector<Row> all;
  std::string section, text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    if (text.starts_with("# ")) section = text.substr(2);
    const std::size_t first = text.find('\t'), second = text.find('\t', first + 1);
    if (text.empty() || text[0] == '#' || second == std::string::npos) continue;
    Row row{line, section, text.substr(0, first), text.substr(first + 1, second - first - 1),
            text.substr(second + 1)};
    for (std::size_t at; (at = row.expression.find("\\n")) != std::string::npos;) {
      row.expression.replace(at, 2, "\n");
    }
    all.push_back(std::move(row));
  }
  return all;
}

// Real elements as they are in the table: hex of their bits, NaN as the positive quiet one.
template <class T>
std::string hex(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) x = std::numeric_limits<T>::quiet_NaN();
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return fmt::format("{:0{}x}", bits, 2 * sizeof x);
}

std::string written(const Value& value) {
  std::string text = fmt::format("{} {}", name(value.cls()), size_text(value.size()));
  const auto put_complex = [&](auto t) {
    using T = decltype(t);
    const T* const x = data_of<T>(value);
    for (std::int64_t i = 0; i < value.numel(); ++i) {
      text += fmt::format(" {}:{}", hex(x[2 * i]), hex(x[2 * i + 1]));
    }
  };
  if (value.elements().dtype() == DType::complex128) {
    put_complex(double{});
  } else if (value.elements().dtype() == DType::complex64) {
    put_complex(float{});
  } else {
    with_real_type(value.elements().dtype(), [&](auto t) {
      using T = decltype(t);
      for (std::int64_t i = 0; i < value.numel(); ++i) text += " " + hex(data_of<T>(value)[i]);
    });
  }
  return text;
}

double number(const std::string& digits) {
  const std::uint64_t bits = std::stoull(digits, nullptr, 16);
  if (digits.size() == 16) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// Within a few units in the last place of the larger part; Inf and NaN by class.
bool is_close(const std::string& expected, const std::string& got) {
  std::istringstream a(expected), b(got);
  std::string x, y;
  for (int word = 0; a >> x; ++word) {
    if (!(b >> y)) return false;
    if (word < 2) {
      if (x != y) return false;
      continue;
    }
    const auto parts = [](const std::string& text) {
      const std::size_t colon = text.find(':');
      return colon == std::string::npos ? std::complex<double>(number(text), 0)
                                        : std::complex<double>(number(text.substr(0, colon)),
                                                               number(text.substr(colon + 1)));
    };
    const std::complex<double> p = parts(x), q = parts(y);
    const double unit = (x.size() == 8 || x.size() == 17 ? 0x1p-23 : 0x1p-52) *
                        std::max(std::abs(p.real()), std::abs(p.imag()));
    const auto near = [unit](double s, double t) {
      if (std::isnan(s) || std::isnan(t)) return std::isnan(s) && std::isnan(t);
      return s == t || std::abs(s - t) <= 8 * unit + 5e-324;
    };
    if (!near(p.real(), q.real()) || !near(p.imag(), q.imag())) return false;
  }
  return !(b >> y);
}

TEST(Expressions, AreWhatOctaveMakesOfThem) {
  std::map<std::string, int> failures;
  int shown = 0, count = 0;
  for (const Row& row : rows()) {
    if (row.has("theirs")) continue;
    ++count;
    Interpreter interpreter([](std::string_view) {});
    if (row.has("integers")) interpreter.workspace().rules.integers = Integers::as_matlab;
    std::string error;
    const bool is_fine =
        interpreter.run(row.expression, "row", [&](std::string_view text) { error += text; });
    const auto& variables = interpreter.workspace().variables;
    const auto found = variables.find("ans");
    const std::string got = !is_fine ? "error " + error.substr(0, error.find('\n'))
                            : found == variables.end() ? "nothing"
                                                       : written(found->second);
    const bool same = row.result.starts_with("error ") ? !is_fine
                      : row.has("close")               ? is_fine && is_close(row.result, got)
                                                       : row.result == got;
    if (same) continue;
    ++failures[row.section];
    if (++shown <= 40) {
      ADD_FAILURE() << "expressions.cases:" << row.line << ": " << row.expression << "\n  expected "
                    << row.result << "\n  got      " << got;
    }
  }
  EXPECT_GE(count, 600);
  for (const auto& [section, failed] : failures) ADD_FAILURE() << failed << " in: " << section;
}

}  // namespace
}  // namespace hadamard::matlab
