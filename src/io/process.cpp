#include "io/process.hpp"

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
#include <string>

#include "base/fail.hpp"

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
void detach(pid_t guardian, std::uint64_t data_limit) {
  setpgid(0, 0);
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
}

// ---- The guardian. Every signal is blocked there.

bool has_ended_unreaped(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

void kill_children() {
  const std::string path = fmt::format("/proc/self/task/{}/children", getpid());
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return;
  for (int child = 0; std::fscanf(file, "%d", &child) == 1;) kill(child, SIGKILL);
  std::fclose(file);
}

// Ends all descendants: the children of whoever ends become the guardian's. Whom it may not end
// (it became another user) is left after a while.
void kill_descendants() {
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    kill_children();
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
    detach(guardian, data_limit);
    body();
    _exit(EXIT_FAILURE);
  }
  setpgid(worker, worker);       // as the worker does: whoever comes first
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
  waitpid(worker, &status, 0);
  kill_descendants();
  end_like(status);
}

}  // namespace

Process::Process(const std::function<void()>& body, std::uint64_t data_limit) {
  std::fflush(nullptr);  // a copy of what is unwritten must not be written twice
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);  // a guardian that a signal ends guards nobody
  const pid_t parent = getpid();
  guardian_ = fork();
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
  while (waitpid(guardian_, &status_, 0) < 0 && errno == EINTR) {
  }
  guardian_ = -1;
  return status_;
}

}  // namespace hadamard::io
