#include "conform/isolated.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/fail.hpp"
#include "conform/printed.hpp"
#include "io/file.hpp"
#include "io/process.hpp"

namespace hadamard::conform {
namespace {

using Clock = std::chrono::steady_clock;

// What a child writes into its pipe: first how loading went, then an answer per call.
struct Message {
  enum Kind : std::uint32_t { loaded, refused, returned, threw };
  Kind kind = loaded;
  std::int32_t code = 0;       // returned: the value; refused: the ErrorCode
  std::uint32_t flags = 0;     // kWroteOutside …
  std::uint32_t bytes = 0;     // that follow: of refused the text, of returned y
  std::uint64_t sequence = 0;  // of returned and threw: the number of the call
};
constexpr std::uint32_t kWroteOutside = 1, kChangedA = 2, kChangedB = 4;

// ---- The child.

// Memory for one array between two stretches that nobody may touch. Around the array lie guard
// bytes, so that a short way beside it is seen and a long way crashes.
class Fenced {
 public:
  explicit Fenced(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + 2 * kGuard + page - 1) / page * page;
    void* const all = mmap(nullptr, size_ + 2 * kUntouchable, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) _exit(EXIT_FAILURE);
    memory_ = static_cast<std::byte*>(all) + kUntouchable;
    if (mprotect(memory_, size_, PROT_READ | PROT_WRITE) != 0) _exit(EXIT_FAILURE);
  }
  std::byte* data() const { return memory_ + kGuard; }

  // `content` between guard bytes; no content: `bytes` of what is no likely result.
  void lay_out(std::span<const std::byte> content, std::size_t bytes) {
    used_ = bytes;
    std::memset(memory_, kFill, size_);
    if (!content.empty()) std::memcpy(data(), content.data(), bytes);
  }
  bool guards_intact() const {
    const auto intact = [](std::byte b) { return b == std::byte{kFill}; };
    return std::all_of(memory_, data(), intact) &&
           std::all_of(data() + used_, memory_ + size_, intact);
  }

 private:
  static constexpr std::size_t kUntouchable = 1 << 24;  // whole pages of any size; only addresses
  static constexpr std::size_t kGuard = 64;             // keeps the alignment that is promised
  static constexpr unsigned char kFill = 0xA5;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

void write_all(int out, const void* data, std::size_t bytes) {
  for (const auto* at = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t done = write(out, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(EXIT_FAILURE);
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

void send(int out, Message message, const void* data, std::size_t bytes) {
  message.bytes = static_cast<std::uint32_t>(bytes);
  write_all(out, &message, sizeof message);
  write_all(out, data, bytes);
}

std::uint32_t flags_after(const Call& call, const Fenced& a, const Fenced& b, const Fenced& y) {
  std::uint32_t flags = 0;
  if (!a.guards_intact() || !b.guards_intact() || !y.guards_intact()) flags |= kWroteOutside;
  if (!std::equal(call.a.begin(), call.a.end(), a.data())) flags |= kChangedA;
  if (call.b && !std::equal(call.b->begin(), call.b->end(), b.data())) flags |= kChangedB;
  return flags;
}

[[noreturn]] void serve(int out, const std::function<Function()>& load,
                        std::span<const Call> calls) {
  Function run = nullptr;
  try {
    run = load();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    Message refusal{Message::refused};
    refusal.code = static_cast<std::int32_t>(error.code());
    send(out, refusal, what.data(), what.size());
    _exit(EXIT_FAILURE);
  }
  send(out, {Message::loaded}, nullptr, 0);
  std::size_t most = 0;
  for (const Call& call : calls) {
    most = std::max({most, call.a.size(), call.b ? call.b->size() : 0, call.y_bytes});
  }
  Fenced a(most), b(most), y(most);
  const pid_t self = getpid();
  std::uint64_t sequence = 0;
  for (const Call& call : calls) {
    a.lay_out(call.a, call.a.size());
    b.lay_out(call.b.value_or(call.a), call.b ? call.b->size() : 0);
    y.lay_out({}, call.y_bytes);
    Message message{Message::returned};
    try {
      message.code = run(call.profile.c_str(), call.op.c_str(), call.type.c_str(),
                         static_cast<std::int32_t>(call.shape.size()), call.shape.data(), a.data(),
                         call.b ? b.data() : nullptr, y.data());
    } catch (...) {
      message.kind = Message::threw;
    }
    if (getpid() != self) _exit(EXIT_SUCCESS);  // the library forked, and this is the copy
    message.sequence = sequence++;
    message.flags = flags_after(call, a, b, y);
    send(out, message, y.data(), call.y_bytes);
  }
  _exit(EXIT_SUCCESS);
}

// ---- The parent.

int left_ms(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left + 1, 0, 1 << 30));
}

class Child {
 public:
  Child(const std::function<Function()>& load, std::span<const Call> calls, const Limits& limits,
        Printed& printed)
      : limits_(limits), printed_(printed) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail(ErrorCode::io, "no pipe: {}", std::strerror(errno));
    in_ = io::Descriptor(ends[0]);
    const io::Descriptor out(ends[1]);
    const auto body = [&] {
      in_.reset();
      dup2(printed.writable(), STDOUT_FILENO);
      dup2(printed.writable(), STDERR_FILENO);
      close(printed.writable());
      close(printed.readable());
      serve(out.get(), load, calls);
    };
    process_.emplace(body, limits.memory);
  }

  // The next message; false where none comes any more or the time is up. One that says it has more
  // than `most` bytes was not written by us: nothing of them is read.
  bool receive(Message& message, std::vector<std::byte>& data, std::size_t most) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(limits_.per_call);
    if (!read_all(&message, sizeof message)) return false;
    if (message.bytes > most) return true;
    data.resize(message.bytes);
    return read_all(data.data(), data.size());
  }

