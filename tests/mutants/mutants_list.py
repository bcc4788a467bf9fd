"""The mutants: what is changed, and which command should notice."""

HALF = "exhaustive16 --slice 1/512"
WIDE = "wide_float 500000"
SMALL = "exhaustive8"
LINES = "diff_targets --gtest_filter=*LinesOf*"
LAYOUTS = "diff_targets --gtest_filter=*EveryLayout/*"
ZEROS = "diff_targets --gtest_filter=*ZeroDivisors*"
MXCSR = "diff_mxcsr"
MPFR = "diff_mpfr"
SHAPES = "property_shapes"
VIEWS = "property_views"
API = "unit_api"
PLAN = "unit_plan"
COMMANDS = [SMALL, HALF, WIDE, LINES, LAYOUTS, ZEROS, MXCSR, MPFR, SHAPES, VIEWS, API, PLAN]

# Two CPU targets are enough to see a mutant, and compile faster.
SETUP = [("CMakeLists.txt", r"HWY_DISABLED_TARGETS=\(HWY_SSSE3|", r"HWY_DISABLED_TARGETS=\(HWY_SSSE3|HWY_SSE4|")]

FLOAT = "src/exec/cpu/float_world-inl.h"
INT = "src/exec/cpu/int_world-inl.h"
LOOP = "src/exec/cpu/simd_loop-inl.h"
STORE = "hn::StoreU(hn::IfThenElse(hn::IsNaN(v), nan, v), D(), p);"


def mutant(name, what, killers, *changes):
    return {"name": name, "what": what, "killers": killers, "changes": changes}


MUTANTS = [
    mutant("flush_to_zero", "the guard of MXCSR sets FTZ and DAZ", [WIDE],
           ("src/base/float_env.hpp", "kDefault = 0x1F80;", "kDefault = 0x9FC0;")),
    mutant("no_mxcsr_guard", "the caller's MXCSR stays in force", [MXCSR],
           ("src/base/float_env.hpp", "if ((saved_ & kControl) != kDefault) write(kDefault);", "")),
    mutant("mxcsr_not_restored", "the caller's MXCSR is not restored", [MXCSR],
           ("src/base/float_env.hpp", "if (read() != saved_) write(saved_);", "")),
    mutant("reciprocal", "x / y as x * (1 / y)", [WIDE],
           (FLOAT, "return hn::Div(a, b);", "return hn::Mul(a, hn::Div(hn::Set(D(), 1), b));")),
    mutant("reciprocal_half", "the same, for the 16-bit floats only", [HALF],
           (FLOAT, "HWY_INLINE V splat(Half x) const {",
            "HWY_INLINE V div(V a, V b) const { return hn::Mul(a, hn::Div(hn::Set(D(), 1.0f), b)); }\n"
            "  HWY_INLINE V splat(Half x) const {")),
    mutant("truncating_bf16", "bf16 results are cut off", [HALF],
           (FLOAT, "hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(DU(), 0x7FFFu)), odd))",
            "hn::ShiftRight<16>(bits)")),
    mutant("truncating_fp16", "fp16 results are cut off where there is no F16C", [HALF],
           (FLOAT, "hn::ShiftRight<13>(hn::Add(hn::Add(size, rebias), odd))",
            "hn::ShiftRight<13>(hn::Sub(size, hn::Set(DU(), (127u - 15u) << 23)))")),
    mutant("truncating_fp16_f16c", "fp16 results are cut off before the F16C instruction", [HALF],
           (FLOAT, "hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v)",
            "hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), hn::And(v, hn::BitCast(D(), hn::Set(DU(), 0xFFFFE000u))))")),
    mutant("lost_minus_zero", "-0 becomes +0", [WIDE],
           (FLOAT, STORE, STORE.replace("nan, v)", "nan, hn::Add(v, hn::Zero(D())))"))),
    mutant("nan_not_canonical", "the hardware's NaNs are stored as they come", [WIDE],
           (FLOAT, STORE, "hn::StoreU(v, D(), p);")),
    mutant("swapped_sub", "b - a", [SMALL], ("src/op/sub.hpp", "return w.sub(a, b);", "return w.sub(b, a);")),
    mutant("swapped_div", "b / a", [SMALL], ("src/op/div.hpp", "return w.div(a, b);", "return w.div(b, a);")),
    mutant("floor_is_trunc", "floor division truncates", [SMALL],
           (INT, "kRounding == IntDivision::floor ? hn::Floor(quotient) : hn::Trunc(quotient)", "hn::Trunc(quotient)")),
    mutant("min_by_minus_one", "MIN / -1 of int32 saturates", [LINES],
           (INT, "quotient = hn::IfThenElse(hn::Eq(b, hn::Set(d, -1)), negated, quotient);", "")),
    mutant("tail_off_by_one", "the last element of a line is forgotten", [SMALL],
           (LOOP, "std::memcpy(static_cast<void*>(y + i), ty, bytes);",
            "std::memcpy(static_cast<void*>(y + i), ty, bytes - sizeof(T));")),
    mutant("zero_divisor_vector", "vector kernels do not note zero divisors", [ZEROS],
           (INT, "zeros_ = hn::Or(zeros_, hn::VecFromMask(D(), zero));", "")),
    mutant("zero_divisor_first", "zero divisors are found only after the output was written", [SMALL],
           ("src/exec/provider.cpp", "if (divisor == op::Divisor::none || plan.count == 0) return false;",
            "return false;")),
    mutant("numpy_as_matlab", "NumPy's broadcasting aligns at the first dimension", [SHAPES],
           ("src/plan/broadcast.cpp",
            "return stretch(place(a, a.rank(), rank - a.rank(), rank), place(b, b.rank(), rank - b.rank(), rank), a, b,",
            "return stretch(place(a, a.rank(), 0, rank), place(b, b.rank(), 0, rank), a, b,")),
    mutant("collapse_too_much", "dimensions are merged where only A and Y run on", [LAYOUTS],
           ("src/plan/plan.cpp", "one_go = one_go && outer.stride[k] == inner.stride[k] * inner.extent;",
            "one_go = one_go && (k == kB || outer.stride[k] == inner.stride[k] * inner.extent);")),
    mutant("overlap_unnoticed", "an output that overlaps an operand is written as it goes", [LAYOUTS],
           ("src/api/hadamard.cpp",
            "return a == Overlap::partial || b == Overlap::partial ? Overlap::partial : Overlap::none;",
            "(void)a; (void)b; return Overlap::none;")),
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
]
