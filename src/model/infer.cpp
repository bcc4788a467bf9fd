// Types and shapes of a graph's values.
#include <fmt/format.h>

#include "dialect/dialect.hpp"
#include "dialect/sonnx/requirements.hpp"
#include "io/file.hpp"
#include "model/graph.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"
#include "plan/broadcast.hpp"

namespace hadamard::model {
namespace {

using dialect::Violation;
using Form = NodeKind::Form;

// One node: what is known of its inputs, what is wrong with them, and what follows.
class Inference {
 public:
  Inference(const Node& node, const std::vector<Value>& values, Facts& facts, Dialect profile,
            Problems& problems)
      : node_(node),
        values_(values),
        facts_(facts),
        rules_(dialect::rules(profile)),
        problems_(problems) {}

  // Whether nothing is wrong. Sets what is known of the output.
  bool run() {
    Fact& out = facts_[node_.output];
    switch (node_.kind->form) {
      case Form::constant:
        break;  // known from the start
      case Form::cast:
        require_allowed(0);
        out.dtype = io::dtype_from_onnx(static_cast<int>(node_.source->find("to")->integer));
        out.shape = known_shape(0);
        break;
      case Form::where:
        require_type(0, DType::bool_, "the condition of Where is bool");
        require_same_types(1);
        out.dtype = known_type(1) ? known_type(1) : known_type(2);
        out.shape = common_shape(0);
        break;
      case Form::clip:
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) require_allowed(i);
        require_same_types(0);
        require_scalar_bounds();
        out.dtype = known_type(0);
        out.shape = known_shape(0);
        break;
      default:
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) require_allowed(i);
        if (!mixed_types_allowed()) require_same_types(0);
        out.dtype = known_type(0);
        out.shape = common_shape(0);
    }
    if (!sound_) out = {};
    return sound_;
  }

 private:
  Op op() const { return node_.kind->is_operator() ? node_.kind->op : Op::identity; }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != kNone;
  }
  std::string_view input_name(std::size_t i) const {
    return has_input(i) ? values_[node_.inputs[i]].name : std::string_view();
  }
  std::optional<DType> known_type(std::size_t i) const {
    return has_input(i) ? facts_[node_.inputs[i]].dtype : std::nullopt;
  }
  std::optional<Dims> known_shape(std::size_t i) const {
    return has_input(i) ? facts_[node_.inputs[i]].shape : std::nullopt;
  }

  void add(ErrorCode code, std::string requirement, std::size_t at, std::string found,
           std::string demanded) {
    sound_ = false;
    problems_.add({code, std::move(requirement), node_.label, std::string(input_name(at)),
                   std::move(found), std::move(demanded)});
  }

  // ONNX lets the exponent of Pow have another type; SONNX's [R2] does not.
  bool mixed_types_allowed() const {
    return op::onnx_operands(op()) == op::OnnxOperands::mixed_types && rules_.id == Dialect::onnx;
  }

  void require_allowed(std::size_t i) {
    const auto type = known_type(i);
    if (!type || node_.kind->allows(*type)) return;
    // The exponent of a mixed Pow may be any real number.
    const bool real = kind(*type) == Kind::integer || kind(*type) == Kind::floating;
    if (i == 1 && mixed_types_allowed() && real) return;
    const std::string id = dialect::requirement_id(rules_.id == Dialect::sonnx ? "SONNX" : "ONNX",
                                                   node_.kind->onnx, "TYPES");
    add(ErrorCode::unsupported_type, id, i, fmt::format("it is {}", name(*type)),
        fmt::format("{} takes {}", node_.kind->onnx, node_.kind->allowed_types()));
  }

  void require_type(std::size_t i, DType demanded, std::string why) {
    const auto type = known_type(i);
    if (!type || *type == demanded) return;
    add(ErrorCode::type_mismatch, rules_.requirement(Violation::type, op(), *type), i,
        fmt::format("it is {}", name(*type)), std::move(why));
  }

  void require_same_types(std::size_t first) {
    for (std::size_t i = first + 1; i < node_.inputs.size(); ++i) {
      const auto a = known_type(first), b = known_type(i);
      if (!a || !b || *a == *b) continue;
      add(ErrorCode::type_mismatch, rules_.requirement(Violation::type, op(), *a), i,
          fmt::format("it is {}, but {} is {}", name(*b), io_name(first), name(*a)),
          "all inputs must have the same type");
    }
  }
  std::string io_name(std::size_t i) const { return io::quoted(input_name(i), 80); }

  void require_scalar_bounds() {
    for (std::size_t i = 1; i < node_.inputs.size(); ++i) {
      const auto shape = known_shape(i);
      if (!shape || shape->empty()) continue;
      add(ErrorCode::shape_mismatch,
          rules_.requirement(Violation::shape, Op::identity, DType::fp64), i,
          fmt::format("its shape is {}", to_string(*shape)), "a bound of Clip has the shape ()");
    }
  }

  // The shape that the inputs from `first` on have together; nothing where it cannot be told.
  std::optional<Dims> common_shape(std::size_t first) {
    std::optional<Dims> all = known_shape(first);
    for (std::size_t i = first + 1; all && i < node_.inputs.size(); ++i) {
      const auto shape = known_shape(i);
      if (!shape) return std::nullopt;
      const DType type = known_type(first).value_or(DType::fp64);
      try {
        all = plan::broadcast(rules_.broadcast, -1, Layout(type, *all), Layout(type, *shape)).shape;
      } catch (const Error& error) {
        add(error.code(), rules_.requirement(Violation::shape, op(), type), i,
            fmt::format("its shape is {}, but {} has {}", to_string(*shape), io_name(first),
                        to_string(*all)),
            rules_.broadcast == Broadcast::none
                ? "the shapes must be the same, there is no implicit broadcast"
                : "the shapes must fit together by ONNX's (NumPy's) rule");
        return std::nullopt;
      }
    }
    return all;
  }

  const Node& node_;
  const std::vector<Value>& values_;
  Facts& facts_;
  const dialect::Rules& rules_;
  Problems& problems_;
  bool sound_ = true;
};

