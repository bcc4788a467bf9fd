// The algebra of views: slices of slices, permutations, and tensors copied from them.
#include <numeric>
#include <vector>

#include "check.hpp"
#include "hadamard/hadamard.hpp"

namespace hadamard {
namespace {

Tensor counted(const Dims& shape) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), 0);
  return Tensor::from(std::span<const std::int32_t>(values), shape);
}

struct Slice {
  std::int64_t first, count, step;
};
Slice random_slice(std::int64_t extent) {
  const std::int64_t first = *rc::gen::inRange<std::int64_t>(0, extent);
  std::int64_t step = *rc::gen::inRange<std::int64_t>(-3, 4);
  if (step == 0) step = 1;
  const std::int64_t most = step > 0 ? (extent - 1 - first) / step + 1 : first / -step + 1;
  return {first, *rc::gen::inRange<std::int64_t>(1, most + 1), step};
}

TEST(Views, ASliceHasTheElementsOfItsIndices) {
  check_property("v.sliced(d,f,c,s)[i] = v[f+i*s], and slices compose", [] {
    const std::int64_t n = *rc::gen::inRange<std::int64_t>(1, 30);
    const Tensor t = counted({n, 3});
    const Slice s = random_slice(n);
    const ConstView v = t.view().sliced(0, s.first, s.count, s.step);
    for (std::int64_t i = 0; i < s.count; ++i) {
      RC_ASSERT(v.at<std::int32_t>({i, 2}) == t.at<std::int32_t>({s.first + i * s.step, 2}));
    }
    const Slice u = random_slice(s.count);
    const ConstView twice = v.sliced(0, u.first, u.count, u.step);
    const ConstView once = t.view().sliced(0, s.first + u.first * s.step, u.count, s.step * u.step);
    RC_ASSERT(Tensor(twice).to_vector<std::int32_t>() == Tensor(once).to_vector<std::int32_t>());
  });
}

// Nibbles: a slice may begin in the middle of a byte.
TEST(Views, PackedSlicesToo) {
  check_property("slices of int4 lines, and writing through them", [] {
    const std::int64_t n = *rc::gen::inRange<std::int64_t>(1, 40);
    Tensor t(DType::int4, Dims{n});
    for (std::int64_t i = 0; i < n; ++i) t.set({i}, int4(i * 5 - 3));
    const Slice s = random_slice(n);
    Tensor copy = t;
    const View v = copy.view().sliced(0, s.first, s.count, s.step);
    for (std::int64_t i = 0; i < s.count; ++i) {
      RC_ASSERT(v.at<int4>({i}).value == t.at<int4>({s.first + i * s.step}).value);
      v.set({i}, int4(i));
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t k = (i - s.first) / s.step;
      const bool inside = (i - s.first) % s.step == 0 && k >= 0 && k < s.count;
      RC_ASSERT(copy.at<int4>({i}).value == (inside ? int4(k).value : t.at<int4>({i}).value));
    }
  });
}

TEST(Views, PermutationsCompose) {
  check_property("permuted twice = permuted by the product; transposed twice = itself", [] {
    const Tensor t = counted({2, 3, 4});
    const auto permutation = [] {
      Dims order{0, 1, 2};
      std::swap(order[2], order[*rc::gen::inRange<std::size_t>(0, 3)]);
      std::swap(order[1], order[*rc::gen::inRange<std::size_t>(0, 2)]);
      return order;
    };
    const Dims p = permutation(), q = permutation();
    Dims both;
    for (std::size_t i = 0; i < 3; ++i) both.push_back(p[static_cast<std::size_t>(q[i])]);
    RC_ASSERT(Tensor(t.view().permuted(p).permuted(q)).to_vector<std::int32_t>() ==
              Tensor(t.view().permuted(both)).to_vector<std::int32_t>());
    RC_ASSERT(t.view().transposed().transposed().strides() == t.strides());
    for (const Order order : {Order::row_major, Order::column_major}) {
      const Tensor copy(t.view().permuted(p), order);
      RC_ASSERT(copy.layout().is_contiguous(order));
      RC_ASSERT(copy.to_vector<std::int32_t>() ==
                Tensor(t.view().permuted(p)).to_vector<std::int32_t>());
    }
  });
}

TEST(Views, OperatorsSeeTheSlice) {
  check_property("op(slice(a), slice(b)) = slice(op(a, b))", [] {
    const std::int64_t n = *rc::gen::inRange<std::int64_t>(1, 50);
    const Tensor a = counted({n}), b = add(counted({n}), Tensor::scalar<std::int32_t>(17));
    const Slice s = random_slice(n);
    const Tensor whole = mul(a, b);
    RC_ASSERT(mul(a.view().sliced(0, s.first, s.count, s.step),
                  b.view().sliced(0, s.first, s.count, s.step))
                  .to_vector<std::int32_t>() ==
              Tensor(whole.view().sliced(0, s.first, s.count, s.step)).to_vector<std::int32_t>());
  });
}

}  // namespace
}  // namespace hadamard
