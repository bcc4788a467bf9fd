// hadamard info [FILE]: of a file, what is in it; without one, what this program is.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "listing.hpp"
#include "num/dtype.hpp"
#include "operand.hpp"

namespace hadamard::app {
namespace {

struct InfoArguments {
  std::optional<std::string> file;
  std::optional<std::string> type;
};

void row(std::string_view key, std::string_view value) {
  print(fmt::format("{:<10}{}\n", key, value));
}

void describe_file(const InfoArguments& args) {
  const std::optional<DType> type =
      args.type ? std::optional(parse_type(*args.type)) : std::nullopt;
  const io::LoadedTensor loaded = read_operand(*args.file, type, "FILE");
  const ConstView& tensor = loaded.view();
  const bool row_major = tensor.layout().is_contiguous(Order::row_major);
  const Statistics s = statistics(tensor);
  row("type", fmt::format("{} ({} bits)", name(tensor.dtype()), bits(tensor.dtype())));
  row("shape", fmt::format("{}, {} elements", to_string(tensor.shape()), tensor.count()));
  row("order", row_major ? "row-major (C)" : "column-major (Fortran)");
  row("min", s.min.empty() ? "none" : s.min);
  row("max", s.max.empty() ? "none" : s.max);
  row("special",
      fmt::format("{} NaN, {} inf, {} zero, {} subnormal", s.nan, s.inf, s.zero, s.subnormal));
}

void describe_program() {
  row("version", version());
  row("compiler", HADAMARD_BUILD);
  std::string targets;
  for (const exec::CpuTarget& target : exec::cpu_targets()) {
    targets += fmt::format("{}{}{}", targets.empty() ? "" : ", ", target.name,
                           target.supported ? "" : " (not on this CPU)");
  }
  const exec::Selection& forced = exec::environment_selection();
  row("targets", targets + "  (best first; HADAMARD_CPU forces one)");
  for (const exec::Provider* provider : exec::providers()) {
    const std::string why = provider->unavailable();
    row("provider", fmt::format("{}: {}", provider->name(), why.empty() ? "available" : why));
  }
  if (!forced.provider.empty()) row("forced", fmt::format("HADAMARD_PROVIDER={}", forced.provider));
  if (!forced.cpu_target.empty()) row("forced", fmt::format("HADAMARD_CPU={}", forced.cpu_target));
  row("types", all_type_names());
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto args = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand(
      "info", "Of a file: type, shape, extremes, special values. Without one: this program");
  command->add_option("FILE", args->file, "A .npy file (or a literal)");
  command->add_option("--type", args->type, "What the file's bytes mean: bf16, int4, uint4");
  command->footer("Examples:\n  hadamard info\n  hadamard info a.npy");
  command->callback([args] { args->file ? describe_file(*args) : describe_program(); });
}

}  // namespace hadamard::app
