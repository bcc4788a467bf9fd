// hadamard check MODEL.onnx …: are models inside a profile?
#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "command.hpp"
#include "io/file.hpp"
#include "io/onnx.hpp"

namespace hadamard::app {
namespace {

struct CheckArguments {
  std::vector<std::string> models;
  std::vector<std::string> ranges;
  std::string profile = "sonnx";
  bool all_values = false, strict = false, json = false, quiet = false;

  bool several() const { return models.size() > 1; }
};

model::CheckOptions options_of(const CheckArguments& args) {
  model::CheckOptions options;
  options.profile = parse_profile(args.profile);
  options.strict = args.strict;
  options.all_values = args.all_values;
  for (const std::string& text : args.ranges) {
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ErrorCode::bad_argument, "--range {} is not NAME=[LOW,HIGH]", io::quoted(text, 60));
    }
    const std::string name = text.substr(0, equals);
    if (!options.ranges.emplace(name, model::parse_range(text.substr(equals + 1))).second) {
      fail(ErrorCode::bad_argument, "--range gives {} twice", io::quoted(name, 60));
    }
  }
  return options;
}

std::string to_json(const CheckArguments& args, const std::string& file,
                    const model::Problems& problems) {
  std::string items;
  for (const model::Problem& p : problems.kept()) {
    items += fmt::format(
        "{}{{\"severity\":{},\"requirement\":{},\"node\":{},\"tensor\":{},\"found\":{},"
        "\"demanded\":{}}}",
        items.empty() ? "" : ",", json_string(p.warning ? "warning" : "violation"),
        json_string(p.requirement), json_string(p.node), json_string(p.tensor),
        json_string(p.found), json_string(p.demanded));
  }
  return fmt::format(
      "{{\"model\":{},\"profile\":{},\"inside\":{},\"violations\":{},\"problems\":[{}],"
      "\"left_out\":{}}}",
      json_string(file), json_string(args.profile), problems.violations() == 0,
      problems.violations(), items, problems.left_out());
}

// Of one model; lines of several say which one they are of.
std::string to_lines(const CheckArguments& args, const std::string& file,
                     const model::Problems& problems, const io::OnnxModel& model) {
  const std::string shown = io::quoted(file, 200);
  const std::string start = args.several() ? shown + ": " : "";
  std::string text;
  for (const model::Problem& p : problems.kept()) {
    std::string where = p.requirement;
    if (!p.node.empty()) where += fmt::format("{}{}", where.empty() ? "" : "  ", p.node);
    if (!p.tensor.empty()) {
      where += fmt::format("{}tensor {}", where.empty() ? "" : "  ", io::quoted(p.tensor, 120));
    }
    text += fmt::format("{}{}{}{}{}; {}\n", start, p.warning ? "warning: " : "", where,
                        where.empty() ? "" : ": ", p.found, p.demanded);
  }
  if (problems.left_out() > 0) text += fmt::format("{}and {} more\n", start, problems.left_out());
  const std::size_t count = problems.violations();
  if (count > 0) {
    return text + fmt::format("{}: outside the profile {}: {} violation{}\n", shown, args.profile,
                              count, count == 1 ? "" : "s");
  }
  return text + fmt::format("{}: inside the profile {} ({} node{}{})\n", shown, args.profile,
                            model.nodes.size(), model.nodes.size() == 1 ? "" : "s",
                            args.ranges.empty() && !args.all_values && !model.inputs.empty()
                                ? "; values of inputs not looked at"
                                : "");
}

// The exit code; `json` is what --json prints of the model.
int check_one(const CheckArguments& args, const model::CheckOptions& options,
              const std::string& file, std::string& json) {
  const io::OnnxModel model = io::read_onnx_model(file);
  const model::Problems problems = model::check(model, options);
  if (args.json) {
    json = to_json(args, file, problems);
  } else if (!args.quiet) {
    print(to_lines(args, file, problems, model));
  }
  return problems.violations() == 0 ? 0 : kDifferent;
}

// Of several models one that cannot be read does not keep the others from being checked.
int run(const CheckArguments& args) {
  const model::CheckOptions options = options_of(args);
  int worst = 0;
  std::string items;
  for (const std::string& file : args.models) {
    std::string json;
    try {
      worst = std::max(worst, check_one(args, options, file, json));
    } catch (const Error& error) {
      if (!args.several()) throw;
      const bool named = std::string_view(error.what()).starts_with(io::quoted(file));
      worst = std::max(
          worst, complain(named ? error.what()
                                : fmt::format("{}: {}", io::quoted(file, 200), error.what())));
      json = fmt::format("{{\"model\":{},\"profile\":{},\"error\":{}}}", json_string(file),
                         json_string(args.profile), json_string(error.what()));
    }
    items += (items.empty() ? "" : ",") + json;
  }
  if (args.json) print(args.several() ? "{\"models\":[" + items + "]}\n" : items + "\n");
  return worst;
}

}  // namespace

void add_check_command(CommandLine& line, int& exit_code) {
  auto args = std::make_shared<CheckArguments>();
  Command command = line.add(
      "check", "Are ONNX models inside the profile SONNX, or ONNX? A line for each violation");
  command.operand("MODEL", args->models, "One .onnx file or more");
  command.option("--profile", args->profile,
                 "sonnx (default): explicit types and shapes, the same at every node; onnx: "
                 "what ONNX demands and this program computes");
  command.repeated(
      "--range", args->ranges,
      "NAME=[LOW,HIGH]: an input's values, to find divisors that may be 0 and integers "
      "that may overflow; once for each input (without one: all values of its type)");
  command.flag("--all-values", args->all_values,
               "Look at values without any range: every input may have all of its type");
  command.flag("--strict", args->strict,
               "Tensors between nodes must have an explicit type and shape too");
  command.flag("--json", args->json, "Print the violations as JSON");
  command.flag("-q,--quiet", args->quiet, "Say it by the exit code only");
  command.footer(
      "Exit code: 0 inside, 1 outside, 2 unreadable; of several models the worst.\n"
      "Examples:\n"
      "  hadamard check model.onnx --range 'A=[1,2]' --range 'B=[-1,1]'\n"
      "  hadamard check a.onnx b.onnx --profile onnx");
  command.action([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
