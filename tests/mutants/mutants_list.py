"""The mutants: what is changed, and which command should notice."""

HALF = "exhaustive16 --slice 1/512"
WIDE = "wide_float 500000"
SMALL = "exhaustive8"
LINES = "diff_targets --gtest_filter=*LinesOf*"
SPECIALS = "diff_targets --gtest_filter=*SpecialsBy*"
LAYOUTS = "diff_targets --gtest_filter=*EveryLayout/*"
ZEROS = "diff_targets --gtest_filter=*ZeroDivisors*"
FLOAT_ENV = "diff_float_env"
MPFR = "diff_mpfr"
SHAPES = "property_shapes"
VIEWS = "property_views"
API = "unit_api"
GRADIENTS = "unit_api --gtest_filter=Fused*:Gradients*"
PLAN = "unit_plan"
KERNELS = "unit_exec"
BASE = "unit_base"
SHORT = "diff_short_lines"
RECIPROCALS = "reciprocals"
PROGRAMS = "diff_programs"
RANGES = "unit_bound"
FUNCTIONS = "unit_op --gtest_filter=*Fp64*:*Random*:Environment*:Special*"
ATTRIBUTES = "unit_op --gtest_filter=*With*"
COMMANDS = [ATTRIBUTES, SMALL, HALF, WIDE, LINES, SPECIALS, LAYOUTS, ZEROS, FLOAT_ENV, MPFR, SHAPES, VIEWS, API, GRADIENTS, PLAN, KERNELS, BASE, SHORT, RECIPROCALS, PROGRAMS, RANGES, FUNCTIONS]

# Two CPU targets are enough to see a mutant, and compile faster.
SETUP = [("CMakeLists.txt", r"HWY_DISABLED_TARGETS=\(HWY_SSSE3|", r"HWY_DISABLED_TARGETS=\(HWY_SSSE3|HWY_SSE4|")]

FLOAT = "src/exec/cpu/float_world-inl.h"
INT = "src/exec/cpu/int_world-inl.h"
LOOP = "src/exec/cpu/simd_loop-inl.h"
NOTE = "src/exec/cpu/zero_note-inl.h"
BF16 = "src/exec/cpu/bf16_world-inl.h"
DIVISION = "src/exec/cpu/int_division-inl.h"
DIVISION64 = "src/exec/cpu/int_division_64-inl.h"
INVERSE = "src/exec/cpu/int_inverse-inl.h"
RECIPROCAL = "src/exec/cpu/float_reciprocal-inl.h"
STRETCHES = "src/exec/cpu/int_stretches-inl.h"
NIBBLES = "src/exec/cpu/nibble_world-inl.h"
PACKING = "src/exec/cpu/packing.cpp"
COMPLEX64 = "src/exec/cpu/complex_world-inl.h"
COMPLEX128 = "src/exec/cpu/complex128_world-inl.h"
RUNNER = "src/exec/cpu/line_runner.cpp"
GROUPS = "src/exec/cpu/short_lines.cpp"
COLUMNS = "src/exec/cpu/columns-inl.h"
BLOCKS = "src/exec/cpu/block_group.cpp"
MEMO = "src/api/memo.cpp"
INTERVALS = "src/bound/float_intervals.hpp"
WHOLE_INTERVALS = "src/bound/whole_intervals.cpp"
STORE = "return hn::IfThenElse(hn::IsNaN(v), nan, v);"


def mutant(name, what, killers, *changes):
    return {"name": name, "what": what, "killers": killers, "changes": changes}


