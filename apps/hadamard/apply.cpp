// hadamard add|sub|… A B, hadamard neg|exp|… A: one subcommand per operator of the list.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "api/matlab.hpp"
#include "api/prepared.hpp"
#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "command.hpp"
#include "hadamard/hadamard.hpp"
#include "io/npy.hpp"
#include "listing.hpp"
#include "op/ops.hpp"
#include "operand.hpp"
#include "progress.hpp"

namespace hadamard::app {
namespace {

struct ApplyArguments {
  std::string a, b;
  std::optional<std::string> output;
  OperationOptions operation;
  bool hex = false, json = false, explain = false;
  std::optional<int> decimals;
  std::vector<std::optional<std::string>> attributes;  // of each of the operator's, what was said
};

// "--t-min" of attribute t_min.
std::string option_of(const op::AttributeInfo& attribute) {
  std::string name(attribute.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::vector<Attribute> attributes_of(Op op, const ApplyArguments& args) {
  std::vector<Attribute> said;
  for (std::size_t i = 0; i < args.attributes.size(); ++i) {
    if (!args.attributes[i]) continue;
    const op::AttributeInfo& attribute = op::attributes(op)[i];
    std::string_view number = *args.attributes[i];
    if (number.starts_with(' ')) number.remove_prefix(1);  // main() puts one before a minus
    try {
      said.emplace_back(std::string(attribute.name), Real::parse(number));
    } catch (const Error&) {
      fail(ErrorCode::bad_argument, "{} '{}' is not a finite number such as 0.2 or -1",
           option_of(attribute), number);
    }
  }
  return said;
}

void check(const ApplyArguments& args, const Layout& result) {
  if (args.decimals && (*args.decimals < 0 || *args.decimals > 10000)) {
    fail(ErrorCode::bad_argument, "--decimals {} is outside 0 … 10000", *args.decimals);
  }
  if (args.decimals && result.dtype != DType::real) {
    fail(ErrorCode::bad_argument, "--decimals is for --type real; the result is {}",
         name(result.dtype));
  }
  if (args.output && (args.json || args.hex || args.decimals)) {
    fail(ErrorCode::bad_argument,
         "-o writes a .npy file and prints nothing: leave out -o, or --json, --hex and --decimals");
  }
  if (args.output && result.dtype == DType::real) {
    fail(ErrorCode::unsupported_type,
         "a .npy file cannot hold exact rationals; leave out -o to print them");
  }
  if (args.explain && args.output == "-") {
    fail(ErrorCode::bad_argument,
         "--explain would print the plan behind the file that -o - writes to standard output");
  }
}

void print_result(const ApplyArguments& args, const Tensor& y, const std::string& plan) {
  const TextSink sink = [](std::string_view text) { print(text); };
  if (args.json) {
    print_json(sink, y, args.hex, plan);
    return;
  }
  if (!plan.empty()) print(plan + '\n');
  print_text(sink, y, {.hex = args.hex, .decimals = args.decimals});
}

void compute(Op op, const ApplyArguments& args, const Options& options) {
  const bool matlab = options.dialect == Dialect::matlab;
  const std::optional<DType> type = args.operation.element_type();
  const Operands in = matlab ? read_matlab_operands(op, args.a, args.b, type)
                             : read_operands(op, args.a, args.b, type);
  const Layout& a = in.a.view().layout();
  const Layout& b = in.b.view().layout();
  const bool two = op::arity(op) == 2;
  const Layout result = two ? result_layout(op, a, b, options) : result_layout(op, a, options);
  check(args, result);
  const auto each = static_cast<unsigned>(bits(result.dtype));
  if (result.dtype != DType::real &&
      result.count() > static_cast<std::int64_t>(kUnaskedBytes * 8 / each)) {
    require_memory(result.count(), each,
                   fmt::format("the result, {} {}", name(result.dtype), to_string(result.shape)));
  }
  std::string plan;
  if (args.explain) {
    plan = matlab ? explain_matlab(op, a, two ? &b : nullptr, options)
           : two  ? prepare(op, a, b, result, options).explain()
                  : prepare(op, a, result, options).explain();
  }
  const std::int64_t steps = result.count() * (args.output ? 2 : 1);
  ProgressLine progress(fmt::format("hadamard {}", name(op)), steps);
  const Tensor y = apply_watched(op, in.a.view(), in.b.view(), options, progress.counter());
  if (!args.output) {
    print_result(args, y, plan);
    return;
  }
  io::write_npy(args.output == "-" ? "/dev/stdout" : *args.output, y, progress.counter());
  if (args.explain) print(plan);
}

void run(Op op, const ApplyArguments& args) {
  Options options = args.operation.settle();
  options.attributes = attributes_of(op, args);
  try {
    compute(op, args, options);
  } catch (const Error& error) {
    throw with_advice(error, options);
  }
}

bool divides(Op op) { return op::divisor(op) == op::Divisor::b; }

std::string example(Op op) {
  const std::string_view id = name(op);
  if (op::arity(op) == 1) {
    return fmt::format(
        "Examples:\n"
        "  hadamard {0} '[6.1 -9.5 35.7]'\n"
        "  hadamard {0} a.npy -o y.npy\n"
        "  hadamard {0} '[0.25 0.5]' --type fp16 --json",
        id);
  }
  const bool of_integers = op::is_defined(op, DType::int8);
  return fmt::format(
      "Examples:\n"
      "  hadamard {0} '[6.1 9.5 35.7]' '[3.0 3.3 5.1]'\n"
      "  hadamard {0} a.npy b.npy -o y.npy\n"
      "  hadamard {0} a.npy 2.5 -o y.npy\n"
      "  hadamard {0} '[7 -7]' '[2 2]' --type {2}{1} --json",
      id, divides(op) ? " --int-division floor" : "", of_integers ? "int8" : "fp16");
}

}  // namespace

void add_apply_commands(CommandLine& line) {
  for (const Op op : op::kPlainOps) {
    auto args = std::make_shared<ApplyArguments>();
    Command command =
        line.add(std::string(name(op)), fmt::format("Y = {}: {}", op::notation(op), op::doc(op)));
    command.operand(
        "A", args->a,
        "A .npy file ('-': standard input), a literal such as '[1 2; 3 4]', or a number");
    if (op::arity(op) == 2) command.operand("B", args->b, "Likewise");
    command.option("-o,--output", args->output,
                   "Write Y to this .npy file ('-': standard output) and print nothing");
    args->operation.add_to(command, op::arity(op) == 2);
    args->attributes.resize(op::attributes(op).size());
    for (std::size_t i = 0; i < args->attributes.size(); ++i) {
      const op::AttributeInfo& attribute = op::attributes(op)[i];
      command.option(option_of(attribute), args->attributes[i],
                     fmt::format("Attribute {}, an exact decimal (default: {})", attribute.name,
                                 attribute.initial));
    }
    command.flag("--hex", args->hex, "Print bit patterns");
    command.flag("--json", args->json, "Print shape, type, values and counts as JSON");
    if (op::is_defined(op, DType::real)) {
      command.option("--decimals", args->decimals,
                     "With --type real: print decimals beside the exact values");
    }
    command.flag("--explain", args->explain, "Print the plan: loop, kernel, provider");
    command.footer(example(op));
    command.action([op, args] { run(op, *args); });
  }
}

}  // namespace hadamard::app
