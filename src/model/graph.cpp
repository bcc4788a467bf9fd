#include "model/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "io/file.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;
using Attribute = io::OnnxAttribute;

constexpr std::int64_t kOldestOpset = 7;
constexpr std::int64_t kClipTakesInputs = 11;  // from this opset on; attributes before

std::string quoted(std::string_view name) { return io::quoted(name, 80); }

std::string label_of(const io::OnnxNode& node, std::size_t number) {
  return fmt::format("node {}{} ({})", number, node.name.empty() ? "" : " " + quoted(node.name),
                     quoted(node.op_type).substr(1, quoted(node.op_type).size() - 2));
}

// Adds problems of one node or tensor.
class Reporter {
 public:
  Reporter(Problems& problems, std::string node) : problems_(problems), node_(std::move(node)) {}
  void add(ErrorCode code, std::string requirement, std::string_view tensor, std::string found,
           std::string demanded) {
    any_ = true;
    problems_.add({code, std::move(requirement), node_, std::string(tensor), std::move(found),
                   std::move(demanded)});
  }
  bool any() const noexcept { return any_; }

 private:
  Problems& problems_;
  std::string node_;
  bool any_ = false;
};

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void check_inputs(const io::OnnxNode& node, const NodeKind& kind, std::int64_t opset,
                  Reporter& report) {
  const std::size_t count = node.inputs.size();
  const std::size_t at_most =
      kind.form == Form::clip && opset < kClipTakesInputs ? 1 : kind.at_most;
  if (count < kind.inputs || count > at_most) {
    report.add(ErrorCode::bad_file, "ONNX-NODE-INPUTS", "",
               fmt::format("it has {}", counted(count, "input")),
               kind.inputs == at_most ? fmt::format("{} takes {}", kind.onnx, at_most)
               : at_most > count      ? fmt::format("{} takes at least {}", kind.onnx, kind.inputs)
                                      : fmt::format("{} takes at most {}", kind.onnx, at_most));
    return;
  }
  const std::size_t needed = kind.form == Form::of_many ? count : kind.inputs;
  for (std::size_t i = 0; i < needed; ++i) {
    if (node.inputs[i].empty()) {
      report.add(ErrorCode::bad_file, "ONNX-NODE-INPUTS", "",
                 fmt::format("input {} has no name", i), "only optional inputs may be left out");
    }
  }
  if (node.outputs.size() != 1 || node.outputs[0].empty()) {
    report.add(ErrorCode::bad_file, "ONNX-NODE-INPUTS", "",
               fmt::format("it has {}", counted(node.outputs.size(), "output")),
               fmt::format("{} has one, with a name", kind.onnx));
  }
}

// What the attribute of that name holds, in every node that has one.
Attribute::Form form_of(std::string_view name) {
  if (name == "min" || name == "max" || name == "value_float") return Attribute::Form::number;
  if (name == "value_floats") return Attribute::Form::numbers;
  if (name == "value_ints") return Attribute::Form::integers;
  if (name == "value_string") return Attribute::Form::text;
  if (name == "value_strings") return Attribute::Form::texts;
  if (name == "value") return Attribute::Form::tensor;
  if (name == "sparse_value") return Attribute::Form::sparse_tensor;
  return Attribute::Form::integer;
}

void check_constant(const io::OnnxNode& node, Reporter& report) {
  if (node.attributes.size() != 1) {
    report.add(ErrorCode::bad_file, "ONNX-NODE-ATTRIBUTES", "",
               fmt::format("it has {}", counted(node.attributes.size(), "attribute")),
               "a Constant has one, its value");
    return;
  }
  const Attribute& value = node.attributes[0];
  if (value.form == Attribute::Form::sparse_tensor) {
    report.add(ErrorCode::unsupported_type, "SONNX-GR1",
               node.outputs.empty() ? "" : node.outputs[0], "it is sparse",
               "sparse tensors are not supported");
  } else if (!constant_value(node)) {
    report.add(ErrorCode::unsupported_type, "ONNX-NODE-ATTRIBUTES", "",
               fmt::format("attribute {} holds no numbers", quoted(value.name)),
               "a Constant is a tensor, a number or a list of numbers");
  }
}

