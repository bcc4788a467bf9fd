// oneDNN: its binary primitive, which on a CPU is for fp32.
#include <omp.h>

#include <dnnl.hpp>
#include <unordered_map>

#include "contender.hpp"

namespace bench {
namespace {

dnnl::algorithm algorithm_of(std::string_view op) {
  if (op == "add") return dnnl::algorithm::binary_add;
  if (op == "sub") return dnnl::algorithm::binary_sub;
  if (op == "mul") return dnnl::algorithm::binary_mul;
  if (op == "div") return dnnl::algorithm::binary_div;
  throw Unsupported{"no operator " + std::string(op)};
}

// With the rank of the result: oneDNN stretches extents of 1, but adds none.
dnnl::memory::desc descriptor(const HbOperand& o, std::int64_t rank) {
  dnnl::memory::dims shape, strides;
  for (std::int64_t i = o.rank; i < rank; ++i) {
    shape.push_back(1);
    strides.push_back(o.rank > 0 ? o.shape[0] * o.strides[0] : 1);
  }
  shape.insert(shape.end(), o.shape, o.shape + o.rank);
  strides.insert(strides.end(), o.strides, o.strides + o.rank);
  return {shape, dnnl::memory::data_type::f32, strides};
}

class OneDnn : public Contender {
 public:
  explicit OneDnn(const HbCase& c)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), threads_(c.threads) {
    begin();
    const auto a = descriptor(c.a, c.y.rank), b = descriptor(c.b, c.y.rank);
    const auto y = descriptor(c.y, c.y.rank);
    const dnnl::binary::desc what(algorithm_of(c.op), a, b, y);
    primitive_ = dnnl::binary({what, engine_});
    arguments_ = {{DNNL_ARG_SRC_0, dnnl::memory(a, engine_, c.a.data)},
                  {DNNL_ARG_SRC_1, dnnl::memory(b, engine_, c.b.data)},
                  {DNNL_ARG_DST, dnnl::memory(y, engine_, c.y.data)}};
  }
  void begin() override { omp_set_num_threads(threads_ > 0 ? threads_ : omp_get_num_procs()); }
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) {
      primitive_.execute(stream_, arguments_);
      stream_.wait();
    }
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
  int threads_;
};

}  // namespace

std::unique_ptr<Contender> make_onednn(const HbCase& c) {
  if (std::string_view(c.type) != "fp32") throw Unsupported{"fp32 only"};
  if (c.y.rank == 0) throw Unsupported{"no rank 0"};
  return std::make_unique<OneDnn>(c);
}

}  // namespace bench
