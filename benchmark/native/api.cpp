// The C functions that Python calls.
#include <chrono>
#include <exception>
#include <string>

#include "contender.hpp"

#define HB_EXPORT extern "C" __attribute__((visibility("default")))

namespace {
thread_local std::string message;

std::unique_ptr<bench::Contender> make(const std::string& name, const HbCase& c) {
#ifdef HADAMARD_BENCH_OURS
  if (name.starts_with("ours.")) return bench::make_ours(name.substr(5), c);
#else
  if (name.starts_with("limit.")) return bench::make_limit(name.substr(6), c);
  if (name == "divider") return bench::make_divider(c);
  if (name == "loop") return bench::make_loop(c);
#ifdef HADAMARD_BENCH_EIGEN
  if (name == "eigen") return bench::make_eigen(c);
#endif
#ifdef HADAMARD_BENCH_XTENSOR
  if (name == "xtensor") return bench::make_xtensor("fixed", c);
  if (name == "xtensor.dynamic") return bench::make_xtensor("dynamic", c);
#endif
#ifdef HADAMARD_BENCH_ONEDNN
  if (name == "onednn") return bench::make_onednn(c);
#endif
#endif
  throw bench::Unsupported{"not built: " + name};
}

// 0 where `work` went well; else hb_error() says what went wrong.
template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return 0;
  } catch (const bench::Unsupported& e) {
    message = e.reason;
    return 1;
  } catch (const std::exception& e) {
    message = e.what();
    return 2;
  }
}
}  // namespace

HB_EXPORT const char* hb_error() { return message.c_str(); }

HB_EXPORT const char* hb_limit_variants() {
#ifdef HADAMARD_BENCH_OURS
  return "";
#else
  return bench::limit_variants();
#endif
}

// The arrays behind the case's pointers must outlive the contender.
HB_EXPORT void* hb_make(const char* name, const HbCase* c) {
  bench::Contender* made = nullptr;
  guarded([&] { made = make(name, *c).release(); });
  return made;
}

HB_EXPORT void hb_free(void* contender) { delete static_cast<bench::Contender*>(contender); }

HB_EXPORT int hb_once(void* contender) {
  return guarded([&] {
    static_cast<bench::Contender*>(contender)->begin();
    static_cast<bench::Contender*>(contender)->once();
  });
}

// Nanoseconds of `calls` calls; negative: hb_error().
HB_EXPORT double hb_time(void* contender, std::int64_t calls) {
  using Clock = std::chrono::steady_clock;
  double nanoseconds = -1;
  guarded([&] {
    auto& it = *static_cast<bench::Contender*>(contender);
    it.begin();
    const auto start = Clock::now();
    it.run(calls);
    nanoseconds = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  });
  return nanoseconds;
}
