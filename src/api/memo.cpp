#include "api/memo.hpp"

#include <array>
#include <utility>

#include "base/float_env.hpp"
#include "dialect/dialect.hpp"
#include "num/dtype.hpp"

namespace hadamard {

Prepared::Impl make_impl(Op op, const Layout& a, const Layout& b, const Layout* y,
                         const Options& options) {
  const ScopedFloatEnv env;  // plans weigh their work in doubles
  const plan::Request request = dialect::settle(op, a, b, options);
  Prepared::Impl impl;
  impl.dialect = options.dialect;
  const Layout layout =
      y != nullptr ? *y
                   : Layout(a.dtype, dialect::result_shape(request, a, b, options), options.order);
  impl.plan = dialect::make_plan(request, a, b, layout, options);
  impl.layouts = {a, b, layout};
  impl.overlap = OverlapTest(impl.plan);
  impl.alignment = alignment_of(a.dtype);
  impl.may_divide_by_zero = exec::may_divide_by_zero(impl.plan);
  exec::Bound bound = exec::bind(impl.plan, {options.provider, options.cpu_target});
  impl.program = std::move(bound.program);
  impl.declined = std::move(bound.declined);
  return impl;
}

namespace memo_detail {

// Mostly both are empty, which needs no call.
inline bool same(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && (a.empty() || a == b);
}

struct Entry {
  // What the plan was made for. Its layouts are in the plan.
  Op op{};
  bool fresh_output = false;
  Options options;
  std::string provider;  // owns what `options` would only point at
  std::string cpu_target;
  std::unique_ptr<const Prepared::Impl> impl;
  // How many calls of this thread are using it. More than one: a thread that waits for its chunks
  // may run other tasks of the caller's meanwhile, and those may call us.
  int users = 0;

  bool is_for(Op o, const Layout& a, const Layout& b, const Layout* y,
              const Options& wanted) const noexcept {
    return impl != nullptr && op == o && fresh_output == (y == nullptr) &&
           options.dialect == wanted.dialect && options.broadcast == wanted.broadcast &&
           options.int_division == wanted.int_division && options.axis == wanted.axis &&
           options.order == wanted.order && options.then == wanted.then &&
           same(provider, wanted.provider) && same(cpu_target, wanted.cpu_target) &&
           impl->layouts[0] == a && impl->layouts[1] == b &&
           (y == nullptr || impl->layouts[2] == *y);
  }
};

namespace {

struct Memo {
  std::array<Entry, 4> entries;
  std::size_t next = 0;  // to be replaced
};

// The address of this thread's memo, one instruction away; null before the first call and after the
// thread's objects were destroyed.
thread_local constinit Memo* this_thread [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local constinit bool ended = false;

Memo* new_memo() {
  if (ended) return nullptr;  // a static object's destructor may still call us
  // Apart, because what is thread-local in a library that is loaded late is counted in bytes: all
  // of it must find room in what the C library has left over (tests/lint/tls.sh).
  struct Owner {
    std::unique_ptr<Memo> memo = std::make_unique<Memo>();
    ~Owner() {
      this_thread = nullptr;
      ended = true;
    }
  };
  thread_local Owner owner;
  return this_thread = owner.memo.get();
}

Memo* memo() { return this_thread != nullptr ? this_thread : new_memo(); }

}  // namespace
}  // namespace memo_detail

Planned::Planned(Op op, const Layout& a, const Layout& b, const Layout* y, const Options& options)
    : entry_(nullptr) {
  memo_detail::Memo* const memo = memo_detail::memo();
  if (memo != nullptr) {
    for (memo_detail::Entry& entry : memo->entries) {
      if (!entry.is_for(op, a, b, y, options)) continue;
      entry_ = &entry;
      ++entry.users;
      impl_ = entry.impl.get();
      return;
    }
  }
  owned_ = std::make_unique<const Prepared::Impl>(make_impl(op, a, b, y, options));
  impl_ = owned_.get();
  if (memo == nullptr) return;
  memo_detail::Entry& entry = memo->entries[memo->next];
  memo->next = (memo->next + 1) % memo->entries.size();
  if (entry.users > 0) return;  // somebody further up this thread's stack needs it
  entry = {op,
           y == nullptr,
           options,
           std::string(options.provider),
           std::string(options.cpu_target),
           std::move(owned_),
           1};
  entry_ = &entry;
}

Planned::~Planned() {
  if (entry_ != nullptr) --entry_->users;
}

}  // namespace hadamard