bool fits(const std::vector<io::OnnxDim>& declared, const Dims& shape) {
  if (declared.size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (declared[i].extent && *declared[i].extent != shape[i]) return false;
  }
  return true;
}

}  // namespace

std::string to_text(const std::vector<io::OnnxDim>& dims) {
  constexpr std::size_t kMostShown = 32;
  std::string text;
  for (std::size_t i = 0; i < dims.size() && i < kMostShown; ++i) {
    if (i > 0) text += ",";
    const std::string symbol = io::quoted(dims[i].symbol, 80);
    text += dims[i].extent           ? std::to_string(*dims[i].extent)
            : dims[i].symbol.empty() ? "?"
                                     : symbol.substr(1, symbol.size() - 2);
  }
  if (dims.size() > kMostShown) text += fmt::format(" and {} more", dims.size() - kMostShown);
  return "(" + text + ")";
}

Fact declared_fact(const io::OnnxType& type) {
  if (type.form != io::OnnxType::Form::tensor) return {};
  std::optional<Dims> shape;
  if (type.has_shape) {
    shape.emplace();
    for (const io::OnnxDim& dim : type.dims) {
      if (!dim.extent || *dim.extent < 0) {
        shape.reset();
        break;
      }
      shape->push_back(*dim.extent);
    }
  }
  return {io::dtype_from_onnx(type.elem_type), std::move(shape)};
}

// What is declared of a value and what it is.
void check_declared(const Value& v, const Fact& fact, Problems& problems) {
  if (v.declared == nullptr || v.declared->form != io::OnnxType::Form::tensor) return;
  const auto type = io::dtype_from_onnx(v.declared->elem_type);
  if (fact.dtype && v.declared->elem_type != 0 && type != fact.dtype) {
    problems.add(
        {ErrorCode::type_mismatch, "SONNX-R2", "", std::string(v.name),
         fmt::format("it is {}", name(*fact.dtype)),
         fmt::format("the model declares it as {}", io::onnx_type_name(v.declared->elem_type))});
  }
  if (fact.shape && v.declared->has_shape && !fits(v.declared->dims, *fact.shape)) {
    problems.add({ErrorCode::shape_mismatch, "SONNX-R1", "", std::string(v.name),
                  fmt::format("its shape is {}", to_string(*fact.shape)),
                  fmt::format("the model declares it as {}", to_text(v.declared->dims))});
  }
}

void Graph::infer(Facts& facts, Problems& problems) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].is_input || values_[i].constant) check_declared(values_[i], facts[i], problems);
  }
  for (const Node& node : nodes_) {
    if (node.output == kNone) continue;
    const Value& out = values_[node.output];
    Fact& fact = facts[node.output];
    const bool sound = node.sound && Inference(node, values_, facts, profile_, problems).run();
    if (!out.constant) check_declared(out, fact, problems);
    if (!sound && !out.constant && out.declared != nullptr) {
      fact = declared_fact(*out.declared);  // so that the rest is checked
    }
  }
}

}  // namespace hadamard::model