void check_cast(const io::OnnxNode& node, const NodeKind& kind, Reporter& report) {
  const Attribute* to = node.find("to");
  if (to == nullptr || to->form != Attribute::Form::integer) {
    report.add(ErrorCode::bad_file, "ONNX-NODE-ATTRIBUTES", "",
               "it does not say what type to cast to", "attribute 'to' is the number of a type");
    return;
  }
  const bool fits = to->integer >= 0 && to->integer <= 1000;
  const auto type = fits ? io::dtype_from_onnx(static_cast<int>(to->integer)) : std::nullopt;
  if (!type || !kind.allows(*type)) {
    report.add(
        ErrorCode::unsupported_type, "SONNX-CAST-TYPES", "",
        fits ? fmt::format("it casts to {}", io::onnx_type_name(static_cast<int>(to->integer)))
             : fmt::format("it casts to type {}", to->integer),
        "types to cast to: " + kind.allowed_types());
  }
}

void check_attributes(const io::OnnxNode& node, const NodeKind& kind, std::int64_t opset,
                      Reporter& report) {
  for (const Attribute& attribute : node.attributes) {
    const bool known = std::find(kind.attributes.begin(), kind.attributes.end(), attribute.name) !=
                       kind.attributes.end();
    const bool obsolete = kind.form == Form::clip && opset >= kClipTakesInputs;
    if (known && !obsolete) {
      const bool twice = node.find(attribute.name) != &attribute;
      if (attribute.form == form_of(attribute.name) && !twice) continue;
      report.add(ErrorCode::bad_file, "ONNX-NODE-ATTRIBUTES", "",
                 fmt::format("the attribute {} is {}", quoted(attribute.name),
                             twice ? "there twice" : "not of its type"),
                 fmt::format("attributes must be as ONNX defines them for {}", kind.onnx));
      continue;
    }
    report.add(ErrorCode::bad_file, "ONNX-NODE-ATTRIBUTES", "",
               fmt::format("it has the attribute {}", quoted(attribute.name)),
               obsolete ? "from opset 11 on the bounds of Clip are inputs"
                        : fmt::format("{} has no such attribute", kind.onnx));
  }
  if (report.any()) return;
  if (kind.form == Form::constant) check_constant(node, report);
  if (kind.form == Form::cast) check_cast(node, kind, report);
}

}  // namespace

std::shared_ptr<const Tensor> constant_value(const io::OnnxNode& node) {
  if (node.attributes.size() != 1) return nullptr;
  const Attribute& value = node.attributes[0];
  const auto list = [](const auto& numbers) {
    return std::make_shared<const Tensor>(
        Tensor::from(numbers, Dims{static_cast<std::int64_t>(numbers.size())}));
  };
  switch (value.form) {
    case Attribute::Form::tensor:
      return value.tensor;
    case Attribute::Form::number:
      return std::make_shared<const Tensor>(Tensor::scalar(value.number));
    case Attribute::Form::integer:
      return std::make_shared<const Tensor>(Tensor::scalar(value.integer));
    case Attribute::Form::numbers:
      return list(value.numbers);
    case Attribute::Form::integers:
      return list(value.integers);
    default:
      return nullptr;
  }
}

