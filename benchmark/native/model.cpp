// A model of four nodes, and its kernels without the model.
#include <cstring>
#include <hadamard/hadamard.hpp>

#include "contender.hpp"
#include "model/session.hpp"

namespace bench {
namespace {

using hadamard::Layout;
using hadamard::Op;
using hadamard::Tensor;

// Y = max(u, u) with u = -(-(A op B)): four nodes whose result is that of the first, so that it can
// be compared.

Layout layout_of(const HbCase& c) {
  const auto type = hadamard::dtype_from_name(c.type);
  if (!type || !is_contiguous(c.a) || !is_contiguous(c.b) || count_of(c.b) != count_of(c.y)) {
    throw Unsupported{"contiguous operands only"};
  }
  return {*type, hadamard::Dims(shape_of(c.y))};
}

hadamard::io::OnnxNode node(std::string type, std::vector<std::string> inputs, std::string output) {
  hadamard::io::OnnxNode n;
  n.op_type = std::move(type);
  n.inputs = std::move(inputs);
  n.outputs = {std::move(output)};
  return n;
}

hadamard::io::OnnxValue value(std::string name, const Layout& layout) {
  hadamard::io::OnnxValue v;
  v.name = std::move(name);
  v.type.form = hadamard::io::OnnxType::Form::tensor;
  v.type.elem_type = hadamard::io::onnx_from_dtype(layout.dtype);
  v.type.has_shape = true;
  for (const std::int64_t extent : layout.shape) v.type.dims.push_back({extent, ""});
  return v;
}

hadamard::io::OnnxModel model_of(const HbCase& c, const Layout& layout) {
  std::string type = c.op;
  type[0] = static_cast<char>(type[0] - 'a' + 'A');  // Add, Sub, Mul, Div
  hadamard::io::OnnxModel m;
  m.opsets = {{"", 14}};
  m.nodes = {node(type, {"A", "B"}, "s"), node("Neg", {"s"}, "t"), node("Neg", {"t"}, "u"),
             node("Max", {"u", "u"}, "Y")};
  m.inputs = {value("A", layout), value("B", layout)};
  m.outputs = {value("Y", layout)};
  return m;
}

class Model : public Contender {
 public:
  explicit Model(const HbCase& c)
      : layout_(layout_of(c)),
        session_(model_of(c, layout_), {.dialect = hadamard::Dialect::sonnx}),
        inputs_{{"A", {c.a.data, layout_}, nullptr}, {"B", {c.b.data, layout_}, nullptr}},
        y_(c.y.data),
        threads_(c.threads) {}
  void begin() override { hadamard::set_threads(threads_); }
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) session_.run(inputs_);
  }
  void once() override {
    const auto outputs = session_.run(inputs_);
    const Tensor y(outputs.at(0).view);
    std::memcpy(y_, y.data(), y.size_bytes());
  }

 private:
  Layout layout_;
  hadamard::model::Session session_;
  std::vector<hadamard::model::Named> inputs_;
  void* y_;
  int threads_;
};

// The same operators on the same tensors, planned before, between two buffers.
class Kernels : public Contender {
 public:
  explicit Kernels(const HbCase& c)
      : layout_(layout_of(c)),
        first_(hadamard::prepare(*hadamard::op_from_name(c.op), layout_, layout_, layout_,
                                 {.dialect = hadamard::Dialect::sonnx})),
        negation_(hadamard::prepare(Op::neg, layout_, layout_)),
        last_(hadamard::prepare(Op::max, layout_, layout_, layout_)),
        s_(Tensor::uninitialized(layout_)),
        t_(Tensor::uninitialized(layout_)),
        a_(c.a.data),
        b_(c.b.data),
        y_(c.y.data),
        threads_(c.threads) {}
  void begin() override { hadamard::set_threads(threads_); }
  void run(std::int64_t calls) override {
    for (std::int64_t i = 0; i < calls; ++i) {
      first_.run(a_, b_, s_.data());
      negation_.run(s_.data(), t_.data());
      negation_.run(t_.data(), s_.data());
      last_.run(s_.data(), s_.data(), y_);
    }
  }

 private:
  Layout layout_;
  hadamard::Prepared first_, negation_, last_;
  Tensor s_, t_;
  const void* a_;
  const void* b_;
  void* y_;
  int threads_;
};

}  // namespace

std::unique_ptr<Contender> make_model(std::string_view kind, const HbCase& c) {
  if (kind == "model") return std::make_unique<Model>(c);
  return std::make_unique<Kernels>(c);
}

}  // namespace bench
