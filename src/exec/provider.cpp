#include "exec/provider.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/threads.hpp"
#include "exec/cpu/cpu_provider.hpp"
#include "exec/ref/ref_provider.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

std::string from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string() : std::string(value);
}

// Types that have an answer for a zero divisor do not count.
op::Divisor divisor_of(const plan::Plan& plan) {
  const Kind k = kind(plan.dtype);
  const bool has_answer = k == Kind::floating || k == Kind::complex;
  return has_answer ? op::Divisor::none : op::divisor(plan.op);
}

template <class T>
bool is_zero(const T& value) {
  if constexpr (Element<T>::kKind == Kind::floating || Element<T>::kKind == Kind::complex) {
    return false;
  } else if constexpr (std::is_same_v<T, Real>) {
    return value.is_zero();
  } else if constexpr (is_packed<T>) {
    return value.value == 0;
  } else {
    return value == T{0};
  }
}

// Looks through the loops from `dim` inwards, at each element of operand `k` once.
template <class T>
bool loops_have_zero(const plan::Loops& loops, std::size_t k, std::size_t dim, const void* data,
                     std::int64_t offset, ZeroScan scan) {
  const std::int64_t stride = loops.strides[k][dim];
  const std::int64_t extent = stride == 0 ? 1 : loops.extents[dim];
  const bool innermost = dim + 1 == loops.extents.size();
  if (innermost && stride == 1 && scan != nullptr && (!is_packed<T> || offset % 2 == 0)) {
    return scan(static_cast<const std::byte*>(data) + offset * bits(dtype_of<T>) / 8, extent);
  }
  for (std::int64_t i = 0; i < extent; ++i, offset += stride) {
    if (innermost ? is_zero(load_element<T>(data, offset))
                  : loops_have_zero<T>(loops, k, dim + 1, data, offset, scan)) {
      return true;
    }
  }
  return false;
}

// Computes element by element, writes nothing, and calls found(index) at the first zero divisor.
template <class F>
bool find_zero_divisor(const plan::Plan& plan, const Places& at, F found) {
  const ScopedFloatEnv env;
  return op::with_op(plan.op, [&](auto o) {
    return with_type(plan.dtype, [&](auto t) {
      using Operator = typename decltype(o)::type;
      using T = typename decltype(t)::type;
      constexpr Kind kind = Element<T>::kKind;
      // Only what can note a zero divisor is compiled.
      if constexpr (op::divisor_of<Operator> != op::Divisor::none && op::defined_for<Operator, T> &&
                    kind != Kind::floating && kind != Kind::complex) {
        const op::Oracle world(plan.int_division);
        const Dims* const strides[] = {&plan.strides[plan::kA], &plan.strides[plan::kB]};
        for (IndexWalk<2> walk(plan.shape, strides); !walk.done(); walk.next()) {
          const T a = load_element<T>(at.a.data, at.a.offset + walk.offset(plan::kA));
          const T b = load_element<T>(at.b.data, at.b.offset + walk.offset(plan::kB));
          op::apply_to<Operator>(world, a, b);
          if (world.zero_divisor()) {
            found(walk.index());
            return true;
          }
        }
      }
      return false;
    });
  });
}

}  // namespace

std::span<const Provider* const> providers() {
  static const Provider* const all[] = {&cpu_provider(), &ref_provider()};
  return all;
}

const Selection& environment_selection() {
  static const std::string provider = from_environment("HADAMARD_PROVIDER");
  static const std::string cpu_target = from_environment("HADAMARD_CPU");
  static const Selection selection{provider, cpu_target};
  return selection;
}

namespace {

// The first provider that takes the plan, or an error that says why none does.
template <class Bound, class AnyPlan>
Bound bind_first(const AnyPlan& plan, const Selection& demanded, auto Bound::*code) {
  const Selection& environment = environment_selection();
  const Selection selection{
      demanded.provider.empty() ? environment.provider : demanded.provider,
      demanded.cpu_target.empty() ? environment.cpu_target : demanded.cpu_target};
  require_cpu_target(selection.cpu_target);  // a wrong one is an error whoever runs in the end
  thread_limit();                            // and so is a wrong HADAMARD_THREADS
  Bound bound;
  bool known = false;
  std::string names;
  for (const Provider* provider : providers()) {
    names += names.empty() ? "" : ", ";
    names += provider->name();
    if (!selection.provider.empty() && selection.provider != provider->name()) continue;
    known = true;
    std::string why = provider->unavailable();
    if (why.empty()) bound.*code = provider->bind(plan, selection, why);
    if (bound.*code) return bound;
    bound.declined.push_back(fmt::format("{}: declined: {}", provider->name(), why));
  }
  if (!known) {
    fail(ErrorCode::unavailable,
         "no provider is called '{}', which HADAMARD_PROVIDER or the call demands; there are: {}",
         selection.provider, names);
  }
  fail(ErrorCode::unavailable, "provider {}", bound.declined.back());
}

}  // namespace

Bound bind(const plan::Plan& plan, const Selection& selection) {
  return bind_first<Bound>(plan, selection, &Bound::program);
}
BoundProgram bind(const plan::ProgramPlan& plan, const Selection& selection) {
  return bind_first<BoundProgram>(plan, selection, &BoundProgram::executable);
}

bool may_divide_by_zero(const plan::Plan& plan) {
  return divisor_of(plan) != op::Divisor::none && plan.count > 0;
}

bool has_zero_divisor(const plan::Plan& plan, const Places& places, ZeroScan scan) {
  const op::Divisor divisor = divisor_of(plan);
  if (divisor == op::Divisor::none || plan.count == 0) return false;
  if (divisor == op::Divisor::computed) {
    return find_zero_divisor(plan, places, [](const Dims&) {});
  }
  const std::size_t k = divisor == op::Divisor::a ? plan::kA : plan::kB;
  const Place& place = divisor == op::Divisor::a ? places.a : places.b;
  return with_type(plan.dtype, [&](auto t) {
    return loops_have_zero<typename decltype(t)::type>(plan.loops, k, 0, place.data,
                                                       place.offset + plan.loops.start[k], scan);
  });
}

Dims first_zero_divisor(const plan::Plan& plan, const Places& places) {
  Dims index;
  if (!find_zero_divisor(plan, places, [&](const Dims& at) { index = at; })) {
    fail(ErrorCode::zero_divisor,
         "a divisor was 0 while it was computed, and is no more: somebody changed it meanwhile");
  }
  return index;
}

}  // namespace hadamard::exec
