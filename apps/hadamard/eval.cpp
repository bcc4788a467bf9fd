// hadamard eval 'Y = (A - B) ./ C' A=a.npy …: a program on tensors from files, in one pass.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "api/program.hpp"
#include "base/fail.hpp"
#include "command.hpp"
#include "dialect/program_text.hpp"
#include "io/atomic_file.hpp"
#include "io/npy.hpp"
#include "operand.hpp"
#include "outputs.hpp"

namespace hadamard::app {
namespace {

struct EvalArguments {
  std::string program;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  OperationOptions operation;
  bool hex = false, json = false, explain = false;
};

struct NamedText {
  std::string name;
  std::string text;
};

// A decimal number or fraction that is neither infinite nor NaN.
bool is_real_number(const std::string& text) {
  try {
    Real::parse(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& one : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", one);
  return text.empty() ? "none" : text;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), is_part);
}

// NAME=REST; nothing where it is not that.
std::optional<NamedText> split(const std::string& argument) {
  const std::size_t at = argument.find('=');
  if (at == std::string::npos || !is_name(argument.substr(0, at))) return std::nullopt;
  return NamedText{argument.substr(0, at), argument.substr(at + 1)};
}

// A file has its own type; what .npy has no word for, --type says.
io::LoadedTensor read_file(const std::string& path, std::optional<DType> type,
                           const std::string& name_of) {
  if (type == DType::real) return read_operand(path, type, name_of);
  const bool has_no_word = type == DType::bf16 || type == DType::int4 || type == DType::uint4;
  if (has_no_word && path == "-") return read_operand(path, type, name_of);
  io::LoadedTensor own = read_operand(path, std::nullopt, name_of);
  const DType carrier = type == DType::bf16   ? DType::uint16
                        : type == DType::int4 ? DType::int8
                                              : DType::uint8;
  return has_no_word && own.view().dtype() == carrier ? read_operand(path, type, name_of) : own;
}

struct Given {
  std::vector<io::LoadedTensor> tensors;  // of the inputs that are not numbers, in order
  dialect::ProgramText::Numbers numbers;
};

// What the command line says of each input, in the program's order.
std::vector<std::string> texts_of(const EvalArguments& args,
                                  const std::vector<std::string>& names) {
  std::vector<std::optional<std::string>> given(names.size());
  for (const std::string& argument : args.inputs) {
    const std::optional<NamedText> input = split(argument);
    const auto found = input ? std::find(names.begin(), names.end(), input->name) : names.end();
    if (found == names.end()) {
      fail(ErrorCode::bad_argument,
           "expected NAME=FILE with the name of an input, got {}; inputs: {}",
           io::quoted(argument, 60), listed(names));
    }
    auto& place = given[static_cast<std::size_t>(found - names.begin())];
    if (place) fail(ErrorCode::bad_argument, "the input {} is given twice", input->name);
    place = input->text;
  }
  std::vector<std::string> missing, texts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!given[i]) missing.push_back(names[i]);
    texts.push_back(given[i].value_or(""));
  }
  if (!missing.empty()) {
    fail(ErrorCode::bad_argument, "no value for the input{} {}; add {}=FILE or {}=NUMBER",
         missing.size() == 1 ? "" : "s", listed(missing), missing[0], missing[0]);
  }
  if (std::count(texts.begin(), texts.end(), "-") > 1) {
    fail(ErrorCode::bad_argument, "two inputs are '-', but there is only one standard input");
  }
  return texts;
}

// A number takes the type that it meets, as one in the program does, where it is a real number. An
// array of numbers is of --type, else of the type that all files of numbers have, else fp64.
Given read_inputs(const EvalArguments& args, const std::vector<std::string>& names) {
  const std::vector<std::string> texts = texts_of(args, names);
  const std::optional<DType> type = args.operation.element_type();
  std::vector<std::optional<io::LoadedTensor>> read(names.size());
  std::optional<DType> of_files;
  bool is_one_type = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_literal(texts[i])) continue;
    read[i].emplace(read_file(texts[i], type, names[i]));
    const DType own = read[i]->view().dtype();
    if (own == DType::bool_) continue;
    is_one_type = is_one_type && of_files.value_or(own) == own;
    of_files = own;
  }
  Given given;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!read[i] && is_real_number(texts[i])) {
      given.numbers.emplace(names[i], Real::parse(texts[i]));
      continue;
    }
    const std::optional<DType> of_literals = type ? type : is_one_type ? of_files : std::nullopt;
    if (!read[i]) read[i].emplace(read_operand(texts[i], of_literals, names[i]));
    given.tensors.push_back(std::move(*read[i]));
  }
  return given;
}