Graph::Graph(const io::OnnxModel& model, Dialect profile, Problems& problems)
    : model_(model), profile_(profile) {
  const std::int64_t opset = model.opset();
  if (opset < kOldestOpset) {
    Reporter(problems, "")
        .add(ErrorCode::bad_file, "ONNX-OPSET", "",
             opset == 0 ? std::string("the model imports no opset of ONNX's own domain")
                        : fmt::format("the model's opset is {}", opset),
             fmt::format("opsets from {} on are supported", kOldestOpset));
  }
  add_declarations(problems);
  add_nodes(problems);
  for (const io::OnnxValue& output : model.outputs) {
    const std::size_t at = value(output.name);
    values_[at].is_output = true;
    outputs_.push_back(at);
    declare(at, output.type, problems);
    if (!values_[at].is_defined) {
      Reporter(problems, "")
          .add(ErrorCode::bad_file, "ONNX-GRAPH-NAMES", output.name,
               "the output is computed by no node", "every output of the graph must be defined");
    }
  }
  for (const io::OnnxValue& info : model.value_infos)
    declare(value(info.name), info.type, problems);
  if (outputs_.empty()) {
    Reporter(problems, "")
        .add(ErrorCode::bad_file, "ONNX-GRAPH-NAMES", "", "the graph has no output",
             "a graph has at least one");
  }
  sort(problems);
}

std::size_t Graph::find(std::string_view name) const noexcept {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNone : found->second;
}

std::size_t Graph::value(std::string_view name) {
  const auto [found, is_new] = by_name_.try_emplace(name, values_.size());
  if (is_new) values_.emplace_back().name = name;
  return found->second;
}

void Graph::add_declarations(Problems& problems) {
  Reporter report(problems, "");
  const auto defined_twice = [&](const std::string& name) {
    report.add(ErrorCode::bad_file, "ONNX-GRAPH-SSA", name, "the name is defined twice",
               "every name is defined once");
  };
  for (const io::OnnxValue& input : model_.inputs) {
    Value& v = values_[value(input.name)];
    if (input.name.empty()) {
      report.add(ErrorCode::bad_file, "ONNX-GRAPH-NAMES", "", "an input of the graph has no name",
                 "every input must have one");
    }
    if (v.is_input) defined_twice(input.name);
    v.is_input = v.is_defined = true;
    v.declared = &input.type;
    inputs_.push_back(find(input.name));
    if (input.type.form == io::OnnxType::Form::sparse_tensor) {
      report.add(ErrorCode::unsupported_type, "SONNX-GR1", input.name,
                 "the input is a sparse tensor", "sparse tensors are not supported");
    } else if (input.type.form == io::OnnxType::Form::other) {
      report.add(ErrorCode::unsupported_type, "SONNX-R2", input.name, "the input is no tensor",
                 "inputs are tensors of numbers");
    }
  }
  for (const io::OnnxTensor& initializer : model_.initializers) {
    Value& v = values_[value(initializer.name)];
    if (initializer.name.empty()) {
      report.add(ErrorCode::bad_file, "ONNX-GRAPH-NAMES", "", "an initializer has no name",
                 "every initializer must have one");
    }
    if (v.constant) defined_twice(initializer.name);
    v.constant = initializer.value;
    v.is_defined = true;
  }
  for (const std::string& name : model_.sparse_initializers) {
    values_[value(name)].is_defined = true;
    report.add(ErrorCode::unsupported_type, "SONNX-GR1", name, "the initializer is sparse",
               "sparse tensors are not supported");
  }
}

// What is said first holds: by an input, then an output, then value_info. Others must agree.
void Graph::declare(std::size_t at, const io::OnnxType& type, Problems& problems) {
  Value& v = values_[at];
  if (v.declared == nullptr) {
    v.declared = &type;
    return;
  }
  Reporter report(problems, "");
  const io::OnnxType& first = *v.declared;
  if (first.elem_type != type.elem_type && first.elem_type != 0 && type.elem_type != 0) {
    report.add(ErrorCode::type_mismatch, "SONNX-R2", v.name,
               fmt::format("it is declared as {} and as {}", io::onnx_type_name(first.elem_type),
                           io::onnx_type_name(type.elem_type)),
               "a tensor has one type");
  }
  bool agree = first.dims.size() == type.dims.size();
  for (std::size_t i = 0; agree && i < type.dims.size(); ++i) {
    const auto &a = first.dims[i].extent, &b = type.dims[i].extent;
    agree = !a || !b || *a == *b;
  }
  if (first.has_shape && type.has_shape && !agree) {
    report.add(
        ErrorCode::shape_mismatch, "SONNX-R1", v.name,
        fmt::format("it is declared as {} and as {}", to_text(first.dims), to_text(type.dims)),
        "a tensor has one shape");
  }
}

