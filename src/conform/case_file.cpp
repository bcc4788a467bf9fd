#include "conform/case_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/fail.hpp"
#include "conform/builtin.hpp"
#include "io/file.hpp"
#include "num/dtype.hpp"
#include "num/exact.hpp"
#include "op/ops.hpp"
#include "tensor/element.hpp"
#include "tensor/literal.hpp"

namespace hadamard::conform {
namespace {

constexpr std::string_view kKeys[] = {
    "clause", "note",  "op", "type",  "b-type", "dialect", "broadcast", "axis",
    "a",      "a-hex", "b",  "b-hex", "y",      "y-hex",   "error",     "int-division"};

struct Place {
  const std::string& file;
  int line;
};

template <class... Args>
[[noreturn]] void fail_at(const Place& place, fmt::format_string<Args...> format, Args&&... args) {
  throw CaseError(fmt::format("{}:{}: {}", place.file, place.line,
                              fmt::format(format, std::forward<Args>(args)...)));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  while (!(text = trimmed(text)).empty()) {
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    found.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return found;
}

// The keys of one case as they stand in the file.
struct Entry {
  int line;
  std::string value;
};
struct Raw {
  int line = 0;
  std::map<std::string, Entry, std::less<>> keys;
  std::string identity;  // all but clause and note: two cases that test the same have the same

  const Entry* find(std::string_view key) const {
    const auto at = keys.find(key);
    return at == keys.end() ? nullptr : &at->second;
  }
};

template <class E>
E named(const Place& place, std::string_view key, const std::string& value,
        std::optional<E> (*from_name)(std::string_view) noexcept) {
  const std::optional<E> found = from_name(value);
  if (!found) fail_at(place, "{} '{}' is not known", key, value);
  return *found;
}

// A literal of bit patterns, each as wide as the type at most.
Tensor from_patterns(const Place& place, const std::string& text, DType type) {
  const Tensor patterns = parse_literal(text, DType::uint64);
  Tensor tensor(type, patterns.shape());
  const auto* const bits = static_cast<const std::uint64_t*>(patterns.data());
  with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    for (std::int64_t i = 0; i < patterns.count(); ++i) {
      if constexpr (Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::integer) {
        constexpr int kBits = Element<T>::kBits;
        if (kBits < 64 && bits[i] >> (kBits % 64) != 0) {
          fail_at(place, "{:#x} has more than the {} bits of {}", bits[i], kBits, name(type));
        }
        if constexpr (Element<T>::kKind == Kind::floating) {
          store_element(tensor.data(), i, exact::from_bits<T>(bits[i]));
        } else {
          store_element(tensor.data(), i, static_cast<T>(bits[i]));
        }
      } else {
        fail_at(place, "{} has no bit patterns here; write its values", name(type));
      }
    }
  });
  return tensor;
}

// The tensor under `key` or `key`-hex; nothing where there is neither.
std::optional<Tensor> tensor_of(const Raw& raw, const std::string& file, const std::string& key,
                                DType type) {
  const Entry* const values = raw.find(key);
  const Entry* const patterns = raw.find(key + "-hex");
  if (values != nullptr && patterns != nullptr) {
    fail_at({file, patterns->line}, "the case has both {} and {}-hex", key, key);
  }
  const Entry* const entry = values != nullptr ? values : patterns;
  if (entry == nullptr) return std::nullopt;
  const Place place{file, entry->line};
  try {
    return values != nullptr ? parse_literal(entry->value, type)
                             : from_patterns(place, entry->value, type);
  } catch (const Error& error) {
    fail_at(place, "{}: {}", key, error.what());
  }
}

// error CODE [REQUIREMENT] [at INDEX]
ExpectedError expected_error(const Place& place, const std::string& text) {
  std::vector<std::string> parts = words(text);
  ExpectedError expected;
  if (parts.size() >= 2 && parts[parts.size() - 2] == "at") {
    expected.place = parts.back();
    if (!expected.place.starts_with('(')) {
      fail_at(place, "error … at '{}': an index such as (0,1) was expected", expected.place);
    }
    parts.resize(parts.size() - 2);
  }
  if (parts.empty() || parts.size() > 2) {
    fail_at(place, "expected: error CODE [REQUIREMENT] [at (INDEX)], found: error {}", text);
  }
#define HADAMARD_CODE_NAMED(id, meaning) \
  if (parts[0] == #id) expected.code = ErrorCode::id;
  HADAMARD_ERROR_CODES(HADAMARD_CODE_NAMED)
#undef HADAMARD_CODE_NAMED
  if (expected.code == ErrorCode::ok) fail_at(place, "error '{}' is no error code", parts[0]);
  if (parts.size() == 2) expected.requirement = parts[1];
  return expected;
}

Options options_of(const Raw& raw, const std::string& file) {
  Options options;
  const auto with = [&](std::string_view key, auto set) {
    if (const Entry* const entry = raw.find(key)) set(Place{file, entry->line}, entry->value);
  };
  with("dialect", [&](const Place& at, const std::string& value) {
    options.dialect = named<Dialect>(at, "dialect", value, dialect_from_name);
  });
  with("broadcast", [&](const Place& at, const std::string& value) {
    options.broadcast = named<Broadcast>(at, "broadcast", value, broadcast_from_name);
  });
  with("int-division", [&](const Place& at, const std::string& value) {
    options.int_division = named<IntDivision>(at, "int-division", value, int_division_from_name);
  });
  with("axis", [&](const Place& at, const std::string& value) {
    const char* const end = value.data() + value.size();
    if (std::from_chars(value.data(), end, options.axis).ptr != end) {
      fail_at(at, "axis '{}' is no whole number", value);
    }
  });
  return options;
}

Case make_case(const Raw& raw, const std::string& file) {
  const Place start{file, raw.line};
  for (const std::string_view key : {"clause", "op", "type", "dialect"}) {
    if (raw.find(key) == nullptr) fail_at(start, "the case has no key '{}'", key);
  }
  Case c;
  c.file = file;
  c.line = raw.line;
  c.clauses = words(raw.find("clause")->value);
  if (const Entry* const note = raw.find("note")) c.note = note->value;
  const Entry& op = *raw.find("op");
  c.op = named<Op>({file, op.line}, "op", op.value, op_from_name);
  const Entry& type = *raw.find("type");
  const DType a_type = named<DType>({file, type.line}, "type", type.value, dtype_from_name);
  DType b_type = a_type;
  if (const Entry* const other = raw.find("b-type")) {
    b_type = named<DType>({file, other->line}, "b-type", other->value, dtype_from_name);
  }
  c.options = options_of(raw, file);

  std::optional<Tensor> a = tensor_of(raw, file, "a", a_type);
  std::optional<Tensor> b = tensor_of(raw, file, "b", b_type);
  const bool two = op::arity(c.op) == 2;
  if (!a || (two && !b)) fail_at(start, "the case has no operand '{}'", !a ? "a" : "b");
  if (!two && b) fail_at(start, "{} has one operand, but the case has 'b'", name(c.op));
  c.a = std::move(*a);
  c.b = two ? std::move(*b) : c.a;
  c.y = tensor_of(raw, file, "y", a_type);
  if (const Entry* const error = raw.find("error")) {
    c.error = expected_error({file, error->line}, error->value);
  }
  if (c.y.has_value() == c.error.has_value()) {
    fail_at(start, "the case must have one expectation: y, y-hex or error");
  }
  return c;
}

void add_line(Raw& raw, std::string_view line, const Place& place) {
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  std::string key(line.substr(0, end));
  const std::string value(trimmed(line.substr(end)));
  if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
    fail_at(place, "'{}' is no key; the keys are: {}", key, fmt::join(kKeys, ", "));
  }
  if (value.empty()) fail_at(place, "the key '{}' has no value", key);
  if (raw.keys.empty()) raw.line = place.line;
  if (key != "clause" && key != "note") raw.identity += fmt::format("{} {}\n", key, value);
  const auto [at, is_new] = raw.keys.emplace(std::move(key), Entry{place.line, value});
  if (!is_new)
    fail_at(place, "the key '{}' stands twice, first in line {}", at->first, at->second.line);
}

void refuse_duplicate(std::map<std::string, std::string>& seen, const Raw& raw,
                      const std::string& file) {
  const auto [first, is_new] = seen.emplace(raw.identity, fmt::format("{}:{}", file, raw.line));
  if (!is_new) fail_at({file, raw.line}, "the same case stands at {}", first->second);
}

std::vector<Case> parse(std::string_view text, const std::string& file,
                        std::map<std::string, std::string>& seen) {
  std::vector<Case> cases;
  Raw raw;
  const auto finish = [&] {
    if (raw.keys.empty()) return;
    cases.push_back(make_case(raw, file));
    refuse_duplicate(seen, raw, file);
    raw = {};
  };
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) {
      finish();
    } else if (line.front() != '#') {
      add_line(raw, line, {file, number});
    }
  }
  finish();
  return cases;
}

}  // namespace

