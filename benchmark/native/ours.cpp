// Hadamard itself, through its public C++ interface.
#include <cstring>
#include <hadamard/hadamard.hpp>
#ifndef HADAMARD_HAS_SET_THREADS
#include <oneapi/tbb/global_control.h>
#endif

#include "contender.hpp"

namespace bench {
namespace {

hadamard::Layout layout_of(const HbOperand& o, hadamard::DType type) {
  return {type, hadamard::Dims(shape_of(o)), hadamard::Dims(strides_of(o))};
}

hadamard::Op op_of(std::string_view name) {
  const auto op = hadamard::op_from_name(name);
  if (!op) throw Unsupported{"no such operator: " + std::string(name)};
  return *op;
}

// 0: the library's own choice.
void use_threads(int n) {
#ifdef HADAMARD_HAS_SET_THREADS
  hadamard::set_threads(n);
#else
  static std::unique_ptr<oneapi::tbb::global_control> control;
  control.reset();
  using Control = oneapi::tbb::global_control;
  if (n > 0) control = std::make_unique<Control>(Control::max_allowed_parallelism, n);
#endif
}

class Ours : public Contender {
 public:
  explicit Ours(const HbCase& c, std::string_view provider = {})
      : op_(op_of(c.op)),
        a_(c.a.data, layout_of(c.a, type_of(c))),
        b_(c.b.data, layout_of(c.b, type_of(c))),
        y_(c.y.data, layout_of(c.y, type_of(c))),
        threads_(c.threads) {
    options_.int_division = hadamard::int_division_from_name(c.rounding);
    options_.provider = provider;
  }
  void begin() override { use_threads(threads_); }

 protected:
  static hadamard::DType type_of(const HbCase& c) {
    const auto type = hadamard::dtype_from_name(c.type);
    if (!type) throw Unsupported{"no such type: " + std::string(c.type)};
    return *type;
  }
  hadamard::Op op_;
  hadamard::ConstView a_, b_;
  hadamard::View y_;
  hadamard::Options options_;
  int threads_;
};

class Prepared : public Ours {
 public:
  explicit Prepared(const HbCase& c, std::string_view provider = {})
      : Ours(c, provider),
        plan_((begin(), hadamard::prepare(op_, a_.layout(), b_.layout(), y_.layout(), options_))) {}
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) plan_.run(a_.data(), b_.data(), y_.data());
  }

 private:
  hadamard::Prepared plan_;
};

class Into : public Ours {
 public:
  using Ours::Ours;
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) hadamard::apply_into(op_, y_, a_, b_, options_);
  }
};

class New : public Ours {
 public:
  using Ours::Ours;
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) hadamard::apply(op_, a_, b_, options_);
  }
  void once() override {
    const auto y = hadamard::apply(op_, a_, b_, options_);
    std::memcpy(y_.data(), y.data(), y.size_bytes());
  }
};

}  // namespace

std::unique_ptr<Contender> make_ours(std::string_view kind, const HbCase& c) {
  if (kind == "prepared") return std::make_unique<Prepared>(c);
  if (kind == "into") return std::make_unique<Into>(c);
  if (kind == "new") return std::make_unique<New>(c);
  if (kind == "ref") return std::make_unique<Prepared>(c, "ref");
#ifdef HADAMARD_HAS_MODEL
  if (kind == "model" || kind == "kernels") return make_model(kind, c);
#endif
  throw Unsupported{"no such way to call: " + std::string(kind)};
}

}  // namespace bench
