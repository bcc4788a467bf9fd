#include "api/memo.hpp"

#include <array>
#include <string>
#include <utility>

namespace hadamard {

namespace memo_detail {

// Mostly both are empty, which needs no call.
inline bool same(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && (a.empty() || a == b);
}

struct Entry {
  // What the plan was made for. Its layouts are in the plan.
  Op op{};
  bool is_fresh = false;  // its result is still to be allocated
  DType to{};
  Options options;
  std::string provider;  // owns what `options` would only point at
  std::string cpu_target;
  std::unique_ptr<const Prepared::Impl> impl;
  // How many calls of this thread are using it. More than one: a thread that waits for its chunks
  // may run other tasks of the caller's meanwhile, and those may call us.
  int users = 0;

  bool is_for(Op o, const CallOperands& operands, const Layout* y, const Options& wanted,
              DType type) const noexcept {
    const bool same_call =
        impl != nullptr && op == o && is_fresh == (y == nullptr) && to == type &&
        options.dialect == wanted.dialect && options.broadcast == wanted.broadcast &&
        options.int_division == wanted.int_division && options.axis == wanted.axis &&
        options.order == wanted.order && options.then == wanted.then &&
        options.attributes == wanted.attributes &&
        options.then_attributes == wanted.then_attributes && same(provider, wanted.provider) &&
        same(cpu_target, wanted.cpu_target) && impl->plan->inputs.size() == operands.size();
    if (!same_call) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!(impl->inputs[i] == operands.layout(i))) return false;
    }
    return y == nullptr || *impl->output == *y;
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

Planned::Planned(Op op, const CallOperands& operands, const Layout* y, const Options& options,
                 DType to)
    : entry_(nullptr) {
  memo_detail::Memo* const memo = memo_detail::memo();
  if (memo != nullptr) {
    for (memo_detail::Entry& entry : memo->entries) {
      if (!entry.is_for(op, operands, y, options, to)) continue;
      entry_ = &entry;
      ++entry.users;
      impl_ = entry.impl.get();
      return;
    }
  }
  owned_ =
      std::make_unique<const Prepared::Impl>(make_impl(op, operands.layouts(), y, options, to));
  impl_ = owned_.get();
  if (memo == nullptr) return;
  memo_detail::Entry& entry = memo->entries[memo->next];
  memo->next = (memo->next + 1) % memo->entries.size();
  if (entry.users > 0) return;  // a call further up this thread's stack needs it
  entry = {op,
           y == nullptr,
           to,
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
