#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "exec/cpu/cpu_provider.hpp"
#include "num/dtype.hpp"
#include "op/oracle.hpp"
#include "tensor/element.hpp"

namespace hadamard::difftest {
namespace {

Real random_real(Random& random, bool without_zeros) {
  const auto number = static_cast<std::int64_t>(random() % 2001) - 1000;
  const Real value(number == 0 && without_zeros ? 7 : number,
                   static_cast<std::int64_t>(random() % 50) + 1);
  if (random() % 16 != 0) return value;
  const Real huge = Real::parse("123456789012345678901234567890/98765432109876543211");
  return random() % 2 == 0 ? value * huge : value / huge;
}

// The same for a float or one part of a complex number.
std::uint64_t random_float_bits(Random& random, const std::vector<std::uint64_t>& specials,
                                FloatFormat format) {
  switch (random() % 4) {
    case 0:
      return specials[random() % specials.size()];
    case 1: {  // near 1, so that sums and quotients are of interest
      const std::uint64_t exponent = static_cast<std::uint64_t>(format.bias()) - 2 + random() % 5;
      return (random() & (format.sign_bit() | format.mantissa_mask())) |
             exponent << (format.precision - 1);
    }
    default:
      return random();
  }
}

std::uint64_t random_int_bits(Random& random, int width) {
  const std::uint64_t low = std::uint64_t{1} << (width - 1);
  const std::uint64_t specials[] = {1, 2, ~std::uint64_t{0}, low, low - 1, low + 1, 3, 7};
  switch (random() % 4) {
    case 0:
      return specials[random() % std::size(specials)];
    case 1:
      return random() >> (random() % 64);  // any magnitude
    case 2:
      return 0 - (random() >> (random() % 64));
    default:
      return random();
  }
}

std::int64_t last_element(const Window& window) {
  std::int64_t last = window.start;
  for (std::size_t i = 0; i < window.shape.size(); ++i) {
    if (window.shape[i] == 0) return window.start;
    last += std::max<std::int64_t>(0, (window.shape[i] - 1) * window.strides[i]);
  }
  return last;
}

template <class F>
void store_bits(void* data, std::int64_t i, std::uint64_t bits) {
  using Bits = typename Element<F>::Bits;
  const auto narrow = static_cast<Bits>(bits);
  std::memcpy(static_cast<char*>(data) + i * static_cast<std::int64_t>(sizeof(F)), &narrow,
              sizeof(F));
}

}  // namespace

std::vector<std::string_view> cpu_targets() {
  std::vector<std::string_view> names;
  for (const exec::CpuTarget& target : exec::cpu_targets()) {
    if (target.supported) names.push_back(target.name);
  }
  return names;
}

std::vector<Options> everywhere() {
  std::vector<Options> all;
  for (const std::string_view target : cpu_targets()) {
    all.push_back({.provider = "cpu", .cpu_target = target});
  }
  all.push_back({.provider = "ref"});
  return all;
}

std::vector<DType> all_types() {
  return {
#define HADAMARD_TEST_TYPE(id, Type) DType::id,
      HADAMARD_TYPES(HADAMARD_TEST_TYPE)
#undef HADAMARD_TEST_TYPE
  };
}

bool refuses_zero(Op op, DType type) {
  const Kind k = kind(type);
  return op::divisor(op) != op::Divisor::none && k != Kind::floating && k != Kind::complex;
}

bool is_function(Op op, DType type) {
  if (kind(type) == Kind::complex) return op::is_function(op) || op == Op::sign;
  if (kind(type) != Kind::floating || op == Op::sqrt) return false;
  return op::is_function(op);
}

Tensor compute(Op op, const ConstView& a, const ConstView& b, const Options& options) {
  return op::arity(op) == 2 ? apply(op, a, b, options) : apply(op, a, options);
}
void compute_into(Op op, const View& y, const ConstView& a, const ConstView& b,
                  const Options& options) {
  if (op::arity(op) == 2) return apply_into(op, y, a, b, options);
  apply_into(op, y, a, options);
}
Prepared prepare_any(Op op, const Layout& a, const Layout& b, const Layout& y,
                     const Options& options) {
  return op::arity(op) == 2 ? prepare(op, a, b, y, options) : prepare(op, a, y, options);
}
void run_any(Op op, const Prepared& prepared, const ConstView& a, const ConstView& b,
             const View& y) {
  if (op::arity(op) == 2) return prepared.run(a, b, y);
  prepared.run(a, y);
}

std::vector<std::uint64_t> special_bits(DType type) {
  return with_type(type, [](auto t) -> std::vector<std::uint64_t> {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      constexpr FloatFormat f = Element<T>::kFormat;
      const std::uint64_t unit = f.mantissa_mask() + 1;  // the exponent field's last bit
      const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) * unit;
      const std::uint64_t quiet = unit / 2;
      std::vector<std::uint64_t> positive = {
          0,
          1,
          2,
          3,
          unit / 2 - 1,
          unit / 2,
          unit - 1,
          unit,
          unit + 1,
          2 * unit,  // subnormal extremes
          one - 1,
          one,
          one + 1,
          one + unit,
          one - unit,
          one + unit / 2,
          one + 2 * unit - 1,
          one + static_cast<std::uint64_t>(f.precision) * unit,      // 2^p
          one + static_cast<std::uint64_t>(f.precision - 1) * unit,  // 2^(p-1)
          one - static_cast<std::uint64_t>(f.precision) * unit,      // half an ulp of 1
          one - static_cast<std::uint64_t>(f.precision - 1) * unit,  // an ulp of 1
          one / 2,
          one + one / 2,  // near the root of the range
          f.infinity() - unit,
          f.infinity() - 2,
          f.infinity() - 1,
          f.infinity(),
          f.infinity() | quiet,
          f.infinity() | quiet | 5,
          f.infinity() | (unit - 1),  // quiet NaNs
          f.infinity() | 1,
          f.infinity() | (quiet - 1)};  // signalling NaNs
      std::vector<std::uint64_t> all = positive;
      for (const std::uint64_t bits : positive) all.push_back(bits | f.sign_bit());
      return all;
    } else {
      return {};
    }
  });
}

