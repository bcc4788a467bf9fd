// (a - b) / (c + e) by others, compiled for this machine's CPU, and what no program can beat.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bench {

template <class T>
struct Quotient {
  const T* a;
  const T* b;
  const T* c;
  T* y;
  std::int64_t n;
  T e;
};

// Three streams in and one out, with hardly any arithmetic: (a - b) + (c + e), past the cache where
// the output is large.
void limit(const Quotient<float>& q);
void limit(const Quotient<double>& q);

// Rivals that were found.
struct Rival {
  std::string_view name;
  void (*single)(const Quotient<float>& q);
  void (*pair)(const Quotient<double>& q);
};
std::span<const Rival> rivals();

}  // namespace bench
