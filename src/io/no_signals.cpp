#include "io/no_signals.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hadamard::io {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kFirstForeignCall = 0x40000000;  // of x32, numbered apart
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kFirstForeignCall = 0xFFFFFFFF;
#else
constexpr std::uint32_t kArchitecture = 0;
constexpr std::uint32_t kFirstForeignCall = 0xFFFFFFFF;
#endif

// System calls, and which of their arguments is the process.
struct Row {
  long call;
  std::size_t argument;
};
constexpr Row kRows[] = {{SYS_kill, 0},
                         {SYS_tkill, 0},
                         {SYS_tgkill, 0},
                         {SYS_rt_sigqueueinfo, 0},
                         {SYS_rt_tgsigqueueinfo, 0},
                         {SYS_pidfd_open, 0},
                         {SYS_ptrace, 1},
                         {SYS_process_vm_writev, 0},
                         {SYS_prlimit64, 0}};

// Calls that name a process which then gets signals (SIGIO, or any by F_SETSIG), by their second
// argument. The process stands behind a pointer in some: refused for all.
struct Command {
  long call;
  std::uint32_t value;
};
constexpr Command kCommands[] = {{SYS_fcntl, F_SETOWN},
                                 {SYS_fcntl, F_SETOWN_EX},
                                 {SYS_ioctl, FIOSETOWN},
                                 {SYS_ioctl, SIOCSPGRP}};

using Filter = std::vector<sock_filter>;

void load(Filter& filter, std::size_t offset) {
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}
// The next `count` instructions are for a word that is equal.
void if_equal(Filter& filter, std::uint32_t word, std::size_t count) {
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, static_cast<std::uint8_t>(count)));
}
void answer(Filter& filter, std::uint32_t value) {
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, value));
}

Filter filter_for(std::span<const pid_t> processes) {
  constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  Filter filter;
  // Calls of other architectures (32 bits) have other numbers.
  load(filter, offsetof(seccomp_data, arch));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  answer(filter, kRefuse);
  load(filter, offsetof(seccomp_data, nr));
  if_equal(filter, SYS_pidfd_send_signal, 1);  // to whom cannot be seen
  answer(filter, kRefuse);
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstForeignCall, 0, 1));
  answer(filter, kRefuse);
  for (const Command& command : kCommands) {
    if_equal(filter, static_cast<std::uint32_t>(command.call), 4);
    load(filter, offsetof(seccomp_data, args) + 8);
    if_equal(filter, command.value, 1);
    answer(filter, kRefuse);
    load(filter, offsetof(seccomp_data, nr));
  }
  for (const Row& row : kRows) {
    if_equal(filter, static_cast<std::uint32_t>(row.call), 2 * processes.size() + 2);
    load(filter, offsetof(seccomp_data, args) + 8 * row.argument);  // the low half: little endian
    for (const pid_t process : processes) {
      if_equal(filter, static_cast<std::uint32_t>(process), 1);
      answer(filter, kRefuse);
    }
    answer(filter, SECCOMP_RET_ALLOW);
  }
  answer(filter, SECCOMP_RET_ALLOW);
  return filter;
}

}  // namespace

void forbid_signals_to(std::span<const pid_t> processes) {
  if (kArchitecture == 0) return;
  Filter filter = filter_for(processes);
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

}  // namespace hadamard::io