Tensor special_line(DType type) {
  return with_type(type, [type](auto t) {
    using T = typename decltype(t)::type;
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::floating) {
      const auto specials = special_bits(type);
      Tensor line(type, Dims{std::ssize(specials)});
      for (std::size_t i = 0; i < specials.size(); ++i) {
        store_bits<T>(line.data(), static_cast<std::int64_t>(i), specials[i]);
      }
      return line;
    } else if constexpr (kKind == Kind::complex) {
      using F = typename T::value_type;
      using Limits = std::numeric_limits<F>;
      std::vector<F> parts;
      for (const F x : {F{0}, Limits::denorm_min(), Limits::min(), F{1}, F{1.5}, Limits::max(),
                        Limits::infinity(), Limits::quiet_NaN()}) {
        parts.insert(parts.end(), {x, -x});
      }
      std::vector<T> numbers;
      for (const F re : parts) {
        for (const F im : parts) numbers.emplace_back(re, im);
      }
      return Tensor::from(numbers, {std::ssize(numbers)});
    } else {
      return Tensor(type, Dims{0});
    }
  });
}

Tensor random_line(Random& random, DType type, std::int64_t count, bool without_zeros) {
  Tensor line(type, Dims{count});
  with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    constexpr Kind kKind = Element<T>::kKind;
    if constexpr (kKind == Kind::exact) {
      for (std::int64_t i = 0; i < count; ++i) {
        store_element<T>(line.data(), i, random_real(random, without_zeros));
      }
    } else if constexpr (kKind == Kind::floating || kKind == Kind::complex) {
      using Part =
          typename std::conditional_t<kKind == Kind::complex, T, std::complex<T>>::value_type;
      const auto specials = special_bits(dtype_of<Part>);
      const std::int64_t parts = count * (kKind == Kind::complex ? 2 : 1);
      for (std::int64_t i = 0; i < parts; ++i) {
        store_bits<Part>(line.data(), i,
                         random_float_bits(random, specials, Element<Part>::kFormat));
      }
    } else if constexpr (kKind == Kind::boolean) {
      for (std::int64_t i = 0; i < count; ++i) {
        static_cast<std::uint8_t*>(line.data())[i] =
            static_cast<std::uint8_t>(without_zeros ? 1 + random() % 255 : random() % 3);
      }
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t bits = random_int_bits(random, Element<T>::kBits);
        if (without_zeros && (bits << (64 - Element<T>::kBits)) == 0) bits = 1;
        store_element<T>(line.data(), i, T(bits));
      }
    }
  });
  return line;
}

