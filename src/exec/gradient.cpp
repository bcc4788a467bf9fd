#include "exec/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "num/dtype.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

constexpr std::size_t kMaxOperands = 5;
constexpr std::int64_t kBlock = 512;  // elements computed at a time
constexpr std::int64_t kLanes = 8;    // sums that a line is added up in
// Terms of one element that are summed in one go; what several such sums come to is added in order.
constexpr std::int64_t kRun = 1 << 14;
constexpr std::int64_t kGrain = 1 << 16;  // terms to a chunk of a thread

// --- Numbers of twice the precision
// ---------------------------------------------------------------

// The unevaluated sum of two doubles. Formats of up to 24 bits need no second: the product of two
// of their numbers is a double.
struct Pair {
  double high;
  double low;
};

Pair two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

template <class V>
struct Numbers;
template <>
struct Numbers<double> {
  static double of(double x) { return x; }
  static double product(double a, double b) { return a * b; }
  static double times(double a, double b) { return a * b; }
  static double minus(double a, double b) { return a - b; }
  static double rest(double a, double b) { return a - b; }
  static double over(double a, double b) { return a / b; }
  static Pair pair(double a) { return {a, 0}; }
};
// Where the upper part is not finite, the lower one is nothing.
template <>
struct Numbers<Pair> {
  static Pair of(double x) { return {x, 0}; }
  static Pair product(double a, double b) {
    const double p = a * b;
    return {p, std::isfinite(p) ? std::fma(a, b, -p) : 0};
  }
  static Pair times(Pair a, double b) {
    const Pair p = product(a.high, b);
    return sum(p.high, p.low + a.low * b);
  }
  static Pair minus(Pair a, double b) {
    const Pair s = two_sum(a.high, -b);
    return sum(s.high, s.low + a.low);
  }
  static Pair rest(double a, Pair b) {
    const Pair s = two_sum(a, -b.high);
    return sum(s.high, s.low - b.low);
  }
  static Pair over(Pair a, double b) {
    const double q = a.high / b;
    const double rest = std::fma(-q, b, a.high) + a.low;
    return sum(q, rest / b);
  }
  static Pair pair(Pair a) { return a; }

 private:
  static Pair sum(double high, double low) {
    if (!std::isfinite(high) || std::isnan(low) || low == 0) return {high, 0};
    const double s = high + low;
    return {s, low - (s - high)};
  }
};

template <Term term, class V>
V term_of(const std::array<double, kMaxOperands>& x) {
  using N = Numbers<V>;
  if constexpr (term == Term::copy) {
    return N::of(x[0]);
  } else if constexpr (term == Term::negative) {
    return N::of(-x[0]);
  } else if constexpr (term == Term::product) {
    return N::product(x[0], x[1]);
  } else if constexpr (term == Term::negative_product) {
    return N::product(-x[0], x[1]);
  } else if constexpr (term == Term::quotient) {
    return N::over(N::of(x[0]), x[1]);
  } else if constexpr (term == Term::negative_quotient) {
    return N::over(N::product(-x[0], x[1]), x[2]);
  } else if constexpr (term == Term::quotient_of_rest) {
    return N::over(N::rest(x[0], N::product(x[1], x[2])), x[3]);
  } else {
    static_assert(term == Term::product_and_quotient);
    return N::over(N::times(N::minus(N::product(x[1], x[2]), x[3]), x[0]), x[4]);
  }
}

// A sum, and what its roundings lost. It begins at -0, which is what nothing but zeros of that sign
// come to.
struct Sum {
  double value;
  double lost;
  void add(Pair term) {
    const Pair s = two_sum(value, term.high);
    value = s.high;
    lost += s.low + term.low;
  }
  void add(const Sum& other) { add(Pair{other.value, other.lost}); }
  double total() const { return std::isfinite(value) && lost != 0 ? value + lost : value; }
};
constexpr Sum kNothing{-0.0, 0};

// --- Loops ------------------------------------------------------------------------------------

struct Dim {
  std::int64_t extent;
  std::array<std::int64_t, kMaxOperands> strides;
  std::int64_t to;  // 0: summed over
};
using Offsets = std::array<std::int64_t, kMaxOperands + 1>;  // of the operands and, last, of `to`

std::int64_t product_of_extents(const std::vector<Dim>& dims) {
  std::int64_t count = 1;
  for (const Dim& dim : dims) count *= dim.extent;
  return count;
}

// Where the index-th element of these dimensions lies.
void move_to(const std::vector<Dim>& dims, std::int64_t index, Offsets& at) {
  for (std::size_t i = dims.size(); i-- > 0;) {
    const std::int64_t here = index % dims[i].extent;
    index /= dims[i].extent;
    for (std::size_t k = 0; k < kMaxOperands; ++k) at[k] += here * dims[i].strides[k];
    at[kMaxOperands] += here * dims[i].to;
  }
}

