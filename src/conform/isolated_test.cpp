// Functions that misbehave in every way, and a run that survives them all.
#include "conform/isolated.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.hpp"
#include "io/process.hpp"

namespace hadamard::conform {
namespace {

using Kind = Answer::Kind;

constexpr std::byte kA[] = {std::byte{1}, std::byte{2}, std::byte{3}};
constexpr std::byte kB[] = {std::byte{10}, std::byte{20}, std::byte{30}};

int lives = -1;      // where a daemon says that it does
pid_t program = -1;  // this process
int attacker = -1;   // where a process that is not of the function's learns of the guardian
// A process that has left its group, its session and its parent.
[[noreturn]] void leave_a_daemon() {
  setsid();
  if (fork() != 0) _exit(0);
  if (lives >= 0 && write(lives, "!", 1) != 1) _exit(1);
  for (;;) pause();
}

void write_into_every_pipe() {
  const std::string garbage(100, '\2');
  for (int fd = 3; fd < 256; ++fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode)) continue;
    [[maybe_unused]] const auto written = write(fd, garbage.data(), garbage.size());
  }
}

// Addresses that could be written to; they are not, and cost nothing.
bool can_have(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

// What a function may do to the processes that watch it; 0 where it was refused.
int attack(std::string_view what, pid_t whom) {
  if (what == "stop") return kill(whom, SIGSTOP) == 0;
  if (what == "kill") return kill(whom, SIGKILL) == 0;
  if (what == "end") return kill(whom, SIGTERM) == 0;
  if (what == "stop the group of") return kill(-getpgid(whom), SIGSTOP) == 0;
  if (what == "stop the thread of") return syscall(SYS_tgkill, whom, whom, SIGSTOP) == 0;
  if (what == "own a pipe by") {
    int ends[2];
    const f_owner_ex owner{F_OWNER_PID, whom};
    return pipe(ends) != 0 || fcntl(ends[0], F_SETOWN, whom) == 0 ||
           ioctl(ends[0], FIOSETOWN, &whom) == 0 || fcntl(ends[0], F_SETOWN_EX, &owner) == 0;
  }
  if (what == "trace") return ptrace(PTRACE_SEIZE, whom, 0, 0) == 0;
  if (what == "attach to") return ptrace(PTRACE_ATTACH, whom, 0, 0) == 0;
  const rlimit none{0, 0};
  if (what == "limit") return prlimit(whom, RLIMIT_CPU, &none, nullptr) == 0;
  if (what == "signal the pidfd of") {
    const int process = open(("/proc/" + std::to_string(whom)).c_str(), O_RDONLY);
    return syscall(SYS_pidfd_send_signal, process, SIGSTOP, nullptr, 0) == 0;
  }
  return -1;
}

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
  if (what.starts_with("beside ")) out[std::atoi(op + 7)] = 7;
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
  if (what == "leave a daemon" && fork() == 0) leave_a_daemon();
  if (what == "leave a daemon and hang") {
    if (fork() == 0) leave_a_daemon();
    pause();
  }
  if (what == "leave the group and hang") {
    setpgid(0, getpgid(getppid()));
    pause();
  }
  if (what == "ask to be traced and crash") {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    std::raise(SIGSEGV);
  }
  if (what == "join the guardian's group and stop it") {
    setpgid(0, getpgid(getppid()));
    kill(0, SIGSTOP);
  }
  if (what == "block signals and hang") {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    prctl(PR_SET_PDEATHSIG, 0);
    setsid();
    for (;;) pause();
  }
  if (what == "say who is the guardian and hang") {
    prctl(PR_SET_PDEATHSIG, 0);
    if (fork() == 0) leave_a_daemon();
    const pid_t guardian = getppid();
    if (write(attacker, &guardian, sizeof guardian) != sizeof guardian) return 9;
    for (;;) pause();
  }
  if (what.starts_with("guardian: ")) return attack(what.substr(10), getppid());
  if (what.starts_with("program: ")) return attack(what.substr(9), program);
  if (what == "fork and return twice") {
    const pid_t copy = fork();
    if (copy == 0) return 77;
    waitpid(copy, nullptr, 0);
  }
  if (what == "garbage") write_into_every_pipe();
  if (what == "flood") {
    const std::string line(1000, 'x');
    for (int i = 0; i < 1000; ++i) std::puts(line.c_str());
    std::fflush(stdout);
  }
  if (what == "print and hang") {
    for (;;) std::puts("again and again");
  }
  if (what == "2 GiB") return can_have(std::size_t{2} << 30) ? 0 : 1;
  if (what == "8 GiB") return can_have(std::size_t{8} << 30) ? 0 : 1;
  if (what == "reserve 64 GiB") {
    return mmap(nullptr, std::size_t{64} << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
           MAP_FAILED;
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
  const Answers answers = answers_to({"segv", "add", "kill", "abort", "add", "exit", "add"});
  EXPECT_EQ(answers.of[0].kind, Kind::crashed);
  EXPECT_EQ(signal_name(answers.of[0].code), "SIGSEGV");
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_EQ(signal_name(answers.of[2].code), "SIGKILL");
  EXPECT_EQ(signal_name(answers.of[3].code), "SIGABRT");
  EXPECT_TRUE(has_the_sum(answers.of[4]));
  EXPECT_EQ(answers.of[5].kind, Kind::ended);
  EXPECT_EQ(answers.of[5].code, 0);
  EXPECT_TRUE(has_the_sum(answers.of[6]));
  EXPECT_TRUE(is_alone());
}

TEST(Isolated, StopsWhatIsWrittenALongWayBesideTheResult) {
  for (const int distance : {1 << 13, 3 << 12, 1 << 14, 1 << 16, 1 << 20, 15 << 20}) {
    const std::string behind = "beside " + std::to_string(distance),
                      before = "beside " + std::to_string(-distance);
    const Answers answers = answers_to({behind.c_str(), "add", before.c_str(), "add"});
    EXPECT_EQ(answers.of[0].kind, Kind::crashed) << behind;
    EXPECT_TRUE(has_the_sum(answers.of[1]));
    EXPECT_EQ(answers.of[2].kind, Kind::crashed) << before;
    EXPECT_TRUE(has_the_sum(answers.of[3]));
  }
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
  const Limits limits{std::chrono::duration<double>(0.5), 2};
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

// Whether nobody lives who was started by a call of `op`, which must come to the end `kind`.
void expect_nobody_left(const char* op, Kind kind) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // its other end is open as long as somebody lives who inherited it
  EXPECT_EQ(answers_to({op}, {std::chrono::duration<double>(1), 20}).of[0].kind, kind) << op;
  close(ends[1]);
  pollfd closed{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&closed, 1, 10000), 1) << op << ": somebody lives";
  close(ends[0]);
  EXPECT_TRUE(is_alone());
}

TEST(Isolated, EndsTheProcessesThatTheFunctionStarted) {
  expect_nobody_left("leave a child", Kind::returned);
  expect_nobody_left("leave a child and crash", Kind::crashed);
  expect_nobody_left("leave the group and hang", Kind::hung);
}

TEST(Isolated, EndsWhatHidesFromSignals) {
  expect_nobody_left("block signals and hang", Kind::hung);
  expect_nobody_left("ask to be traced and crash", Kind::crashed);
  expect_nobody_left("join the guardian's group and stop it", Kind::hung);
}

// qemu-user does not know it.
bool orphans_can_be_adopted() {
  int is_set = 0;
  return prctl(PR_GET_CHILD_SUBREAPER, &is_set) == 0;
}

TEST(Isolated, EndsDaemonsOfTheFunction) {
  if (!orphans_can_be_adopted()) GTEST_SKIP() << "there is no PR_SET_CHILD_SUBREAPER here";
  expect_nobody_left("leave a daemon", Kind::returned);
  expect_nobody_left("leave a daemon and hang", Kind::hung);
}

TEST(Isolated, EndsDaemonsOfTheFunctionWhenThisProcessIsKilled) {
  if (!orphans_can_be_adopted()) GTEST_SKIP() << "there is no PR_SET_CHILD_SUBREAPER here";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t run = fork();
  if (run == 0) {
    lives = ends[1];
    answers_to({"leave a daemon and hang"}, {std::chrono::duration<double>(600), 20});
    _exit(0);
  }
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 1);
  kill(run, SIGKILL);
  EXPECT_EQ(waitpid(run, nullptr, 0), run);
  pollfd closed{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&closed, 1, 10000), 1) << "somebody lives";
  close(ends[0]);
}

