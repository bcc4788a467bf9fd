#include "api/program.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "dialect/lowering.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

using exec::Place;

Place place(const ConstView& view) noexcept { return {view.data(), view.offset()}; }

double bytes_of(const std::vector<Layout>& layouts) {
  double bytes = 0;
  for (const Layout& layout : layouts) {
    if (layout.dtype == DType::real) continue;
    bytes += static_cast<double>(layout.count()) * bits(layout.dtype) / 8;
  }
  return bytes;
}

std::vector<Place> places_of(std::span<const View> views) {
  std::vector<Place> places;
  for (const View& view : views) places.push_back(place(view));
  return places;
}

std::vector<Layout> layouts_of(std::span<const ConstView> views) {
  std::vector<Layout> layouts;
  for (const ConstView& view : views) layouts.push_back(view.layout());
  return layouts;
}
std::vector<Place> places_of(std::span<const ConstView> views) {
  std::vector<Place> places;
  for (const ConstView& view : views) places.push_back(place(view));
  return places;
}

Options options_of(const Program::Impl& impl) {
  Options options = impl.options;
  options.provider = impl.provider;
  options.cpu_target = impl.cpu_target;
  return options;
}

plan::Lowered lower(const std::shared_ptr<const Program::Impl>& impl,
                    std::span<const Layout> inputs) {
  if (impl == nullptr) fail(ErrorCode::bad_argument, "this Program was moved from");
  return impl->text.lower(inputs, {}, options_of(*impl));
}

}  // namespace

std::vector<Layout> result_layouts(const plan::Lowered& lowered, Order order) {
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < lowered.outputs.size(); ++i) {
    const DType type = lowered.program.node(lowered.program.outputs()[i].value).type;
    layouts.emplace_back(type, lowered.outputs[i].shape, order);
  }
  return layouts;
}

thread_local constinit LastRun last_run [[gnu::tls_model("initial-exec")]];

std::shared_ptr<const PreparedProgram::Impl> make_program_impl(plan::Lowered lowered,
                                                               std::vector<Layout> inputs,
                                                               std::vector<Layout> outputs,
                                                               const Options& options,
                                                               const plan::Limits& limits) {
  auto impl = std::make_shared<PreparedProgram::Impl>();
  bind_plan(*impl, std::move(lowered), std::move(inputs), std::move(outputs), options, limits);
  return impl;
}

void bind_plan(PreparedProgram::Impl& impl, plan::Lowered lowered, std::vector<Layout> inputs,
               std::vector<Layout> outputs, const Options& options, const plan::Limits& limits) {
  const ScopedFloatEnv env;  // plans weigh their work in doubles
  impl.dialect = options.dialect;
  impl.provider = options.provider;
  impl.cpu_target = options.cpu_target;
  auto plan = std::make_shared<plan::Plan>(
      plan::make_plan(std::move(lowered), std::move(inputs), std::move(outputs), limits));
  impl.may_fail = exec::may_fail(plan->lowered.program);
  impl.overlap = OverlapTest(*plan);
  impl.asks_for_memory = bytes_of(plan->outputs) > static_cast<double>(kUnaskedBytes);
  impl.has_workspace = plan->workspace_bytes > 0;
  if (plan->workspace_bytes > kUnaskedBytes) {
    require_memory(static_cast<std::int64_t>(plan->workspace_bytes), 8,
                   "values between the groups of the program");
  }
  impl.plan = std::move(plan);
  exec::Bound bound = exec::bind(impl.plan, {options.provider, options.cpu_target});
  impl.executable = std::move(bound.executable);
  impl.declined = std::move(bound.declined);
}

void require_results(const PreparedProgram::Impl& impl) {
  if (!impl.asks_for_memory) return;
  const ScopedFloatEnv env;
  require_memory(static_cast<std::int64_t>(std::min(bytes_of(impl.plan->outputs), 0x1p62)), 8,
                 "the results");
}

void fail_run(const PreparedProgram::Impl& impl, const exec::Bindings& bindings,
              program::ValueId failed) {
  dialect::fail_node(impl.dialect, *impl.plan, bindings.inputs, failed);
}
void check_first(const PreparedProgram::Impl& impl, const exec::Bindings& bindings) {
  if (!impl.may_fail) return;
  const program::ValueId failed = impl.executable->find_failure(bindings);
  if (failed != exec::kNoValue) fail_run(impl, bindings, failed);
}

