// hadamard diff A B: are two tensors the same, bit for bit, and if not, how far apart.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "base/fail.hpp"
#include "command.hpp"
#include "operand.hpp"
#include "tensor/compare.hpp"

namespace hadamard::app {
namespace {

constexpr std::size_t kShown = 5;

struct DiffArguments {
  std::string a, b;
  std::optional<std::string> type;
  std::optional<std::string> ulp;
  bool quiet = false;
};

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
  for (const Difference& d : c.first) {
    text += fmt::format("  {}: {}  |  {}  {}\n", to_string(d.index), to_string(d.a), to_string(d.b),
                        distance_text(d));
  }
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
  const Comparison c = compare(a, b, {.ulp = allowed}, kShown);
  if (!args.quiet) print(report(c, a.dtype(), allowed));
  return c.beyond == 0 ? 0 : kDifferent;
}

}  // namespace

void add_diff_command(CommandLine& line, int& exit_code) {
  auto args = std::make_shared<DiffArguments>();
  Command command = line.add(
      "diff", "Compare two tensors bit for bit: how many differ, by how many ULP, where first");
  command.operand("A", args->a, "A .npy file, a literal or a number");
  command.operand("B", args->b, "Likewise");
  command.option("--type", args->type, "As for the operators");
  command.option("--ulp", args->ulp,
                 "Elements at most this far apart are equal (0: -0 is 0, any NaN is any NaN)");
  command.flag("-q,--quiet", args->quiet, "Say it by the exit code only");
  command.footer(
      "Exit code: 0 equal, 1 different, 2 an error.\n"
      "Example:\n  hadamard diff mine.npy theirs.npy --ulp 1");
  command.action([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
