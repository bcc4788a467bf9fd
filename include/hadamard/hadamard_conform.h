/* Checks a library of yours: hadamard conform --lib ./libmine.so
 *
 * Your library exports the one function below; Hadamard calls it with the operands of each of its
 * cases and compares every bit of the result. Link nothing of Hadamard: this file is all there is,
 * in C99 or C++. docs/how-to/conform-your-library.md has an example.
 */
#ifndef HADAMARD_CONFORM_H_
#define HADAMARD_CONFORM_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) /* exported also from a library that hides what it does not name */
__attribute__((visibility("default")))
#endif
/* Computes y = op(a, b) element by element and returns one of the values below.
 *
 *   profile  whose rules hold: "sonnx" or "onnx". They differ in one thing here: the quotient of
 *            integers is rounded down in "sonnx" (-35/3 is -12) and toward zero in "onnx" (-11).
 *   op       the operator: "add", "sub", "mul", "div" … as `hadamard --help` lists them
 *   type     the element type of a, b and y, as `hadamard info` lists them: "fp16", "bf16", "fp32",
 *            "fp64", "int4" … "int64", "uint4" … "uint64", "complex64", "complex128", "bool".
 *            Little-endian; int4 and uint4 lie two to a byte, the first in the low four bits (the
 *            last high four bits of an odd number of elements are nobody's); complex is re, im;
 *            bool is a byte, 0 or 1.
 *   rank     how many dimensions there are; 0 is a scalar, one element
 *   shape    the extents of a, b and y; an extent may be 0, then there is nothing to do
 *   a, b     the operands: contiguous, row-major, aligned to 64 bytes. Not to be changed. b is NULL
 *            for an operator of one operand.
 *   y        room for the result, laid out as the operands are. Not to be written beyond.
 *
 * A NaN may have any sign and payload. Calls come one after the other from one thread, in a process
 * of its own: where it crashes, ends or hangs, that is reported and a new one goes on with the next
 * case. What the library prints to standard output goes to standard error.
 */
int hadamard_conform_run(const char* profile, const char* op, const char* type, int32_t rank,
                         const int64_t* shape, const void* a, const void* b, void* y);

enum {
  HADAMARD_CONFORM_OK = 0,          /* y is the result */
  HADAMARD_CONFORM_UNSUPPORTED = 1, /* this library has no such thing: skipped, counted as such */
  HADAMARD_CONFORM_ERROR = 2        /* refused: right where the rules demand an error, such as a
                                       zero divisor of integers */
};

#ifdef __cplusplus
}
#endif

#endif /* HADAMARD_CONFORM_H_ */