// Which outputs go to which files: "FILE" for the only one, or "NAME=FILE".
std::vector<NamedText> output_files(const EvalArguments& args, const dialect::ProgramText& text) {
  std::vector<NamedText> files;
  for (const std::string& argument : args.outputs) {
    const std::optional<NamedText> named = split(argument);
    const bool is_known = named && std::find(text.assigned().begin(), text.assigned().end(),
                                             named->name) != text.assigned().end();
    const std::size_t sign = argument.find('=');
    const bool is_assignment = named || sign == 0;
    if (is_known) {
      files.push_back(*named);
    } else if (!is_assignment && args.outputs.size() == 1 && text.outputs().size() == 1) {
      files.push_back({text.outputs()[0], argument});
    } else {
      fail(ErrorCode::bad_argument,
           "expected -o NAME=FILE with the name of an output, got {}; "
           "the program assigns: {}",
           io::quoted(argument, 60), listed(text.assigned()));
    }
  }
  for (const NamedText& file : files) {
    if (file.text.empty() || file.text.ends_with(".pb")) {
      fail(ErrorCode::bad_argument, "-o {}={}: expected the name of a .npy file", file.name,
           file.text);
    }
    const auto place = [](const NamedText& of) {
      std::error_code ignored;
      return std::filesystem::weakly_canonical(of.text, ignored);
    };
    const auto same = [&](const NamedText& other) { return place(other) == place(file); };
    if (std::count_if(files.begin(), files.end(), same) > 1) {
      fail(ErrorCode::bad_argument, "two outputs go to {}", io::quoted(file.text, 60));
    }
  }
  return files;
}

// All are on the disk before the first takes its name.
void write_files(const std::vector<NamedText>& to, const std::vector<Tensor>& results) {
  std::vector<std::unique_ptr<io::AtomicFile>> files;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].text == "-") continue;
    const io::AtomicFile* const neighbour = files.empty() ? nullptr : files.back().get();
    files.push_back(std::make_unique<io::AtomicFile>(to[i].text, neighbour));
    const io::Sink sink = [&](std::span<const std::byte> bytes) { files.back()->write(bytes); };
    io::write_npy(sink, results[i]);
    files.back()->finish();
  }
  for (const auto& file : files) file->prepare();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].text == "-") io::write_npy("/dev/stdout", results[i]);
  }
  for (const auto& file : files) file->commit();
}

void run(const EvalArguments& args) {
  const Options options = args.operation.settle();
  if (!args.outputs.empty() && (args.json || args.hex)) {
    fail(ErrorCode::bad_argument,
         "-o writes .npy files and prints nothing: leave out -o, or --json and --hex");
  }
  const dialect::ProgramText text(args.program);
  const std::vector<NamedText> files = output_files(args, text);
  std::vector<std::string> wanted;
  for (const NamedText& file : files) {
    if (std::find(wanted.begin(), wanted.end(), file.name) != wanted.end()) {
      fail(ErrorCode::bad_argument, "the output {} is written twice", file.name);
    }
    wanted.push_back(file.name);
  }
  const Given given = read_inputs(args, text.inputs());
  std::vector<Layout> layouts;
  std::vector<exec::Place> places;
  for (const io::LoadedTensor& input : given.tensors) {
    layouts.push_back(input.view().layout());
    places.push_back({input.view().data(), input.view().offset()});
  }
  plan::Lowered lowered = text.lower(
      layouts, wanted, options, args.operation.element_type().value_or(DType::fp64), given.numbers);
  std::vector<Layout> outputs = result_layouts(lowered, Order::row_major);
  const auto impl =
      make_program_impl(std::move(lowered), std::move(layouts), std::move(outputs), options);
  const std::string plan = args.explain ? make_prepared(impl).explain() : std::string();
  const std::vector<Tensor> results = run_fresh(*impl, places);
  if (!files.empty()) {
    write_files(files, results);
    if (args.explain) print(plan);
    return;
  }
  std::vector<NamedView> named;
  const auto names = impl->plan->lowered.program.outputs();
  for (std::size_t i = 0; i < results.size(); ++i) {
    named.push_back({names[i].name, results[i].view()});
  }
  print_outputs(named, args.hex, args.json, plan);
}

}  // namespace

void add_eval_command(CommandLine& line) {
  auto args = std::make_shared<EvalArguments>();
  Command command =
      line.add("eval", "Evaluate a program of element-wise operators in one pass through memory");
  command.operand("PROGRAM", args->program,
                  "Statements such as 'Y = tanh((A - B) ./ C) .* D', separated by ';'");
  command.option("NAME=FILE", args->inputs,
                 "An input: a .npy file ('-': standard input), a .pb TensorProto, a literal or a "
                 "number");
  command.repeated("-o,--output", args->outputs,
                   "Write the output to this .npy file and print nothing; NAME=FILE where there "
                   "are several");
  args->operation.add_to(command);
  command.flag("--hex", args->hex, "Print bit patterns");
  command.flag("--json", args->json, "Print the outputs as JSON");
  command.flag("--explain", args->explain,
               "Print the program, its groups, their loops, and the bytes read and written");
  command.footer(
      "Examples:\n"
      "  hadamard eval '(A - B) ./ (C + 1e-6)' A='[4 9]' B='[1 2]' C='[2 7]'\n"
      "  hadamard eval 'Y = tanh((A - B) ./ C) .* D' A=a.npy B=b.npy C=c.npy D=d.npy -o y.npy\n"
      "  hadamard eval 'D = A - B; Y = where(D > 0, D, 0)' A=a.npy B=b.npy -o Y=y.npy -o D=d.npy");
  command.action([args] { run(*args); });
}

}  // namespace hadamard::app
