// The four broadcast rules against a model that is nothing but their definition, and plans that
// must not depend on how a tensor lies in memory.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "check.hpp"
#include "hadamard/hadamard.hpp"

namespace hadamard {
namespace {

using Shape = std::vector<std::int64_t>;

Dims dims(const Shape& shape) { return Dims(std::span<const std::int64_t>(shape)); }

rc::Gen<Shape> shapes() {
  return rc::gen::mapcat(rc::gen::inRange(0, 5), [](int rank) {
    return rc::gen::container<Shape>(
        static_cast<std::size_t>(rank),
        rc::gen::weightedOneOf<std::int64_t>({{4, rc::gen::just<std::int64_t>(1)},
                                              {3, rc::gen::just<std::int64_t>(2)},
                                              {3, rc::gen::just<std::int64_t>(3)},
                                              {1, rc::gen::just<std::int64_t>(0)}}));
  });
}

// Shapes that often fit: the second is made from the first.
rc::Gen<std::pair<Shape, Shape>> pairs() {
  return rc::gen::mapcat(shapes(), [](const Shape& a) {
    const auto related =
        rc::gen::map(rc::gen::container<std::vector<int>>(a.size() + 1, rc::gen::inRange(0, 4)),
                     [a](const std::vector<int>& how) {
                       Shape b;
                       const std::size_t skip = how[a.size()] == 0 && !a.empty() ? 1 : 0;
                       for (std::size_t i = skip; i < a.size(); ++i)
                         b.push_back(how[i] == 0 ? 1 : a[i]);
                       if (how[a.size()] == 1 && !b.empty()) b.pop_back();
                       return b;
                     });
    return rc::gen::map(rc::gen::oneOf(related, shapes()),
                        [a](const Shape& b) { return std::make_pair(a, b); });
  });
}

using Answer = std::optional<Shape>;  // nothing: an error

Answer join(const Shape& a, const Shape& b) {  // same rank
  Shape result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return std::nullopt;
    result.push_back(a[i] == 1 ? b[i] : a[i]);
  }
  return result;
}

Shape padded(const Shape& shape, std::size_t before, std::size_t rank) {
  Shape result(before, 1);
  result.insert(result.end(), shape.begin(), shape.end());
  result.resize(std::max(rank, result.size()), 1);
  return result;
}

Answer model(Broadcast rule, int axis, const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  if (a == b) return a;
  switch (rule) {
    case Broadcast::none:
      return std::nullopt;
    case Broadcast::numpy:
      return join(padded(a, rank - a.size(), rank), padded(b, rank - b.size(), rank));
    case Broadcast::matlab:
      return join(padded(a, 0, rank), padded(b, 0, rank));
    case Broadcast::paddle:
      break;
  }
  // Paddle, as in fluid 1.8: the lower rank starts at `axis` of the higher.
  const bool swapped = a.size() < b.size();
  const Shape& high = swapped ? b : a;
  Shape low = swapped ? a : b;
  const auto r = static_cast<int>(rank);
  if (axis < -1 || (axis >= r && r > 0) || (r == 0 && axis > 0)) return std::nullopt;
  const int first = axis == -1 ? r - static_cast<int>(low.size()) : axis;
  while (!low.empty() && first + static_cast<int>(low.size()) > r && low.back() == 1)
    low.pop_back();
  if (first + static_cast<int>(low.size()) > r) return std::nullopt;
  return join(high, padded(low, static_cast<std::size_t>(first), rank));
}

Answer ask(Broadcast rule, int axis, const Shape& a, const Shape& b) {
  try {
    const Layout y =
        result_layout(Op::add, Layout(DType::int32, dims(a)), Layout(DType::int32, dims(b)),
                      {.broadcast = rule, .axis = axis});
    return Shape(y.shape.begin(), y.shape.end());
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::shape_mismatch || error.code() == ErrorCode::bad_argument);
    return std::nullopt;
  }
}

TEST(Shapes, BroadcastAsTheModelSays) {
  check_property("result_layout = model", [] {
    const auto [a, b] = *pairs();
    const int axis = *rc::gen::inRange(-2, 6);
    for (const Broadcast rule :
         {Broadcast::none, Broadcast::numpy, Broadcast::matlab, Broadcast::paddle}) {
      RC_ASSERT(ask(rule, axis, a, b) == model(rule, axis, a, b));
    }
  });
}

TEST(Shapes, SymmetricAndNeutral) {
  check_property("the rules are symmetric, and () is neutral", [] {
    const auto [a, b] = *pairs();
    for (const Broadcast rule : {Broadcast::none, Broadcast::numpy, Broadcast::matlab}) {
      RC_ASSERT(ask(rule, -1, a, b) == ask(rule, -1, b, a));
    }
    RC_ASSERT(ask(Broadcast::numpy, -1, a, {}) == Answer(a));
    RC_ASSERT(ask(Broadcast::matlab, -1, {}, a) == Answer(a));
  });
}