bool same_memory(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.count() != b.count()) return false;
  if (a.dtype() == DType::real) return a.to_vector<Real>() == b.to_vector<Real>();
  return a.size_bytes() == 0 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::string differences(const Tensor& expected, const Tensor& actual) {
  if (expected.dtype() == DType::real) return "reals differ";
  std::string text;
  const auto* e = static_cast<const std::uint8_t*>(expected.data());
  const auto* a = static_cast<const std::uint8_t*>(actual.data());
  const auto size = static_cast<std::size_t>(std::max(1, bits(expected.dtype()) / 8));
  const auto hex = [size](const std::uint8_t* p) {
    std::string digits;
    for (std::size_t k = size; k-- > 0;) {
      digits += "0123456789ABCDEF"[p[k] >> 4];
      digits += "0123456789ABCDEF"[p[k] & 15];
    }
    return digits;
  };
  int shown = 0;
  for (std::size_t i = 0; i + size <= expected.size_bytes() && shown < 4; i += size) {
    if (std::memcmp(e + i, a + i, size) == 0) continue;
    text += " [" + std::to_string(i / size) + "] expected " + hex(e + i) + " got " + hex(a + i);
    ++shown;
  }
  return text;
}

ConstView look(const Tensor& line, const Window& window) {
  const void* data = line.data();
  std::int64_t offset = 0;
  if (data != nullptr) move_by(data, offset, line.dtype(), window.start);
  return {data, Layout(line.dtype(), window.shape, window.strides), offset};
}
View look(Tensor& line, const Window& window) {
  const ConstView view = look(std::as_const(line), window);
  return {const_cast<void*>(view.data()), view.layout(), view.offset()};
}

