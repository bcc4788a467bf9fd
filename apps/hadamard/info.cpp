// hadamard info [FILE]: of a file, what is in it; without one, what this program is.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/fail.hpp"
#include "command.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"
#include "line_editor.hpp"
#include "listing.hpp"
#include "matlab/mat_file.hpp"
#include "model/graph.hpp"
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

void describe_tensor(const InfoArguments& args) {
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

// "fp32 (2,N)"; of what is no tensor of ours, ONNX's word.
std::string to_text(const io::OnnxType& type) {
  using Form = io::OnnxType::Form;
  if (type.form == Form::missing) return "of no declared type";
  if (type.form == Form::other) return "no tensor";
  const auto dtype = io::dtype_from_onnx(type.elem_type);
  return fmt::format("{}{}{}", type.form == Form::sparse_tensor ? "sparse " : "",
                     dtype ? std::string(name(*dtype)) : io::onnx_type_name(type.elem_type),
                     type.has_shape ? " " + model::to_text(type.dims) : ", any shape");
}

// A row for each; of thousands the first ones.
void value_rows(std::string_view key, const std::vector<io::OnnxValue>& values,
                const std::set<std::string_view>& initialized) {
  constexpr std::size_t kMostRows = 100;
  for (std::size_t i = 0; i < values.size() && i < kMostRows; ++i) {
    row(key, fmt::format("{} {}{}", io::quoted(values[i].name, 120), to_text(values[i].type),
                         initialized.contains(values[i].name) ? ", has an initializer" : ""));
  }
  if (values.size() > kMostRows) row(key, fmt::format("and {} more", values.size() - kMostRows));
}

// "50: 30 Add, 20 Div": the most frequent first.
std::string nodes_by_type(const std::vector<io::OnnxNode>& nodes) {
  constexpr std::size_t kMostTypes = 100;
  std::map<std::string, std::size_t> counts;
  for (const io::OnnxNode& node : nodes) {
    ++counts[node.domain.empty() ? node.op_type : node.domain + "." + node.op_type];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string text = std::to_string(nodes.size());
  for (std::size_t i = 0; i < sorted.size() && i < kMostTypes; ++i) {
    const std::string type = io::quoted(sorted[i].first, 80);
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", sorted[i].second,
                        type.substr(1, type.size() - 2));
  }
  if (sorted.size() > kMostTypes) text += fmt::format(" and {} more", sorted.size() - kMostTypes);
  return text;
}

void describe_model(const std::string& path) {
  const io::OnnxModel model = io::read_onnx_model(path);
  std::string opsets;
  for (const auto& [domain, version] : model.opsets) {
    opsets += fmt::format("{}{}{}", opsets.empty() ? "" : ", ", version,
                          domain.empty() ? "" : " of " + io::quoted(domain, 80));
  }
  std::set<std::string_view> initialized;
  std::size_t bytes = 0;
  for (const io::OnnxTensor& tensor : model.initializers) {
    initialized.insert(tensor.name);
    bytes += tensor.value->size_bytes();
  }
  row("model", fmt::format("ONNX, IR version {}", model.ir_version));
  row("opset", opsets.empty() ? "none" : opsets);
  row("producer", model.producer.empty() ? "not named" : io::quoted(model.producer, 120));
  value_rows("input", model.inputs, initialized);
  value_rows("output", model.outputs, {});
  row("constants", fmt::format("{} initializer{}, {} bytes", model.initializers.size(),
                               model.initializers.size() == 1 ? "" : "s", bytes));
  row("nodes", nodes_by_type(model.nodes));
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
  const std::string mat_files = matlab::mat_library();
  row("mat files", mat_files.empty() ? "none: built without matio" : mat_files);
  const std::string_view editor = line_editing_library();
  row("prompt", editor.empty() ? "without line editing: built without libedit" : editor);
}

void run(const InfoArguments& args) {
  if (!args.file) return describe_program();
  if (!args.file->ends_with(".onnx")) return describe_tensor(args);
  if (args.type) {
    fail(ErrorCode::bad_argument, "--type is for tensors, but {} is a model, which says its types",
         io::quoted(*args.file, 120));
  }
  describe_model(*args.file);
}

}  // namespace

void add_info_command(CommandLine& line) {
  auto args = std::make_shared<InfoArguments>();
  Command command = line.add(
      "info",
      "Of a tensor: type, shape, extremes, special values. Of a model: what it takes and holds. "
      "Without a file: this program");
  command.option("FILE", args->file, "A .npy or .pb file (or a literal), or an .onnx model");
  command.option("--type", args->type, "What the file's bytes mean: bf16, int4, uint4");
  command.footer("Examples:\n  hadamard info\n  hadamard info a.npy\n  hadamard info model.onnx");
  command.action([args] { run(*args); });
}

}  // namespace hadamard::app
