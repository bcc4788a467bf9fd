// Prints quotients, and what every operator computes from arbitrary bits: each CPU target against
// the reference, and a number that is the same for every compiler and configuration.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <hadamard/hadamard.hpp>
#include <string>
#include <vector>

namespace {

using hadamard::DType;

constexpr std::size_t kCount = 131;
std::uint64_t digest = 14695981039346656037U;
int failures = 0;

hadamard::Tensor arbitrary(DType type, std::uint64_t seed) {
  hadamard::Tensor t(type, {kCount});
  auto* const bytes = static_cast<unsigned char*>(t.data());
  for (std::size_t i = 0; i < t.size_bytes(); ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const auto byte = static_cast<unsigned char>(seed >> 56);
    bytes[i] =
        type == DType::bool_ ? 1 : static_cast<unsigned char>(byte | 0x11);  // no divisor is 0
  }
  return t;
}

// What a call computes, or the name of its error.
template <class Call>
std::string outcome(Call call) {
  try {
    const hadamard::Tensor y = call();
    return std::string(static_cast<const char*>(y.data()), y.size_bytes());
  } catch (const hadamard::Error& error) {
    return std::string(hadamard::name(error.code()));
  }
}

std::string computed(hadamard::Op op, int operands, DType type, const hadamard::Options& options) {
  const auto a = arbitrary(type, 1);
  const auto b = arbitrary(type, 2);
  return outcome([&] { return operands == 1 ? apply(op, a, options) : apply(op, a, b, options); });
}

void check(hadamard::Op op, const char* name, int operands, DType type) {
  const std::string expected = computed(op, operands, type, {.provider = "ref"});
  for (const char c : expected) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211U;
  for (const char* target : {"avx2", "sse4", "neon", "scalar"}) {
    const std::string got = computed(op, operands, type, {.provider = "cpu", .cpu_target = target});
    if (got == expected || got == "unavailable") continue;
    std::printf("%s of %s on %s: not what the reference computes\n", name,
                std::string(hadamard::name(type)).c_str(), target);
    ++failures;
  }
}

}  // namespace

int main() {
  const std::vector<double> a{6.1, 9.5, 35.7};
  const std::vector<double> b{3.0, 3.3, 5.1};
  const auto y = hadamard::div(hadamard::ConstView(a.data(), {a.size()}),
                               hadamard::Tensor::from(b, {b.size()}));
  for (const double value : y.to_vector<double>()) std::printf("%.16g\n", value);

#define CHECK_TYPE(id, Type) \
  if (DType::id != DType::real) check(op, name, operands, DType::id);
#define CHECK(id, Name, arity)            \
  {                                       \
    constexpr auto op = hadamard::Op::id; \
    constexpr const char* name = #id;     \
    constexpr int operands = arity;       \
    HADAMARD_TYPES(CHECK_TYPE)            \
  }
  HADAMARD_OPERATORS(CHECK)
  std::printf("%016llx\n", static_cast<unsigned long long>(digest));
  return failures == 0 ? 0 : 1;
}
