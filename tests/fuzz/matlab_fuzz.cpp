// Any text either is refused by a SyntaxError of one line, with a place inside the text, or gives
// trees within the bounds, each of which, written out with all its parentheses, parses to itself.
// Run with room for few elements, it ends, with values of that room, or with one fault that is
// reported.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "matlab/fault.hpp"
#include "matlab/interpreter.hpp"
#include "program/syntax/syntax.hpp"

namespace {

using namespace hadamard::matlab;

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "matlab_fuzz: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void check_place(Place place, std::string_view source) {
  require(place.begin <= place.end && place.end <= source.size() + 1, "a place outside the text");
}

void check_tree(const Node& node, std::string_view source) {
  check_place(node.place, source);
  require(node.height <= kTallest, "a tree that is too tall");
  for (const NodePtr& child : node.children) {
    require(child != nullptr && child->height < node.height, "a child as tall as its parent");
    check_tree(*child, source);
  }
}

// The most brackets and signs within each other.
int depth(const Node& node) {
  int deepest = 0;
  for (const NodePtr& child : node.children) deepest = std::max(deepest, depth(*child));
  return deepest + 2;
}

void check_round_trip(const Node& node) {
  if (depth(node) > kDeepest) return;
  const std::string first = to_source(node);
  try {
    const std::vector<Statement> again = parse(first);
    require(again.size() == 1 && again[0].value && !again[0].target, first);
    require(to_source(*again[0].value) == first, first);
  } catch (const SyntaxError& error) {
    require(false, first + ": " + error.message);
  }
}

constexpr std::int64_t kMostElements = 1 << 10;

void check_run(std::string_view source) {
  std::size_t shown = 0, reported = 0;
  Interpreter interpreter([&](std::string_view text) { shown += text.size(); });
  interpreter.workspace().rules.room.most_elements = kMostElements;
  interpreter.workspace().may_use_files = false;
  const bool is_fine = interpreter.run(source, "fuzz", [&](std::string_view text) {
    require(!text.empty() && text.size() < 3000, "a report of nothing, or without end");
    ++reported;
  });
  require(reported == (is_fine ? 0u : 1u), "a fault that is not reported once");
  for (const auto& [name, value] : interpreter.workspace().variables) {
    require(value.numel() <= kMostElements, name + " is larger than there is room");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const bool unfinished = is_unfinished(source);
  try {
    for (const Statement& statement : parse(source)) {
      check_place(statement.place, source);
      require(statement.command.empty() == (statement.value != nullptr), "a command with a value");
      if (statement.target) check_tree(*statement.target, source);
      if (!statement.value) continue;
      check_tree(*statement.value, source);
      // A command's name alone would be read as the command.
      if (statement.value->kind != NodeKind::name) check_round_trip(*statement.value);
    }
  } catch (const SyntaxError& error) {
    check_place(error.place, source);
    require(!error.message.empty() && error.message.find_first_of("\r\n") == std::string::npos,
            "a message of more than one line, or of none");
    require(error.message.size() < 250, "a message without end");
    require(report(error, source, "fuzz").size() < 2000, "a report without end");
  }
  if (size <= 4096) check_run(source);
  // More text can only be wanted where there is some.
  require(!unfinished || !source.empty(), "nothing is unfinished");
  return 0;
}
