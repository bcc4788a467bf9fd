#include "exec/cpu/kernel_lookup.hpp"

#include "op/ops.hpp"

namespace hadamard::exec::cpu {

const KernelSet* find_set(Op op, DType type, IntDivision rounding, std::int64_t target) {
  const KernelSet* const families[] = {float_kernels(target),
                                       half_kernels(target),
                                       int_kernels(target),
                                       wide_int_kernels(target),
                                       complex_kernels(target),
                                       single_function_kernels(target),
                                       double_function_kernels(target),
                                       truth_kernels(target),
                                       plain_kernels(),
                                       function_kernels(),
                                       selection_kernels(),
                                       mixed_kernels()};
  for (const KernelSet* set : families) {
    if (set != nullptr && kernel_of(set->kernels, op, type, rounding) != nullptr) return set;
  }
  return nullptr;
}

FoundKernel find_kernel(Op op, DType first, DType from, DType to,
                        const program::Attributes& attributes, std::int64_t target) {
  if (attributes.values) return {attribute_kernel(op, from), "any"};
  const IntDivision rounding = attributes.int_division;
  if (op::type_rule(op) == op::TypeRule::convert) return {conversion_kernel(op, from, to), "any"};
  if (op::type_rule(op) == op::TypeRule::saturating) {
    return {saturating_kernel(op, first, from, to), "any"};
  }
  const KernelSet* const set = find_set(op, from, rounding, target);
  if (set == nullptr) return {};
  return {kernel_of(set->kernels, op, from, rounding), set->target};
}

}  // namespace hadamard::exec::cpu
