// From the names of a case to C++ types: f(Operator()), f(T()).
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "contender.hpp"

namespace bench {

struct Add {
  static auto of(const auto& a, const auto& b) { return a + b; }
};
struct Sub {
  static auto of(const auto& a, const auto& b) { return a - b; }
};
struct Mul {
  static auto of(const auto& a, const auto& b) { return a * b; }
};
struct Div {
  static auto of(const auto& a, const auto& b) { return a / b; }
};

template <class F>
std::unique_ptr<Contender> with_operator(std::string_view op, const F& f) {
  if (op == "add") return f(Add());
  if (op == "sub") return f(Sub());
  if (op == "mul") return f(Mul());
  if (op == "div") return f(Div());
  throw Unsupported{"no operator " + std::string(op)};
}

template <class F>
std::unique_ptr<Contender> with_float_type(std::string_view type, const F& f) {
  if (type == "fp32") return f(float());
  if (type == "fp64") return f(double());
  throw Unsupported{"not for " + std::string(type)};
}

template <class F>
std::unique_ptr<Contender> with_plain_type(std::string_view type, const F& f) {
  if (type == "int8") return f(std::int8_t());
  if (type == "int16") return f(std::int16_t());
  if (type == "int32") return f(std::int32_t());
  if (type == "int64") return f(std::int64_t());
  if (type == "uint8") return f(std::uint8_t());
  if (type == "uint16") return f(std::uint16_t());
  if (type == "uint32") return f(std::uint32_t());
  if (type == "uint64") return f(std::uint64_t());
  if (type == "complex64") return f(std::complex<float>());
  if (type == "complex128") return f(std::complex<double>());
  return with_float_type(type, f);
}

// A contender that is one piece of code, called again and again.
template <class F>
class Work : public Contender {
 public:
  explicit Work(F f) : f_(std::move(f)) {}
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) {
      f_();
      keep_memory();
    }
  }

 private:
  F f_;
};

}  // namespace bench