std::vector<Arrangement> arrangements(std::int64_t n) {
  std::vector<Arrangement> all;
  const auto add = [&](std::string name, Window a, Window b, Window y,
                       Output output = Output::apart, bool partial = false) {
    const std::int64_t length = std::max({last_element(a), last_element(b), last_element(y)}) + 9;
    all.push_back(
        {std::move(name), std::move(a), std::move(b), std::move(y), output, length, partial});
  };
  const Window line{{n}, {1}, 0};
  const Window scalar{{}, {}, 5};
  const auto at = [](Window window, std::int64_t start) {
    window.start = start;
    return window;
  };
  add("contiguous", line, line, line);
  add("odd_offsets", at(line, 1), at(line, 3), at(line, 5));
  add("mixed_offsets", at(line, 2), at(line, 7), at(line, 1));
  add("scalar_left", scalar, line, line);
  add("scalar_right", line, scalar, at(line, 3));
  add("both_scalar", {{n}, {0}, 3}, {{n}, {0}, 4}, line);
  add("row", {{3, n}, {n, 1}, 1}, line, {{3, n}, {n, 1}, 0});
  add("row_left", line, {{3, n}, {n, 1}, 1}, {{3, n}, {n, 1}, 3});
  add("column", {{3, n}, {n, 1}, 0}, {{3, 1}, {1, 1}, 1}, {{3, n}, {n, 1}, 0});
  add("column_left", {{3, 1}, {1, 1}, 1}, {{3, n}, {n, 1}, 0}, {{3, n}, {n, 1}, 1});
  add("outer", {{3, 1}, {1, 1}, 0}, {{1, n}, {n, 1}, 0}, {{3, n}, {n, 1}, 0});
  add("padded_rows", {{3, n}, {n + 2, 1}, 0}, {{3, n}, {n + 1, 1}, 1}, {{3, n}, {n + 3, 1}, 2});
  add("transposed_a", {{n, 3}, {1, n}, 0}, {{n, 3}, {3, 1}, 0}, {{n, 3}, {3, 1}, 0});
  add("transposed_y", {{n, 3}, {3, 1}, 0}, {{n, 3}, {3, 1}, 1}, {{n, 3}, {1, n}, 0});
  add("all_transposed", {{n, 3}, {1, n}, 0}, {{n, 3}, {1, n}, 0}, {{n, 3}, {1, n}, 0});
  const std::int64_t last = n > 0 ? n - 1 : 0;
  add("reversed_a", {{n}, {-1}, last}, line, line);
  add("reversed_y", line, line, {{n}, {-1}, last + 1});
  add("all_reversed", {{n}, {-1}, last}, {{n}, {-1}, last + 2}, {{n}, {-1}, last});
  add("sliced", {{n}, {2}, 1}, {{n}, {3}, 2}, {{n}, {2}, 1});
  add("sliced_reversed", {{n}, {-2}, 2 * last}, {{n}, {3}, 0}, {{n}, {-3}, 3 * last + 1});
  add("rank8", {{2, 1, 2, 1, 2, 1, n, 1}, {4 * n, 1, 2 * n, 9, n, 1, 1, 7}, 0},
      {{1, 2, 1, 1, 2, 1, n, 1}, {5, n, 3, 1, 2 * n, 1, 1, 1}, 1},
      {{2, 2, 2, 1, 2, 1, n, 1}, {8 * n, 4 * n, 2 * n, 1, n, 1, 1, 1}, 0});
  add("rank3_permuted", {{2, n, 3}, {1, 6, 2}, 0}, {{2, n, 3}, {3 * n, 3, 1}, 0},
      {{2, n, 3}, {n, 1, 2 * n}, 0});
  add("rank0", {{}, {}, 1}, {{}, {}, 2}, {{}, {}, 3});
  add("empty_broadcast", {{3, 0}, {1, 1}, 0}, {{1, 1}, {1, 1}, 0}, {{3, 0}, {1, 1}, 0});
  add("in_place_a", line, at(line, 2), line, Output::over_a);
  add("in_place_b", at(line, 2), at(line, 1), at(line, 1), Output::over_b);
  add("in_place_row", {{3, n}, {n, 1}, 0}, line, {{3, n}, {n, 1}, 0}, Output::over_a);
  add("in_place_transposed", {{n, 3}, {1, n}, 0}, {{n, 3}, {3, 1}, 0}, {{n, 3}, {1, n}, 0},
      Output::over_a);
  add("in_place_reversed", {{n}, {-2}, 2 * last}, line, {{n}, {-2}, 2 * last}, Output::over_a);
  add("interleaved", {{n}, {2}, 0}, line, {{n}, {2}, 1}, Output::over_a);
  add("overlap_later", line, line, at(line, 1), Output::over_a, true);
  add("overlap_earlier", line, at(line, 3), line, Output::over_b, true);
  add("overlap_reversed", line, line, {{n}, {-1}, last}, Output::over_a, true);
  add("overlap_row", {{3, n}, {n, 1}, 0}, line, {{3, n}, {n, 1}, 0}, Output::over_b, true);
  add("overlap_transposed", {{n, n > 3 ? 3 : n}, {1, n}, 0}, {{n, n > 3 ? 3 : n}, {3, 1}, 0},
      {{n, n > 3 ? 3 : n}, {3, 1}, 0}, Output::over_a, true);
  return all;
}

}  // namespace hadamard::difftest
