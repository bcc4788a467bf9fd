#include "model/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "base/int128.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "model/mixed_power.hpp"
#include "num/dtype.hpp"
#include "tensor/element.hpp"

namespace hadamard::model {
namespace {

using Form = NodeKind::Form;

// A tensor while the graph runs.
struct Slot {
  std::optional<ConstView> view;
  std::shared_ptr<const void> keep;
};

Slot slot_of(Tensor&& tensor) {
  auto owned = std::make_shared<const Tensor>(std::move(tensor));
  return {owned->view(), owned};
}

// The number that is no bound: below or above all others.
Tensor no_bound(DType type, bool low) {
  return with_type(type, [&](auto t) -> Tensor {
    using T = typename decltype(t)::type;
    if constexpr (Element<T>::kKind == Kind::floating) {
      return cast(Tensor::scalar(low ? -INFINITY : INFINITY), type);
    } else if constexpr (Element<T>::kKind == Kind::integer) {
      return Tensor::scalar(low ? T(Element<T>::kMin) : T(Element<T>::kMax));
    } else {
      fail(ErrorCode::internal, "Clip of {}", name(type));
    }
  });
}

// Whether elements may be NaN, which every result has in its canonical form.
bool may_be_nan(DType type) { return kind(type) == Kind::floating || kind(type) == Kind::complex; }

// The same tensor; where it may hold NaN, with the canonical one.
Slot canonical(const Slot& slot, const Options& options) {
  if (!may_be_nan(slot.view->dtype())) return slot;
  Options any_type = options;
  any_type.dialect = Dialect::native;
  return slot_of(apply(Op::identity, *slot.view, any_type));
}

// Whether compute() gives a node's first input back, as it is.
bool gives_input_back(const Node& node, const Facts& facts) {
  const std::optional<DType> type = facts[node.output].dtype;
  if (!type || may_be_nan(*type)) return false;
  return node.kind->form == Form::identity ||
         (node.kind->form == Form::cast && facts[node.inputs[0]].dtype == type) ||
         (node.kind->form == Form::of_many && node.inputs.size() == 1);
}

// Bounds are scalars, whatever the profile says of shapes.
Tensor clipped(const Node& node, std::span<const Slot* const> in, const Options& options) {
  const DType type = in[0]->view->dtype();
  const auto bound = [&](std::size_t i, std::string_view attribute) {
    if (i < in.size() && in[i]->view) return Tensor(*in[i]->view);
    const io::OnnxAttribute* number = node.source->find(attribute);
    if (number == nullptr) return no_bound(type, i == 1);
    return cast(Tensor::scalar(number->number), type);
  };
  Options stretching = options;
  stretching.broadcast = Broadcast::numpy;
  return clip(*in[0]->view, bound(1, "min"), bound(2, "max"), stretching);
}

// A node's result. An input that is left out has no view. Not for constants.
Slot compute(const Node& node, std::span<const Slot* const> in, const Options& options) {
  switch (node.kind->form) {
    case Form::identity:
      return canonical(*in[0], options);
    case Form::cast: {
      const auto to = io::dtype_from_onnx(static_cast<int>(node.source->find("to")->integer));
      return to == in[0]->view->dtype() ? canonical(*in[0], options)
                                        : slot_of(cast(*in[0]->view, *to));
    }
    case Form::where:
      return slot_of(where(*in[0]->view, *in[1]->view, *in[2]->view, options));
    case Form::clip:
      return slot_of(clipped(node, in, options));
    case Form::of_one:
      return slot_of(apply(node.kind->op, *in[0]->view, options));
    case Form::of_two:
      if (in[0]->view->dtype() != in[1]->view->dtype()) {
        return slot_of(mixed_power(*in[0]->view, *in[1]->view, options));
      }
      return slot_of(apply(node.kind->op, *in[0]->view, *in[1]->view, options));
    case Form::of_many: {
      if (in.size() == 1) return canonical(*in[0], options);
      Slot result = *in[0];
      for (std::size_t i = 1; i < in.size(); ++i) {
        result = slot_of(apply(node.kind->op, *result.view, *in[i]->view, options));
      }
      return result;
    }
    case Form::constant:
      break;
  }
  fail(ErrorCode::internal, "a node that computes nothing");
}

// What a value takes, rounded up to whole bytes.
uint128 bytes_of(const Fact& fact) {
  if (!fact.dtype || !fact.shape) return 0;
  return (static_cast<uint128>(element_count(*fact.shape)) *
              static_cast<unsigned>(bits(*fact.dtype)) +
          7) /
         8;
}

}  // namespace

struct Session::Impl {
  Impl(io::OnnxModel m, const Options& o)
      : model(std::move(m)),
        provider(o.provider),
        cpu_target(o.cpu_target),
        options(o),
        problems(o.dialect, Problems::Policy::throw_first),
        graph(model, o.dialect, problems) {
    options.provider = provider;
    options.cpu_target = cpu_target;
    plan_lifetimes();
  }

  io::OnnxModel model;
  std::string provider, cpu_target;  // what `options` only points at
  Options options;
  Problems problems;
  const Graph graph;
  std::vector<std::vector<std::size_t>> last_used;  // by node: values that nobody wants after it

  void plan_lifetimes() {
    std::vector<bool> wanted(graph.values().size(), false);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = graph.values()[i].is_output;
    last_used.resize(graph.nodes().size());
    for (std::size_t n = graph.nodes().size(); n-- > 0;) {
      for (const std::size_t at : graph.nodes()[n].inputs) {
        if (at == kNone || wanted[at]) continue;
        wanted[at] = true;
        last_used[n].push_back(at);
      }
      const std::size_t out = graph.nodes()[n].output;
      if (!wanted[out]) last_used[n].push_back(out);
    }
  }

