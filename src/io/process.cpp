#include "io/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "base/fail.hpp"
#include "io/no_signals.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HADAMARD_UNDER_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HADAMARD_UNDER_SANITIZER 1
#endif

namespace hadamard::io {

#ifdef HADAMARD_UNDER_SANITIZER
const bool kCanLimitMemory = false;
#else
const bool kCanLimitMemory = true;
#endif

namespace {

// ---- The process of the function.

// RLIMIT_DATA and not RLIMIT_AS: addresses that are reserved and not used cost nobody anything.
void limit_memory(std::uint64_t more) {
  if (more == 0 || !kCanLimitMemory) return;
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return;
  unsigned long long data_pages = 0;
  const bool is_known = std::fscanf(file, "%*u %*u %*u %*u %*u %llu", &data_pages) == 1;
  std::fclose(file);
  rlimit limit{};
  if (!is_known || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const rlim_t wanted = data_pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more;
  limit.rlim_cur = limit.rlim_max = std::min(wanted, limit.rlim_cur);
  setrlimit(RLIMIT_DATA, &limit);
}

// Nothing of ours is in the function's way, and nothing of it in ours.
void detach(pid_t parent, pid_t guardian, std::uint64_t data_limit) {
  setsid();  // and so it cannot join the guardian's group either
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guardian) _exit(EXIT_FAILURE);  // it ended before that
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory(data_limit);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  std::vector<pid_t> ours = {guardian, -guardian, parent, -1};
  const pid_t group = getpgid(parent);
  if (group > 0) ours.push_back(-group);  // 0: of another namespace, and no name for it here
  forbid_signals_to(ours);
}

// ---- The guardian. Every signal is blocked there.

bool has_ended_unreaped(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

// Those of all its threads, dead or alive.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  const std::string folder = fmt::format("/proc/{}/task", pid);
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(opendir(folder.c_str()), &closedir);
  if (threads == nullptr) return children;
  while (const dirent* const thread = readdir(threads.get())) {
    const std::string path = fmt::format("{}/{}/children", folder, thread->d_name);
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) continue;
    for (int child = 0; std::fscanf(file, "%d", &child) == 1;) children.push_back(child);
    std::fclose(file);
  }
  return children;
}

// Ends all descendants: the children of whoever ends become the guardian's. Whom it may not end is
// left after a while.
void kill_descendants() {
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    for (const pid_t child : children_of(getpid())) kill(child, SIGKILL);
    pid_t reaped = 0;
    do reaped = waitpid(-1, nullptr, WNOHANG);
    while (reaped > 0);
    if (reaped < 0 && errno == ECHILD) return;
    usleep(1000);
  }
}

// Ends as the other one did, so that whoever waits for the guardian sees that.
[[noreturn]] void end_like(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  raise(signal);  // waits until it is let through
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  _exit(EXIT_FAILURE);
}

constexpr int kEndSignal = SIGTERM;

[[noreturn]] void guard(pid_t parent, const std::function<void()>& body, std::uint64_t data_limit) {
  setpgid(0, 0);  // no Ctrl-C of the terminal's: it ends the parent, and that ends us
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, kEndSignal);
  std::signal(kEndSignal, SIG_DFL);
  std::signal(SIGCHLD, SIG_DFL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  const pid_t guardian = getpid();
  const pid_t worker = fork();
  if (worker < 0) _exit(EXIT_FAILURE);
  if (worker == 0) {
    detach(parent, guardian, data_limit);
    body();
    _exit(EXIT_FAILURE);
  }
  prctl(PR_SET_DUMPABLE, 0);     // it cannot be traced, unless by root
  closefrom(STDERR_FILENO + 1);  // the ends of pipes are the worker's
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, kEndSignal);
  while (!has_ended_unreaped(worker)) {
    if (sigwaitinfo(&awaited, nullptr) == kEndSignal) break;
  }
  kill(worker, SIGKILL);
  kill(-worker, SIGKILL);  // at one stroke most whom it started, or all
  int status = 0;
  do waitpid(worker, &status, 0);
  while (WIFSTOPPED(status));  // it may have asked to be traced by us
  kill_descendants();
  end_like(status);
}

// ---- This process. The guardian cannot be relied on: whom it guards may find a way to stop, to
// trace or to kill it, and what it guarded then becomes ours.

std::mutex guardians_lock;
std::set<pid_t> guardians;  // of all objects
int inherited_before = 0;   // whether this process inherits orphans when there is no guardian

// Ends whom this process has inherited: children that it had not when the guardian was made.
// Whether there were none.
bool kill_inherited(const std::vector<pid_t>& before) {
  bool were_none = true;
  const std::lock_guard lock(guardians_lock);
  for (const pid_t child : children_of(getpid())) {
    const bool is_ours = std::find(before.begin(), before.end(), child) != before.end();
    if (is_ours || guardians.contains(child)) continue;
    were_none = false;
    kill(child, SIGKILL);
    waitpid(child, nullptr, WNOHANG);
  }
  return were_none;
}

void kill_below(pid_t pid, int depth = 0) {
  constexpr int kDeepest = 100;
  for (const pid_t child : children_of(pid)) {
    if (depth < kDeepest) kill_below(child, depth + 1);
    kill(child, SIGKILL);
  }
}

}  // namespace

Process::Process(const std::function<void()>& body, std::uint64_t data_limit) {
  std::fflush(nullptr);  // a copy of what is unwritten must not be written twice
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);  // a guardian that a signal ends guards nobody
  const pid_t parent = getpid();
  before_ = children_of(parent);
  {
    const std::lock_guard lock(guardians_lock);
    if (guardians.empty()) prctl(PR_GET_CHILD_SUBREAPER, &inherited_before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    guardian_ = fork();
    if (guardian_ > 0) guardians.insert(guardian_);
    if (guardians.empty()) prctl(PR_SET_CHILD_SUBREAPER, inherited_before);
  }
  if (guardian_ == 0) guard(parent, body, data_limit);
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (guardian_ < 0) {
    fail(ErrorCode::io, "cannot start another process: {}", std::strerror(error));
  }
}

bool Process::has_ended() const { return guardian_ < 0 || has_ended_unreaped(guardian_); }

int Process::end() {
  if (guardian_ < 0) return status_;
  kill(guardian_, kEndSignal);
  // Rounds of a millisecond, the first ones of a tenth.
  constexpr int kPatience = 300, kMostGentle = 500, kRounds = 3000;
  for (int round = 0; waitpid(guardian_, &status_, WNOHANG) == 0 && round < kRounds; ++round) {
    if (round >= kPatience) {  // it is stopped or traced: what it should do is done here
      kill_below(guardian_);
      kill_inherited(before_);
      kill(guardian_, round < kMostGentle ? SIGCONT : SIGKILL);
    }
    usleep(round < kPatience ? 100 : 1000);
  }
  for (int round = 0; !kill_inherited(before_) && round < kRounds; ++round) usleep(1000);
  const std::lock_guard lock(guardians_lock);
  guardians.erase(guardian_);
  if (guardians.empty()) prctl(PR_SET_CHILD_SUBREAPER, inherited_before);
  guardian_ = -1;
  return status_;
}

}  // namespace hadamard::io
