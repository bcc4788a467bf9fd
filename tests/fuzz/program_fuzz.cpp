// Any text either is refused by an Error or is a program; fused, not fused and by the reference it
// gives the same bits or the same error. The first byte of the input chooses the type of the
// inputs, the second their number of elements, the rest is the text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "api/program.hpp"
#include "dialect/program_text.hpp"
#include "memory_bound.hpp"
#include "num/dtype.hpp"
#include "tensor/element.hpp"

namespace {

using namespace hadamard;

struct Result {
  std::vector<Tensor> tensors;
  std::string error;
};

// Small numbers of both signs, and zeros.
Tensor some_numbers(DType type, std::int64_t count, int salt) {
  Tensor tensor(type, Dims{count});
  with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto n = static_cast<std::int8_t>((i * 5 + salt * 3) % 9 - 3);
      if constexpr (Element<T>::kKind == Kind::boolean) {
        store_element<T>(tensor.data(), i, n > 0);
      } else if constexpr (Element<T>::kKind == Kind::floating && std::is_class_v<T>) {
        store_element<T>(tensor.data(), i, T(static_cast<double>(n)));
      } else {
        store_element<T>(tensor.data(), i, T(n));
      }
    }
  });
  return tensor;
}

bool same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() == DType::real) return a.to_vector<Real>() == b.to_vector<Real>();
  return a.size_bytes() == 0 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

Result run(const plan::Lowered& lowered, const std::vector<Tensor>& inputs,
           std::string_view provider, std::size_t steps) {
  std::vector<Layout> layouts;
  std::vector<exec::Place> places;
  for (const Tensor& input : inputs) {
    layouts.push_back(input.layout());
    places.push_back({input.data(), 0});
  }
  try {
    const auto impl = make_program_impl(lowered, layouts, result_layouts(lowered, Order::row_major),
                                        {.provider = provider}, {.steps = steps});
    return {run_fresh(*impl, places), {}};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

void expect_same(const Result& expected, const Result& actual, std::string_view how) {
  bool equal = expected.error == actual.error && expected.tensors.size() == actual.tensors.size();
  for (std::size_t i = 0; equal && i < expected.tensors.size(); ++i) {
    equal = same(expected.tensors[i], actual.tensors[i]);
  }
  if (equal) return;
  std::fprintf(stderr, "program_fuzz: %.*s differs: '%s' and '%s'\n", static_cast<int>(how.size()),
               how.data(), expected.error.c_str(), actual.error.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 4096) return 0;
  const hadamard::fuzz::MemoryBound bound(size);
  const auto type = static_cast<DType>(data[0] % kTypeCount);
  const std::int64_t count = data[1] % 8;
  const std::string text(reinterpret_cast<const char*>(data + 2), size - 2);
  try {
    const dialect::ProgramText program(text);
    std::vector<Tensor> inputs;
    std::vector<Layout> layouts;
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
      inputs.push_back(some_numbers(type, count, static_cast<int>(i)));
      layouts.push_back(inputs.back().layout());
    }
    const plan::Lowered lowered = program.lower(layouts, {}, {}, type);
    const Result expected = run(lowered, inputs, "ref", 64);
    expect_same(expected, run(lowered, inputs, "cpu", 64), "fused");
    expect_same(expected, run(lowered, inputs, "cpu", 1), "not fused");
  } catch (const Error& error) {
    if (std::strlen(error.what()) == 0 || error.code() == ErrorCode::internal) std::abort();
  }
  return 0;
}