MUTANTS = [
    mutant("range_without_nan", "an interval that contains 0 times an unbounded one has no NaN", [RANGES],
           (INTERVALS, "r.nan = r.nan || zero_times_infinity(a, b);", "")),
    mutant("range_of_power_of_zero", "a power of 0 has the order of others with negative exponents too", [RANGES],
           (INTERVALS, "a.from > 0 || (a.from == 0 && b.from >= 0) ||", "a.from >= 0 ||")),
    mutant("range_of_sine", "the sine of an infinity is a number", [RANGES],
           (INTERVALS, "!(x.is_finite() && ...)", "(x.nan || ...)")),
    mutant("range_of_remainder", "negative dividends stay as they are in mod", [RANGES],
           (WHOLE_INTERVALS, "const bool stay = a.low >= 0 && b.low > a.high;", "const bool stay = b.low > a.high;")),
    mutant("flush_to_zero", "the guard of MXCSR sets FTZ and DAZ", [WIDE],
           ("src/base/float_env.hpp", "kDefault = 0x1F80;", "kDefault = 0x9FC0;")),
    mutant("no_mxcsr_guard", "the caller's MXCSR stays in force", [FLOAT_ENV],
           ("src/base/float_env.hpp", "if ((saved_ & kControl) != kDefault) write(kDefault);", "")),
    mutant("mxcsr_not_restored", "the caller's MXCSR is not restored", [FLOAT_ENV],
           ("src/base/float_env.hpp", "~ScopedFloatEnv() { write(saved_); }", "~ScopedFloatEnv() {}")),
    mutant("x87_not_guarded", "the caller's x87 control word stays in force", [FLOAT_ENV],
           ("src/base/float_env.hpp", "if (control_ != kDefault) load_control(kDefault);", "")),
    mutant("x87_not_restored", "the caller's x87 control word is not restored", [FLOAT_ENV],
           ("src/base/float_env.hpp", "load_control(control_);\n", "\n")),
    mutant("x87_flags_leak", "sticky flags of the x87 unit stay set", [FLOAT_ENV],
           ("src/base/float_env.hpp", "if ((now & kFlags) != 0) asm volatile", "if (false) asm volatile")),
    mutant("x87_flags_lost", "the caller's x87 flags are cleared", [FLOAT_ENV],
           ("src/base/float_env.hpp", "if ((status_ & kFlags) != 0) {\n      load_flags();", "if (false) {\n      load_flags();")),
    mutant("reciprocal", "x / y as x * (1 / y)", [WIDE],
           (FLOAT, "return hn::Div(a, b);", "return hn::Mul(a, hn::Div(hn::Set(D(), 1), b));")),
    mutant("reciprocal_half", "the same, for the 16-bit floats only", [HALF],
           (FLOAT, "HWY_INLINE V splat(Half x) const {",
            "HWY_INLINE V div(V a, V b) const { return hn::Mul(a, hn::Div(hn::Set(D(), 1.0f), b)); }\n"
            "  HWY_INLINE V splat(Half x) const {")),
    mutant("truncating_bf16", "bf16 results are cut off", [HALF],
           (BF16, "const auto sum = hn::Add(hn::Add(bits, hn::Set(DU(), 0x7FFFu)), odd);",
            "const auto sum = hn::And(bits, hn::Or(bits, odd));")),
    mutant("truncating_bf16_scalar", "the same where there are no vectors", [HALF],
           (FLOAT, "hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(DU(), 0x7FFFu)), odd))",
            "hn::ShiftRight<16>(bits)")),
    mutant("truncating_fp16", "fp16 results are cut off where there is no F16C", [HALF],
           (FLOAT, "hn::ShiftRight<13>(hn::Add(hn::Add(size, rebias), odd))",
            "hn::ShiftRight<13>(hn::Sub(size, hn::Set(DU(), (127u - 15u) << 23)))")),
    mutant("truncating_fp16_f16c", "fp16 results are cut off before the F16C instruction", [HALF],
           (FLOAT, "hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), canonical)",
            "hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), hn::And(canonical, hn::BitCast(D(), hn::Set(DU(), 0xFFFFE000u))))")),
    mutant("lost_minus_zero", "-0 becomes +0", [WIDE],
           (FLOAT, STORE, STORE.replace("nan, v)", "nan, hn::Add(v, hn::Zero(D())))"))),
    mutant("nan_not_canonical", "the hardware's NaNs are stored as they come", [WIDE],
           (FLOAT, STORE, "return hn::IfThenElse(hn::Gt(nan, nan), nan, v);")),
    mutant("swapped_sub", "b - a", [SMALL], ("src/op/sub.hpp", "return w.sub(a, b);", "return w.sub(b, a);")),
    mutant("swapped_div", "b / a", [SMALL], ("src/op/div.hpp", "return w.div(a, b);", "return w.div(b, a);")),
    mutant("floor_is_trunc", "floor division truncates", [SMALL],
           (DIVISION64, "kRounding == IntDivision::floor ? hn::Floor(quotient) : hn::Trunc(quotient)",
            "hn::Trunc(quotient)")),
    mutant("int32_by_float", "int32 goes through float where it has more bits than that", [KERNELS],
           (STRETCHES, "sizeof(T) == 4 ? 24 : 52;", "sizeof(T) == 4 ? 27 : 52;")),
    mutant("int64_by_double", "int64 goes through double where it has more bits than that", [KERNELS],
           (STRETCHES, "sizeof(T) == 4 ? 24 : 52;", "sizeof(T) == 4 ? 24 : 55;")),
    mutant("narrow_scalar", "one dividend for all is not looked at before it is taken for a narrow one", [KERNELS],
           (STRETCHES, "(kAScalar ? scan.is_narrow(*a) : scan.are_narrow(a))", "(kAScalar || scan.are_narrow(a))")),
    mutant("narrow_in_place", "narrow operands are tried where a failure costs an operand", [KERNELS],
           (STRETCHES, "last_was_narrow_ && part.y != part.a && part.y != part.b;", "last_was_narrow_;")),
    mutant("large_divisors", "small divisors are taken for large ones", [KERNELS],
           (STRETCHES, "hn::ShiftRight<15>(hn::Add(load(p + i), edge))", "hn::ShiftRight<2>(hn::Add(load(p + i), edge))")),
    mutant("int64_estimate", "the estimate of an int64 quotient is taken for the quotient", [LINES],
           (DIVISION64, "return hn::Add(q, hn::Sub(hn::Xor(outside, negative), negative));",
            "return hn::Add(q, hn::And(hn::Xor(outside, negative), hn::Zero(d)));")),
    mutant("int64_floor", "int64 quotients that are not whole are rounded to the nearest", [LINES],
           (DIVISION64, "return hn::Add(q, above);", "return hn::Add(q, hn::And(above, hn::Zero(d)));")),
    mutant("uint64_estimate", "the estimate of a uint64 quotient is taken for the quotient", [LINES],
           (DIVISION64, "hn::RebindMask(d, less)), hn::Set(d, 1)));", "hn::RebindMask(d, less)), hn::Zero(d)));")),
    mutant("inverse_too_small", "the inverse of an 8-bit divisor is rounded down", [KERNELS],
           (INVERSE, "return static_cast<std::uint16_t>((0x10000u + d - 1) / d);",
            "return static_cast<std::uint16_t>(0x10000u / d);")),
    mutant("inverse_64", "the inverse of a 16- or 64-bit divisor, or of a uint32, is one less", [KERNELS],
           (INVERSE, "(above << kBits) / d + 1);", "(above << kBits) / d);")),
    mutant("int4_floor", "negative quotients of 4-bit integers are rounded to zero", [SMALL],
           (NIBBLES, "size = hn::Add(size, hn::And(less_one, hn::BitCast(DB(), negative)));",
            "size = hn::Add(size, hn::And(less_one, hn::Zero(DB())));")),
    mutant("tail_off_by_one", "the last element of a short line is forgotten", [SMALL],
           (LOOP, "std::memcpy(static_cast<void*>(y_), ty, bytes);",
            "std::memcpy(static_cast<void*>(y_), ty, bytes - sizeof(T));")),
    mutant("last_vector", "the last vector of a line is not written", [LINES],
           (LOOP, "world_.store(tail, y_ + n_ - step);", "")),
    mutant("first_vector_first", "the first vector is written before the next is read, which overlaps it", [KERNELS],
           (LOOP, "const Stored head = at(0);", "const Stored head = at(0);\n    world_.store(head, y_);")),
    mutant("stream_unaligned", "complex numbers that are aligned to their parts are streamed", [KERNELS],
           (LOOP, "stream && over % bytes == 0 ? begin_stream(step, i)", "stream ? begin_stream(step, i)")),
    mutant("stream_pair", "the second of two vectors that are streamed while memory is asked is the first one again", [KERNELS],
           (LOOP, "world_.stream(r1, y_ + i + step);", "world_.stream(kAsk ? r0 : r1, y_ + i + step);")),
    mutant("chunks_lost", "of the chunks that a thread takes at once, the first is done", [BASE],
           ("src/base/threads.cpp", "std::min(end * grain, count)", "std::min((begin + 1) * grain, count)")),
    mutant("stream_ends", "what lies behind the last whole cache line of a streamed line is not written", [KERNELS],
           (LOOP, "if (!stream || i < n_) world_.store(tail", "if (!stream) world_.store(tail")),
    mutant("column_tail", "the last elements of short lines with one number each are not written", [SHORT],
           (COLUMNS, "world.store(tail, y + last);", "")),
    mutant("column_in_place", "the last vector of a short line is read after its neighbour is written", [SHORT],
           (COLUMNS, "world.store(tail, y + last);", "world.store(at(last, of_b), y + last);")),
    mutant("column_of_both", "a vector that two short lines share is divided by the first one's number", [SHORT],
           (COLUMNS, "static_cast<std::size_t>(end - i)", "static_cast<std::size_t>(step)")),
    mutant("nan_not_mended", "NaNs of fp32 quotients are stored as they come", [WIDE],
           (LOOP, "if (HWY_UNLIKELY(world_.any_nan(r0, r1, r2, r3))) break;", "")),
    mutant("reciprocal_rest", "a reciprocal has no more digits than a float", [RECIPROCALS],
           (RECIPROCAL, "rest_ = hn::Div(hn::NegMulAdd(size_, below_, one), size_);", "rest_ = hn::Zero(D());")),
    mutant("reciprocal_correction", "a quotient by reciprocal is not corrected by its remainder", [RECIPROCALS],
           (RECIPROCAL, "return hn::NegMulAdd(r, nearest_, q);", "return hn::NegMulAdd(hn::Sub(r, r), nearest_, q);")),
    mutant("reciprocal_nearest", "the parts of a reciprocal have two signs: a zero loses its own", [KERNELS],
           (RECIPROCAL, "hn::IfThenElse(above, hn::BitCast(D(), less), nearest_);",
            "hn::IfThenElse(above, nearest_, nearest_);")),
    mutant("reciprocal_of_small", "reciprocals take numbers whose remainder has no room", [RECIPROCALS],
           (RECIPROCAL, "kLeast = kBias - (kBias + 1) / 2;", "kLeast = 2;")),
    mutant("reciprocal_by_large", "reciprocals take divisors that make subnormal quotients", [KERNELS],
           (RECIPROCAL, "(kBias + 1) / 2 - kDigits - 4;", "kBias - 2;")),
    mutant("reciprocal_zeros", "what is not of middle size counts as zero", [KERNELS],
           (RECIPROCAL, "hn::Eq(moved, offset)", "hn::Eq(offset, offset)")),
    mutant("packed_phase", "a repeated line that was put side by side serves wherever in it the next group begins", [SHORT],
           (GROUPS, "begin % line_ == begin_ % line_ &&", "")),
    mutant("packed_repeats", "a repeated line serves for the lines after it", [SHORT],
           (GROUPS, "begin_ / repeats_ == (begin + n - 1) / repeats_ &&", "")),
    mutant("tile_rows", "every tile begins at the first row", [LAYOUTS],
           (RUNNER, "at[k]->offset + loops.start[k] + row * part.row_steps[k] + column * stride",
            "at[k]->offset + loops.start[k] + column * stride")),
    mutant("gather_beyond", "every third element is taken for every second", [KERNELS],
           (PACKING, "hn::LoadInterleaved3(d, in + 3 * i, v0, v1, v2);", "hn::LoadInterleaved2(d, in + 3 * i, v0, v1);")),
    mutant("transpose_blocks", "a block of a transposed operand stays as it was", [KERNELS],
           (PACKING, "      shuffle(r0, r1, r2, r3);\n      shuffle(r0, r1, r2, r3);\n", "")),
    mutant("memo_rounding", "a remembered plan is used whatever the rounding of integer division", [API],
           (MEMO, "options.int_division == wanted.int_division &&", "")),
    mutant("complex64_unsure", "complex64 is rounded where that is not sure", [MPFR],
           (COMPLEX64, "const auto sure = hn::Eq(hn::Sub(high, low), hn::Zero(D()));",
            "const auto sure = hn::Or(hn::Eq(hn::Sub(high, low), hn::Zero(D())), hn::Eq(low, low));")),
    mutant("complex64_real_divisor", "a real divisor of complex64 loses the sign of zeros", [SPECIALS],
           (COMPLEX64, "hn::IfThenElse(hn::Eq(im, hn::Zero(DD())), hn::Set(DD(), -0.0), crossed)",
            "hn::IfThenElse(hn::Eq(im, hn::Zero(DD())), hn::Zero(DD()), crossed)")),
    mutant("complex128_unsure", "complex128 is rounded where that is not sure", [MPFR],
           (COMPLEX128, "return hn::Eq(below, above);", "return hn::Or(hn::Eq(below, above), hn::Eq(below, below));")),
    mutant("complex_zero_sign", "a complex part that is zero is +0", [SPECIALS],
           (COMPLEX128, "result = hn::IfThenElse(finite, sum.hi, result);",
            "result = hn::IfThenElse(finite, hn::Zero(D()), result);")),
    mutant("zero_scan_end", "the last divisor of a line is not looked at", [ZEROS],
           ("src/exec/cpu/zero_scan.cpp", "for (; i < n; ++i) {", "for (; i + 1 < n; ++i) {")),
    mutant("zero_divisor_vector", "vector kernels do not note zero divisors", [ZEROS],
           (INT, "zeros_.take(b);", "")),
    mutant("zero_note_first", "of the divisors only the last vector is looked at", [ZEROS],
           (NOTE, "note_ = hn::Min(note_, bits);", "note_ = bits;")),
    mutant("function_unchecked", "estimates of exp, log, … are rounded without a look at the middle", [FUNCTIONS],
           ("src/op/rounded.hpp", "if (same(low, high)) return narrowed<T>(value);", "return narrowed<T>(value);")),
    mutant("function_margin", "the estimate is trusted to its last bit", [FUNCTIONS],
           ("src/op/rounded.hpp", "static constexpr Wide kMargin = 0x1p-60L;",
            "static constexpr Wide kMargin = 0x1p-66L;")),
    mutant("vector_function_unchecked", "estimates in vectors are stored without a look at their bounds", [KERNELS],
           ("src/exec/cpu/function_loop-inl.h", "if (HWY_LIKELY(hn::AllTrue(d, decided))) continue;", "continue;")),
    mutant("half_function_margin", "functions of 16-bit types are rounded twice, by way of float", [KERNELS],
           ("src/exec/cpu/function_loop-inl.h", "kHalfMargin = 0x1p-22;", "kHalfMargin = 0x1p-30;")),
    mutant("log_error", "the logarithm of fp64 claims to be better than it is", [KERNELS],
           ("src/exec/cpu/pair_series-inl.h", "hn::Mul(hn::Abs(cube), set(0x1p-50))",
            "hn::Mul(hn::Abs(cube), set(0x1p-56))")),
    mutant("quarter_turn", "pi has too few bits for angles near its multiples", [KERNELS],
           ("src/exec/cpu/function_pairs-inl.h", "set(0x1.b839a252049c1p-112)", "set(0.0)")),
    mutant("threshold", "a number that is the threshold passes it", [KERNELS],
           (FLOAT, "hn::IfThenElse(hn::Le(a, b), x, y)", "hn::IfThenElse(hn::Lt(a, b), x, y)")),
    mutant("beside_a_middle", "x - tanh(x) counts as x - 1 where that is a middle of two floats", [FUNCTIONS],
           ("src/op/tanh_shrink.hpp", "return just_above(a - 1);", "return a - 1;")),
    mutant("oracle_twice_rounded", "the oracle rounds to 64 bits, and then again", [FUNCTIONS],
           ("src/num/precise_value.cpp", "if (ternary_ < 0) mpfr_nextabove(exact);", "")),
    mutant("cubes_in_one_double", "the bound of the series of x - tanh(x) is too small", [KERNELS],
           ("src/exec/cpu/functions/tanh_shrink-inl.h", "hn::MulAdd(z2, set(0x1p-51), set(0x1p-72))",
            "hn::MulAdd(z2, set(0x1p-57), set(0x1p-72))")),
    mutant("max_nan", "a NaN in B is lost", [SPECIALS],
           (FLOAT, "hn::Or(hn::Lt(a, b), hn::IsNaN(b))", "hn::Lt(a, b)")),
    mutant("min_zero", "of two zeros the first", [SPECIALS],
           (FLOAT, "hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::IfThenElse(other, b, a))",
            "hn::IfThenElse(other, b, a)")),
    mutant("floor_sign", "a floor of -0 is 0 where there are no vectors", [SPECIALS],
           (FLOAT, "return hn::CopySign(rounded, a);", "return rounded;")),
    mutant("power_negative", "a negative exponent gives 0 for every base", [SMALL],
           ("src/exec/cpu/kernels_function.cpp", "if (base == T{1}) return T{1};", "")),
    mutant("cast_rounds", "floats are rounded to integers, not cut", [API],
           ("src/op/cast.hpp", "if (x != x) return To(0);", "if (x != x) return To(0);\n    x = std::nearbyint(x);")),
    mutant("cast_odd", "64-bit integers are rounded twice on the way to 16-bit floats", [API],
           ("src/op/cast.hpp", "| ((size & 0x7FF) != 0 ? 1 : 0)", "")),
    mutant("zero_divisor_first", "zero divisors are found only after the output was written", [SMALL],
           ("src/exec/cpu/line_group.cpp", "  if (plan_.count == 0) return false;\n  const Place& divisor",
            "  return false;\n  const Place& divisor")),
    mutant("numpy_as_matlab", "NumPy's broadcasting aligns at the first dimension", [SHAPES],
           ("src/plan/broadcast.cpp",
            "place(a, a.rank(), rank - a.rank(), rank),\n                     place(b, b.rank(), rank - b.rank(), rank)",
            "place(a, a.rank(), 0, rank), place(b, b.rank(), 0, rank)")),
    mutant("collapse_too_much", "dimensions are merged where only A and Y run on", [LAYOUTS],
           ("src/plan/loops.cpp", "one_go = one_go && outer.stride[k] == inner.stride[k] * inner.extent;",
            "one_go = one_go && (k == 1 || outer.stride[k] == inner.stride[k] * inner.extent);")),
    mutant("block_freed_early", "a block is given back before the last step that reads it", [PROGRAMS],
           ("src/plan/plan.cpp", "again || stored || last_use_[operand] != id) continue;", "again || stored) continue;")),
    mutant("block_store_lost", "a value that is an output and is read later is not stored", [PROGRAMS],
           (BLOCKS, "put(store.operand, block(store.block), n,\n            {at_[store.operand].data, first[store.operand] + done, 1});", "")),
    mutant("block_constant_once", "a step with scalar operands alone writes one element", [PROGRAMS],
           (BLOCKS, "repeat(y, step.result_bytes, one.n, y);", "")),
    mutant("temporaries_shared", "values that live at the same time share the workspace", [PROGRAMS],
           ("src/plan/plan.cpp", "return h.until < g;", "return h.until <= g;")),
    mutant("fma_rounds_twice", "fp16 and bf16 fma go through double without rounding to odd", [API],
           ("src/exec/cpu/kernels_selection.cpp", "if ((bits & 1) != 0) return sum;", "return sum;")),
    mutant("comparison_of_nan", "NaN is at most everything", [PROGRAMS],
           ("src/exec/cpu/kernels_selection.cpp", "return bare(comparable(a)) <= bare(comparable(b)) ? 1 : 0;",
            "return bare(comparable(b)) < bare(comparable(a)) ? 0 : 1;")),
    mutant("where_keeps_nan", "where of floats keeps the payload of a NaN", [PROGRAMS],
           ("src/exec/cpu/kernels_truth.cpp", "hn::StoreU(hn::IfThenElse(hn::IsNaN(chosen), nan, chosen), d, y + i);",
            "hn::StoreU(chosen, d, y + i);")),
    mutant("truth_of_one_byte", "any byte but 1 is false for where", [PROGRAMS],
           ("src/exec/cpu/kernels_truth.cpp", "return hn::RebindMask(d, hn::Ne(wide, hn::Zero(d32)));",
            "return hn::RebindMask(d, hn::Eq(wide, hn::Set(d32, 1)));")),
    mutant("attribute_rounded", "an attribute is rounded to double before it is used", [ATTRIBUTES],
           ("src/op/attributed.hpp", "return SurePair{v.high(), v.low(), v.error()};", "return SurePair{v.high()};")),
    mutant("attribute_error_ignored", "what an attribute lacks is not looked at when rounding", [ATTRIBUTES],
           ("src/num/sure_pair.hpp", "if (!detail::is_same_float(below, above)) return std::nullopt;", "")),
    mutant("attributes_ignored_in_blocks", "a step of a program has its operator's default attributes", [PROGRAMS],
           (BLOCKS, "node.type, node.attributes, target);",
            "node.type, {.int_division = node.attributes.int_division}, target);")),
    mutant("overlap_unnoticed", "an output that overlaps an operand is written as it goes", [LAYOUTS],
           ("src/api/overlap.hpp", "          return true;\n", "          return false;\n")),
    mutant("in_place_across_groups", "an output may be an input that a later group reads", [API, PROGRAMS],
           ("src/api/overlap.cpp", "plan.groups.size() == 1 && a == y &&", "a == y &&")),
    mutant("memo_cast", "a remembered plan of a cast is used whatever the type that is wanted", [API],
           (MEMO, "is_fresh == (y == nullptr) && to == type &&", "is_fresh == (y == nullptr) &&")),
    mutant("axis_lost", "the axis of a call in dialect paddle is not looked at", [API],
           ("src/dialect/lowering.cpp", "if (rule_ == Broadcast::paddle && options_.axis != -1 && inputs_.size() == 2) {",
            "if (false) {")),
    mutant("nibbles_swapped", "the first of two packed values is the high nibble", [SMALL],
           ("src/tensor/element.hpp", "(index & 1) != 0 ? byte >> 4 : byte & 15",
            "(index & 1) == 0 ? byte >> 4 : byte & 15"),
           ("src/tensor/element.hpp", "byte = static_cast<std::uint8_t>((index & 1) != 0 ?",
            "byte = static_cast<std::uint8_t>((index & 1) == 0 ?")),
    mutant("textbook_division", "complex division by the textbook", [MPFR],
           ("src/num/complex.hpp",
            "inline std::complex<double> div(std::complex<double> a, std::complex<double> b) {",
            "inline std::complex<double> div(std::complex<double> a, std::complex<double> b) {\n"
            "  const double n = b.real() * b.real() + b.imag() * b.imag();\n"
            "  if (n == n) return {(a.real() * b.real() + a.imag() * b.imag()) / n,\n"
            "                      (a.imag() * b.real() - a.real() * b.imag()) / n};")),
    mutant("complex_lost_parts", "a part far below the other counts as zero (a bug that was)", [MPFR],
           ("src/num/complex.hpp", "return part == 0 || std::fabs(scaled) > 0x1p-400;",
            "return scaled == 0 || std::fabs(scaled) > 0x1p-400;")),
    mutant("activation_once", "the operator behind another is applied to the first block alone", [GRADIENTS],
           ("src/exec/cpu/short_lines.cpp", "then({.a = part.y,", "if (done == 0 || whole.stream) then({.a = part.y,")),
    mutant("lost_compensation", "what the roundings of a gradient's sum lost stays lost", [GRADIENTS],
           ("src/exec/gradient.cpp", "lost += s.low + term.low;", "lost += term.low;")),
    mutant("saturating_wraps", "saturating sums of 64 bits wrap", [PROGRAMS],
           ("src/num/saturating.hpp", "    return detail::clamped<T>(int128{a} + b);",
            "    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));")),
    mutant("imag_is_real", "imag gives the real part", [PROGRAMS],
           ("src/exec/cpu/kernels_mixed.cpp", "return cx::canonical(a.imag());", "return cx::canonical(a.real());")),
    mutant("saturating_operands_swapped", "an fp64 operand is taken for the other one", [PROGRAMS],
           ("src/exec/cpu/kernels_mixed.cpp", "if (b != y) return &run_saturating<Operator, T, T, double>;",
            "if (b != y) return &run_saturating<Operator, T, double, T>;")),
    mutant("modulus_without_imaginary_part", "abs of complex numbers sees the real part alone", [API],
           ("src/op/abs.hpp", "w.template function<Hypot>(w.real(a), w.imag(a))",
            "w.template function<Hypot>(w.real(a), w.real(a))")),
]