// The dimensions that stay and those that are summed over, neighbours made one where every operand
// walks through them in one go.
struct Loops {
  std::vector<Dim> kept;
  std::vector<Dim> summed;
  bool along = false;  // the last one is summed over
};

Loops make_loops(std::span<const ConstView> operands, const View& to) {
  Loops loops;
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < to.rank(); ++i) {
    if (to.shape()[i] == 1) continue;
    Dim dim{to.shape()[i], {}, to.strides()[i]};
    for (std::size_t k = 0; k < operands.size(); ++k) dim.strides[k] = operands[k].strides()[i];
    if (!dims.empty() && (dims.back().to == 0) == (dim.to == 0)) {
      Dim& outer = dims.back();
      bool one_go = outer.to == dim.to * dim.extent;
      for (std::size_t k = 0; k < operands.size(); ++k) {
        one_go = one_go && outer.strides[k] == dim.strides[k] * dim.extent;
      }
      if (one_go) {
        dim.extent *= outer.extent;
        outer = dim;
        continue;
      }
    }
    dims.push_back(dim);
  }
  loops.along = !dims.empty() && dims.back().to == 0;
  for (const Dim& dim : dims) (dim.to == 0 ? loops.summed : loops.kept).push_back(dim);
  return loops;
}

// --- Lines ------------------------------------------------------------------------------------

template <class T>
void load_line(const void* data, std::int64_t first, std::int64_t stride, std::int64_t n,
               double* to) {
  const T* from = static_cast<const T*>(data) + first;
  if (stride == 1) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<double>(from[i]);
  } else {
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<double>(from[i * stride]);
  }
}

// The work: sums of one term in numbers V over elements of type T.
template <Term term, class T>
class Summation {
 public:
  using V = std::conditional_t<std::is_same_v<T, double>, Pair, double>;

  Summation(std::span<const ConstView> operands, const View& to)
      : operands_(operands), to_(to), loops_(make_loops(operands, to)) {
    if (!loops_.along && !loops_.kept.empty()) {
      line_ = loops_.kept.back();
      loops_.kept.pop_back();
    }
    kept_ = product_of_extents(loops_.kept);
    count_ = product_of_extents(loops_.summed);
    runs_ = std::max<std::int64_t>(1, (count_ + kRun - 1) / kRun);
    tiles_ = (line_.extent + kBlock - 1) / kBlock;
  }

