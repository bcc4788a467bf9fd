/* The C ABI of Hadamard. No function throws; every one that can fail returns a status, and
 * hadamard_last_error() then has the calling thread's one-line message. */
#ifndef HADAMARD_HADAMARD_H_
#define HADAMARD_HADAMARD_H_

#include <stddef.h>
#include <stdint.h>

#include "hadamard/lists.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hadamard_status {
  HADAMARD_OK = 0,
#define HADAMARD_C_STATUS(id, meaning) HADAMARD_ERR_##id,
  HADAMARD_ERROR_CODES(HADAMARD_C_STATUS)
#undef HADAMARD_C_STATUS
} hadamard_status;

typedef enum hadamard_dtype {
#define HADAMARD_C_DTYPE(id, Type) HADAMARD_DTYPE_##id,
  HADAMARD_TYPES(HADAMARD_C_DTYPE)
#undef HADAMARD_C_DTYPE
} hadamard_dtype;

typedef enum hadamard_op {
#define HADAMARD_C_OP(id, Name, arity) HADAMARD_OP_##id,
  HADAMARD_OPERATORS(HADAMARD_C_OP)
#undef HADAMARD_C_OP
} hadamard_op;

typedef enum hadamard_dialect {
#define HADAMARD_C_DIALECT(id) HADAMARD_DIALECT_##id,
  HADAMARD_DIALECTS(HADAMARD_C_DIALECT)
#undef HADAMARD_C_DIALECT
} hadamard_dialect;

typedef enum hadamard_broadcast {
  HADAMARD_BROADCAST_of_dialect = 0,
#define HADAMARD_C_BROADCAST(id) HADAMARD_BROADCAST_##id,
  HADAMARD_BROADCASTS(HADAMARD_C_BROADCAST)
#undef HADAMARD_C_BROADCAST
} hadamard_broadcast;

typedef enum hadamard_int_division {
  HADAMARD_INT_DIVISION_of_dialect = 0,
#define HADAMARD_C_INT_DIVISION(id) HADAMARD_INT_DIVISION_##id,
  HADAMARD_INT_DIVISIONS(HADAMARD_C_INT_DIVISION)
#undef HADAMARD_C_INT_DIVISION
} hadamard_int_division;

/* A number that an operator takes beside its operands, finite: {"alpha", 0.2} of leaky_relu. */
typedef struct hadamard_attribute {
  const char* name;
  double value;
} hadamard_attribute;

/* Initialize with HADAMARD_OPTIONS_DEFAULT, then set fields. `size` is what lets the structure
 * grow: fields beyond it have their defaults, and fields that the library does not know must be
 * zero. A size that is too small for the fields below, 0 included, is HADAMARD_ERR_bad_argument. */
typedef struct hadamard_options {
  uint32_t size;        /* sizeof(hadamard_options) where the caller was compiled */
  int32_t dialect;      /* hadamard_dialect */
  int32_t broadcast;    /* hadamard_broadcast */
  int32_t int_division; /* hadamard_int_division */
  int32_t axis;         /* with HADAMARD_BROADCAST_paddle: -1 aligns at the last dimension */
  int32_t then;         /* 0, or HADAMARD_THEN(HADAMARD_OP_relu): applied to each result */
  /* Of the operator, and of the one in `then`: those that are not named have their defaults. */
  const hadamard_attribute* attributes;
  size_t attribute_count;
  const hadamard_attribute* then_attributes;
  size_t then_attribute_count;
} hadamard_options;
#define HADAMARD_OPTIONS_DEFAULT \
  { sizeof(hadamard_options), HADAMARD_DIALECT_native, 0, 0, -1, 0, NULL, 0, NULL, 0 }
/* An operator with one operand, as the option `then` has it. */
#define HADAMARD_THEN(op) ((op) + 1)

/* A tensor in the caller's memory. Strides count elements; a null `strides` means row-major. The
 * 4-bit types are packed two to a byte, the first in the low nibble. HADAMARD_DTYPE_real has no C
 * representation and is refused. */
typedef struct hadamard_tensor {
  void* data;
  int32_t dtype; /* hadamard_dtype */
  int32_t rank;
  const int64_t* shape;
  const int64_t* strides;
} hadamard_tensor;

/* y = a OP b; for an operator with one operand, y = OP(a), `b` is null, here and below. `options`
 * may be null. The output may be an operand. On an error y is as it was. */
hadamard_status hadamard_apply(int32_t op, const hadamard_tensor* a, const hadamard_tensor* b,
                               const hadamard_tensor* y, const hadamard_options* options);

/* hadamard_add, hadamard_sub, … and hadamard_neg, …: the same with the operator in the name. */
#define HADAMARD_C_DECLARE_1(id)                                                    \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* y, \
                                const hadamard_options* options);
#define HADAMARD_C_DECLARE_2(id)                                                    \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* b, \
                                const hadamard_tensor* y, const hadamard_options* options);
#define HADAMARD_C_DECLARE_3(id)                                                    \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* b, \
                                const hadamard_tensor* c, const hadamard_tensor* y, \
                                const hadamard_options* options);
#define HADAMARD_C_DECLARE(id, Name, arity) HADAMARD_C_DECLARE_##arity(id)
HADAMARD_OPERATORS(HADAMARD_C_DECLARE)
#undef HADAMARD_C_DECLARE
#undef HADAMARD_C_DECLARE_1
#undef HADAMARD_C_DECLARE_2
#undef HADAMARD_C_DECLARE_3

/* The shape of the result: `shape` has room for `capacity` extents; `*rank` is set even if that is
 * too few, and the call then returns HADAMARD_ERR_bad_argument. */
hadamard_status hadamard_result_shape(int32_t op, const hadamard_tensor* a,
                                      const hadamard_tensor* b, const hadamard_options* options,
                                      int64_t* shape, int32_t capacity, int32_t* rank);

/* Planned once, run many times from any thread; run allocates nothing (the C++ header names the
 * exceptions). The `data` of the tensors
 * given to hadamard_prepare is not looked at. On an error *prepared is null. */
typedef struct hadamard_prepared hadamard_prepared;
hadamard_status hadamard_prepare(int32_t op, const hadamard_tensor* a, const hadamard_tensor* b,
                                 const hadamard_tensor* y, const hadamard_options* options,
                                 hadamard_prepared** prepared);
hadamard_status hadamard_run(const hadamard_prepared* prepared, const void* a, const void* b,
                             void* y);
void hadamard_release(hadamard_prepared* prepared); /* null is fine */

/* The message of this thread's last failing call; "" before the first. Valid until the next one. */
const char* hadamard_last_error(void);
/* The requirement that it violated ("SONNX-DIV-INT-C3"), or "". */
const char* hadamard_last_requirement(void);
const char* hadamard_status_name(int32_t status); /* "zero_divisor"; null for no status */
const char* hadamard_dtype_name(int32_t dtype);   /* "fp16"; null for a number that is no type */
const char* hadamard_op_name(int32_t op);         /* "div"; null likewise */
const char* hadamard_version(void);

#ifdef __cplusplus
}
#endif

#endif /* HADAMARD_HADAMARD_H_ */
