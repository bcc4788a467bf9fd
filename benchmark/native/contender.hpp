// What the benchmark measures: a contender is given a case (operator, type, operands) and does it
// again and again. Python (benchmark/native.py) sees the C functions of api.cpp only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// These two structures are mirrored by ctypes in benchmark/native.py.
struct HbOperand {
  void* data;
  std::int64_t rank;
  const std::int64_t* shape;
  const std::int64_t* strides;  // in elements; 0 where the operand is stretched
};
struct HbCase {
  const char* op;        // add, sub, mul, div
  const char* type;      // a name of the library's: fp32, int4, …
  const char* rounding;  // floor or trunc, of integer division
  std::int32_t threads;  // 0: as many as the contender thinks fit
  HbOperand a, b, y;
};

namespace bench {

class Contender {
 public:
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;
  virtual void begin() {}  // before a batch, not timed: numbers of threads and the like
  virtual void run(std::int64_t calls) = 0;
  virtual void once() { run(1); }  // leaves the result in the case's y, so that it can be checked
};

// Each throws Unsupported where the contender cannot do such a case.
struct Unsupported {
  std::string reason;
};
std::unique_ptr<Contender> make_loop(const HbCase& c);
std::unique_ptr<Contender> make_eigen(const HbCase& c);
std::unique_ptr<Contender> make_xtensor(std::string_view kind, const HbCase& c);
std::unique_ptr<Contender> make_onednn(const HbCase& c);
// kind: prepared, into, new, ref
std::unique_ptr<Contender> make_ours(std::string_view kind, const HbCase& c);
// kind: model (a graph of four nodes), kernels (its operators without the graph)
std::unique_ptr<Contender> make_model(std::string_view kind, const HbCase& c);
// variant: a name of limit_variants(). Reads the bytes of a and b once and writes those of y once.
std::unique_ptr<Contender> make_limit(std::string_view variant, const HbCase& c);
// One call is 1024 divisions of data that stays in the first cache; type fp32 or fp64.
std::unique_ptr<Contender> make_divider(const HbCase& c);
const char* limit_variants();  // separated by spaces

inline std::span<const std::int64_t> shape_of(const HbOperand& o) {
  return {o.shape, static_cast<std::size_t>(o.rank)};
}
inline std::span<const std::int64_t> strides_of(const HbOperand& o) {
  return {o.strides, static_cast<std::size_t>(o.rank)};
}
inline std::int64_t count_of(const HbOperand& o) {
  std::int64_t n = 1;
  for (const auto extent : shape_of(o)) n *= extent;
  return n;
}
inline bool is_contiguous(const HbOperand& o) {
  std::int64_t expected = 1;
  for (std::int64_t i = o.rank - 1; i >= 0; --i) {
    if (o.shape[i] != 1 && o.strides[i] != expected) return false;
    expected *= o.shape[i];
  }
  return true;
}
inline bool is_one_element(const HbOperand& o) { return count_of(o) == 1; }

// The compiler may not join two calls to one, nor leave out what nobody reads.
inline void keep_memory() { asm volatile("" ::: "memory"); }

}  // namespace bench