  void run() {
    const std::int64_t tile = std::min(line_.extent, kBlock);
    if (runs_ > 1) partial_.resize(static_cast<std::size_t>(kept_ * tiles_ * runs_ * tile));
    const std::int64_t work = tile * std::min(count_, kRun);
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, work));
    for_chunks(kept_ * tiles_ * runs_, grain, [&](std::int64_t begin, std::int64_t end) {
      const ScopedFloatEnv env;
      for (std::int64_t item = begin; item < end; ++item) run_item(item);
    });
    if (runs_ > 1) add_runs(tile);
  }

 private:
  // One run of the terms of one tile of results.
  void run_item(std::int64_t item) {
    const std::int64_t run = item % runs_;
    const std::int64_t tile = item / runs_ % tiles_;
    const std::int64_t begin = run * kRun;
    const std::int64_t end = std::min(begin + kRun, count_);
    Offsets at{};
    const std::int64_t n = place(item / runs_ / tiles_, tile, at);
    Sum sums[kBlock];  // of which the first n are used
    std::fill_n(sums, n, kNothing);
    if (loops_.along) {
      sums[0] = sum_along(at, begin, end);
    } else {
      sum_across(at, begin, end, n, sums);
    }
    if (runs_ > 1) {
      std::copy_n(
          sums, n,
          partial_.begin() + static_cast<std::ptrdiff_t>(item * std::min(line_.extent, kBlock)));
    } else {
      for (std::int64_t i = 0; i < n; ++i) store(at[kMaxOperands] + i * line_.to, sums[i]);
    }
  }

  // The offsets of a tile, and how many results it has.
  std::int64_t place(std::int64_t kept, std::int64_t tile, Offsets& at) const {
    for (std::size_t k = 0; k < operands_.size(); ++k) at[k] = operands_[k].offset();
    at[kMaxOperands] = to_.offset();
    move_to(loops_.kept, kept, at);
    const std::int64_t first = tile * kBlock;
    for (std::size_t k = 0; k < kMaxOperands; ++k) at[k] += first * line_.strides[k];
    at[kMaxOperands] += first * line_.to;
    return std::min(kBlock, line_.extent - first);
  }

  void store(std::int64_t at, const Sum& sum) {
    const double total = count_ == 0 ? 0 : sum.total();
    store_element<T>(to_.data(), at,
                     T(std::isnan(total) ? std::numeric_limits<double>::quiet_NaN() : total));
  }

  void add_runs(std::int64_t tile_size) {
    const ScopedFloatEnv env;
    for (std::int64_t tile = 0; tile < kept_ * tiles_; ++tile) {
      Offsets at{};
      const std::int64_t n = place(tile / tiles_, tile % tiles_, at);
      for (std::int64_t i = 0; i < n; ++i) {
        Sum sum = kNothing;
        for (std::int64_t run = 0; run < runs_; ++run) {
          sum.add(partial_[static_cast<std::size_t>((tile * runs_ + run) * tile_size + i)]);
        }
        store(at[kMaxOperands] + i * line_.to, sum);
      }
    }
  }

  // The terms of n elements that begin at `at`, along strides of `dim`.
  void terms(const Offsets& at, const Dim& dim, std::int64_t n, V* to) const {
    double lines[kMaxOperands][kBlock];
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      load_line<T>(operands_[k].data(), at[k], dim.strides[k], n, lines[k]);
    }
    for (std::int64_t i = 0; i < n; ++i) {
      std::array<double, kMaxOperands> x{};
      for (std::size_t k = 0; k < static_cast<std::size_t>(operands_of(term)); ++k) {
        x[k] = lines[k][i];
      }
      to[i] = term_of<term, V>(x);
    }
  }

  // Terms that lie along the last dimension: one result.
  Sum sum_along(const Offsets& start, std::int64_t begin, std::int64_t end) const {
    const Dim& inner = loops_.summed.back();
    V block[kBlock];
    Sum lanes[kLanes];
    std::fill_n(lanes, kLanes, kNothing);
    std::int64_t filled = 0;
    const auto add_block = [&] {
      std::int64_t i = 0;
      for (; i + kLanes <= filled; i += kLanes) {
        for (std::int64_t k = 0; k < kLanes; ++k) lanes[k].add(Numbers<V>::pair(block[i + k]));
      }
      for (; i < filled; ++i) lanes[i % kLanes].add(Numbers<V>::pair(block[i]));
      filled = 0;
    };
    while (begin < end) {
      Offsets at = start;
      move_to(loops_.summed, begin, at);
      const std::int64_t n =
          std::min({inner.extent - begin % inner.extent, end - begin, kBlock - filled});
      terms(at, inner, n, block + filled);
      filled += n;
      begin += n;
      if (filled == kBlock) add_block();
    }
    add_block();
    for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
      for (std::int64_t k = 0; k < half; ++k) lanes[k].add(lanes[k + half]);
    }
    return lanes[0];
  }

  // Terms that lie across it: n results at once.
  void sum_across(const Offsets& start, std::int64_t begin, std::int64_t end, std::int64_t n,
                  Sum* sums) const {
    V block[kBlock];
    for (; begin < end; ++begin) {
      Offsets at = start;
      move_to(loops_.summed, begin, at);
      terms(at, line_, n, block);
      for (std::int64_t i = 0; i < n; ++i) sums[i].add(Numbers<V>::pair(block[i]));
    }
  }

  std::span<const ConstView> operands_;
  const View& to_;
  Loops loops_;
  Dim line_{1, {}, 0};  // the last dimension, where it stays
  std::int64_t kept_ = 1;
  std::int64_t count_ = 1;  // terms of one result
  std::int64_t runs_ = 1;
  std::int64_t tiles_ = 1;  // of a line
  std::vector<Sum> partial_;
};

template <Term term>
void sum_of(std::span<const ConstView> operands, const View& to) {
  with_type(to.dtype(), [&](auto t) {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      Summation<term, T>(operands, to).run();
    } else {
      fail(ErrorCode::internal, "gradients of {}", name(to.dtype()));
    }
  });
}

}  // namespace

int operands_of(Term term) noexcept {
  switch (term) {
    case Term::copy:
    case Term::negative:
      return 1;
    case Term::product:
    case Term::negative_product:
    case Term::quotient:
      return 2;
    case Term::negative_quotient:
      return 3;
    case Term::quotient_of_rest:
      return 4;
    case Term::product_and_quotient:
      return 5;
  }
  return 0;
}

void sum_terms(Term term, std::span<const ConstView> operands, const View& to) {
  switch (term) {
    case Term::copy:
      return sum_of<Term::copy>(operands, to);
    case Term::negative:
      return sum_of<Term::negative>(operands, to);
    case Term::product:
      return sum_of<Term::product>(operands, to);
    case Term::negative_product:
      return sum_of<Term::negative_product>(operands, to);
    case Term::quotient:
      return sum_of<Term::quotient>(operands, to);
    case Term::negative_quotient:
      return sum_of<Term::negative_quotient>(operands, to);
    case Term::quotient_of_rest:
      return sum_of<Term::quotient_of_rest>(operands, to);
    case Term::product_and_quotient:
      return sum_of<Term::product_and_quotient>(operands, to);
  }
}

}  // namespace hadamard::exec
