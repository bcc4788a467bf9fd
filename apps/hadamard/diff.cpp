// hadamard diff A B: are two tensors the same, bit for bit, and if not, how far apart.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

#include "base/fail.hpp"
#include "base/int128.hpp"
#include "command.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "num/text.hpp"
#include "operand.hpp"
#include "tensor/element.hpp"

namespace hadamard::app {
namespace {

constexpr std::size_t kShown = 5;

struct DiffArguments {
  std::string a, b;
  std::optional<std::string> type;
  std::optional<std::string> ulp;
  bool quiet = false;
};

// The number of --ulp. The option parser would take -1 for 2^64-1.
std::optional<std::uint64_t> parse_ulp(const std::optional<std::string>& argument) {
  if (!argument) return std::nullopt;
  std::string_view text = *argument;
  if (text.starts_with(' ')) text.remove_prefix(1);  // main() puts one before a minus
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || stop != text.end()) {
    fail(ErrorCode::bad_argument, "--ulp '{}' is no whole number from 0 to 2^64-1", text);
  }
  return value;
}

// Representable numbers between two elements; integers are their own distance. Nothing where there
// is none: one is NaN, or exact numbers that differ.
template <class T>
std::optional<std::uint64_t> distance(const T& a, const T& b) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    constexpr FloatFormat kFormat = Element<T>::kFormat;
    const std::uint64_t x = exact::bits_of(a), y = exact::bits_of(b);
    if (exact::is_nan(x, kFormat) != exact::is_nan(y, kFormat)) return std::nullopt;
    return exact::ulp_distance(x, y, kFormat);
  } else if constexpr (kKind == Kind::complex) {
    const auto re = distance(a.real(), b.real()), im = distance(a.imag(), b.imag());
    return re && im ? std::max(re, im) : std::nullopt;
  } else if constexpr (kKind == Kind::exact) {
    if (a == b) return 0;
    return std::nullopt;
  } else if constexpr (is_packed<T>) {
    return distance<std::int32_t>(a.value, b.value);
  } else {
    const int128 difference = static_cast<int128>(a) - static_cast<int128>(b);
    return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
  }
}

template <class T>
bool same_bits(const T& a, const T& b) {
  constexpr Kind kKind = Element<T>::kKind;
  if constexpr (kKind == Kind::floating) {
    return exact::bits_of(a) == exact::bits_of(b);
  } else if constexpr (kKind == Kind::complex) {
    return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
  } else {
    return distance(a, b) == std::uint64_t{0};
  }
}

struct Comparison {
  std::int64_t count = 0;
  std::int64_t bits_differ = 0;
  std::int64_t beyond = 0;  // further apart than --ulp allows
  std::uint64_t largest = 0;
  std::int64_t unordered = 0;
  std::vector<std::string> first;
};

template <class T>
Comparison compare(const ConstView& a, const ConstView& b, std::optional<std::uint64_t> allowed) {
  Comparison c;
  c.count = a.count();
  const Dims* const strides[] = {&a.strides(), &b.strides()};
  for (IndexWalk<2> walk(a.shape(), strides); !walk.done(); walk.next()) {
    const T x = load_element<T>(a.data(), a.offset() + walk.offset(0));
    const T y = load_element<T>(b.data(), b.offset() + walk.offset(1));
    if (same_bits(x, y)) continue;
    ++c.bits_differ;
    const std::optional<std::uint64_t> d = distance(x, y);
    if (d) {
      c.largest = std::max(c.largest, *d);
    } else {
      ++c.unordered;
    }
    if (allowed && d && *d <= *allowed) continue;
    ++c.beyond;
    if (c.first.size() < kShown) {
      c.first.push_back(fmt::format("  {}: {} {}  |  {} {}  {}", to_string(walk.index()),
                                    text::format(x), text::format_hex(x), text::format(y),
                                    text::format_hex(y),
                                    d ? fmt::format("{} ULP", *d) : "no distance"));
    }
  }
  return c;
}

std::string report(const Comparison& c, DType type, std::optional<std::uint64_t> allowed) {
  if (c.bits_differ == 0) {
    return fmt::format("bit-equal: {} elements of {}\n", c.count, name(type));
  }
  std::string text = fmt::format("{} of {} elements differ", c.bits_differ, c.count);
  if (c.unordered < c.bits_differ) text += fmt::format("; largest distance {} ULP", c.largest);
  if (c.unordered > 0) text += fmt::format("; {} without a distance", c.unordered);
  text += '\n';
  if (allowed) {
    text += c.beyond == 0 ? fmt::format("all within {} ULP\n", *allowed)
                          : fmt::format("{} beyond {} ULP\n", c.beyond, *allowed);
  }
  for (const std::string& line : c.first) text += line + '\n';
  const auto more = c.beyond - static_cast<std::int64_t>(c.first.size());
  if (more > 0) text += fmt::format("  and {} more\n", more);
  return text;
}

int run(const DiffArguments& args) {
  const std::optional<DType> type =
      args.type ? std::optional(parse_type(*args.type)) : std::nullopt;
  const std::optional<std::uint64_t> allowed = parse_ulp(args.ulp);
  const Operands in = read_operands(args.a, args.b, type);
  const ConstView& a = in.a.view();
  const ConstView& b = in.b.view();
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) {
    if (!args.quiet) {
      print(fmt::format("different: A is {} {}, B is {} {}\n", name(a.dtype()),
                        to_string(a.shape()), name(b.dtype()), to_string(b.shape())));
    }
    return kDifferent;
  }
  const Comparison c = with_type(
      a.dtype(), [&](auto t) { return compare<typename decltype(t)::type>(a, b, allowed); });
  if (!args.quiet) print(report(c, a.dtype(), allowed));
  return c.beyond == 0 ? 0 : kDifferent;
}

}  // namespace

void add_diff_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand(
      "diff", "Compare two tensors bit for bit: how many differ, by how many ULP, where first");
  command->add_option("A", args->a, "A .npy file, a literal or a number")->required();
  command->add_option("B", args->b, "Likewise")->required();
  command->add_option("--type", args->type, "As for the operators");
  command->add_option("--ulp", args->ulp,
                      "Elements at most this far apart are equal (0: -0 is 0, any NaN is any NaN)");
  command->add_flag("-q,--quiet", args->quiet, "Say it by the exit code only");
  command->footer(
      "Exit code: 0 equal, 1 different, 2 an error.\n"
      "Example:\n  hadamard diff mine.npy theirs.npy --ulp 1");
  command->callback([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
