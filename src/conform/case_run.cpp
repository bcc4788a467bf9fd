#include "conform/case_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "api/prepared.hpp"
#include "base/fail.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/provider.hpp"
#include "hadamard/hadamard.hpp"
#include "tensor/element.hpp"

namespace hadamard::conform {
namespace {

// Enough for several vectors of the widest target and a remainder.
constexpr std::int64_t kRepeatedLength = 331;

// Kernels report their target as Highway spells it; those without vector code are for any.
bool same_target(std::string_view demanded, std::string_view ran) {
  if (ran == "any") return true;
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
    Tensor y = apply_watched(op, a, b, options);
    const LastRun ran = last_run;
    // An empty result needs nobody.
    const bool as_demanded =
        ran.provider == provider && (target.empty() || same_target(target, ran.target));
    if (y.count() > 0 && !as_demanded) {
      fail(ErrorCode::internal, "{}/{} was demanded, {}/{} ran", provider, target, ran.provider,
           ran.target);
    }
    return y;
  };
  return s;
}

// The elements over and over.
Tensor line_of(const Tensor& source) {
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

// One call of the subject.
Finding run_once(const Case& c, const Subject& subject) {
  try {
    const Tensor got = subject.compute(c.op, c.a, c.b, c.options);
    if (!c.y) return {fmt::format("error {} expected, a result came", name(c.error->code)), {}, {}};
    return difference(*c.y, got, c.operands(), {});
  } catch (const Error& error) {
    if (c.error) return {check_error(*c.error, error), {}, {}};
    return {fmt::format("a result expected, error {} came: {}", name(error.code()), error.what()),
            {},
            {}};
  } catch (const std::exception& error) {
    return {fmt::format("an exception that is no hadamard::Error: {}", error.what()), {}, {}};
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

std::optional<Case> repeated(const Case& c) {
  if (!c.y || c.y->count() == 0) return std::nullopt;
  const std::vector<ConstView> operands = c.operands();
  for (const ConstView& operand : operands) {
    if (operand.shape() != c.a.shape()) return std::nullopt;
  }
  Case longer = c;
  longer.a = line_of(c.a);
  longer.b = line_of(c.b);
  longer.y = line_of(*c.y);
  return longer;
}

Finding run_case(const Case& c, const Subject& subject) {
  Finding finding = run_once(c, subject);
  if (!finding.what.empty()) return finding;
  if (const std::optional<Case> longer = repeated(c)) {
    finding = run_once(*longer, subject);
    if (!finding.what.empty()) finding.what.insert(0, kWhenRepeated);
  }
  return finding;
}

Report run_cases(std::span<const Case> cases, std::span<const Subject> subjects) {
  Report report;
  for (const Subject& subject : subjects) report.subjects.push_back(subject.name);
  for (const Case& c : cases) {
    for (const Subject& subject : subjects) {
      Finding finding = run_case(c, subject);
      if (!finding.what.empty()) report.failures.push_back({&c, subject.name, std::move(finding)});
    }
  }
  return report;
}

}  // namespace hadamard::conform
