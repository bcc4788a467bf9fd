#include "api/memo.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace hadamard {

namespace memo_detail {

// Mostly both are empty, which needs no call.
[[gnu::always_inline]] inline bool same(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && (a.empty() || a == b);
}

// a == b, in one loop and without a call.
[[gnu::always_inline]] inline bool same(const Layout& a, const Layout& b) noexcept {
  const std::size_t rank = a.rank();
  if (a.dtype != b.dtype || rank != b.rank()) return false;
  const std::int64_t *x = a.shape.begin(), *y = b.shape.begin();
  const std::int64_t *s = a.strides.begin(), *t = b.strides.begin();
  for (std::size_t i = 0; i < rank; ++i) {
    if (x[i] != y[i] || s[i] != t[i]) return false;
  }
  return true;
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
  std::uint64_t hash = 0;

  [[gnu::always_inline]] bool is_for(Op o, const CallOperands& operands, const Layout* y,
                                     const Options& wanted, DType type) const noexcept {
    const bool same_call =
        impl != nullptr && op == o && is_fresh == (y == nullptr) && to == type &&
        options.dialect == wanted.dialect && options.broadcast == wanted.broadcast &&
        options.int_division == wanted.int_division && options.axis == wanted.axis &&
        options.order == wanted.order && options.then == wanted.then &&
        options.attributes == wanted.attributes &&
        options.then_attributes == wanted.then_attributes && same(provider, wanted.provider) &&
        same(cpu_target, wanted.cpu_target) && impl->arity == operands.size();
    if (!same_call) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!same(impl->inputs[i], operands.layout(i))) return false;
    }
    return y == nullptr || same(*impl->output, *y);
  }
};

namespace {

// Of what most calls differ in. Calls with the same hash share a set.
std::uint64_t hash_of(Op op, const CallOperands& operands, const Layout* y, DType to) noexcept {
  std::uint64_t hash = static_cast<std::uint64_t>(op) * 64 + static_cast<std::uint64_t>(to) * 2 +
                       (y == nullptr ? 1 : 0);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Layout& layout = operands.layout(i);
    hash = (hash + static_cast<std::uint64_t>(layout.dtype)) * 0x9E3779B97F4A7C15;
    for (const std::int64_t extent : layout.shape) {
      hash = (hash ^ static_cast<std::uint64_t>(extent)) * 0x9E3779B97F4A7C15;
    }
  }
  return hash;
}

// The last entry is looked at first, then those of one set: a loop of many calls plans each once.
struct Memo {
  static constexpr std::size_t kSets = 16, kWays = 4;
  std::array<Entry, kSets * kWays> entries;
  std::size_t last = 0;
  std::size_t next = 0;  // of each set, to be replaced
  std::shared_ptr<void> other;
  static std::size_t first_of_set(std::uint64_t hash) noexcept {
    return static_cast<std::size_t>(hash >> 60) * kWays;
  }
};
static_assert(Memo::kSets == 16, "the four highest bits of a hash choose the set");

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

std::shared_ptr<void>* kept_for_thread() {
  memo_detail::Memo* const memo = memo_detail::memo();
  return memo == nullptr ? nullptr : &memo->other;
}

Planned::Planned(Op op, const CallOperands& operands, const Layout* y, const Options& options,
                 DType to)
    : entry_(nullptr) {
  using memo_detail::Entry, memo_detail::Memo;
  Memo* const memo = memo_detail::memo();
  const auto use = [&](Entry& entry) {
    entry_ = &entry;
    ++entry.users;
    impl_ = entry.impl.get();
  };
  std::uint64_t hash = 0;
  if (memo != nullptr) [[likely]] {
    Entry& last = memo->entries[memo->last];
    if (last.is_for(op, operands, y, options, to)) [[likely]] {
      use(last);
      return;
    }
    hash = memo_detail::hash_of(op, operands, y, to);
    const std::size_t first = Memo::first_of_set(hash);
    for (std::size_t i = first; i < first + Memo::kWays; ++i) {
      Entry& entry = memo->entries[i];
      if (entry.hash != hash || !entry.is_for(op, operands, y, options, to)) continue;
      memo->last = i;
      use(entry);
      return;
    }
  }
  owned_ =
      std::make_unique<const Prepared::Impl>(make_impl(op, operands.layouts(), y, options, to));
  impl_ = owned_.get();
  if (memo == nullptr) return;
  const std::size_t place = Memo::first_of_set(hash) + memo->next;
  Entry& entry = memo->entries[place];
  memo->next = (memo->next + 1) % Memo::kWays;
  if (entry.users > 0) return;  // a call further up this thread's stack needs it
  memo->last = place;
  entry = {op,
           y == nullptr,
           to,
           options,
           std::string(options.provider),
           std::string(options.cpu_target),
           std::move(owned_),
           1,
           hash};
  entry_ = &entry;
}

Planned::~Planned() {
  if (entry_ != nullptr) --entry_->users;
}

}  // namespace hadamard
