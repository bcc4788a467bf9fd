// The plans of this thread's last calls: a program that works on tensors of the same layout again
// and again plans once.
#pragma once

#include <memory>

#include "api/prepared.hpp"

namespace hadamard {

namespace memo_detail {
struct Entry;
}

// What make_impl would give, for as long as this lives.
class Planned {
 public:
  Planned(Op op, const CallOperands& operands, const Layout* y, const Options& options,
          DType to = {});
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
