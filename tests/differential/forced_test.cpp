// A forced provider or target is the one that ran. Proved twice: by what the kernels' own code
// reports, and by stepping through a run instruction by instruction and looking up where each one
// lies.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <set>

#include "api/prepared.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "num/dtype.hpp"
#include "support.hpp"

namespace hadamard::difftest {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Complex products need two lanes, and for doubles fused multiplication, to be worth a kernel.
bool has_vector_kernels(DType type, std::string_view target) {
  if (type == DType::complex64) return target != "scalar";
  if (type == DType::complex128) return target != "scalar" && target != "sse4";
  return kind(type) == Kind::floating || kind(type) == Kind::integer;
}

struct Answer {
  std::string text;
  int status;
};
Answer ask_helper(const std::string& environment, std::string_view type) {
  const std::string command = "env -u HADAMARD_CPU -u HADAMARD_PROVIDER " + environment +
                              " " HADAMARD_FORCED_HELPER " " + std::string(type);
  Answer answer;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {"popen failed", -1};
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    answer.text += static_cast<char>(c);
  answer.status = WEXITSTATUS(pclose(pipe));
  return answer;
}

TEST(Forced, ByOptions) {
  for (const DType type : all_types()) {
    const Tensor a(type, Dims{33});
    for (const std::string_view target : cpu_targets()) {
      last_run = {};
      add(a, a, {.cpu_target = target});
      EXPECT_EQ(last_run.provider, "cpu");
      EXPECT_EQ(lower(last_run.target), has_vector_kernels(type, target) ? target : "any")
          << name(type);
    }
    last_run = {};
    add(a, a, {.provider = "ref"});
    EXPECT_EQ(last_run.provider, "ref");
  }
}

TEST(Forced, ByTheEnvironment) {
  for (const std::string_view type : {"fp16", "fp32", "int8", "uint64"}) {
    for (const std::string_view target : cpu_targets()) {
      const Answer answer = ask_helper("HADAMARD_CPU=" + std::string(target), type);
      EXPECT_EQ(lower(answer.text), "cpu/" + std::string(target) + "\n");
    }
    EXPECT_EQ(ask_helper("HADAMARD_PROVIDER=ref", type).text.rfind("ref/", 0), 0U);
    // Nothing forced: the best target there is.
    EXPECT_EQ(lower(ask_helper("", type).text), "cpu/" + std::string(cpu_targets().front()) + "\n");
    // A forced provider wins over a forced target of another one.
    EXPECT_EQ(ask_helper("HADAMARD_PROVIDER=ref HADAMARD_CPU=scalar", type).text.rfind("ref/", 0),
              0U);
  }
}

TEST(Forced, WhatDoesNotExistIsAnError) {
  const Tensor a(DType::fp32, Dims{3});
  for (const Options& options :
       {Options{.cpu_target = "avx9"}, Options{.cpu_target = "AVX2"}, Options{.provider = "gpu"},
        Options{.provider = "cpu", .cpu_target = "none"}}) {
    try {
      add(a, a, options);
      ADD_FAILURE() << options.provider << " " << options.cpu_target;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unavailable) << error.what();
    }
  }
  for (const char* environment :
       {"HADAMARD_CPU=avx9", "HADAMARD_PROVIDER=gpu", "HADAMARD_CPU=neon"}) {
    if (std::string(environment) == "HADAMARD_CPU=neon" && cpu_targets().front() == "neon")
      continue;
    const Answer answer = ask_helper(environment, "fp32");
    EXPECT_EQ(answer.status, 1) << environment;
    EXPECT_EQ(answer.text.rfind("unavailable: ", 0), 0U) << answer.text;
  }
}

TEST(Forced, ComparisonsToo) {
  for (const std::string_view target : cpu_targets()) {
    EXPECT_EQ(ask_helper("HADAMARD_CPU=" + std::string(target), "comparison").text,
              "comparison/" + std::string(target) + "\n");
  }
  EXPECT_EQ(ask_helper("", "comparison").text,
            "comparison/" + std::string(cpu_targets().front()) + "\n");
  const Answer answer = ask_helper("HADAMARD_CPU=avx9", "comparison");
  EXPECT_EQ(answer.status, 1);
  EXPECT_EQ(answer.text.rfind("unavailable: ", 0), 0U) << answer.text;
}

// The targets of the architecture, and no other: docs/adr/0003-cpu-targets.md.
TEST(Forced, TheTargetsThatThereAre) {
  std::vector<std::string_view> names;
  for (const exec::CpuTarget& target : exec::cpu_targets()) names.push_back(target.name);
#if defined(__aarch64__)
  EXPECT_EQ(names, (std::vector<std::string_view>{"neon", "scalar"}));
#else
  EXPECT_EQ(names, (std::vector<std::string_view>{"avx2", "sse4", "scalar"}));
#endif
}

#if defined(__x86_64__)  // elsewhere the suite aarch64 does this, with qemu's log
std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

// The names of all functions of this program in which `f` executed an instruction.
template <class F>
std::set<std::string> functions_run_by(F f) {
  std::set<std::string> names;
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::set<unsigned long long> places;
  while (WIFSTOPPED(status)) {
    user_regs_struct registers{};
    if (ptrace(PTRACE_GETREGS, child, nullptr, &registers) == 0) places.insert(registers.rip);
    const int signal = WSTOPSIG(status);
    const bool ours = signal == SIGTRAP || signal == SIGSTOP;
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, ours ? 0L : long{signal}) != 0) break;
    if (waitpid(child, &status, 0) != child) break;
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const unsigned long long place : places) {
    Dl_info info{};
    // The child is a copy of this process: its addresses are ours.
    if (dladdr(reinterpret_cast<const void*>(place), &info) != 0 && info.dli_sname != nullptr) {
      names.insert(info.dli_sname);
    }
  }
  return names;
}

// The target namespaces (N_AVX2, …) that any of the functions belongs to.
std::set<std::string> namespaces(const std::set<std::string>& functions) {
  std::set<std::string> found;
  for (const std::string& function : functions) {
    if (function.find("hadamard") == std::string::npos) continue;
    for (const std::string name :
         {"N_AVX2", "N_SSE4", "N_SSSE3", "N_AVX3", "N_SCALAR", "N_EMU128"}) {
      if (function.find(name) != std::string::npos) found.insert(name);
    }
  }
  return found;
}

TEST(Forced, TheInstructionsThatRanAreTheTargets) {
  // One type of each family of kernels.
  for (const DType type : {DType::fp64, DType::fp16, DType::int8, DType::uint4, DType::int64}) {
    Random random(1);
    const Tensor a = random_line(random, type, 37, false);
    const Tensor b = random_line(random, type, 37, true);
    Tensor y(type, Dims{37});
    for (const std::string_view target : cpu_targets()) {
      const Prepared prepared = prepare(Op::div, a.layout(), b.layout(), y.layout(),
                                        {.provider = "cpu", .cpu_target = target});
      const auto run = functions_run_by([&] { prepared.run(a.data(), b.data(), y.data()); });
      EXPECT_EQ(namespaces(run), std::set<std::string>{"N_" + upper(target)})
          << name(type) << " " << target << ": " << run.size() << " functions";
    }
    const Prepared prepared =
        prepare(Op::div, a.layout(), b.layout(), y.layout(), {.provider = "ref"});
    const auto run = functions_run_by([&] { prepared.run(a.data(), b.data(), y.data()); });
    EXPECT_EQ(namespaces(run), std::set<std::string>{}) << name(type);
    EXPECT_FALSE(run.empty());
  }
}
#endif

}  // namespace
}  // namespace hadamard::difftest
