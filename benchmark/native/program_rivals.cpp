#include "program_rivals.hpp"

#include <array>

#ifdef HADAMARD_BENCH_EIGEN
#include <Eigen/Core>
#endif
#ifdef HADAMARD_BENCH_XTENSOR
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xnoalias.hpp>
#endif
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace bench {
namespace {

constexpr std::int64_t kStreamBytes = 24 << 20;

template <class T>
void plain_limit(const Quotient<T>& q, std::int64_t from) {
  for (std::int64_t i = from; i < q.n; ++i) q.y[i] = (q.a[i] - q.b[i]) + (q.c[i] + q.e);
}

#ifdef HADAMARD_BENCH_EIGEN
template <class T>
void eigen(const Quotient<T>& q) {
  using Line = Eigen::Array<T, Eigen::Dynamic, 1>;
  using In = Eigen::Map<const Line, Eigen::Aligned64>;
  Eigen::Map<Line, Eigen::Aligned64>(q.y, q.n) =
      (In(q.a, q.n) - In(q.b, q.n)) / (In(q.c, q.n) + q.e);
}
#endif
#ifdef HADAMARD_BENCH_XTENSOR
template <class T>
void xtensor(const Quotient<T>& q) {
  const auto n = static_cast<std::size_t>(q.n);
  const auto line = [&](T* p) {
    return xt::adapt(p, n, xt::no_ownership(), std::array<std::size_t, 1>{n});
  };
  auto a = line(const_cast<T*>(q.a)), b = line(const_cast<T*>(q.b)), c = line(const_cast<T*>(q.c)),
       y = line(q.y);
  xt::noalias(y) = (a - b) / (c + q.e);
}
#endif

}  // namespace

void limit(const Quotient<float>& q) {
  std::int64_t i = 0;
#ifdef __AVX2__
  const __m256 e = _mm256_set1_ps(q.e);
  const bool stream = 16 * q.n >= kStreamBytes;
  for (; stream && i + 16 <= q.n; i += 16) {
    for (std::int64_t k = i; k < i + 16; k += 8) {
      const __m256 left = _mm256_sub_ps(_mm256_loadu_ps(q.a + k), _mm256_loadu_ps(q.b + k));
      _mm256_stream_ps(q.y + k, _mm256_add_ps(left, _mm256_add_ps(_mm256_loadu_ps(q.c + k), e)));
    }
  }
  if (stream) _mm_sfence();
#endif
  plain_limit(q, i);
}

void limit(const Quotient<double>& q) {
  std::int64_t i = 0;
#ifdef __AVX2__
  const __m256d e = _mm256_set1_pd(q.e);
  const bool stream = 32 * q.n >= kStreamBytes;
  for (; stream && i + 8 <= q.n; i += 8) {
    for (std::int64_t k = i; k < i + 8; k += 4) {
      const __m256d left = _mm256_sub_pd(_mm256_loadu_pd(q.a + k), _mm256_loadu_pd(q.b + k));
      _mm256_stream_pd(q.y + k, _mm256_add_pd(left, _mm256_add_pd(_mm256_loadu_pd(q.c + k), e)));
    }
  }
  if (stream) _mm_sfence();
#endif
  plain_limit(q, i);
}

std::span<const Rival> rivals() {
  static const Rival all[] = {
#ifdef HADAMARD_BENCH_EIGEN
      {"Eigen", &eigen<float>, &eigen<double>},
#endif
#ifdef HADAMARD_BENCH_XTENSOR
      {"xtensor", &xtensor<float>, &xtensor<double>},
#endif
      {"", nullptr, nullptr}};
  return {all, std::size(all) - 1};
}

}  // namespace bench
