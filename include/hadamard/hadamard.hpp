// Hadamard: element-wise tensor arithmetic, every element right to the last bit.
//
//   #include <hadamard/hadamard.hpp>
//   auto a = hadamard::Tensor::from({6.1, 9.5, 35.7}, {3});
//   auto b = hadamard::Tensor::from({3.0, 3.3, 5.1}, {3});
//   auto y = hadamard::div(a, b);             // a new tensor
//   hadamard::div_into(y.view(), y, b);       // into memory of the caller's, also in place
//   auto plan = hadamard::prepare(hadamard::Op::div, a.layout(), b.layout(), y.layout());
//   plan.run(a.data(), b.data(), y.data());   // again and again, without an allocation
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hadamard/error.hpp"
#include "hadamard/number.hpp"
#include "hadamard/options.hpp"
#include "hadamard/tensor.hpp"
#include "hadamard/types.hpp"

namespace hadamard {

// Planned once, run many times. Copies share the plan; `run` may be called from any thread.
class Prepared {
 public:
  // The operands' and the output's elements, laid out as they were when this was prepared. The
  // output may be an operand (in place); any other overlap is an error. Allocates nothing; except
  // for `real`, whose elements own memory, for the few results of complex numbers and of exp, log,
  // … whose rounding only exact arithmetic can decide, and on provider ref. Throws zero_divisor
  // (exact and integer division), and then has written nothing.
  void run(const void* a, const void* b, void* y) const;
  void run(const void* a, void* y) const;  // an operator with one operand
  // The same with layouts compared first: type_mismatch or shape_mismatch where they changed.
  void run(const ConstView& a, const ConstView& b, const View& y) const;
  void run(const ConstView& a, const View& y) const;

  const Dims& shape() const noexcept;  // of the output
  DType dtype() const noexcept;
  std::string explain() const;  // the plan, for a person: loop, kernel, provider, and who declined

  struct Impl;

 private:
  Prepared() = default;
  friend Prepared prepare(Op, const Layout&, const Layout&, const Layout&, const Options&);
  friend Prepared prepare(Op, const Layout&, const Layout&, const Options&);
  std::shared_ptr<const Impl> impl_;
};

// The functions below come in two forms, for operators with two operands and with one. The other
// form throws bad_argument.

// The layout that the result of an operator has, after all checks but those of the values.
Layout result_layout(Op op, const Layout& a, const Layout& b, const Options& options = {});
Layout result_layout(Op op, const Layout& a, const Options& options = {});

Prepared prepare(Op op, const Layout& a, const Layout& y, const Options& options = {});
Prepared prepare(Op op, const Layout& a, const Layout& b, const Layout& y,
                 const Options& options = {});

Tensor apply(Op op, const ConstView& a, const ConstView& b, const Options& options = {});
Tensor apply(Op op, const ConstView& a, const Options& options = {});
// `y` may be an operand or overlap one in any way. On an error `y` is as it was.
void apply_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                const Options& options = {});
void apply_into(Op op, const View& y, const ConstView& a, const Options& options = {});
// An operator with any number of operands, also one whose result has another type than they have.
Tensor apply(Op op, std::span<const ConstView> operands, const Options& options = {});
void apply_into(Op op, const View& y, std::span<const ConstView> operands,
                const Options& options = {});

// A function per operator and its variant into a given output: add, add_into, sub, …
#define HADAMARD_DECLARE_2(id)                                                            \
  inline Tensor id(const ConstView& a, const ConstView& b, const Options& options = {}) { \
    return apply(Op::id, a, b, options);                                                  \
  }                                                                                       \
  inline void id##_into(const View& y, const ConstView& a, const ConstView& b,            \
                        const Options& options = {}) {                                    \
    apply_into(Op::id, y, a, b, options);                                                 \
  }
#define HADAMARD_DECLARE_1(id)                                                            \
  inline Tensor id(const ConstView& a, const Options& options = {}) {                     \
    return apply(Op::id, a, options);                                                     \
  }                                                                                       \
  inline void id##_into(const View& y, const ConstView& a, const Options& options = {}) { \
    apply_into(Op::id, y, a, options);                                                    \
  }
#define HADAMARD_DECLARE_3(id)
#define HADAMARD_DECLARE(id, Name, arity) HADAMARD_DECLARE_##arity(id)
HADAMARD_OPERATORS(HADAMARD_DECLARE)
#undef HADAMARD_DECLARE
#undef HADAMARD_DECLARE_1
#undef HADAMARD_DECLARE_2
#undef HADAMARD_DECLARE_3

// The elements as ones of another type. To floats: correctly rounded. From floats and `real` to
// integers: towards zero, saturated at the ends of the type, NaN becomes 0. Between integers:
// modulo 2^n. To bool: whether they are not 0. To complex: with imaginary part 0. To `real`: exact.
// Throws unsupported_type from complex to others, bad_argument for NaN and infinities to `real`.
Tensor cast(const ConstView& a, DType to, Order order = Order::row_major);

// `a` where the condition, which is bool, holds, else `b`. Shapes and types as for an operator.
Tensor where(const ConstView& condition, const ConstView& a, const ConstView& b,
             const Options& options = {});

// min(max(a, low), high)
Tensor clip(const ConstView& a, const ConstView& low, const ConstView& high,
            const Options& options = {});

// How many threads a call may use, over all callers of the process: a call that comes while others
// keep as many busy works on its own thread alone. 0: HADAMARD_THREADS, else as many as the machine
// gives this process (which is what HADAMARD_THREADS=0 means too). Results do not depend on it.
// Both throw bad_argument where HADAMARD_THREADS is no number from 0 to 4096, set_threads also
// where `count` is none.
void set_threads(int count);
int threads();

// The memory of freed tensors of 1 MiB and more is kept for the next ones, up to a limit (256 MiB
// at the start): a fresh result then costs what one into given memory does. release_memory() gives
// back to the system what is kept and returns its bytes.
void set_kept_memory_limit(std::size_t bytes) noexcept;
std::size_t release_memory() noexcept;

std::string_view version() noexcept;

}  // namespace hadamard