// qemu-user has no seccomp.
bool can_be_forbidden() { return prctl(PR_GET_SECCOMP) == 0; }

TEST(Isolated, LetsNobodyStopTraceOrKillWhoWatches) {
  if (!can_be_forbidden()) GTEST_SKIP() << "there are no filters of system calls here";
  program = getpid();
  for (const char* const what :
       {"stop", "kill", "end", "stop the group of", "stop the thread of", "trace", "attach to",
        "limit", "signal the pidfd of", "own a pipe by"}) {
    for (const char* const whom : {"guardian: ", "program: "}) {
      const std::string op = whom + std::string(what);
      const Answers answers = answers_to({op.c_str(), "add"}, {std::chrono::duration<double>(5)});
      EXPECT_EQ(answers.of[0].kind, Kind::returned) << op;
      EXPECT_EQ(answers.of[0].code, 0) << op;
      EXPECT_TRUE(has_the_sum(answers.of[1])) << op;
    }
  }
  EXPECT_TRUE(is_alone());
}

// Whatever way somebody finds: no hang, and nobody is left, a daemon of the function's neither.
TEST(Isolated, TakesThePlaceOfAGuardianThatIsStoppedTracedOrKilled) {
  if (!orphans_can_be_adopted()) GTEST_SKIP() << "there is no PR_SET_CHILD_SUBREAPER here";
  for (const char* const what : {"stop", "kill", "trace and stop", "attach to"}) {
    int ends[2], told[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(pipe(told), 0);
    const pid_t enemy = fork();
    if (enemy == 0) {
      close(ends[1]);
      close(told[1]);
      pid_t guardian = 0;
      if (read(told[0], &guardian, sizeof guardian) != sizeof guardian) _exit(1);
      attack(what == std::string_view("trace and stop") ? "trace" : what, guardian);
      if (what == std::string_view("trace and stop")) attack("stop", guardian);
      int status = 0;  // whoever traces learns of the end first, and must take it
      while (waitpid(guardian, &status, __WALL) == guardian && WIFSTOPPED(status)) {
      }
      _exit(0);
    }
    attacker = told[1];
    const bool is_killed = what == std::string_view("kill");  // it is seen before the time is up
    const Limits limits{std::chrono::duration<double>(is_killed ? 2 : 0.3), 20};
    const Answers answers = answers_to({"say who is the guardian and hang", "add"}, limits);
    EXPECT_EQ(answers.of[0].kind, is_killed ? Kind::crashed : Kind::hung) << what;
    EXPECT_TRUE(has_the_sum(answers.of[1])) << what;
    close(ends[1]);
    pollfd closed{ends[0], POLLIN, 0};
    EXPECT_EQ(poll(&closed, 1, 10000), 1) << what << ": somebody lives";
    EXPECT_EQ(waitpid(enemy, nullptr, 0), enemy) << what;
    for (const int end : {ends[0], told[0], told[1]}) close(end);
    EXPECT_TRUE(is_alone()) << what;
  }
}

TEST(Isolated, TellsAnswersFromWhatTheFunctionWritesIntoTheirPipe) {
  const Answers answers = answers_to({"garbage", "add", "add"});
  EXPECT_EQ(answers.of[0].kind, Kind::garbled);
  EXPECT_TRUE(has_the_sum(answers.of[1]));
  EXPECT_TRUE(has_the_sum(answers.of[2]));
}

TEST(Isolated, TakesNoAnswerOfACopyOfTheFunctionsProcess) {
  const Answers answers =
      answers_to({"fork and return twice", "add", "past", "fork and return twice", "throw", "add"});
  EXPECT_TRUE(has_the_sum(answers.of[0]));
  EXPECT_TRUE(has_the_sum(answers.of[1]) && !answers.of[1].wrote_outside);
  EXPECT_TRUE(answers.of[2].wrote_outside);
  EXPECT_TRUE(has_the_sum(answers.of[3]) && !answers.of[3].wrote_outside);
  EXPECT_EQ(answers.of[4].kind, Kind::threw);
  EXPECT_TRUE(has_the_sum(answers.of[5]));
}

// Emulators of other processors take a limit and do nothing with it.
bool limits_have_an_effect() {
  const pid_t probe = fork();
  if (probe == 0) {
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    _exit(setrlimit(RLIMIT_DATA, &limit) == 0 && !can_have(std::size_t{2} << 30) ? 0 : 1);
  }
  int status = 1;
  return waitpid(probe, &status, 0) == probe && status == 0;
}

TEST(Isolated, LimitsMemory) {
  if (!io::kCanLimitMemory) GTEST_SKIP() << "sanitizers take terabytes of addresses";
  if (!limits_have_an_effect()) GTEST_SKIP() << "RLIMIT_DATA has no effect here";
  EXPECT_EQ(Limits{}.memory, std::uint64_t{4} << 30) << "as docs/semantics/program.md says";
  const Answers answers = answers_to({"2 GiB", "8 GiB", "reserve 64 GiB"});
  EXPECT_EQ(answers.of[0].code, 0);
  EXPECT_EQ(answers.of[1].code, 1);
  EXPECT_EQ(answers.of[2].code, 0) << "what cannot be written to is not counted";
}

// What comes out at standard error while the calls are run.
std::string printed_by(std::initializer_list<const char*> ops, const Limits& limits) {
  std::FILE* const file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  answers_to(ops, limits);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  std::string text(1 << 20, ' ');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(Isolated, LimitsWhatIsPrinted) {
  constexpr std::string_view kCut = "\nhadamard: what the library prints beyond this is left out\n";
  EXPECT_EQ(Limits{}.printed, std::size_t{1} << 16) << "as docs/semantics/program.md says";
  // Killed: of a process that other signals end, emulators of other processors print a line.
  const std::string flood = printed_by({"flood", "kill", "flood"}, {});
  EXPECT_EQ(flood.size(), (1 << 16) + kCut.size());
  EXPECT_TRUE(flood.ends_with(kCut));
  const std::string endless = printed_by(
      {"print and hang"}, {.per_call = std::chrono::duration<double>(0.2), .printed = 100});
  EXPECT_EQ(endless.size(), 100 + kCut.size());
  EXPECT_EQ(printed_by({"print", "exit"}, {.printed = 8}), "printed\n") << "no more than allowed";
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