void Graph::add_node(const io::OnnxNode& source, std::size_t number, Problems& problems) {
  Node node;
  node.source = &source;
  node.label = label_of(source, number);
  Reporter report(problems, node.label);
  const bool own_domain = source.domain.empty() || source.domain == "ai.onnx";
  node.kind = own_domain ? find_node_kind(source.op_type) : nullptr;
  if (node.kind == nullptr) {
    report.add(
        ErrorCode::bad_argument, "SONNX-OPERATORS", "",
        own_domain
            ? fmt::format("{} is not among the supported operators", quoted(source.op_type))
            : fmt::format("{} is of the domain {}", quoted(source.op_type), quoted(source.domain)),
        "supported are " + all_node_kinds());
  } else {
    check_inputs(source, *node.kind, model_.opset(), report);
    check_attributes(source, *node.kind, model_.opset(), report);
  }
  for (const std::string& name : source.inputs)
    node.inputs.push_back(name.empty() ? kNone : value(name));
  for (std::size_t i = 0; i < source.outputs.size(); ++i) {
    if (source.outputs[i].empty()) continue;
    const std::size_t at = value(source.outputs[i]);
    if (values_[at].is_defined) {
      report.add(ErrorCode::bad_file, "ONNX-GRAPH-SSA", source.outputs[i],
                 "the name is defined already", "every name is defined once");
      continue;
    }
    values_[at].is_defined = true;
    if (i == 0) node.output = at;
  }
  node.sound = !report.any();
  if (node.sound && node.kind->form == Form::constant) {
    values_[node.output].constant = constant_value(source);
  }
  nodes_.push_back(std::move(node));
}

void Graph::add_nodes(Problems& problems) {
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) add_node(model_.nodes[i], i, problems);
  for (Node& node : nodes_) {
    Reporter report(problems, node.label);
    for (const std::size_t at : node.inputs) {
      if (at == kNone || values_[at].is_defined) continue;
      report.add(ErrorCode::bad_file, "ONNX-GRAPH-NAMES", values_[at].name,
                 "nothing defines this input: no node, input or initializer has its name",
                 "every name must be defined");
    }
    node.sound = node.sound && !report.any();
  }
}

// Kahn's algorithm, and of those that are ready the first in the file.
void Graph::sort(Problems& problems) {
  std::vector<std::size_t> waits(nodes_.size(), 0);
  std::vector<std::vector<std::size_t>> users(values_.size());
  std::vector<bool> computed(values_.size(), false);
  for (const Node& node : nodes_) {
    if (node.output != kNone) computed[node.output] = true;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const std::size_t at : nodes_[i].inputs) {
      if (at == kNone || !computed[at]) continue;
      ++waits[i];
      users[at].push_back(i);
    }
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<Node> sorted;
  std::vector<bool> done(nodes_.size(), false);
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    done[i] = true;
    if (nodes_[i].output != kNone) {
      for (const std::size_t user : users[nodes_[i].output]) {
        if (--waits[user] == 0) ready.push(user);
      }
    }
    sorted.push_back(std::move(nodes_[i]));
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (done[i]) continue;
    Reporter(problems, nodes_[i].label)
        .add(ErrorCode::bad_file, "ONNX-GRAPH-ACYCLIC",
             nodes_[i].output == kNone ? "" : values_[nodes_[i].output].name,
             "the node waits for itself, or for a node that does", "a graph has no cycle");
  }
  nodes_ = std::move(sorted);
}

Facts Graph::first_facts() const {
  Facts facts(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& v = values_[i];
    if (v.constant) {
      facts[i] = {v.constant->dtype(), v.constant->shape()};
    } else if (v.is_input) {
      facts[i] = declared_fact(*v.declared);
    }
  }
  return facts;
}

}  // namespace hadamard::model
