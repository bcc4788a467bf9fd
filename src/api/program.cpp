#include "api/program.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/prepared.hpp"
#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "base/float_env.hpp"
#include "base/memory.hpp"
#include "dialect/lowering.hpp"
#include "tensor/element.hpp"

namespace hadamard {
namespace {

using exec::Place;

Place place(const ConstView& view) noexcept { return {view.data(), view.offset()}; }

// The bytes [low, high) that a tensor's elements lie in.
struct Extent {
  std::intptr_t low = 0, high = 0;
  bool meets(const Extent& other) const { return low < other.high && other.low < high; }
};
Extent extent_of(const Layout& layout, const Place& at) {
  if (layout.count() == 0) return {};
  std::int64_t least = at.offset, most = at.offset;
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    const std::int64_t reach = layout.strides[i] * (layout.shape[i] - 1);
    (reach < 0 ? least : most) += reach;
  }
  const auto base = reinterpret_cast<std::intptr_t>(at.data);
  const int width = bits(layout.dtype);
  const auto byte = [&](std::int64_t element) {
    return base + (element >= 0 ? element * width / 8 : -((-element * width + 7) / 8));
  };
  return {byte(least), byte(most) + std::max(1, width / 8)};
}

// Whether the output's elements are the input's at the same indices.
bool is_in_place(const Layout& in, const Place& a, const Layout& out, const Place& y) {
  if (a.data != y.data || a.offset != y.offset || in.dtype != out.dtype || in.shape != out.shape) {
    return false;
  }
  for (std::size_t i = 0; i < in.rank(); ++i) {
    if (in.shape[i] != 1 && in.strides[i] != out.strides[i]) return false;
  }
  return true;
}

// Whether an output shares memory with an input in another way than in place, where no later group
// reads it.
bool overlaps_harmfully(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                        std::span<const Place> outputs) {
  const plan::ProgramPlan& plan = impl.plan;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const Extent written = extent_of(plan.outputs[o], outputs[o]);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!written.meets(extent_of(plan.inputs[i], inputs[i]))) continue;
      const bool in_place = is_in_place(plan.inputs[i], inputs[i], plan.outputs[o], outputs[o]);
      if (!in_place || plan.groups.size() != 1) return true;
    }
  }
  return false;
}
void require_apart(const PreparedProgram::Impl& impl, std::span<const Place> outputs) {
  if (outputs.size() < 2) return;
  const plan::ProgramPlan& plan = impl.plan;
  std::vector<std::pair<Extent, std::size_t>> extents;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    extents.emplace_back(extent_of(plan.outputs[i], outputs[i]), i);
  }
  std::sort(extents.begin(), extents.end(),
            [](const auto& a, const auto& b) { return a.first.low < b.first.low; });
  std::size_t reaches = 0;  // farthest, of those before
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].first.meets(extents[reaches].first)) {
      const auto names = plan.lowered.program.outputs();
      fail(ErrorCode::overlap, "the outputs {} and {} overlap",
           names[std::min(extents[i].second, extents[reaches].second)].name,
           names[std::max(extents[i].second, extents[reaches].second)].name);
    }
    if (extents[i].first.high > extents[reaches].first.high) reaches = i;
  }
}

// Memory for what goes from one group to the next.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes) {
    if (bytes > 0) memory_.emplace(Tensor::uninitialized(DType::uint8, Dims{bytes}));
  }
  std::byte* data() { return memory_ ? static_cast<std::byte*>(memory_->data()) : nullptr; }

 private:
  std::optional<Tensor> memory_;
};

[[noreturn]] void fail_at(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                          program::ValueId failed) {
  dialect::fail_node(impl.plan, inputs, failed);
}

// Throws too_large where the results need more memory than there is.
void require_results(const std::vector<Layout>& outputs) {
  double bytes = 0;
  for (const Layout& layout : outputs) {
    if (layout.dtype == DType::real) continue;
    bytes += static_cast<double>(layout.count()) * bits(layout.dtype) / 8;
  }
  if (bytes <= static_cast<double>(kUnaskedBytes)) return;
  require_memory(static_cast<std::int64_t>(std::min(bytes, 0x1p62)), 8, "the results");
}

