// xtensor: adaptors over the same memory. Of fixed rank 1 where all is contiguous; kind `dynamic`:
// the rank is known at run time only, as ours is.
#include <array>
#include <vector>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xnoalias.hpp>

#include "dispatch.hpp"

namespace bench {
namespace {

template <class T>
auto line_of(const HbOperand& o) {
  const auto n = static_cast<std::size_t>(count_of(o));
  return xt::adapt(static_cast<T*>(o.data), n, xt::no_ownership(), std::array<std::size_t, 1>{n});
}

template <class T>
auto any_of(const HbOperand& o) {
  // Extent 1 has stride 0 in xtensor, which is how it broadcasts.
  std::vector<std::size_t> shape(o.shape, o.shape + o.rank);
  std::vector<std::ptrdiff_t> strides(o.strides, o.strides + o.rank);
  std::size_t span = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) strides[i] = 0;
    span += (shape[i] - 1) * static_cast<std::size_t>(strides[i]);
  }
  return xt::adapt(static_cast<T*>(o.data), span, xt::no_ownership(), shape, strides);
}

template <class T, class Operator>
std::unique_ptr<Contender> line(const HbCase& c) {
  auto a = line_of<T>(c.a), b = line_of<T>(c.b), y = line_of<T>(c.y);
  auto work = [=]() mutable { xt::noalias(y) = Operator::of(a, b); };
  return std::make_unique<Work<decltype(work)>>(std::move(work));
}

template <class T, class Operator>
std::unique_ptr<Contender> scalar(const HbCase& c) {
  auto a = line_of<T>(c.a), y = line_of<T>(c.y);
  const auto* b = static_cast<const T*>(c.b.data);
  auto work = [=]() mutable { xt::noalias(y) = Operator::of(a, *b); };
  return std::make_unique<Work<decltype(work)>>(std::move(work));
}

template <class T, class Operator>
std::unique_ptr<Contender> any(const HbCase& c) {
  auto a = any_of<T>(c.a), b = any_of<T>(c.b), y = any_of<T>(c.y);
  auto work = [=]() mutable { xt::noalias(y) = Operator::of(a, b); };
  return std::make_unique<Work<decltype(work)>>(std::move(work));
}

}  // namespace

std::unique_ptr<Contender> make_xtensor(std::string_view kind, const HbCase& c) {
  if (c.threads > 1) throw Unsupported{"one thread"};
  const std::string_view type = c.type;
  if (type.starts_with("int") && std::string_view(c.op) == "div" &&
      std::string_view(c.rounding) == "floor") {
    throw Unsupported{"truncates"};
  }
  const bool flat = kind != "dynamic" && is_contiguous(c.a) && is_contiguous(c.b) &&
                    is_contiguous(c.y) && count_of(c.a) == count_of(c.y);
  return with_operator(c.op, [&]<class Operator>(Operator) -> std::unique_ptr<Contender> {
    if (flat && count_of(c.b) == count_of(c.y)) {
      return with_plain_type(type, [&]<class T>(T) { return line<T, Operator>(c); });
    }
    if (flat && is_one_element(c.b)) {
      return with_plain_type(type, [&]<class T>(T) -> std::unique_ptr<Contender> {
        if constexpr (std::is_arithmetic_v<T>) return scalar<T, Operator>(c);
        throw Unsupported{"no complex scalar"};
      });
    }
    return with_float_type(type, [&]<class T>(T) { return any<T, Operator>(c); });
  });
}

}  // namespace bench
