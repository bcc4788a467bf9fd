#include "model/session.hpp"

#include <gtest/gtest.h>

#include "hadamard/hadamard.hpp"

namespace hadamard::model {
namespace {

// Y = A + K, where K has an initializer and may be given.
io::OnnxModel sum() {
  io::OnnxModel model;
  model.ir_version = 8;
  model.opsets = {{"", 17}};
  io::OnnxNode node;
  node.op_type = "Add";
  node.inputs = {"A", "K"};
  node.outputs = {"Y"};
  model.nodes = {node};
  io::OnnxType type;
  type.form = io::OnnxType::Form::tensor;
  type.elem_type = io::onnx_from_dtype(DType::int32);
  model.inputs = {{"A", type}, {"K", type}};
  model.outputs = {{"Y", type}};
  model.initializers = {
      {"K", std::make_shared<const Tensor>(Tensor::from<std::int32_t>({10, 20}, {2}))}};
  return model;
}

std::vector<std::int32_t> result(const Session& session, const std::vector<Named>& inputs) {
  return Tensor(session.run(inputs).at(0).view).to_vector<std::int32_t>();
}

TEST(Session, RunsDoNotKnowOfEachOther) {
  const Session session(sum(), {.dialect = Dialect::onnx});
  const Tensor a = Tensor::from<std::int32_t>({1, 2}, {2});
  const Tensor b = Tensor::from<std::int32_t>({1, 2, 3, 4}, {2, 2});
  using Values = std::vector<std::int32_t>;
  EXPECT_EQ(result(session, {{"A", a, nullptr}}), (Values{11, 22}));
  EXPECT_EQ(result(session, {{"A", a, nullptr}, {"K", b, nullptr}}), (Values{2, 4, 4, 6}));
  EXPECT_EQ(result(session, {{"A", b, nullptr}}), (Values{11, 22, 13, 24}));
  EXPECT_THROW(result(session, {{"K", b, nullptr}}), Error);
  EXPECT_THROW(result(session, {{"A", a, nullptr}, {"K", a, nullptr}, {"K", a, nullptr}}), Error);
  EXPECT_EQ(result(session, {{"A", a, nullptr}}), (Values{11, 22}));
}

TEST(Session, ThrowsForTheFirstProblem) {
  io::OnnxModel model = sum();
  model.nodes[0].op_type = "Gemm";
  model.outputs[0].name = "Z";
  try {
    const Session session(model, {.dialect = Dialect::sonnx});
    FAIL() << "a model that cannot be run";
  } catch (const Error& error) {
    EXPECT_EQ(error.requirement(), "SONNX-OPERATORS");
  }
}

TEST(Graph, FindsNamesOfAnyLength) {
  io::OnnxModel model = sum();
  const std::string name(1000, 'x');
  model.outputs[0].name = model.nodes[0].outputs[0] = name;
  Problems problems(Dialect::sonnx);
  const Graph graph(model, Dialect::sonnx, problems);
  static_assert(noexcept(graph.find(name)));
  ASSERT_NE(graph.find(name), kNone);
  EXPECT_TRUE(graph.values()[graph.find(name)].is_output);
  EXPECT_EQ(graph.find(name + "x"), kNone);
  EXPECT_EQ(problems.violations(), 0U);
}

}  // namespace
}  // namespace hadamard::model
