#include "hadamard/paddle.hpp"

#include <map>
#include <mutex>

#include "base/fail.hpp"
#include "dialect/paddle/paddle.hpp"
#include "op/ops.hpp"

namespace hadamard::paddle {
namespace {

struct Counters {
  std::mutex mutex;
  std::map<std::string, std::int64_t, std::less<>> next;
};
Counters& counters() {
  static Counters all;
  return all;
}

}  // namespace

std::optional<Op> activation(std::string_view name) noexcept {
  return dialect::paddle::activation(name);
}

std::string unique_name(std::string_view key) {
  Counters& all = counters();
  const std::lock_guard lock(all.mutex);
  const auto at = all.next.try_emplace(std::string(key), 0).first;
  return fmt::format("{}_{}", key, at->second++);
}

void reset_unique_names() {
  Counters& all = counters();
  const std::lock_guard lock(all.mutex);
  all.next.clear();
}

Variable elementwise(Op op, const Input& x, const ConstView& y, const Attributes& attributes) {
  Options options{.dialect = Dialect::paddle, .axis = attributes.axis};
  if (!attributes.act.empty()) {
    const auto found = dialect::paddle::activation_or_operator(attributes.act);
    if (found && !op::names(found->op).paddle.empty()) {
      options.then = found->op;
      options.then_attributes = found->attributes;
    } else {
      fail(ErrorCode::bad_argument, "there is no activation '{}'; there are: {}", attributes.act,
           dialect::paddle::all_activations());
    }
  }
  Variable out{{}, apply(op, x.view(), y, options), x.lod() != nullptr ? *x.lod() : LoD()};
  const std::string prefix =
      attributes.name.empty() ? unique_name(op::names(op).paddle) : std::string(attributes.name);
  const std::string key = prefix + ".tmp";
  out.name = unique_name(key);
  // The activation is an operator of its own in fluid, with an output of its own.
  if (options.then) out.name = unique_name(key);
  return out;
}

}  // namespace hadamard::paddle