  // After receive() was false: what became of the child.
  Answer end() {
    // A pipe that is closed is not yet a process that has ended, and one that is open may be held
    // by somebody whom the child started.
    bool in_time = process_->has_ended();
    while (!in_time && Clock::now() < deadline_) {
      usleep(1000);
      printed_.pass_on();
      in_time = process_->has_ended();
    }
    const int status = process_->end();
    Answer answer;
    if (!in_time) {
      answer.kind = Answer::Kind::hung;
    } else if (WIFSIGNALED(status)) {
      answer.kind = Answer::Kind::crashed;
      answer.code = WTERMSIG(status);
    } else {
      answer.kind = Answer::Kind::ended;
      answer.code = WEXITSTATUS(status);
    }
    return answer;
  }

 private:
  bool read_all(void* data, std::size_t bytes) {
    for (auto* at = static_cast<char*>(data); bytes > 0;) {
      pollfd waiting[] = {{in_.get(), POLLIN, 0}, {printed_.readable(), POLLIN, 0}};
      const int ready = poll(waiting, 2, left_ms(deadline_));
      if (ready < 0 && errno == EINTR) continue;
      if (waiting[1].revents != 0) printed_.pass_on();
      if (waiting[0].revents == 0) {
        if (ready <= 0 || Clock::now() >= deadline_) return false;
        continue;
      }
      const ssize_t done = read(in_.get(), at, bytes);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
    return true;
  }

  const Limits& limits_;
  Printed& printed_;
  io::Descriptor in_;
  std::optional<io::Process> process_;
  Clock::time_point deadline_{};
};

Answer answer_of(const Message& message, std::vector<std::byte> y) {
  Answer answer;
  answer.kind = message.kind == Message::threw ? Answer::Kind::threw : Answer::Kind::returned;
  answer.code = message.code;
  answer.wrote_outside = (message.flags & kWroteOutside) != 0;
  answer.changed_a = (message.flags & kChangedA) != 0;
  answer.changed_b = (message.flags & kChangedB) != 0;
  answer.y = std::move(y);
  return answer;
}

constexpr std::size_t kLongestText = 1 << 16;

// Throws what kept the library from being loaded.
void await_loading(Child& child, const Limits& limits) {
  Message message;
  std::vector<std::byte> text;
  if (child.receive(message, text, kLongestText)) {
    if (message.kind == Message::loaded && message.bytes == 0) return;
    if (message.kind != Message::refused || text.empty() || text.size() != message.bytes) {
      fail(ErrorCode::bad_file, "the library wrote into the pipe that its answers go through");
    }
    throw Error(static_cast<ErrorCode>(message.code),
                std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  }
  const Answer end = child.end();
  switch (end.kind) {
    case Answer::Kind::hung:
      fail(ErrorCode::bad_file, "loading the library took more than {} s; see --timeout",
           limits.per_call.count());
    case Answer::Kind::crashed:
      fail(ErrorCode::bad_file, "the library crashed while it was loaded: {}",
           signal_name(end.code));
    default:
      fail(ErrorCode::bad_file, "the library ended the process while it was loaded: exit({})",
           end.code);
  }
}

}  // namespace

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

Answers run_isolated(const std::function<Function()>& load, std::span<const Call> calls,
                     const Limits& limits) {
  Answers answers;
  answers.of.resize(calls.size());
  int hangs = 0;
  std::signal(SIGCHLD, SIG_DFL);  // where somebody ignored it for us, no child would leave a status
  Printed printed(limits.printed);
  for (std::size_t next = 0; next < calls.size();) {
    const std::size_t first = next;
    Child child(load, calls.subspan(first), limits, printed);
    try {
      await_loading(child, limits);
    } catch (const Error& error) {
      if (next == 0) throw;
      answers.gave_up = fmt::format("it could not be loaded once more: {}", error.what());
      return answers;
    }
    Message message;
    std::vector<std::byte> y;
    bool garbled = false;
    while (next < calls.size() && child.receive(message, y, calls[next].y_bytes)) {
      // Whoever else writes into the pipe, the library or whom it forked, is not the child: what
      // came is worth nothing, and so is what follows.
      garbled = (message.kind != Message::returned && message.kind != Message::threw) ||
                message.bytes != calls[next].y_bytes || message.sequence != next - first;
      if (garbled) break;
      answers.of[next++] = answer_of(message, std::exchange(y, {}));
    }
    if (next == calls.size()) break;
    if (garbled) {
      answers.of[next].kind = Answer::Kind::garbled;
    } else {
      answers.of[next] = child.end();
    }
    if (answers.of[next].kind == Answer::Kind::hung && ++hangs == limits.hangs) {
      answers.gave_up = fmt::format("{} calls hung", hangs);
      return answers;
    }
    const std::size_t group = calls[next].group;
    while (next < calls.size() && calls[next].group == group) ++next;
  }
  return answers;
}

}  // namespace hadamard::conform
