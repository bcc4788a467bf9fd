#include "conform/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/json.hpp"

namespace hadamard::conform {
namespace {

constexpr std::string_view kKindNames[] = {"unsupported", "not applicable", "not run"};
constexpr Skip::Kind kKinds[] = {Skip::Kind::unsupported, Skip::Kind::not_applicable,
                                 Skip::Kind::not_run};

std::string_view name_of(Skip::Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

// The cases of one clause, and what came of them, subject by subject.
struct Row {
  std::vector<const Case*> cases;
  std::map<std::string, std::size_t> failed, skipped;
  std::map<std::string, std::set<Skip::Kind>> why_skipped;
};

std::map<std::string, Row> rows_of(std::span<const Case> cases, const Report& report) {
  std::map<std::string, Row> rows;
  for (const Case& c : cases) {
    for (const std::string& clause : c.clauses) rows[clause].cases.push_back(&c);
  }
  for (const Failure& failure : report.failures) {
    for (const std::string& clause : failure.at->clauses) ++rows[clause].failed[failure.subject];
  }
  for (const Skip& skip : report.skips) {
    for (const std::string& clause : skip.at->clauses) {
      ++rows[clause].skipped[skip.subject];
      rows[clause].why_skipped[skip.subject].insert(skip.kind);
    }
  }
  return rows;
}

std::size_t count_in(const std::map<std::string, std::size_t>& counts, const std::string& subject) {
  const auto at = counts.find(subject);
  return at == counts.end() ? 0 : at->second;
}

bool was_run(const Row& row, const std::string& subject) {
  return count_in(row.skipped, subject) < row.cases.size();
}

std::string result_of(const Row& row, const std::string& subject) {
  if (const std::size_t failed = count_in(row.failed, subject); failed > 0) {
    return fmt::format("{} FAIL", failed);
  }
  const std::size_t skipped = count_in(row.skipped, subject);
  if (skipped == 0) return "ok";
  if (was_run(row, subject)) {
    return fmt::format("ok {}/{}", row.cases.size() - skipped, row.cases.size());
  }
  std::vector<std::string_view> reasons;
  for (const Skip::Kind kind : row.why_skipped.at(subject)) {
    if (kind != Skip::Kind::not_run) reasons.push_back(name_of(kind));
  }
  return fmt::format("not run{}{}", reasons.empty() ? "" : ": ", fmt::join(reasons, ", "));
}

// On no subject.
std::size_t clauses_not_run(const std::map<std::string, Row>& rows, const Report& report) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const auto& entry) {
    return std::none_of(report.subjects.begin(), report.subjects.end(),
                        [&](const std::string& subject) { return was_run(entry.second, subject); });
  }));
}

// "sonnx/div-int.case:3,11 sonnx/types.case:7": cases of one file share its name.
std::string places(const std::vector<const Case*>& cases) {
  std::string text;
  const std::string* file = nullptr;
  for (const Case* const c : cases) {
    if (file != nullptr && *file == c->file) {
      text += fmt::format(",{}", c->line);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : " ", c->place());
    }
    file = &c->file;
  }
  return text;
}

std::string line_of(const Failure& failure) {
  const Case& c = *failure.at;
  return fmt::format("{}: {}: {} {} ({}): {} [{}]\n", c.place(), failure.subject, name(c.op),
                     name(c.a.dtype()), name(c.options.dialect), failure.finding.what,
                     fmt::join(c.clauses, " "));
}

struct Totals {
  std::size_t hold = 0;  // on every subject
  std::size_t failed = 0;
};
Totals totals_of(std::span<const Case> cases, const Report& report) {
  std::set<const Case*> failed, others;
  for (const Failure& failure : report.failures) failed.insert(failure.at);
  others = failed;
  for (const Skip& skip : report.skips) others.insert(skip.at);
  return {cases.size() - others.size(), failed.size()};
}

std::size_t skipped_as(const Report& report, Skip::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(report.skips.begin(), report.skips.end(),
                    [&](const Skip& skip) { return skip.kind == kind; }));
}

std::string json_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(json_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ","));
}

std::string json_of(const ElementText& element) {
  return fmt::format("{{\"value\":{},\"hex\":{}}}", json_string(element.value),
                     json_string(element.hex));
}

std::string json_of(const Failure& failure) {
  const Case& c = *failure.at;
  std::string text = fmt::format(
      "{{\"case\":{},\"clauses\":{},\"subject\":{},\"op\":{},\"type\":{},\"profile\":{},\"what\":{"
      "}",
      json_string(c.place()), json_list(c.clauses), json_string(failure.subject),
      json_string(name(c.op)), json_string(name(c.a.dtype())), json_string(name(c.options.dialect)),
      json_string(failure.finding.what));
  if (const auto& wrong = failure.finding.element) {
    std::vector<std::string> operands;
    for (const ElementText& operand : failure.finding.operands)
      operands.push_back(json_of(operand));
    text += fmt::format(",{},\"operands\":[{}]", json_members(*wrong), fmt::join(operands, ","));
  }
  return text + '}';
}

std::string json_of(const std::string& clause, const Row& row, const Report& report) {
  std::vector<std::string> cases, results;
  for (const Case* const c : row.cases) cases.push_back(c->place());
  for (const std::string& subject : report.subjects) {
    results.push_back(
        fmt::format("{}:{}", json_string(subject), json_string(result_of(row, subject))));
  }
  return fmt::format("{{\"clause\":{},\"cases\":{},\"results\":{{{}}}}}", json_string(clause),
                     json_list(cases), fmt::join(results, ","));
}

