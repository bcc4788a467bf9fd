#include "case_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "api/prepared.hpp"
#include "base/fail.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"

namespace hadamard::conformance {
namespace {

// Enough for several vectors of the widest target and a remainder.
constexpr std::int64_t kRepeatedLength = 331;

// Kernels report their target as Highway spells it; `real` has one kernel for all targets.
bool same_target(std::string_view demanded, std::string_view ran, DType type) {
  if (type == DType::real) return ran == "any";
  return std::equal(demanded.begin(), demanded.end(), ran.begin(), ran.end(),
                    [](unsigned char a, unsigned char b) { return a == std::tolower(b); });
}

Subject subject_of(std::string_view provider, std::string_view target) {
  Subject s;
  s.name = target.empty() ? std::string(provider) : fmt::format("{}/{}", provider, target);
  s.compute = [provider, target](Op op, const Tensor& a, const Tensor& b, Options options) {
    options.provider = provider;
    options.cpu_target = target;
    last_run = {};
    Tensor y = apply(op, a, b, options);
    const LastRun ran = last_run;
    // An empty result needs nobody.
    const bool as_demanded =
        ran.provider == provider && (target.empty() || same_target(target, ran.target, y.dtype()));
    if (y.count() > 0 && !as_demanded) {
      fail(ErrorCode::internal, "{}/{} was demanded, {}/{} ran", provider, target, ran.provider,
           ran.target);
    }
    return y;
  };
  return s;
}

// The elements over and over, as one line.
Tensor repeated(const Tensor& source) {
  const std::int64_t count = source.count();
  Tensor line(source.dtype(), Dims{kRepeatedLength});
  with_type(source.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    for (std::int64_t i = 0; i < kRepeatedLength; ++i) {
      store_element(line.data(), i, load_element<T>(source.data(), i % count));
    }
  });
  return line;
}

// Empty where they are the same, type, shape and bits. Both are contiguous and row-major.
std::string difference(const Tensor& expected, const Tensor& got) {
  if (got.dtype() != expected.dtype()) {
    return fmt::format("type {} expected, {} came", name(expected.dtype()), name(got.dtype()));
  }
  if (got.shape() != expected.shape()) {
    return fmt::format("shape {} expected, {} came", to_string(expected.shape()),
                       to_string(got.shape()));
  }
  return with_type(expected.dtype(), [&](auto t) -> std::string {
    using T = typename decltype(t)::type;
    const Dims* const strides[] = {&expected.strides(), &got.strides()};
    for (IndexWalk<2> walk(expected.shape(), strides); !walk.done(); walk.next()) {
      const T want = load_element<T>(expected.data(), walk.offset(0));
      const T is = load_element<T>(got.data(), walk.offset(1));
      if (text::format_hex(want) == text::format_hex(is)) continue;
      return fmt::format("at {}: {} {} expected, {} {} came", to_string(walk.index()),
                         text::format(want), text::format_hex(want), text::format(is),
                         text::format_hex(is));
    }
    return {};
  });
}

std::string check_error(const ExpectedError& expected, const Error& error) {
  if (error.code() != expected.code) {
    return fmt::format("error {} expected, {} came: {}", name(expected.code), name(error.code()),
                       error.what());
  }
  if (error.requirement() != expected.requirement) {
    return fmt::format("requirement '{}' expected, '{}' came", expected.requirement,
                       error.requirement());
  }
  const std::string_view what = error.what();
  if (what.find('\n') != std::string_view::npos) return "the message has more than one line";
  if (!expected.place.empty() &&
      what.find(fmt::format("index {}:", expected.place)) == std::string_view::npos) {
    return fmt::format("index {} expected in the message: {}", expected.place, what);
  }
  return {};
}

// One call of the subject against one expectation.
std::string run_once(const Case& c, const Tensor& a, const Tensor& b, const Tensor* y,
                     const Subject& subject) {
  try {
    const Tensor got = subject.compute(c.op, a, b, c.options);
    if (y != nullptr) return difference(*y, got);
    return fmt::format("error {} expected, a result came", name(c.error->code));
  } catch (const Error& error) {
    if (y == nullptr) return check_error(*c.error, error);
    return fmt::format("a result expected, error {} came: {}", name(error.code()), error.what());
  } catch (const std::exception& error) {
    return fmt::format("an exception that is no hadamard::Error: {}", error.what());
  }
}

}  // namespace

std::vector<Subject> all_subjects() {
  std::vector<Subject> subjects;
  for (const exec::Provider* const provider : exec::providers()) {
    if (!provider->unavailable().empty()) continue;
    if (provider != &exec::cpu_provider()) {
      subjects.push_back(subject_of(provider->name(), {}));
      continue;
    }
    for (const exec::CpuTarget& target : exec::cpu_targets()) {
      if (target.supported) subjects.push_back(subject_of(provider->name(), target.name));
    }
  }
  return subjects;
}

std::string run_case(const Case& c, const Subject& subject) {
  std::string what = run_once(c, c.a, c.b, c.y ? &*c.y : nullptr, subject);
  if (!what.empty() || !c.y || c.y->count() == 0 || c.a.shape() != c.b.shape()) return what;
  const Tensor y = repeated(*c.y);
  what = run_once(c, repeated(c.a), repeated(c.b), &y, subject);
  return what.empty() ? what : "repeated to a long line: " + what;
}

Report run_cases(std::span<const Case> cases, std::span<const Subject> subjects) {
  Report report;
  report.cases = cases.size();
  for (const Subject& subject : subjects) report.subjects.push_back(subject.name);
  for (const Case& c : cases) {
    for (const Subject& subject : subjects) {
      std::string what = run_case(c, subject);
      if (!what.empty()) report.failures.push_back({&c, subject.name, std::move(what)});
    }
  }
  return report;
}

std::string table(std::span<const Case> cases, const Report& report) {
  std::set<const Case*> failed;
  for (const Failure& failure : report.failures) failed.insert(failure.at);
  struct Row {
    std::vector<std::string> places;
    std::size_t failed = 0;
  };
  std::map<std::string, Row> rows;
  for (const Case& c : cases) {
    for (const std::string& clause : c.clauses) {
      Row& row = rows[clause];
      row.failed += failed.count(&c);
      // Cases of one file share its name.
      const bool same = !row.places.empty() && row.places.back().starts_with(c.file + ':');
      same ? row.places.back() += fmt::format(",{}", c.line) : row.places.emplace_back(c.place());
    }
  }
  std::string text = fmt::format("{:<24} {:>5}  {:<7} {}\n", "clause", "cases", "result", "where");
  for (const auto& [clause, row] : rows) {
    const auto count = std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
      return std::find(c.clauses.begin(), c.clauses.end(), clause) != c.clauses.end();
    });
    text += fmt::format("{:<24} {:>5}  {:<7} {}\n", clause, count,
                        row.failed == 0 ? "pass" : fmt::format("{} FAIL", row.failed),
                        fmt::join(row.places, " "));
  }
  return text + fmt::format("{} clauses, {} cases, {} failed, each on: {}\n", rows.size(),
                            report.cases, failed.size(), fmt::join(report.subjects, ", "));
}

}  // namespace hadamard::conformance
