// hadamard run MODEL.onnx NAME=FILE …: a graph of element-wise nodes on tensors from files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "command.hpp"
#include "io/atomic_file.hpp"
#include "io/npy.hpp"
#include "io/onnx.hpp"
#include "model/session.hpp"
#include "operand.hpp"
#include "outputs.hpp"

namespace hadamard::app {
namespace {

using model::Named;
using model::Session;

struct RunArguments {
  std::string model;
  std::vector<std::string> inputs;
  std::optional<std::string> output;
  std::string format = "npy";
  std::string profile = "sonnx";
  bool hex = false, json = false;
};

bool is_protobuf(const std::string& path) { return path.ends_with(".pb"); }

Named read_input(const Session::Input& input, const std::string& path) {
  if (is_literal(path)) {
    const auto tensor =
        std::make_shared<const io::LoadedTensor>(read_operand(path, input.dtype, input.name));
    return {input.name, tensor->view(), tensor};
  }
  try {
    if (is_protobuf(path)) {
      const auto tensor = io::read_onnx_tensor(path).value;
      return {input.name, tensor->view(), tensor};
    }
    // What .npy has no word for, the model knows.
    const bool by_model =
        input.dtype == DType::bf16 || input.dtype == DType::int4 || input.dtype == DType::uint4;
    auto tensor = std::make_shared<const io::LoadedTensor>(
        io::read_npy(path == "-" ? "/dev/stdin" : path, by_model ? input.dtype : std::nullopt));
    return {input.name, tensor->view(), tensor};
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("input {}: {}", io::quoted(input.name, 60), error.what()),
                error.requirement());
  }
}

// The inputs of a model by name, for many arguments.
class Inputs {
 public:
  explicit Inputs(std::vector<Session::Input> inputs) : inputs_(std::move(inputs)) {
    for (const Session::Input& input : inputs_) {
      by_name_.emplace(input.name, &input);
      longest_ = std::max(longest_, input.name.size());
    }
  }

  // Of "NAME=FILE". Names and files may hold any character: the longest name of an input that fits.
  Named read(const std::string& argument) const {
    for (std::size_t at = argument.rfind('=', longest_); at != std::string::npos;
         at = at == 0 ? std::string::npos : argument.rfind('=', at - 1)) {
      const auto found = by_name_.find(std::string_view(argument).substr(0, at));
      if (found != by_name_.end()) return read_input(*found->second, argument.substr(at + 1));
    }
    std::vector<std::string_view> names;
    for (const Session::Input& input : inputs_) names.push_back(input.name);
    fail(ErrorCode::bad_argument,
         "{} is not NAME=FILE with the name of an input; the model's are: {}",
         io::quoted(argument, 60), model::listed(names));
  }

 private:
  std::vector<Session::Input> inputs_;
  std::unordered_map<std::string_view, const Session::Input*> by_name_;
  std::size_t longest_ = 0;
};

// A tensor's name as a file's: other bytes than the usual ones as %XX, so that names stay distinct.
std::string file_name(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool usual = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || (c == '.' && !text.empty());
    text += usual ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

// The names of files, in the order of the outputs. One that is too long for a file system is cut,
// and the output's number makes it distinct.
std::vector<std::string> file_names(const std::vector<Named>& outputs) {
  constexpr std::size_t kLongest = 250;
  std::vector<std::string> names;
  for (const Named& output : outputs) {
    std::string name = file_name(output.name);
    if (name.size() > kLongest) name = fmt::format("{}~{}", name.substr(0, 200), names.size());
    names.push_back(std::move(name));
  }
  return names;
}

void write_outputs(const std::vector<Named>& outputs, const std::string& folder, bool protobuf) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    fail(ErrorCode::io, "cannot make the folder {}: {}", io::quoted(folder, 120),
         error ? error.message() : "there is a file of that name");
  }
  // All are on the disk before the first takes its name, so that a full disk costs nobody a file.
  const std::vector<std::string> names = file_names(outputs);
  std::vector<std::unique_ptr<io::AtomicFile>> files;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto path = std::filesystem::path(folder) / (names[i] + (protobuf ? ".pb" : ".npy"));
    const io::AtomicFile* const neighbour = files.empty() ? nullptr : files.back().get();
    files.push_back(std::make_unique<io::AtomicFile>(path.string(), neighbour));
    const io::Sink sink = [&](std::span<const std::byte> bytes) { files.back()->write(bytes); };
    if (protobuf) {
      io::write_onnx_tensor(sink, outputs[i].name, outputs[i].view);
    } else {
      io::write_npy(sink, outputs[i].view);
    }
    files.back()->finish();
  }
  for (const auto& file : files) file->prepare();
  for (const auto& file : files) file->commit();
}

// -o is a folder; where a file is meant, that is said before anything is computed.
void require_folder(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool is_file = std::filesystem::exists(status) && !std::filesystem::is_directory(status);
  if (!is_file && !path.ends_with(".npy") && !path.ends_with(".pb")) return;
  fail(ErrorCode::bad_argument,
       "-o {} {}, but must be a folder, where each output is written under its name; give the name "
       "of a folder, which need not exist",
       io::quoted(path, 80), is_file ? "is a file" : "has the name of a file");
}

void run(const RunArguments& args) {
  if (args.format != "npy" && args.format != "pb") {
    fail(ErrorCode::bad_argument, "--format '{}' is neither npy nor pb", args.format);
  }
  if (args.output) require_folder(*args.output);
  if (args.output && (args.hex || args.json)) {
    fail(ErrorCode::bad_argument,
         "-o writes files and prints nothing: leave out -o, or --hex and --json");
  }
  const Session session(io::read_onnx_model(args.model), {.dialect = parse_profile(args.profile)});
  const Inputs by_name(session.inputs());
  std::vector<Named> inputs;
  for (const std::string& argument : args.inputs) inputs.push_back(by_name.read(argument));
  const std::vector<Named> outputs = session.run(inputs);
  if (args.output) return write_outputs(outputs, *args.output, args.format == "pb");
  std::vector<NamedView> results;
  for (const Named& output : outputs) results.push_back({output.name, output.view});
  print_outputs(results, args.hex, args.json);
}

}  // namespace

Dialect parse_profile(const std::string& name) {
  if (name == "sonnx") return Dialect::sonnx;
  if (name == "onnx") return Dialect::onnx;
  fail(ErrorCode::bad_argument, "--profile '{}' is neither sonnx nor onnx", name);
}

void add_run_command(CommandLine& line) {
  auto args = std::make_shared<RunArguments>();
  Command command =
      line.add("run", "Run an ONNX model of element-wise nodes on tensors from files");
  command.operand("MODEL", args->model, "An .onnx file");
  command.option(
      "NAME=FILE", args->inputs,
      "An input of the model: a .npy file ('-': standard input), a .pb TensorProto, or a literal");
  command.option("-o,--output", args->output,
                 "Write each output to a file of its name in this folder and print nothing");
  command.option("--format", args->format, "Of the files: npy (default) or pb");
  command.option("--profile", args->profile,
                 "sonnx (default): same shapes and types, integers divide by floor; onnx: "
                 "broadcasting, integers divide by truncation");
  command.flag("--hex", args->hex, "Print bit patterns");
  command.flag("--json", args->json, "Print the outputs as JSON");
  command.footer(
      "Examples:\n"
      "  hadamard run model.onnx A=a.npy B=b.npy\n"
      "  hadamard run model.onnx A=a.npy B=b.pb -o results --profile onnx");
  command.action([args] { run(*args); });
}

}  // namespace hadamard::app
