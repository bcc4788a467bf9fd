#include "exec/ref/ref_provider.hpp"

#include <fmt/format.h>

#include "base/float_env.hpp"
#include "exec/ref/ref_executable.hpp"
#include "op/ops.hpp"
#include "op/oracle_arithmetic.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec {
namespace {

// The operator that follows the plan's own; null where none does.
template <class T>
using Then = T (*)(const op::Oracle& world, const T& a);
template <class T>
Then<T> find_then(const plan::Plan& plan) {
  if (!plan.then) return nullptr;
  return op::with_op(*plan.then, [](auto o) -> Then<T> {
    using Operator = typename decltype(o)::type;
    if constexpr (op::is_plain_operator<Operator> && op::arity_of<Operator> == 1 &&
                  op::defined_for<Operator, T>) {
      return [](const op::Oracle& world, const T& a) -> T { return Operator::apply(world, a); };
    } else {
      return nullptr;  // no plan is made with it
    }
  });
}

// Walks the plain, uncollapsed indices, so that it checks the planner as well as the kernels.
template <class Operator, class T>
bool run_all(const plan::Plan& plan, const Places& at, std::atomic<std::int64_t>* progress) {
  const op::Oracle world(plan.int_division);
  const Then<T> then = find_then<T>(plan);
  const Dims* const strides[] = {&plan.strides[plan::kA], &plan.strides[plan::kB],
                                 &plan.strides[plan::kY]};
  for (IndexWalk<3> walk(plan.shape, strides); !walk.done(); walk.next()) {
    const T a = load_element<T>(at.a.data, at.a.offset + walk.offset(plan::kA));
    const T b = load_element<T>(at.b.data, at.b.offset + walk.offset(plan::kB));
    T y = op::apply_to<Operator>(world, a, b);
    if (then != nullptr) y = then(world, y);
    store_element<T>(at.output(), at.y.offset + walk.offset(plan::kY), y);
    if (progress != nullptr) progress->fetch_add(1, std::memory_order_relaxed);
  }
  return world.zero_divisor();
}

class RefProgram final : public Program {
 public:
  explicit RefProgram(const plan::Plan& plan) : plan_(plan) {}

  void run(const Places& places, RunReport& report) const override {
    const ScopedFloatEnv env;
    report.provider = "ref";
    report.target = "element by element";
    report.zero_divisor = op::with_op(plan_.op, [&](auto o) {
      return with_type(plan_.dtype, [&](auto t) {
        using Operator = typename decltype(o)::type;
        using T = typename decltype(t)::type;
        if constexpr (op::is_plain_operator<Operator> && op::defined_for<Operator, T>) {
          return run_all<Operator, T>(plan_, places, report.progress);
        } else {
          return false;  // no plan is made for it
        }
      });
    });
  }
  bool has_zero_divisor(const Places& places) const override {
    return exec::has_zero_divisor(plan_, places, nullptr);
  }
  std::string describe() const override {
    return fmt::format("ref, one element at a time, {}/{}{}", name(plan_.op), name(plan_.dtype),
                       plan_.then ? fmt::format(", then {}", name(*plan_.then)) : "");
  }

 private:
  plan::Plan plan_;
};

class RefProvider final : public Provider {
 public:
  std::string_view name() const noexcept override { return "ref"; }
  std::string unavailable() const override { return {}; }
  std::unique_ptr<const Program> bind(const plan::Plan& plan, const Selection&,
                                      std::string&) const override {
    return std::make_unique<RefProgram>(plan);
  }
  std::unique_ptr<const Executable> bind(const plan::ProgramPlan& plan, const Selection&,
                                         std::string&) const override {
    return ref_executable(plan);
  }
};

}  // namespace

const Provider& ref_provider() {
  static const RefProvider provider;
  return provider;
}

}  // namespace hadamard::exec
