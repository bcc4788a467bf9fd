#include "true_division.hpp"

#include "hadamard/program.hpp"
#include "num/dtype.hpp"
#include "operand.hpp"

namespace hadamard::python {
namespace {

bool is_whole(DType type) { return kind(type) == Kind::integer || kind(type) == Kind::boolean; }
bool is_whole(const Operand& operand) {
  return operand.weak() == Weak::none ? is_whole(operand.view().dtype())
                                      : operand.weak() <= Weak::integer;
}
bool has_64_bits(const Operand& operand) {
  const DType type = operand.view().dtype();
  return kind(type) == Kind::integer && bits(type) == 64;
}

// Beside `other`, which may be as weak.
void settle_beside(Operand& operand, const Operand& other) {
  if (operand.weak() == Weak::none) return;
  if (other.weak() == Weak::none && !is_whole(other)) {
    operand.settle(other.view().dtype());
  } else if (operand.weak() > Weak::integer || !is_whole(other) || operand.is_beyond_int64()) {
    operand.settle(std::max(operand.weak(), other.weak()) == Weak::complex ? DType::complex128
                                                                           : DType::fp64);
  } else {
    operand.settle(DType::int64);
  }
}

void widen_beside(Operand& operand, const Operand& other, std::string_view what,
                  std::string_view other_what) {
  const DType type = operand.view().dtype(), beside = other.view().dtype();
  if (!is_whole(type)) return;
  const bool is_double = beside == DType::fp64 || beside == DType::complex128;
  if (!is_whole(beside) && !is_double) {
    fail(ErrorCode::type_mismatch,
         "{} is {}, which divide takes as fp64, and {} is {}: cast one of them", what, name(type),
         other_what, name(beside));
  }
  operand.convert(is_double ? beside : DType::fp64);
}

// As uint64, its size; of the smallest int64 too.
Lazy size_of(const ConstView& v) {
  const Lazy x = lazy(v);
  return v.dtype() == DType::int64 ? cast(abs(x), DType::uint64) : x;
}

// Of int64 and uint64, in any mixture.
Tensor quotient(const ConstView& a, const ConstView& b, Order order) {
  const Options options{.order = order};
  const WithoutGil others_run(a.layout());
  if (a.dtype() == b.dtype()) return true_div(a, b, options);
  const Lazy size = true_div(size_of(a), size_of(b));
  const Lazy with_sign = lazy(a.dtype() == DType::int64 ? a : b);
  return eval(where(with_sign < 0, -size, size), options);
}

}  // namespace

std::optional<Tensor> settle_for_quotient(Operand& a, Operand& b, Order order) {
  // The weaker of two weak ones first: what it becomes follows from the other's kind.
  Operand& first = a.weak() <= b.weak() ? a : b;
  Operand& second = &first == &a ? b : a;
  settle_beside(first, second);
  settle_beside(second, first);
  if (is_whole(a) && is_whole(b) && (has_64_bits(a) || has_64_bits(b))) {
    for (Operand* operand : {&a, &b}) {
      if (!has_64_bits(*operand)) operand->convert(DType::int64);
    }
    return quotient(a.view(), b.view(), order);
  }
  widen_beside(a, b, "A", "B");
  widen_beside(b, a, "B", "A");
  return std::nullopt;
}

}  // namespace hadamard::python
