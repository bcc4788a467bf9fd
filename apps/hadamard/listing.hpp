// What there is to say of a tensor as a whole: counts of special values, extremes, JSON.
#pragma once

#include <cstdint>
#include <string>

#include "hadamard/tensor.hpp"
#include "tensor/literal.hpp"

namespace hadamard::app {

struct Statistics {
  std::int64_t nan = 0;
  std::int64_t inf = 0;
  std::int64_t zero = 0;
  std::int64_t subnormal = 0;  // complex: elements with such a part; zero: both parts
  std::string min;  // as text; empty where there is none (no element but NaN, or complex)
  std::string max;
};
Statistics statistics(const ConstView& tensor);

// {"shape":[…],"type":"…","values":[…],"counts":{"nan":…,"inf":…,"zero":…,"subnormal":…}} on one
// line. Values lie in row-major order: numbers where JSON has them, else strings ("nan", "inf",
// "61/30"); complex numbers are [re,im]; with `hex`, strings of bit patterns. `plan` is added where
// it is not empty.
void print_json(const TextSink& sink, const ConstView& tensor, bool hex, const std::string& plan);

}  // namespace hadamard::app
