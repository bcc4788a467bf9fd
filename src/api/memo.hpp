// The plans of this thread's last calls: a program that works on tensors of the same layout again
// and again plans once.
#pragma once

#include <memory>

#include "api/prepared.hpp"

namespace hadamard {

// Checks everything but values and addresses, plans, and finds the code to run. Throws as
// hadamard::prepare. `y` is null for a result that is still to be allocated: it then has the layout
// that the operator gives it.
Prepared::Impl make_impl(Op op, const Layout& a, const Layout& b, const Layout* y,
                         const Options& options);

namespace memo_detail {
struct Entry;
}

// What make_impl would give, for as long as this lives.
class Planned {
 public:
  Planned(Op op, const Layout& a, const Layout& b, const Layout* y, const Options& options);
  ~Planned();
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;
  const Prepared::Impl& operator*() const noexcept { return *impl_; }
  const Prepared::Impl* operator->() const noexcept { return impl_; }

 private:
  const Prepared::Impl* impl_;
  memo_detail::Entry* entry_;                    // where it is kept; null where it is not
  std::unique_ptr<const Prepared::Impl> owned_;  // where it is not
};

}  // namespace hadamard