std::vector<ConstView> Case::operands() const {
  if (op::arity(op) == 1) return {a};
  return {a, b};
}

std::string Case::place() const { return fmt::format("{}:{}", file, line); }

std::vector<Case> parse_cases(std::string_view text, const std::string& file) {
  std::map<std::string, std::string> seen;
  return parse(text, file, seen);
}

std::vector<Case> read_cases(const std::string& folder) {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  std::error_code problem, no_matter;
  fs::recursive_directory_iterator at(folder, problem);
  if (problem == std::errc::no_such_file_or_directory) problem.clear();  // said below
  for (const fs::recursive_directory_iterator end; !problem && at != end; at.increment(problem)) {
    const bool is_named_so = at->path().extension() == ".case";
    if (is_named_so && !at->is_directory(no_matter)) files.insert(at->path());
  }
  if (problem) {
    fail(ErrorCode::io, "cannot look through {} for .case files: {}", io::quoted(folder),
         problem.message());
  }
  if (files.empty()) throw CaseError(fmt::format("{}:0: there is no .case file", folder));
  std::vector<Case> cases;
  std::map<std::string, std::string> seen;
  for (const fs::path& path : files) {
    const std::vector<std::byte> bytes = io::read_file(path.string(), io::Accept::regular);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::vector<Case> more = parse(text, fs::relative(path, folder).string(), seen);
    std::move(more.begin(), more.end(), std::back_inserter(cases));
  }
  return cases;
}

std::vector<Case> builtin_cases() {
  std::vector<Case> cases;
  std::map<std::string, std::string> seen;
  for (const CaseText& file : builtin_texts()) {
    std::vector<Case> more = parse(file.text, std::string(file.file), seen);
    std::move(more.begin(), more.end(), std::back_inserter(cases));
  }
  return cases;
}

}  // namespace hadamard::conform
