#include "conform/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <deque>
#include <filesystem>
#include <system_error>

#include "base/fail.hpp"
#include "conform/case_run.hpp"
#include "tensor/element.hpp"

namespace hadamard::conform {
namespace {

constexpr char kFunction[] = "hadamard_conform_run";
constexpr std::int64_t kShownElements = 8;

// A call, and the case that says what must come: the one at `index`, or its repetition.
struct Question {
  const Case* asked;
  std::size_t index;
  bool is_repetition;
};

Call call_of(const Case& c, std::size_t group) {
  const auto bytes = [](const Tensor& t) {
    return std::span(static_cast<const std::byte*>(t.data()), t.size_bytes());
  };
  Call call;
  call.profile = name(c.options.dialect);
  call.op = name(c.op);
  call.type = name(c.a.dtype());
  call.shape = c.a.shape();
  call.a = bytes(c.a);
  if (c.operands().size() > 1) call.b = bytes(c.b);
  call.y_bytes = c.a.size_bytes();
  call.group = group;
  return call;
}

// "; A 1 2, B 1 0": what the call had, for a failure that no element can be blamed for.
std::string all_operands_text(const Case& c) {
  std::string text;
  char letter = 'A';
  for (const ConstView& operand : c.operands()) {
    std::vector<std::string> shown;
    const Dims* const strides[] = {&operand.strides()};
    for (IndexWalk<1> walk(operand.shape(), strides); !walk.done(); walk.next()) {
      if (static_cast<std::int64_t>(shown.size()) == kShownElements) {
        shown.emplace_back("…");
        break;
      }
      shown.push_back(element_text(operand, walk.index()).value);
    }
    text += fmt::format("{} {} {} [{}]", letter == 'A' ? ";" : ",", letter,
                        to_string(operand.shape()), fmt::join(shown, " "));
    ++letter;
  }
  return text;
}

// "(0,1)" as it stands behind an error's `at`.
Dims index_from(std::string_view place) {
  Dims index;
  while (place.size() > 1) {
    place.remove_prefix(1);  // the parenthesis or comma
    std::int64_t value = 0;
    const auto stop = std::from_chars(place.data(), place.data() + place.size(), value).ptr;
    if (stop == place.data()) break;
    index.push_back(value);
    place.remove_prefix(static_cast<std::size_t>(stop - place.data()));
  }
  return index;
}

// What is wrong with a call, whatever it computed.
std::string misbehaviour(const Answer& answer, const Limits& limits) {
  switch (answer.kind) {
    case Answer::Kind::crashed:
      return fmt::format("crashed: {}", signal_name(answer.code));
    case Answer::Kind::ended:
      return fmt::format("ended the process: exit({})", answer.code);
    case Answer::Kind::hung:
      return fmt::format("hung: no answer after {} s", limits.per_call.count());
    case Answer::Kind::garbled:
      return "wrote into the pipe that its answers go through";
    case Answer::Kind::threw:
      return "threw a C++ exception";
    case Answer::Kind::returned:
    case Answer::Kind::not_run:
      break;
  }
  if (answer.wrote_outside) return "wrote outside y";
  if (answer.changed_a) return "changed the operand a";
  if (answer.changed_b) return "changed the operand b";
  if (answer.code < HADAMARD_CONFORM_OK || answer.code > HADAMARD_CONFORM_ERROR) {
    return fmt::format("returned {}; expected 0 (OK), 1 (UNSUPPORTED) or 2 (ERROR)", answer.code);
  }
  return {};
}

Finding judge(const Case& c, const Answer& answer, const Limits& limits) {
  Finding finding;
  finding.what = misbehaviour(answer, limits);
  if (finding.what.empty() && answer.code == HADAMARD_CONFORM_ERROR && c.y) {
    finding.what = "a result expected, HADAMARD_CONFORM_ERROR came";
  }
  if (!finding.what.empty()) {
    finding.what += all_operands_text(c);
    return finding;
  }
  if (answer.code != HADAMARD_CONFORM_OK) return {};
  const std::vector<ConstView> operands = c.operands();
  if (c.error) {
    const std::string at = operands_text(operands, index_from(c.error->place));
    finding.what = fmt::format("error {}{}{} expected, a result came{}", name(c.error->code),
                               c.error->place.empty() ? "" : " at ", c.error->place,
                               c.error->place.empty() || at.empty() ? all_operands_text(c) : at);
    return finding;
  }
  // The bytes have the alignment that vector's allocator gives: enough for any element.
  const ConstView got(answer.y.data(), Layout(c.y->dtype(), c.y->shape()));
  return difference(*c.y, got, operands, {.any_nan = true});
}

// The report of one case, from its answers in order.
class CaseVerdict {
 public:
  CaseVerdict(Report& report, const Limits& limits) : report_(report), limits_(limits) {}