Workspace::Workspace(const PreparedProgram::Impl& impl) {
  if (!impl.has_workspace) return;
  memory_ = std::make_unique<Tensor>(
      Tensor::uninitialized(DType::uint8, Dims{impl.plan->workspace_bytes}));
  data_ = static_cast<std::byte*>(memory_->data());
}

std::vector<Tensor> run_fresh(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                              std::atomic<std::int64_t>* progress) {
  std::vector<Tensor> results;
  std::vector<Place> outputs;
  require_results(impl);
  for (const Layout& layout : impl.plan->outputs) {
    results.push_back(Tensor::uninitialized(layout));
  }
  for (const Tensor& result : results) outputs.push_back({result.data(), 0});
  const Workspace workspace(impl);
  run_plan(impl, {inputs, outputs, workspace.data()}, progress);
  return results;
}

void run_into_views(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                    std::span<const View> outputs) {
  const std::vector<Place> to = places_of(outputs);
  const plan::Plan& plan = *impl.plan;
  impl.overlap.require_apart(to, plan.lowered.program.outputs());
  if (impl.overlap.harmful(inputs, to) || (impl.may_fail && !impl.can_check_first())) {
    // Planned for the same shapes, but into new memory.
    std::vector<Layout> fresh;
    for (const Layout& layout : plan.outputs) fresh.emplace_back(layout.dtype, layout.shape);
    Options options{.dialect = impl.dialect};
    options.provider = impl.provider;
    options.cpu_target = impl.cpu_target;
    const auto other = make_program_impl(plan.lowered, plan.inputs, fresh, options);
    const std::vector<Tensor> results = run_fresh(*other, inputs);
    for (std::size_t i = 0; i < results.size(); ++i) copy_elements(outputs[i], results[i]);
    return;
  }
  const Workspace workspace(impl);
  const exec::Bindings bindings{inputs, to, workspace.data()};
  check_first(impl, bindings);
  run_plan(impl, bindings);
}

PreparedProgram make_prepared(std::shared_ptr<const PreparedProgram::Impl> impl) {
  PreparedProgram prepared;
  prepared.impl_ = std::move(impl);
  return prepared;
}

// --- PreparedProgram --------------------------------------------------------------------------

// Of one that was moved from, as of a program without inputs and outputs.
const std::vector<Layout>& PreparedProgram::inputs() const noexcept {
  static const std::vector<Layout> none;
  return impl_ == nullptr ? none : impl_->plan->inputs;
}
const std::vector<Layout>& PreparedProgram::outputs() const noexcept {
  static const std::vector<Layout> none;
  return impl_ == nullptr ? none : impl_->plan->outputs;
}
std::size_t PreparedProgram::workspace_bytes() const noexcept {
  return impl_ == nullptr ? 0 : impl_->plan->workspace_bytes;
}

