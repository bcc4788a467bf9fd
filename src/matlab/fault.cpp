#include "matlab/fault.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hadamard::matlab {
namespace {

constexpr std::size_t kShown = 100;  // characters of a line

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

// Characters, as a terminal counts them where none is wide.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

// The byte at which the character `count` characters before `from` begins.
std::size_t back(std::string_view line, std::size_t from, std::size_t count) {
  while (from > 0 && count > 0) {
    --from;
    if (!continues_character(line[from])) --count;
  }
  return from;
}

std::size_t forward(std::string_view line, std::size_t from, std::size_t count) {
  while (from < line.size() && count > 0) {
    ++from;
    while (from < line.size() && continues_character(line[from])) ++from;
    --count;
  }
  return from;
}

// The line that the place begins in, and the place below it.
std::string excerpt(Place place, std::string_view source, std::string_view name_of_source,
                    std::size_t first_line = 1) {
  const std::size_t begin = std::min<std::size_t>(place.begin, source.size());
  const std::string_view before = source.substr(0, begin);
  const std::size_t line_begin = before.find_last_of("\r\n") + 1;  // npos + 1 is 0
  const std::size_t line_end = std::min(source.find_first_of("\r\n", begin), source.size());
  std::size_t number = first_line;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool is_first_half = before[i] == '\r' && source.substr(i, 2) == "\r\n";
    if (before[i] == '\n' || (before[i] == '\r' && !is_first_half)) ++number;
  }
  const std::string_view line = source.substr(line_begin, line_end - line_begin);

  const std::size_t mark = begin - line_begin;
  const std::size_t mark_end =
      std::clamp<std::size_t>(place.end > begin ? place.end - line_begin : mark, mark, line.size());
  const std::size_t from =
      length(line.substr(0, mark)) > kShown / 2 ? back(line, mark, kShown / 2) : 0;
  const std::size_t to = forward(line, from, kShown);
  std::string shown = from > 0 ? "..." : "";
  std::string carets(shown.size() + length(line.substr(from, mark - from)), ' ');
  carets.append(std::max<std::size_t>(1, length(line.substr(mark, std::min(mark_end, to) - mark))),
                '^');
  for (const char c : line.substr(from, to - from)) {
    shown += static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? ' ' : c;
  }
  if (to < line.size()) shown += "...";
  const std::string head = fmt::format("{}:{}", name_of_source, number);
  return fmt::format("{} | {}\n{:{}} | {}\n", head, shown, "", length(head), carets);
}

// A message may quote what was given, which may be long: its beginning and its end then.
std::string shortened(std::string_view message) {
  constexpr std::size_t kBefore = 700, kAfter = 300;  // bytes
  if (message.size() <= kBefore + kAfter) return std::string(message);
  std::size_t before = kBefore, after = message.size() - kAfter;
  while (before > 0 && continues_character(message[before])) --before;
  while (after < message.size() && continues_character(message[after])) ++after;
  return fmt::format("{} ... {}", message.substr(0, before), message.substr(after));
}

}  // namespace

std::string report(const Fault& fault, std::string_view source, std::string_view name_of_source,
                   std::size_t first_line) {
  std::string out = "error: " + shortened(fault.message);
  if (!fault.identifier.empty()) out += " [" + fault.identifier + "]";
  out += '\n';
  if (fault.place) out += excerpt(*fault.place, source, name_of_source, first_line);
  return out;
}

std::string report(const SyntaxError& error, std::string_view source,
                   std::string_view name_of_source) {
  return "parse error: " + error.message + '\n' + excerpt(error.place, source, name_of_source);
}

std::string identifier_of(const Error& error) {
  if (error.code() == ErrorCode::too_large) return "MATLAB:nomem";
  return fmt::format("Hadamard:{}", name(error.code()));
}

}  // namespace hadamard::matlab
