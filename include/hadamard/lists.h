/* The lists that everything else is derived from. C and C++ both read this file.
 *
 * A row here is the whole registration: enum values, names, kernel tables, the reference, CLI
 * verbs, the C ABI, the documentation and the tests iterate over these lists.
 */
#ifndef HADAMARD_LISTS_H_
#define HADAMARD_LISTS_H_

/* X(id, Name, arity): `Name` is the struct in src/op/<id>.hpp that defines the operator, of `arity`
 * operands, 1 to 3. Order is part of the C ABI: append.
 */
#define HADAMARD_OPERATORS(X)             \
  X(add, Add, 2)                          \
  X(sub, Sub, 2)                          \
  X(mul, Mul, 2)                          \
  X(div, Div, 2)                          \
  X(pow, Pow, 2)                          \
  X(max, Max, 2)                          \
  X(min, Min, 2)                          \
  X(identity, Identity, 1)                \
  X(neg, Neg, 1)                          \
  X(abs, Abs, 1)                          \
  X(sign, Sign, 1)                        \
  X(relu, Relu, 1)                        \
  X(reciprocal, Reciprocal, 1)            \
  X(sqrt, Sqrt, 1)                        \
  X(exp, Exp, 1)                          \
  X(log, Log, 1)                          \
  X(tanh, Tanh, 1)                        \
  X(sigmoid, Sigmoid, 1)                  \
  X(floor, Floor, 1)                      \
  X(ceil, Ceil, 1)                        \
  X(round, Round, 1)                      \
  X(expm1, Expm1, 1)                      \
  X(log1p, Log1p, 1)                      \
  X(log2, Log2, 1)                        \
  X(log10, Log10, 1)                      \
  X(exp2, Exp2, 1)                        \
  X(sin, Sin, 1)                          \
  X(cos, Cos, 1)                          \
  X(hypot, Hypot, 2)                      \
  X(trunc, Trunc, 1)                      \
  X(mod, Mod, 2)                          \
  X(rem, Rem, 2)                          \
  X(atan2, Atan2, 2)                      \
  X(relu6, Relu6, 1)                      \
  X(brelu, Brelu, 1)                      \
  X(leaky_relu, LeakyRelu, 1)             \
  X(hard_sigmoid, HardSigmoid, 1)         \
  X(thresholded_relu, ThresholdedRelu, 1) \
  X(hard_shrink, HardShrink, 1)           \
  X(softshrink, Softshrink, 1)            \
  X(elu, Elu, 1)                          \
  X(stanh, Stanh, 1)                      \
  X(swish, Swish, 1)                      \
  X(soft_relu, SoftRelu, 1)               \
  X(logsigmoid, Logsigmoid, 1)            \
  X(softsign, Softsign, 1)                \
  X(softplus, Softplus, 1)                \
  X(tanh_shrink, TanhShrink, 1)           \
  X(fma, Fma, 3)                          \
  X(clip, Clip, 3)                        \
  X(where, Where, 3)                      \
  X(cast, Cast, 1)                        \
  X(eq, Eq, 2)                            \
  X(ne, Ne, 2)                            \
  X(lt, Lt, 2)                            \
  X(le, Le, 2)                            \
  X(gt, Gt, 2)                            \
  X(ge, Ge, 2)                            \
  X(logical_and, LogicalAnd, 2)           \
  X(logical_or, LogicalOr, 2)             \
  X(logical_xor, LogicalXor, 2)           \
  X(logical_not, LogicalNot, 1)           \
  X(isnan, IsNan, 1)                      \
  X(isinf, IsInf, 1)                      \
  X(isfinite, IsFinite, 1)                \
  X(real, RealPart, 1)                    \
  X(imag, Imag, 1)                        \
  X(conj, Conj, 1)                        \
  X(angle, Angle, 1)                      \
  X(from_parts, FromParts, 2)             \
  X(complex_hypot, ComplexHypot, 2)       \
  X(saturating_add, SaturatingAdd, 2)     \
  X(saturating_sub, SaturatingSub, 2)     \
  X(saturating_mul, SaturatingMul, 2)     \
  X(saturating_div, SaturatingDiv, 2)     \
  X(saturating_pow, SaturatingPow, 2)     \
  X(saturating_cast, SaturatingCast, 1)   \
  X(true_div, TrueDiv, 2)                 \
  X(gamma, Gamma, 1)                      \
  X(pow_factor, PowFactor, 1)

/* X(id, Type): the element type's public name and its C++ type. Order is part of the C ABI: append.
 */
#define HADAMARD_TYPES(X)               \
  X(real, ::hadamard::Real)             \
  X(fp16, ::hadamard::float16)          \
  X(bf16, ::hadamard::bfloat16)         \
  X(fp32, float)                        \
  X(fp64, double)                       \
  X(int4, ::hadamard::int4)             \
  X(int8, ::std::int8_t)                \
  X(int16, ::std::int16_t)              \
  X(int32, ::std::int32_t)              \
  X(int64, ::std::int64_t)              \
  X(uint4, ::hadamard::uint4)           \
  X(uint8, ::std::uint8_t)              \
  X(uint16, ::std::uint16_t)            \
  X(uint32, ::std::uint32_t)            \
  X(uint64, ::std::uint64_t)            \
  X(complex64, ::std::complex<float>)   \
  X(complex128, ::std::complex<double>) \
  X(bool_, bool)

/* X(id, meaning): what can go wrong. Order is part of the C ABI: append. */
#define HADAMARD_ERROR_CODES(X)                                                       \
  X(shape_mismatch, "the operands' shapes do not fit together")                       \
  X(type_mismatch, "the operands' element types do not fit together")                 \
  X(unsupported_type, "the dialect or format has no such element type")               \
  X(zero_divisor, "an exact or integer division by zero")                             \
  X(bad_argument, "an argument is outside its domain")                                \
  X(bad_literal, "a text is not a number or tensor literal of the type")              \
  X(bad_file, "a file's content is not what its format demands")                      \
  X(io, "the operating system refused to read or write")                              \
  X(too_large, "more elements or bytes than this machine can address or hold")        \
  X(overlap, "the output overlaps an operand, or itself, in a way that has no order") \
  X(unavailable, "a provider, CPU target or optional part is not available here")     \
  X(internal, "a defect of Hadamard: please report it")

/* X(id): whose rules hold (hadamard/options.hpp says what each means). Append. */
#define HADAMARD_DIALECTS(X) \
  X(native)                  \
  X(sonnx)                   \
  X(onnx)                    \
  X(matlab)                  \
  X(paddle)

/* X(id): how two shapes become one. Append. */
#define HADAMARD_BROADCASTS(X) \
  X(none)                      \
  X(numpy)                     \
  X(matlab)                    \
  X(paddle)

/* X(id, name): what dialect matlab makes of integers. Append. */
#define HADAMARD_INTEGERS(X) \
  X(as_double, "double")     \
  X(as_matlab, "matlab")

/* X(id): how integer division rounds. Append. */
#define HADAMARD_INT_DIVISIONS(X) \
  X(floor)                        \
  X(trunc)

#endif /* HADAMARD_LISTS_H_ */