  // Whether the answer says something about the library.
  bool add(const Case& at, const Question& question, const Answer& answer) {
    if (decided_ == &at) return false;
    const std::string& subject = report_.subjects.front();
    if (answer.kind == Answer::Kind::not_run) {
      report_.skips.push_back({&at, subject, Skip::Kind::not_run, report_.gave_up});
      decided_ = &at;
      return false;
    }
    Finding finding = judge(*question.asked, answer, limits_);
    if (!finding.what.empty()) {
      if (question.is_repetition) finding.what.insert(0, kWhenRepeated);
      report_.failures.push_back({&at, subject, std::move(finding)});
      decided_ = &at;
    } else if (answer.code == HADAMARD_CONFORM_UNSUPPORTED) {
      report_.skips.push_back({&at, subject, Skip::Kind::unsupported, "the library says so"});
      decided_ = &at;
      return false;
    }
    return true;
  }

 private:
  Report& report_;
  const Limits& limits_;
  const Case* decided_ = nullptr;
};

}  // namespace

std::string not_applicable(const Case& c) {
  const Options& o = c.options;
  if (o.dialect != Dialect::sonnx && o.dialect != Dialect::onnx) {
    return fmt::format("the dialect {} is no profile", name(o.dialect));
  }
  if (c.a.dtype() == DType::real) return "exact rationals have no bytes";
  if (o.broadcast) return fmt::format("broadcast {} is not the profile's rule", name(*o.broadcast));
  if (o.int_division) {
    return fmt::format("int-division {} is set apart from the profile", name(*o.int_division));
  }
  for (const ConstView& operand : c.operands()) {
    if (operand.dtype() != c.a.dtype()) return "the operands have different types";
    if (operand.shape() != c.a.shape()) return "the operands have different shapes";
  }
  if (c.y && c.y->dtype() != c.a.dtype()) return "the result has another type than the operands";
  if (c.y && c.y->shape() != c.a.shape()) return "the result has another shape than the operands";
  return {};
}

Report run_library(std::span<const Case> cases, const std::string& name,
                   const std::function<Function()>& load, const Limits& limits) {
  Report report;
  report.subjects = {name};
  std::deque<Case> repetitions;  // stay where they are
  std::vector<Question> questions;
  std::vector<Call> calls;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (std::string why = not_applicable(cases[i]); !why.empty()) {
      report.skips.push_back({&cases[i], name, Skip::Kind::not_applicable, std::move(why)});
      continue;
    }
    questions.push_back({&cases[i], i, false});
    if (std::optional<Case> longer = repeated(cases[i])) {
      questions.push_back({&repetitions.emplace_back(std::move(*longer)), i, true});
    }
  }
  for (const Question& question : questions) {
    calls.push_back(call_of(*question.asked, question.index));
  }
  if (calls.empty()) {
    fail(ErrorCode::bad_argument,
         "none of the {} cases can be put to a library: {} (--json says why of each)", cases.size(),
         report.skips.empty() ? "there are none" : report.skips.front().why);
  }
  const Answers answers = run_isolated(load, calls, limits);
  report.gave_up = answers.gave_up;
  CaseVerdict verdict(report, limits);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    compared += verdict.add(cases[questions[i].index], questions[i], answers.of[i]);
  }
  if (compared == 0) {
    fail(ErrorCode::unavailable,
         "{} returned HADAMARD_CONFORM_UNSUPPORTED (1) to all {} calls: nothing was compared", name,
         calls.size());
  }
  return report;
}

Function load_library(const std::string& path) {
  std::error_code problem;
  const std::filesystem::path file = std::filesystem::absolute(path, problem);
  if (!std::filesystem::exists(file, problem)) {
    fail(ErrorCode::io, "there is no library '{}'", path);
  }
  if (std::filesystem::is_fifo(file, problem)) {  // opening it would wait for a writer
    fail(ErrorCode::bad_file, "'{}' cannot be loaded as a shared library: it is a pipe", path);
  }
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fail(ErrorCode::bad_file, "'{}' cannot be loaded as a shared library: {}", path, dlerror());
  }
  void* const function = dlsym(library, kFunction);
  if (function == nullptr) {
    fail(ErrorCode::bad_file,
         "'{}' has no function {}; define it as hadamard/hadamard_conform.h declares it", path,
         kFunction);
  }
  return reinterpret_cast<Function>(function);
}

}  // namespace hadamard::conform