  void take_inputs(const std::vector<Named>& given, Facts& facts, std::vector<Slot>& slots) const {
    std::vector<bool> is_given(slots.size(), false);
    for (const Named& input : given) {
      const std::size_t at = graph.find(input.name);
      if (at == kNone || !graph.values()[at].is_input) {
        std::vector<std::string_view> names;
        for (const std::size_t i : graph.inputs()) names.push_back(graph.values()[i].name);
        fail(ErrorCode::bad_argument, "the model has no input {}; its inputs are: {}",
             io::quoted(input.name, 60), listed(names));
      }
      if (is_given[at]) {
        fail(ErrorCode::bad_argument, "the input {} is given twice", io::quoted(input.name, 60));
      }
      is_given[at] = true;
      facts[at] = {input.view.dtype(), input.view.shape()};
      slots[at] = {input.view, input.keep};
    }
    std::string missing;
    std::size_t count = 0;
    for (const std::size_t at : graph.inputs()) {
      if (slots[at].view || ++count > kMostListed) continue;
      const Value& v = graph.values()[at];
      const auto [type, shape] = declared_fact(*v.declared);
      missing += fmt::format("{}{} ({}{}{})", missing.empty() ? "" : ", ", io::quoted(v.name, 60),
                             type ? name(*type) : "any type", shape ? " " : "",
                             shape ? to_string(*shape) : "");
    }
    if (count > kMostListed) missing += fmt::format(" and {} more", count - kMostListed);
    if (count > 0) {
      fail(ErrorCode::bad_argument, "the model needs more inputs: NAME=FILE is missing for {}",
           missing);
    }
  }

  // Errors say which node they are of.
  template <class F>
  static auto named(const Node& node, F f) {
    try {
      return f();
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", node.label, error.what()),
                  error.requirement());
    }
  }

  // Refuses a run whose results the machine cannot hold, before any of them is computed.
  void require_room(const Facts& facts) const {
    uint128 held = 0, available = kUnaskedBytes;
    // By value: the node's result that its elements lie in (none for inputs and constants), and of
    // such a result how many values do.
    std::vector<std::size_t> storage(facts.size(), kNone);
    std::vector<std::size_t> users(facts.size(), 0);
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.nodes()[n];
      if (node.kind->form == Form::constant) continue;
      const bool is_new = !gives_input_back(node, facts);
      storage[node.output] = is_new ? node.output : storage[node.inputs[0]];
      if (storage[node.output] != kNone) ++users[storage[node.output]];
      if (is_new) {
        const Fact& result = facts[node.output];
        // Of more than two operands the result so far and the next one are there at a time.
        const bool is_twice = node.kind->form == Form::of_many && node.inputs.size() > 2;
        const uint128 needed = held + bytes_of(result) * (is_twice ? 2 : 1);
        if (needed > available) available = ask_for(node, result, needed, held > 0);
        held += bytes_of(result);
      }
      for (const std::size_t at : last_used[n]) {
        if (storage[at] != kNone && --users[storage[at]] == 0) held -= bytes_of(facts[storage[at]]);
      }
    }
  }
  static std::uint64_t ask_for(const Node& node, const Fact& result, uint128 needed, bool others) {
    const auto bytes = static_cast<std::int64_t>(
        std::min<uint128>(needed, std::numeric_limits<std::int64_t>::max()));
    return named(node, [&] {
      return require_memory(
          bytes, 8,
          fmt::format("the result, {} {}{}", name(*result.dtype), to_string(*result.shape),
                      others ? ", with the tensors that are still in use" : ""));
    });
  }

  std::vector<Named> run(const std::vector<Named>& given) const {
    Facts facts = graph.first_facts();
    std::vector<Slot> slots(facts.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto& constant = graph.values()[i].constant;
      if (constant) slots[i] = {constant->view(), constant};
    }
    take_inputs(given, facts, slots);
    Problems found(options.dialect, Problems::Policy::throw_first);
    graph.infer(facts, found);
    require_room(facts);
    const Slot left_out;
    std::vector<const Slot*> in;
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.nodes()[n];
      if (node.kind->form == Form::constant) continue;
      in.clear();
      for (const std::size_t at : node.inputs) in.push_back(at == kNone ? &left_out : &slots[at]);
      slots[node.output] = named(node, [&] { return compute(node, in, options); });
      for (const std::size_t at : last_used[n]) slots[at] = {};
    }
    std::vector<Named> results;
    for (const std::size_t at : graph.outputs()) {
      results.push_back({std::string(graph.values()[at].name), *slots[at].view, slots[at].keep});
    }
    return results;
  }
};

Session::Session(io::OnnxModel model, const Options& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;

std::shared_ptr<const Tensor> compute_constant(const Graph& graph, const Node& node) {
  std::vector<Slot> slots;
  for (const std::size_t at : node.inputs) {
    if (at == kNone) {
      slots.emplace_back();
    } else {
      const auto& constant = graph.values()[at].constant;
      slots.push_back({constant->view(), constant});
    }
  }
  std::vector<const Slot*> in;
  for (const Slot& slot : slots) in.push_back(&slot);
  return std::make_shared<const Tensor>(*compute(node, in, {.dialect = graph.profile()}).view);
}

std::vector<Session::Input> Session::inputs() const {
  std::vector<Input> all;
  for (const std::size_t at : impl_->graph.inputs()) {
    const Value& v = impl_->graph.values()[at];
    all.push_back({std::string(v.name), declared_fact(*v.declared).dtype, v.constant == nullptr});
  }
  return all;
}

std::vector<Named> Session::run(const std::vector<Named>& inputs) const {
  return impl_->run(inputs);
}

}  // namespace hadamard::model
