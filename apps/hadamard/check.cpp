// hadamard check MODEL.onnx: is the model inside the profile?
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
  std::string model;
  std::vector<std::string> ranges;
  bool all_values = false, strict = false, json = false, quiet = false;
};

model::CheckOptions options_of(const CheckArguments& args) {
  model::CheckOptions options;
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

std::string to_json(const CheckArguments& args, const std::vector<model::Problem>& problems,
                    bool inside) {
  std::string items;
  for (const model::Problem& p : problems) {
    items += fmt::format(
        "{}{{\"severity\":{},\"requirement\":{},\"node\":{},\"tensor\":{},\"found\":{},"
        "\"demanded\":{}}}",
        items.empty() ? "" : ",", json_string(p.warning ? "warning" : "violation"),
        json_string(p.requirement), json_string(p.node), json_string(p.tensor),
        json_string(p.found), json_string(p.demanded));
  }
  return fmt::format("{{\"model\":{},\"profile\":\"sonnx\",\"inside\":{},\"problems\":[{}]}}\n",
                     json_string(args.model), inside, items);
}

std::string to_lines(const CheckArguments& args, const std::vector<model::Problem>& problems,
                     const io::OnnxModel& model, std::size_t violations) {
  std::string text;
  for (const model::Problem& p : problems) {
    std::string where = p.node;
    if (!p.tensor.empty()) {
      where += fmt::format("{}tensor {}", where.empty() ? "" : "  ", io::quoted(p.tensor, 120));
    }
    text += fmt::format("{}{}{}{}: {}; {}\n", p.warning ? "warning: " : "", p.requirement,
                        where.empty() ? "" : "  ", where, p.found, p.demanded);
  }
  if (violations == 0) {
    return text + fmt::format("{}: inside the profile sonnx ({} node{}{})\n",
                              io::quoted(args.model, 200), model.nodes.size(),
                              model.nodes.size() == 1 ? "" : "s",
                              args.ranges.empty() && !args.all_values && !model.inputs.empty()
                                  ? "; values of inputs not looked at"
                                  : "");
  }
  return text + fmt::format("{}: outside the profile sonnx: {} violation{}\n",
                            io::quoted(args.model, 200), violations, violations == 1 ? "" : "s");
}

int run(const CheckArguments& args) {
  const model::CheckOptions options = options_of(args);
  const io::OnnxModel model = io::read_onnx_model(args.model);
  const std::vector<model::Problem> problems = model::check(model, options);
  const auto violations = static_cast<std::size_t>(std::count_if(
      problems.begin(), problems.end(), [](const model::Problem& p) { return !p.warning; }));
  if (args.json) {
    print(to_json(args, problems, violations == 0));
  } else if (!args.quiet) {
    print(to_lines(args, problems, model, violations));
  }
  return violations == 0 ? 0 : kDifferent;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check", "Is an ONNX model inside the profile SONNX? A line for each violation");
  command->add_option("MODEL", args->model, "An .onnx file")->required();
  command
      ->add_option(
          "--range", args->ranges,
          "NAME=[LOW,HIGH]: an input's values, to find divisors that may be 0 and integers "
          "that may overflow; once for each input (without one: all values of its type)")
      ->allow_extra_args(false);
  command->add_flag("--all-values", args->all_values,
                    "Look at values without any range: every input may have all of its type");
  command->add_flag("--strict", args->strict,
                    "Tensors between nodes must have an explicit type and shape too");
  command->add_flag("--json", args->json, "Print the violations as JSON");
  command->add_flag("-q,--quiet", args->quiet, "Say it by the exit code only");
  command->footer(
      "Exit code: 0 inside, 1 outside, 2 unreadable.\n"
      "Example:\n"
      "  hadamard check model.onnx --range 'A=[1,2]' --range 'B=[-1,1]'");
  command->callback([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace hadamard::app
