#include "outputs.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/json.hpp"
#include "command.hpp"
#include "io/file.hpp"
#include "listing.hpp"
#include "tensor/literal.hpp"

namespace hadamard::app {
namespace {

void print_json_outputs(std::span<const NamedView> outputs, bool hex, const std::string& plan) {
  print(plan.empty() ? "{" : fmt::format("{{\"plan\":{},", json_string(plan)));
  print("\"outputs\":[");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    print(fmt::format("{}{{\"name\":{},", i == 0 ? "" : ",", json_string(outputs[i].name)));
    bool first = true;
    const TextSink sink = [&](std::string_view text) {
      if (first) text.remove_prefix(1);  // the brace, which is in front of the name
      first = false;
      while (text.ends_with('\n')) text.remove_suffix(1);
      print(text);
    };
    print_json(sink, outputs[i].view, hex, "");
  }
  print("]}\n");
}

}  // namespace

void print_outputs(std::span<const NamedView> outputs, bool hex, bool json,
                   const std::string& plan) {
  if (json) return print_json_outputs(outputs, hex, plan);
  if (!plan.empty()) print(plan + '\n');
  const TextSink sink = [](std::string_view text) { print(text); };
  for (const NamedView& output : outputs) {
    print(fmt::format("{} {} {}\n", io::quoted(output.name, 200), name(output.view.dtype()),
                      to_string(output.view.shape())));
    print_text(sink, output.view, {.hex = hex, .decimals = {}});
  }
}

}  // namespace hadamard::app