// The outputs are unspecified where it throws.
void run_plan(const PreparedProgram::Impl& impl, const exec::Bindings& bindings,
              std::atomic<std::int64_t>* progress = nullptr) {
  exec::ProgramReport report;
  report.progress = progress;
  impl.executable->run(bindings, report);
  last_run = {report.provider, report.target};
  if (report.failed != exec::kNoValue) fail_at(impl, bindings.inputs, report.failed);
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

std::shared_ptr<const PreparedProgram::Impl> make_program_impl(plan::Lowered lowered,
                                                               std::vector<Layout> inputs,
                                                               std::vector<Layout> outputs,
                                                               const Options& options,
                                                               const plan::Limits& limits) {
  const ScopedFloatEnv env;
  auto impl = std::make_shared<PreparedProgram::Impl>();
  impl->dialect = options.dialect;
  impl->provider = options.provider;
  impl->cpu_target = options.cpu_target;
  impl->plan =
      plan::make_program_plan(std::move(lowered), std::move(inputs), std::move(outputs), limits);
  impl->may_fail = exec::may_fail(impl->plan.lowered.program);
  if (impl->plan.workspace_bytes > kUnaskedBytes) {
    require_memory(static_cast<std::int64_t>(impl->plan.workspace_bytes), 8,
                   "values between the groups of the program");
  }
  exec::BoundProgram bound = exec::bind(impl->plan, {options.provider, options.cpu_target});
  impl->executable = std::move(bound.executable);
  impl->declined = std::move(bound.declined);
  return impl;
}

std::vector<Tensor> run_fresh(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                              std::atomic<std::int64_t>* progress) {
  std::vector<Tensor> results;
  std::vector<Place> outputs;
  require_results(impl.plan.outputs);
  for (const Layout& layout : impl.plan.outputs) {
    results.push_back(Tensor::uninitialized(layout));
  }
  for (const Tensor& result : results) outputs.push_back({result.data(), 0});
  Workspace workspace(impl.plan.workspace_bytes);
  run_plan(impl, {inputs, outputs, workspace.data()}, progress);
  return results;
}

void run_into_views(const PreparedProgram::Impl& impl, std::span<const Place> inputs,
                    std::span<const View> outputs) {
  const std::vector<Place> to = places_of(outputs);
  require_apart(impl, to);
  const bool checks_first = impl.may_fail && impl.plan.groups.size() == 1;
  const bool apart = overlaps_harmfully(impl, inputs, to) || (impl.may_fail && !checks_first);
  Workspace workspace(impl.plan.workspace_bytes);
  const exec::Bindings bindings{inputs, to, workspace.data()};
  if (apart) {
    // Planned for the same shapes, but into new memory.
    std::vector<Layout> fresh;
    for (const Layout& layout : impl.plan.outputs) fresh.emplace_back(layout.dtype, layout.shape);
    const auto other =
        make_program_impl(impl.plan.lowered, impl.plan.inputs, fresh, {.dialect = impl.dialect});
    const std::vector<Tensor> results = run_fresh(*other, inputs);
    for (std::size_t i = 0; i < results.size(); ++i) copy_elements(outputs[i], results[i]);
    return;
  }
  if (checks_first) {
    const program::ValueId failed = impl.executable->find_failure(bindings);
    if (failed != exec::kNoValue) fail_at(impl, inputs, failed);
  }
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
  return impl_ == nullptr ? none : impl_->plan.inputs;
}
const std::vector<Layout>& PreparedProgram::outputs() const noexcept {
  static const std::vector<Layout> none;
  return impl_ == nullptr ? none : impl_->plan.outputs;
}
std::size_t PreparedProgram::workspace_bytes() const noexcept {
  return impl_ == nullptr ? 0 : impl_->plan.workspace_bytes;
}

void PreparedProgram::run(std::span<const void* const> inputs, std::span<void* const> outputs,
                          void* workspace) const {
  if (impl_ == nullptr) fail(ErrorCode::bad_argument, "this PreparedProgram was moved from");
  const plan::ProgramPlan& plan = impl_->plan;
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
  require_apart(*impl_, bindings.outputs);
  if (overlaps_harmfully(*impl_, bindings.inputs, bindings.outputs)) {
    fail(ErrorCode::overlap, "an output overlaps an input in another way than in place; copy one");
  }
  if (impl_->may_fail) {
    const program::ValueId failed = impl_->executable->find_failure(bindings);
    if (failed != exec::kNoValue) fail_at(*impl_, bindings.inputs, failed);
  }
  run_plan(*impl_, bindings);
}

std::string PreparedProgram::explain() const {
  if (impl_ == nullptr) fail(ErrorCode::bad_argument, "this PreparedProgram was moved from");
  std::string text = fmt::format("dialect   {}\n", name(impl_->dialect));
  text += plan::to_text(impl_->plan);
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
