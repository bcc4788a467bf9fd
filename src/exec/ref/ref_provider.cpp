#include "exec/ref/ref_provider.hpp"

#include <utility>

#include "exec/ref/ref_executable.hpp"

namespace hadamard::exec {
namespace {

class RefProvider final : public Provider {
 public:
  std::string_view name() const noexcept override { return "ref"; }
  std::string unavailable() const override { return {}; }
  std::unique_ptr<const Executable> bind(std::shared_ptr<const plan::Plan> plan, const Selection&,
                                         std::string&) const override {
    return ref_executable(std::move(plan));
  }
};

}  // namespace

const Provider& ref_provider() {
  static const RefProvider provider;
  return provider;
}

}  // namespace hadamard::exec
