// Eigen: arrays over the same memory. Contiguous, with a scalar, and in two dimensions any strides
// or a row or column that repeats.
#include <Eigen/Core>

#include "dispatch.hpp"

namespace bench {
namespace {

using Eigen::Dynamic;
template <class T>
using Line = Eigen::Array<T, Dynamic, 1>;
template <class T>
using Table = Eigen::Array<T, Dynamic, Dynamic, Eigen::RowMajor>;
using Steps = Eigen::Stride<Dynamic, Dynamic>;

template <class T, class Operator>
std::unique_ptr<Contender> line(const HbCase& c) {
  using In = Eigen::Map<const Line<T>, Eigen::Aligned64>;
  const In a(static_cast<const T*>(c.a.data), count_of(c.a));
  const auto* b = static_cast<const T*>(c.b.data);
  Eigen::Map<Line<T>, Eigen::Aligned64> y(static_cast<T*>(c.y.data), count_of(c.y));
  if (count_of(c.b) == count_of(c.y)) {
    const In right(b, count_of(c.b));
    auto work = [=]() mutable { y = Operator::of(a, right); };
    return std::make_unique<Work<decltype(work)>>(work);
  }
  if (!is_one_element(c.b)) throw Unsupported{"no such broadcast"};
  auto work = [=]() mutable { y = Operator::of(a, *b); };
  return std::make_unique<Work<decltype(work)>>(work);
}

template <class T, class Operator>
std::unique_ptr<Contender> table(const HbCase& c) {
  using In = Eigen::Map<const Table<T>, 0, Steps>;
  const auto in = [](const HbOperand& o) {
    return In(static_cast<const T*>(o.data), o.shape[0], o.shape[1],
              Steps(o.strides[0], o.strides[1]));
  };
  const In a = in(c.a), b = in(c.b);
  Eigen::Map<Table<T>> y(static_cast<T*>(c.y.data), c.y.shape[0], c.y.shape[1]);
  const bool repeats_rows = c.b.shape[0] != c.y.shape[0];
  const bool repeats_columns = c.b.shape[1] != c.y.shape[1];
  if (repeats_rows && repeats_columns) throw Unsupported{"no such broadcast"};
  if (repeats_rows) {
    auto work = [=]() mutable { y = Operator::of(a, b.row(0).replicate(y.rows(), 1)); };
    return std::make_unique<Work<decltype(work)>>(work);
  }
  if (repeats_columns) {
    auto work = [=]() mutable { y = Operator::of(a, b.col(0).replicate(1, y.cols())); };
    return std::make_unique<Work<decltype(work)>>(work);
  }
  auto work = [=]() mutable { y = Operator::of(a, b); };
  return std::make_unique<Work<decltype(work)>>(work);
}

}  // namespace

std::unique_ptr<Contender> make_eigen(const HbCase& c) {
  if (c.threads > 1) throw Unsupported{"one thread"};
  const bool lines = is_contiguous(c.a) && is_contiguous(c.b) && is_contiguous(c.y) &&
                     count_of(c.a) == count_of(c.y) &&
                     (count_of(c.b) == count_of(c.y) || is_one_element(c.b));
  const std::string_view type = c.type;
  if (type[0] != 'f' && type[0] != 'b' && type[0] != 'c' && std::string_view(c.op) == "div" &&
      std::string_view(c.rounding) == "floor" && type[0] != 'u') {
    throw Unsupported{"truncates"};
  }
  return with_operator(c.op, [&]<class Operator>(Operator) -> std::unique_ptr<Contender> {
    if (lines) {
      if (type == "fp16") return line<Eigen::half, Operator>(c);
      if (type == "bf16") return line<Eigen::bfloat16, Operator>(c);
      return with_plain_type(type, [&]<class T>(T) { return line<T, Operator>(c); });
    }
    if (c.y.rank != 2 || c.a.rank != 2 || c.b.rank != 2) throw Unsupported{"two dimensions only"};
    return with_float_type(type, [&]<class T>(T) { return table<T, Operator>(c); });
  });
}

}  // namespace bench