void PreparedProgram::run(std::span<const void* const> inputs, std::span<void* const> outputs,
                          void* workspace) const {
  if (impl_ == nullptr) fail(ErrorCode::bad_argument, "this PreparedProgram was moved from");
  const plan::Plan& plan = *impl_->plan;
  if (inputs.size() != plan.inputs.size() || outputs.size() != plan.outputs.size()) {
    fail(ErrorCode::bad_argument, "the program has {} inputs and {} outputs, got {} and {}",
         plan.inputs.size(), plan.outputs.size(), inputs.size(), outputs.size());
  }
  constexpr std::size_t kFew = 16;
  std::array<Place, kFew> few_inputs, few_outputs;
  std::vector<Place> many_inputs(inputs.size() > kFew ? inputs.size() : 0);
  std::vector<Place> many_outputs(outputs.size() > kFew ? outputs.size() : 0);
  Place* const from = many_inputs.empty() ? few_inputs.data() : many_inputs.data();
  Place* const to = many_outputs.empty() ? few_outputs.data() : many_outputs.data();
  const auto checked = [](const void* data, const Layout& layout) -> Place {
    if (data == nullptr && layout.count() > 0) {
      fail(ErrorCode::bad_argument, "run() got a null pointer for a tensor that has elements");
    }
    if (reinterpret_cast<std::uintptr_t>(data) % alignment_of(layout.dtype) != 0) {
      fail(ErrorCode::bad_argument, "run() got a pointer that is not aligned to the {} bytes of {}",
           alignment_of(layout.dtype), name(layout.dtype));
    }
    return {data, 0};
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) from[i] = checked(inputs[i], plan.inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) to[i] = checked(outputs[i], plan.outputs[i]);
  if (plan.workspace_bytes > 0 &&
      (workspace == nullptr || reinterpret_cast<std::uintptr_t>(workspace) % 64 != 0)) {
    fail(ErrorCode::bad_argument, "run() needs a workspace of {} bytes, aligned to 64",
         plan.workspace_bytes);
  }
  const exec::Bindings bindings{
      {from, inputs.size()}, {to, outputs.size()}, static_cast<std::byte*>(workspace)};
  impl_->overlap.require_apart(bindings.outputs, plan.lowered.program.outputs());
  if (impl_->overlap.harmful(bindings.inputs, bindings.outputs)) {
    fail(ErrorCode::overlap, "an output overlaps an input in another way than in place; copy one");
  }
  check_first(*impl_, bindings);
  run_plan(*impl_, bindings);
}

std::string PreparedProgram::explain() const {
  if (impl_ == nullptr) fail(ErrorCode::bad_argument, "this PreparedProgram was moved from");
  std::string text = fmt::format("dialect   {}\n", name(impl_->dialect));
  text += plan::to_text(*impl_->plan);
  for (const std::string& reason : impl_->declined) text += reason + "\n";
  return text + impl_->executable->describe();
}

// --- Program ----------------------------------------------------------------------------------

Program Program::parse(std::string_view text, const Options& options) {
  Program program;
  program.impl_ = std::make_shared<const Impl>(Impl{dialect::ProgramText(std::string(text)),
                                                    options, std::string(options.provider),
                                                    std::string(options.cpu_target)});
  return program;
}

const std::vector<std::string>& Program::inputs() const noexcept {
  static const std::vector<std::string> none;
  return impl_ == nullptr ? none : impl_->text.inputs();
}
const std::vector<std::string>& Program::outputs() const noexcept {
  static const std::vector<std::string> none;
  return impl_ == nullptr ? none : impl_->text.outputs();
}

std::vector<Layout> Program::result_layouts(std::span<const Layout> inputs) const {
  return hadamard::result_layouts(lower(impl_, inputs), impl_->options.order);
}

PreparedProgram Program::prepare(std::span<const Layout> inputs) const {
  plan::Lowered lowered = lower(impl_, inputs);
  std::vector<Layout> outputs = hadamard::result_layouts(lowered, impl_->options.order);
  return make_prepared(make_program_impl(std::move(lowered), {inputs.begin(), inputs.end()},
                                         std::move(outputs), options_of(*impl_)));
}
PreparedProgram Program::prepare(std::span<const Layout> inputs,
                                 std::span<const Layout> outputs) const {
  plan::Lowered lowered = lower(impl_, inputs);
  if (outputs.size() != lowered.outputs.size()) {
    fail(ErrorCode::bad_argument, "the program has {} outputs, got {}", lowered.outputs.size(),
         outputs.size());
  }
  return make_prepared(make_program_impl(std::move(lowered), {inputs.begin(), inputs.end()},
                                         {outputs.begin(), outputs.end()}, options_of(*impl_)));
}

std::vector<Tensor> Program::run(std::span<const ConstView> inputs) const {
  const PreparedProgram prepared = prepare(layouts_of(inputs));
  return run_fresh(*prepared.impl_, places_of(inputs));
}

void Program::run_into(std::span<const View> outputs, std::span<const ConstView> inputs) const {
  std::vector<Layout> to;
  for (const View& view : outputs) to.push_back(view.layout());
  const PreparedProgram prepared = prepare(layouts_of(inputs), to);
  run_into_views(*prepared.impl_, places_of(inputs), outputs);
}

}  // namespace hadamard