// Of each subject by name: how wide its column is.
std::size_t width_of(const std::string& subject, const std::map<std::string, Row>& rows) {
  std::size_t width = subject.size();
  for (const auto& [clause, row] : rows) width = std::max(width, result_of(row, subject).size());
  return width;
}

}  // namespace

std::string json_members(const Difference& wrong) {
  return fmt::format("\"index\":[{}],\"expected\":{},\"got\":{},\"distance\":{}",
                     fmt::join(wrong.index, ","), json_of(wrong.a), json_of(wrong.b),
                     wrong.distance ? std::to_string(*wrong.distance) : "null");
}

std::string operands_text(std::span<const ConstView> operands, const Dims& index) {
  std::string text;
  char letter = 'A';
  for (const ConstView& operand : operands) {
    if (operand.rank() != index.size()) return {};
    for (std::size_t dim = 0; dim < index.size(); ++dim) {
      if (index[dim] >= operand.shape()[dim]) return {};
    }
    text += fmt::format("{} {} {}", letter == 'A' ? ";" : ",", letter,
                        to_string(element_text(operand, index)));
    ++letter;
  }
  return text;
}

Finding difference(const ConstView& expected, const ConstView& got,
                   std::span<const ConstView> operands, const Tolerance& tolerance) {
  if (got.dtype() != expected.dtype()) {
    return {fmt::format("type {} expected, {} came", name(expected.dtype()), name(got.dtype())),
            {},
            {}};
  }
  if (got.shape() != expected.shape()) {
    return {fmt::format("shape {} expected, {} came", to_string(expected.shape()),
                        to_string(got.shape())),
            {},
            {}};
  }
  const Comparison c = compare(expected, got, tolerance, 1);
  if (c.beyond == 0) return {};
  Finding finding;
  const Difference& first = c.first.front();
  finding.what = fmt::format("at {}: {} expected, {} came, {}", to_string(first.index),
                             to_string(first.a), to_string(first.b), distance_text(first));
  if (std::all_of(operands.begin(), operands.end(),
                  [&](const ConstView& o) { return o.shape() == expected.shape(); })) {
    finding.what += operands_text(operands, first.index);
    for (const ConstView& operand : operands) {
      finding.operands.push_back(element_text(operand, first.index));
    }
  }
  if (c.beyond > 1) finding.what += fmt::format("; and {} more", c.beyond - 1);
  finding.element = first;
  return finding;
}

std::string to_text(std::span<const Case> cases, const Report& report) {
  const std::map<std::string, Row> rows = rows_of(cases, report);
  std::string text;
  for (const Failure& failure : report.failures) text += line_of(failure);
  if (!report.gave_up.empty()) {
    text += fmt::format("{}: gave up: {}\n", fmt::join(report.subjects, ", "), report.gave_up);
  }

  std::vector<std::size_t> widths;
  text += fmt::format("{:<24} {:>5}", "clause", "cases");
  for (const std::string& subject : report.subjects) {
    widths.push_back(width_of(subject, rows));
    text += fmt::format("  {:<{}}", subject, widths.back());
  }
  text += "  where\n";
  for (const auto& [clause, row] : rows) {
    text += fmt::format("{:<24} {:>5}", clause, row.cases.size());
    for (std::size_t i = 0; i < report.subjects.size(); ++i) {
      text += fmt::format("  {:<{}}", result_of(row, report.subjects[i]), widths[i]);
    }
    text += fmt::format("  {}\n", places(row.cases));
  }

  const Totals totals = totals_of(cases, report);
  text += fmt::format("{} clauses", rows.size());
  if (const std::size_t count = clauses_not_run(rows, report); count > 0) {
    text += fmt::format(" ({} of them not run)", count);
  }
  text += fmt::format(", {} cases: {} hold, {} failed", cases.size(), totals.hold, totals.failed);
  for (const Skip::Kind kind : kKinds) {
    const std::size_t count = skipped_as(report, kind);
    if (count > 0) text += fmt::format(", {} {}", count, name_of(kind));
  }
  return text + fmt::format(", on: {}\n", fmt::join(report.subjects, ", "));
}

std::string to_json(std::span<const Case> cases, const Report& report) {
  std::vector<std::string> clauses, failures, skips;
  const std::map<std::string, Row> rows = rows_of(cases, report);
  for (const auto& [clause, row] : rows) clauses.push_back(json_of(clause, row, report));
  for (const Failure& failure : report.failures) failures.push_back(json_of(failure));
  for (const Skip& skip : report.skips) {
    skips.push_back(fmt::format("{{\"case\":{},\"subject\":{},\"result\":{},\"why\":{}}}",
                                json_string(skip.at->place()), json_string(skip.subject),
                                json_string(name_of(skip.kind)), json_string(skip.why)));
  }
  const Totals count = totals_of(cases, report);
  std::string totals = fmt::format(
      "\"clauses\":{},\"clauses not run\":{},\"cases\":{},\"hold\":{},\"failed\":{}",
      clauses.size(), clauses_not_run(rows, report), cases.size(), count.hold, count.failed);
  for (const Skip::Kind kind : kKinds) {
    totals += fmt::format(",{}:{}", json_string(name_of(kind)), skipped_as(report, kind));
  }
  return fmt::format(
      "{{\"subjects\":{},\"clauses\":[{}],\"failures\":[{}],\"skipped\":[{}],\"totals\":{{{}}}}}\n",
      json_list(report.subjects), fmt::join(clauses, ","), fmt::join(failures, ","),
      fmt::join(skips, ","), totals);
}

}  // namespace hadamard::conform