// The element of a broadcast operand that belongs to a result index, by the definition.
std::int64_t value_at(const Tensor& t, const Shape& index, std::size_t first) {
  Dims own;
  for (std::size_t i = 0; i < t.rank(); ++i) {
    own.push_back(t.shape()[i] == 1 ? 0 : index[first + i]);
  }
  return t.at<std::int64_t>(own);
}

Tensor counted(const Shape& shape, std::int64_t start) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(element_count(dims(shape))));
  std::iota(values.begin(), values.end(), start);
  return Tensor::from(std::span<const std::int64_t>(values), dims(shape));
}

TEST(Shapes, ValuesLandWhereTheRuleSays) {
  check_property("every element is the sum of the two that belong there", [] {
    const auto [x, y] = *pairs();
    for (const Broadcast rule : {Broadcast::numpy, Broadcast::matlab}) {
      const Answer shape = model(rule, -1, x, y);
      if (!shape) continue;
      const Tensor a = counted(x, 1000), b = counted(y, 7'000'000);
      const Tensor sum = add(a, b, {.broadcast = rule});
      const auto values = sum.to_vector<std::int64_t>();
      for (std::size_t k = 0; k < values.size(); ++k) {
        Shape index(shape->size());
        std::size_t rest = k;
        for (std::size_t i = shape->size(); i-- > 0;) {
          index[i] = static_cast<std::int64_t>(rest % static_cast<std::size_t>((*shape)[i]));
          rest /= static_cast<std::size_t>((*shape)[i]);
        }
        const bool trailing = rule == Broadcast::numpy;
        RC_ASSERT(values[k] == value_at(a, index, trailing ? shape->size() - x.size() : 0) +
                                   value_at(b, index, trailing ? shape->size() - y.size() : 0));
      }
    }
  });
}

// Where a tensor's elements lie in memory: dimensions in another order, with gaps, backwards.
struct Lie {
  Dims strides;
  std::int64_t first = 0;
  std::int64_t length = 1;
};

Lie random_lie(const Shape& shape) {
  Lie lie{Dims::filled(shape.size(), 0)};
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  }
  std::int64_t step = *rc::gen::inRange<std::int64_t>(1, 3);
  for (const std::size_t dim : order) {
    const bool backwards = *rc::gen::arbitrary<bool>();
    lie.strides[dim] = backwards ? -step : step;
    if (backwards) lie.first += step * (shape[dim] - 1);
    step = step * shape[dim] + *rc::gen::inRange<std::int64_t>(0, 2);
  }
  lie.length = step + 1;
  return lie;
}

TEST(Shapes, PlansDoNotDependOnWhereElementsLie) {
  check_property("any permutation, gap and direction gives the values of the dense reference", [] {
    const Shape shape = *rc::gen::mapcat(rc::gen::inRange(0, 6), [](int rank) {
      return rc::gen::container<Shape>(static_cast<std::size_t>(rank),
                                       rc::gen::inRange<std::int64_t>(1, 5));
    });
    Shape narrow = shape;
    for (std::int64_t& extent : narrow) extent = *rc::gen::arbitrary<bool>() ? 1 : extent;
    const Tensor a = counted(shape, -50), b = counted(narrow, 1);
    const Tensor expected = sub(a, b, {.provider = "ref"});
    const Lie la = random_lie(shape), lb = random_lie(narrow), ly = random_lie(shape);
    std::vector<std::int64_t> ma(static_cast<std::size_t>(la.length)),
        mb(static_cast<std::size_t>(lb.length)), my(static_cast<std::size_t>(ly.length), 99);
    const View va(ma.data() + la.first, dims(shape), la.strides);
    const View vb(mb.data() + lb.first, dims(narrow), lb.strides);
    const View vy(my.data() + ly.first, dims(shape), ly.strides);
    const Tensor zero = Tensor::scalar<std::int64_t>(0);
    sub_into(va, a, zero, {.provider = "ref"});
    sub_into(vb, b, zero, {.provider = "ref"});
    sub_into(vy, va, vb);
    RC_ASSERT(Tensor(ConstView(vy)).to_vector<std::int64_t>() ==
              expected.to_vector<std::int64_t>());
    const auto untouched = std::count(my.begin(), my.end(), 99);
    RC_ASSERT(untouched >= ly.length - expected.count());
    RC_ASSERT(sub(va, vb).to_vector<std::int64_t>() == expected.to_vector<std::int64_t>());
    RC_ASSERT(sub(va, vb, {.order = Order::column_major}).to_vector<std::int64_t>() ==
              expected.to_vector<std::int64_t>());
  });
}

}  // namespace
}  // namespace hadamard
