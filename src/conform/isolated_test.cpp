// Functions that misbehave in every way, and a run that survives them all.
#include "conform/isolated.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "base/fail.hpp"

namespace hadamard::conform {
namespace {

using Kind = Answer::Kind;

constexpr std::byte kA[] = {std::byte{1}, std::byte{2}, std::byte{3}};
constexpr std::byte kB[] = {std::byte{10}, std::byte{20}, std::byte{30}};

// Does what `op` says, and adds the bytes of its operands.
int actor(const char* profile, const char* op, const char* type, std::int32_t rank,
          const std::int64_t* shape, const void* a, const void* b, void* y) {
  const std::string_view what = op;
  auto* const out = static_cast<unsigned char*>(y);
  const auto* const left = static_cast<const unsigned char*>(a);
  const auto* const right = static_cast<const unsigned char*>(b);
  if (what == "segv") std::raise(SIGSEGV);
  if (what == "kill") std::raise(SIGKILL);
  if (what == "stop") std::raise(SIGSTOP);
  if (what == "abort") std::abort();
  if (what == "exit") std::exit(0);
  if (what == "hang") pause();
  if (what == "throw") throw std::runtime_error("thrown");
  if (what == "past") out[3] = 7;
  if (what == "before") out[-1] = 7;
  if (what == "far") out[1 << 14] = 7;
  if (what == "change a") const_cast<unsigned char*>(left)[0] = 99;
  if (what == "change b") const_cast<unsigned char*>(right)[2] = 99;
  if (what == "close") closefrom(3);
  if (what == "close and hang") {
    closefrom(3);
    pause();
  }
  if (what == "print") std::puts("printed");
  if (what == "leave a child" && fork() == 0) {
    for (;;) pause();
  }
  if (what == "leave a child and crash") {
    if (fork() == 0) {
      for (;;) pause();
    }
    std::raise(SIGSEGV);
  }
  if (what == "aligned") return static_cast<int>(reinterpret_cast<std::uintptr_t>(y) % 64);
  if (what == "all") {
    const bool right_words =
        std::string_view(profile) == "sonnx" && std::string_view(type) == "int8";
    return right_words && rank == 1 && shape[0] == 3 && b == nullptr ? 2 : 9;
  }
  for (int i = 0; i < 3; ++i) {
    out[i] = static_cast<unsigned char>(left[i] + (right != nullptr ? right[i] : 0));
  }
  return 0;
}

Call call(const char* op, std::size_t group) {
  Call c;
  c.profile = "sonnx";
  c.op = op;
  c.type = "int8";
  c.shape = Dims{3};
  c.a = kA;
  c.b = kB;
  c.y_bytes = 3;
  c.group = group;
  return c;
}

Answers answers_to(std::initializer_list<const char*> ops, const Limits& limits = {}) {
  std::vector<Call> calls;
  for (const char* const op : ops) calls.push_back(call(op, calls.size()));
  return run_isolated([] { return &actor; }, calls, limits);
}

bool has_the_sum(const Answer& answer) {
  constexpr std::byte kSum[] = {std::byte{11}, std::byte{22}, std::byte{33}};
  return answer.kind == Kind::returned && answer.code == 0 && answer.y.size() == 3 &&
         std::memcmp(answer.y.data(), kSum, 3) == 0;
}

// No child of ours is left, dead or alive.
bool is_alone() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(Isolated, GivesResults) {
  const Answers answers = answers_to({"add", "add"});
  ASSERT_EQ(answers.of.size(), 2u);
  EXPECT_TRUE(has_the_sum(answers.of[0]));
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_EQ(answers.gave_up, "");
  EXPECT_TRUE(is_alone());
}

TEST(Isolated, PassesEverythingOnAndNullWhereThereIsNoB) {
  Call unary = call("all", 0);
  unary.b.reset();
  const Call calls[] = {unary, call("aligned", 1)};
  const Answers answers = run_isolated([] { return &actor; }, calls, {});
  EXPECT_EQ(answers.of[0].code, 2);
  EXPECT_EQ(answers.of[1].code, 0);
}

TEST(Isolated, GoesOnBehindACallThatDoesNotComeBack) {
  const Answers answers = answers_to({"segv", "add", "kill", "abort", "add", "exit", "far", "add"});
  EXPECT_EQ(answers.of[0].kind, Kind::crashed);
  EXPECT_EQ(signal_name(answers.of[0].code), "SIGSEGV");
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_EQ(signal_name(answers.of[2].code), "SIGKILL");
  EXPECT_EQ(signal_name(answers.of[3].code), "SIGABRT");
  EXPECT_TRUE(has_the_sum(answers.of[4]));
  EXPECT_EQ(answers.of[5].kind, Kind::ended);
  EXPECT_EQ(answers.of[5].code, 0);
  EXPECT_EQ(answers.of[6].kind, Kind::crashed) << "a long way beside y";
  EXPECT_TRUE(has_the_sum(answers.of[7]));
  EXPECT_TRUE(is_alone());
}

TEST(Isolated, LeavesTheRestOfAGroupAloneOnceACallDidNotComeBack) {
  const Call calls[] = {call("segv", 0), call("add", 0), call("add", 1)};
  const Answers answers = run_isolated([] { return &actor; }, calls, {});
  EXPECT_EQ(answers.of[1].kind, Kind::not_run);
  EXPECT_TRUE(has_the_sum(answers.of[2]));
}

TEST(Isolated, EndsWhatHangs) {
  const Limits limits{std::chrono::duration<double>(0.2), 20};
  const Answers answers = answers_to({"hang", "add", "stop", "close and hang", "add"}, limits);
  EXPECT_EQ(answers.of[0].kind, Kind::hung);
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_EQ(answers.of[2].kind, Kind::hung);
  EXPECT_EQ(answers.of[3].kind, Kind::hung);
  EXPECT_TRUE(has_the_sum(answers.of[4]));
  EXPECT_TRUE(is_alone());
}

TEST(Isolated, GivesUpOnALibraryThatHangsAllTheTime) {
  const Limits limits{std::chrono::duration<double>(0.05), 2};
  const Answers answers = answers_to({"hang", "add", "hang", "add"}, limits);
  EXPECT_EQ(answers.gave_up, "2 calls hung");
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_EQ(answers.of[3].kind, Kind::not_run);
}

TEST(Isolated, SeesWhatIsWrittenWhereItMustNot) {
  const Answers answers =
      answers_to({"past", "before", "change a", "change b", "add", "throw", "close", "add"});
  EXPECT_TRUE(answers.of[0].wrote_outside);
  EXPECT_TRUE(answers.of[1].wrote_outside);
  EXPECT_TRUE(answers.of[2].changed_a && !answers.of[2].changed_b && !answers.of[2].wrote_outside);
  EXPECT_TRUE(answers.of[3].changed_b && !answers.of[3].changed_a);
  EXPECT_TRUE(has_the_sum(answers.of[4])) << "the next call has its operands again";
  EXPECT_FALSE(answers.of[4].wrote_outside || answers.of[4].changed_a || answers.of[4].changed_b);
  EXPECT_EQ(answers.of[5].kind, Kind::threw);
  EXPECT_EQ(answers.of[6].kind, Kind::ended) << "whoever closes our pipe cannot answer";
  EXPECT_TRUE(has_the_sum(answers.of[7]));
}

TEST(Isolated, EndsTheProcessesThatTheFunctionStarted) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // its other end is open as long as somebody lives who inherited it
  EXPECT_EQ(answers_to({"leave a child"}).of[0].kind, Kind::returned);
  const Limits limits{std::chrono::duration<double>(0.2), 20};
  EXPECT_EQ(answers_to({"leave a child and crash"}, limits).of[0].kind, Kind::crashed);
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(Isolated, KeepsStandardOutputToItself) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int before = dup(STDOUT_FILENO);
  std::fflush(stdout);
  dup2(ends[1], STDOUT_FILENO);
  EXPECT_TRUE(has_the_sum(answers_to({"print", "exit", "add"}).of[0]));
  dup2(before, STDOUT_FILENO);
  close(before);
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

std::string trouble(const std::function<Function()>& load) {
  const Call calls[] = {call("add", 0)};
  try {
    run_isolated(load, calls, {std::chrono::duration<double>(0.2), 1});
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Isolated, SaysWhyNothingCouldBeLoaded) {
  EXPECT_EQ(trouble([]() -> Function { fail(ErrorCode::bad_file, "it is {}", "broken"); }),
            "it is broken");
  EXPECT_EQ(trouble([]() -> Function { std::abort(); }),
            "the library crashed while it was loaded: SIGABRT");
  EXPECT_EQ(trouble([]() -> Function { std::exit(3); }),
            "the library ended the process while it was loaded: exit(3)");
  EXPECT_EQ(trouble([]() -> Function { return pause(), nullptr; }),
            "loading the library took more than 0.2 s; see --timeout");
  EXPECT_TRUE(is_alone());
}

}  // namespace
}  // namespace hadamard::conform
