/* Shapes and strides; and everything that must be refused: a status and a message, never a crash.
 */
#include <string.h>

#include "cabi.h"

static double g_a[24], g_b[24], g_y[24];
static const int64_t k23[2] = {2, 3};
static const hadamard_tensor kA = {g_a, HADAMARD_DTYPE_fp64, 2, k23, NULL};
static const hadamard_tensor kB = {g_b, HADAMARD_DTYPE_fp64, 2, k23, NULL};
static const hadamard_tensor kY = {g_y, HADAMARD_DTYPE_fp64, 2, k23, NULL};

static void fill(void) {
  for (int i = 0; i < 24; ++i) {
    g_a[i] = 100 + i;
    g_b[i] = i;
    g_y[i] = -1;
  }
}

static int is_untouched(void) {
  for (int i = 0; i < 24; ++i) {
    if (g_y[i] != -1) return 0;
  }
  return 1;
}

static void test_strides(void) {
  fill();
  const int64_t transposed[2] = {1, 2}, wide[2] = {6, 2}, backward[2] = {-3, -1}, same[2] = {0, 1};
  const hadamard_tensor column_major = {g_b, HADAMARD_DTYPE_fp64, 2, k23, transposed};
  const hadamard_tensor spread = {g_y, HADAMARD_DTYPE_fp64, 2, k23, wide};
  CHECK_STATUS(hadamard_add(&kA, &column_major, &spread, NULL), OK);
  CHECK(g_y[0] == 100 && g_y[2] == 101 + 2 && g_y[4] == 102 + 4);
  CHECK(g_y[6] == 103 + 1 && g_y[8] == 104 + 3 && g_y[10] == 105 + 5);
  for (int i = 1; i < 12; i += 2) CHECK(g_y[i] == -1); /* between the elements: somebody else's */
  CHECK(g_y[12] == -1);

  fill();
  const hadamard_tensor reversed = {g_y + 5, HADAMARD_DTYPE_fp64, 2, k23, backward};
  const hadamard_tensor row = {g_b + 1, HADAMARD_DTYPE_fp64, 2, k23, same};
  CHECK_STATUS(hadamard_sub(&kA, &row, &reversed, NULL), OK);
  CHECK(g_y[5] == 99 && g_y[4] == 99 && g_y[3] == 99 && g_y[2] == 102 && g_y[0] == 102);
  CHECK(g_y[6] == -1);

  /* An output whose elements are one and the same has no answer. */
  fill();
  const hadamard_tensor folded = {g_y, HADAMARD_DTYPE_fp64, 2, k23, same};
  CHECK_FAILS(hadamard_add(&kA, &kB, &folded, NULL), overlap);
  CHECK(is_untouched());
}

static void test_packed(void) {
  /* [7 -8 3 -1] / [2 3 -1 1], low nibble first, and [15 8 3 1] / [2 3 1 1] */
  const int64_t four = 4, three = 3, two = 2, every_other = 2;
  uint8_t a[2] = {0x87, 0xf3}, b[2] = {0x32, 0x1f}, y[2] = {0, 0};
  hadamard_tensor ta = {a, HADAMARD_DTYPE_int4, 1, &four, NULL};
  hadamard_tensor tb = {b, HADAMARD_DTYPE_int4, 1, &four, NULL};
  hadamard_tensor ty = {y, HADAMARD_DTYPE_int4, 1, &four, NULL};
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK); /* 3 -2 -3 -1 */
  CHECK(y[0] == 0xe3 && y[1] == 0xfd);
  const hadamard_options floor = OPTIONS(HADAMARD_DIALECT_native, 0, 1, -1, 0);
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, &floor), OK); /* 3 -3 -3 -1 */
  CHECK(y[0] == 0xd3 && y[1] == 0xfd);
  CHECK_STATUS(hadamard_mul(&ta, &tb, &ty, NULL), OK); /* 14=-2 -24=-8 -3 -1, modulo 16 */
  CHECK(y[0] == 0x8e && y[1] == 0xfd);
  CHECK_STATUS(hadamard_add(&ta, &tb, &ta, NULL), OK); /* in place: 9=-7 -5 2 0 */
  CHECK(a[0] == 0xb9 && a[1] == 0x02);

  uint8_t u[2] = {0x8f, 0x13}, v[2] = {0x32, 0x11};
  ta.data = u;
  tb.data = v;
  ta.dtype = tb.dtype = ty.dtype = HADAMARD_DTYPE_uint4;
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK); /* 7 2 3 1 */
  CHECK(y[0] == 0x27 && y[1] == 0x13);

  /* An odd number of elements ends in the middle of a byte; its other half is somebody else's. */
  ta.shape = tb.shape = ty.shape = &three;
  y[0] = 0;
  y[1] = 0xa0;
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == 0x27 && y[1] == 0xa3);

  /* Every other nibble. */
  ta.shape = tb.shape = ty.shape = &two;
  ta.strides = ty.strides = &every_other;
  y[0] = 0x50;
  y[1] = 0x60;
  CHECK_STATUS(hadamard_sub(&ta, &tb, &ty, NULL), OK); /* 15-2 3-3 */
  CHECK(y[0] == 0x5d && y[1] == 0x60);

  /* A zero divisor: nothing is written. */
  v[0] = 0x02;
  CHECK_FAILS(hadamard_div(&ta, &tb, &ty, NULL), zero_divisor);
  CHECK(y[0] == 0x5d && y[1] == 0x60);
}

static void test_broadcasting(void) {
  fill();
  const int64_t three = 3, four = 4, two = 2, k234[3] = {2, 3, 4}, k213[3] = {2, 1, 3},
                k41[2] = {4, 1};
  hadamard_options options = OPTIONS(HADAMARD_DIALECT_native, 0, 0, -1, 0);
  const hadamard_tensor row = {g_b, HADAMARD_DTYPE_fp64, 1, &three, NULL};
  const hadamard_tensor pair = {g_b, HADAMARD_DTYPE_fp64, 1, &two, NULL};
  const hadamard_tensor quad = {g_b, HADAMARD_DTYPE_fp64, 1, &four, NULL};
  const hadamard_tensor scalar = {g_b + 7, HADAMARD_DTYPE_fp64, 0, NULL, NULL};
  const hadamard_tensor cube = {g_a, HADAMARD_DTYPE_fp64, 3, k234, NULL};
  const hadamard_tensor cube_out = {g_y, HADAMARD_DTYPE_fp64, 3, k234, NULL};

  CHECK_STATUS(hadamard_sub(&kA, &row, &kY, NULL), OK); /* trailing, as NumPy */
  CHECK(g_y[0] == 100 && g_y[2] == 100 && g_y[3] == 103 && g_y[5] == 103 && g_y[6] == -1);
  CHECK_STATUS(hadamard_sub(&kA, &scalar, &kY, NULL), OK);
  CHECK(g_y[0] == 93 && g_y[5] == 98);
  options.broadcast = 3; /* leading, as MATLAB */
  CHECK_STATUS(hadamard_sub(&kA, &pair, &kY, &options), OK);
  CHECK(g_y[0] == 100 && g_y[2] == 102 && g_y[3] == 102 && g_y[5] == 104);
  options.broadcast = 4; /* from `axis`, as Paddle */
  options.axis = 1;
  CHECK_STATUS(hadamard_sub(&cube, &row, &cube_out, &options), OK);
  CHECK(g_y[0] == 100 && g_y[4] == 103 && g_y[8] == 106 && g_y[12] == 112 && g_y[23] == 121);
  options.axis = -1;
  CHECK_STATUS(hadamard_sub(&cube, &quad, &cube_out, &options), OK);
  CHECK(g_y[0] == 100 && g_y[3] == 100 && g_y[23] == 120);

  fill();
  options.broadcast = 1; /* none */
  CHECK_FAILS(hadamard_sub(&kA, &row, &kY, &options), shape_mismatch);
  options.broadcast = 0;
  options.dialect = HADAMARD_DIALECT_sonnx;
  CHECK_FAILS(hadamard_sub(&kA, &row, &kY, &options), shape_mismatch);
  CHECK(strncmp(hadamard_last_requirement(), "SONNX-SUB-FLOAT-", 16) == 0);
  options.dialect = HADAMARD_DIALECT_onnx;
  CHECK_STATUS(hadamard_result_shape(HADAMARD_OP_sub, &kA, &row, &options, NULL, 0, NULL),
               ERR_bad_argument);
  CHECK_FAILS(hadamard_sub(&kA, &pair, &kY, NULL), shape_mismatch);
  CHECK_FAILS(hadamard_sub(&row, &row, &kY, NULL),
              shape_mismatch); /* the output does not stretch it */
  CHECK_FAILS(hadamard_sub(&kA, &kB, &row, NULL), shape_mismatch);
  CHECK(is_untouched());

  int64_t shape[4] = {-7, -7, -7, -7};
  int32_t rank = -7;
  const hadamard_tensor left = {g_a, HADAMARD_DTYPE_fp64, 3, k213, NULL};
  const hadamard_tensor right = {g_b, HADAMARD_DTYPE_fp64, 2, k41, NULL};
  CHECK_STATUS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, shape, 4, &rank), OK);
  CHECK(rank == 3 && shape[0] == 2 && shape[1] == 4 && shape[2] == 3 && shape[3] == -7);
  rank = -7;
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, shape, 2, &rank),
              bad_argument);
  CHECK(rank == 3);
  rank = -7;
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, NULL, 0, &rank),
              bad_argument);
  CHECK(rank == 3);
  CHECK_STATUS(hadamard_result_shape(HADAMARD_OP_mul, &scalar, &scalar, NULL, NULL, 0, &rank), OK);
  CHECK(rank == 0);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, shape, 4, NULL),
              bad_argument);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, NULL, 4, &rank),
              bad_argument);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, &right, NULL, shape, -1, &rank),
              bad_argument);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &kA, &quad, NULL, shape, 4, &rank),
              shape_mismatch);
  CHECK_FAILS(hadamard_result_shape(99, &left, &right, NULL, shape, 4, &rank), bad_argument);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, NULL, &right, NULL, shape, 4, &rank),
              bad_argument);
  CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_mul, &left, NULL, NULL, shape, 4, &rank),
              bad_argument);
}

static void test_ranks(void) {
  fill();
  const hadamard_tensor a0 = {g_a, HADAMARD_DTYPE_fp64, 0, NULL, NULL};
  const hadamard_tensor b0 = {g_b + 4, HADAMARD_DTYPE_fp64, 0, NULL, NULL};
  const hadamard_tensor y0 = {g_y, HADAMARD_DTYPE_fp64, 0, NULL, NULL};
  CHECK_STATUS(hadamard_div(&a0, &b0, &y0, NULL), OK);
  CHECK(g_y[0] == 25 && g_y[1] == -1);

  const int64_t many[9] = {1, 2, 1, 3, 1, 1, 2, 1, 2};
  const hadamard_tensor a9 = {g_a, HADAMARD_DTYPE_fp64, 9, many, NULL};
  const hadamard_tensor y9 = {g_y, HADAMARD_DTYPE_fp64, 9, many, NULL};
  CHECK_STATUS(hadamard_add(&a9, &a9, &y9, NULL), OK);
  CHECK(g_y[0] == 200 && g_y[23] == 246);

  fill();
  const int64_t empty[2] = {0, 3}, row[1] = {3};
  const hadamard_tensor nothing = {NULL, HADAMARD_DTYPE_fp64, 2, empty, NULL};
  const hadamard_tensor three = {g_b, HADAMARD_DTYPE_fp64, 1, row, NULL};
  CHECK_STATUS(hadamard_div(&nothing, &nothing, &nothing, NULL), OK);
  CHECK_STATUS(hadamard_div(&nothing, &three, &nothing, NULL), OK);
  CHECK_FAILS(hadamard_div(&nothing, &kB, &nothing, NULL), shape_mismatch); /* 0 against 2 */
}

void test_layouts(void) {
  test_strides();
  test_packed();
  test_broadcasting();
  test_ranks();
}

/* A call with one of the tensors spoiled, in each of the three places, applied and prepared. */
static void refuse(const hadamard_tensor* bad, int32_t status) {
  const hadamard_tensor* good[3] = {&kA, &kB, &kY};
  for (int place = 0; place < 3; ++place) {
    const hadamard_tensor* t[3] = {good[0], good[1], good[2]};
    t[place] = bad;
    fill();
    hadamard_prepared* prepared = NULL;
    check_status(hadamard_apply(HADAMARD_OP_add, t[0], t[1], t[2], NULL), status,
                 "hadamard_apply with a bad tensor", __FILE__, place);
    CHECK(is_one_line(hadamard_last_error()));
    check_status(hadamard_prepare(HADAMARD_OP_add, t[0], t[1], t[2], NULL, &prepared), status,
                 "hadamard_prepare with a bad tensor", __FILE__, place);
    CHECK(prepared == NULL);
    CHECK(is_untouched());
  }
}

static void test_bad_tensors(void) {
  refuse(NULL, HADAMARD_ERR_bad_argument);
  hadamard_tensor bad = kA;
  bad.dtype = -1;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  bad.dtype = 256 + HADAMARD_DTYPE_fp64; /* not fp64 after a narrowing */
  refuse(&bad, HADAMARD_ERR_bad_argument);
  bad.dtype = HADAMARD_DTYPE_bool_ + 1;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  bad.dtype = HADAMARD_DTYPE_real;
  refuse(&bad, HADAMARD_ERR_unsupported_type);
  bad.dtype = HADAMARD_DTYPE_fp32;
  refuse(&bad, HADAMARD_ERR_type_mismatch);

  bad = kA;
  bad.rank = -1;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  bad.rank = INT32_MIN;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  bad.rank = 2;
  bad.shape = NULL;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  const int64_t negative[2] = {2, -3};
  bad.shape = negative;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  const int64_t lowest[2] = {INT64_MIN, INT64_MIN};
  bad.shape = lowest;
  refuse(&bad, HADAMARD_ERR_bad_argument);
  const int64_t huge[2] = {INT64_MAX, INT64_MAX};
  bad.shape = huge;
  refuse(&bad, HADAMARD_ERR_too_large);

  /* Nothing to read or write to; a layout alone may be prepared. */
  bad = kA;
  bad.data = NULL;
  fill();
  CHECK_FAILS(hadamard_add(&bad, &kB, &kY, NULL), bad_argument);
  CHECK_FAILS(hadamard_add(&kA, &bad, &kY, NULL), bad_argument);
  CHECK_FAILS(hadamard_add(&kA, &kB, &bad, NULL), bad_argument);
  CHECK(is_untouched());

  /* Strides that leave the address space. */
  const int64_t far[2] = {INT64_MAX, INT64_MAX};
  bad = kA;
  bad.strides = far;
  const hadamard_status status = hadamard_add(&bad, &kB, &kY, NULL);
  CHECK(status == HADAMARD_ERR_too_large || status == HADAMARD_ERR_bad_argument);
  CHECK(is_untouched());
}

static void test_bad_options(void) {
  static const hadamard_options bad[] = {
      OPTIONS(-1, 0, 0, -1, 0),        OPTIONS(5, 0, 0, -1, 0),
      OPTIONS(256, 0, 0, -1, 0),       OPTIONS(0, -1, 0, -1, 0),
      OPTIONS(0, 5, 0, -1, 0),         OPTIONS(0, 257, 0, -1, 0),
      OPTIONS(0, 0, -1, -1, 0),        OPTIONS(0, 0, 3, -1, 0),
      OPTIONS(0, 0, 258, -1, 0),       OPTIONS(0, 0, 0, -1, -1),
      OPTIONS(0, 0, 0, -1, 1000),      OPTIONS(0, 0, 0, -1, HADAMARD_THEN(HADAMARD_OP_add)),
      OPTIONS(0, 0, 0, -1, INT32_MIN),
  };
  fill();
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    int64_t shape[2];
    int32_t rank;
    hadamard_prepared* prepared = NULL;
    CHECK_FAILS(hadamard_add(&kA, &kB, &kY, &bad[i]), bad_argument);
    CHECK_FAILS(hadamard_prepare(HADAMARD_OP_add, &kA, &kB, &kY, &bad[i], &prepared), bad_argument);
    CHECK(prepared == NULL);
    CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_add, &kA, &kB, &bad[i], shape, 2, &rank),
                bad_argument);
  }
  CHECK(is_untouched());
  /* Paddle's axis outside of the shape. */
  const int64_t three = 3;
  const hadamard_tensor row = {g_b, HADAMARD_DTYPE_fp64, 1, &three, NULL};
  static const int32_t axes[] = {-2, 2, 100, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
    const hadamard_options options = OPTIONS(0, 4, 0, axes[i], 0);
    const hadamard_status status = hadamard_add(&kA, &row, &kY, &options);
    CHECK(status == HADAMARD_ERR_bad_argument || status == HADAMARD_ERR_shape_mismatch);
  }
  CHECK(is_untouched());
}

/* The options of a caller that was compiled with a later header, which has fields that this library
 * does not know. */
typedef struct later_options {
  hadamard_options known;
  int32_t later[4];
} later_options;

static hadamard_status add_with(const void* options) {
  return hadamard_add(&kA, &kB, &kY, (const hadamard_options*)options);
}

static void test_size_of_options(void) {
  const hadamard_options initial = HADAMARD_OPTIONS_DEFAULT;
  CHECK(initial.size == sizeof(hadamard_options));
  fill();
  /* Options that were not initialized, or by a header from before the field was there: never read.
   */
  static const uint32_t too_small[] = {0, 1, 4, 20, 23, 25, sizeof(hadamard_options) - 1};
  for (size_t i = 0; i < sizeof too_small / sizeof too_small[0]; ++i) {
    hadamard_options options = HADAMARD_OPTIONS_DEFAULT;
    options.size = too_small[i];
    CHECK_FAILS(add_with(&options), bad_argument);
    CHECK(strstr(hadamard_last_error(), "HADAMARD_OPTIONS_DEFAULT") != NULL);
    int64_t shape[2];
    int32_t rank;
    hadamard_prepared* prepared = NULL;
    CHECK_FAILS(hadamard_prepare(HADAMARD_OP_add, &kA, &kB, &kY, &options, &prepared),
                bad_argument);
    CHECK_FAILS(hadamard_result_shape(HADAMARD_OP_add, &kA, &kB, &options, shape, 2, &rank),
                bad_argument);
  }
  /* A size that no version can have: what lies there is not read. */
  static const uint32_t too_large[] = {4097, INT32_MAX, UINT32_MAX};
  for (size_t i = 0; i < sizeof too_large / sizeof too_large[0]; ++i) {
    hadamard_options options = HADAMARD_OPTIONS_DEFAULT;
    options.size = too_large[i];
    CHECK_FAILS(add_with(&options), bad_argument);
  }
  /* A later header: fine while its new fields are zero. */
  later_options later = {HADAMARD_OPTIONS_DEFAULT, {0, 0, 0, 0}};
  later.known.size = sizeof later;
  later.known.dialect = HADAMARD_DIALECT_sonnx;
  for (int i = 0; i < 4; ++i) {
    later.later[i] = 1 << (8 * i);
    CHECK_FAILS(add_with(&later), bad_argument);
    CHECK(strstr(hadamard_last_error(), "newer") != NULL);
    later.later[i] = 0;
  }
  CHECK(is_untouched());
  CHECK_STATUS(add_with(&later), OK);
  later.later[0] = 1; /* beyond the size that is given */
  later.known.size = sizeof later.known;
  CHECK_STATUS(add_with(&later), OK);
}

void test_misuse(void) {
  test_size_of_options();
  fill();
  static const int32_t ops[] = {-1, 99, 256, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; ++i) {
    hadamard_prepared* prepared = NULL;
    CHECK_FAILS(hadamard_apply(ops[i], &kA, &kB, &kY, NULL), bad_argument);
    CHECK_FAILS(hadamard_prepare(ops[i], &kA, &kB, &kY, NULL, &prepared), bad_argument);
    CHECK(prepared == NULL);
  }
  CHECK_FAILS(hadamard_prepare(HADAMARD_OP_add, &kA, &kB, &kY, NULL, NULL), bad_argument);
  CHECK(is_untouched());
#define CHECK_NULLS_1(id)                                    \
  CHECK_FAILS(hadamard_##id(NULL, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, NULL, NULL), bad_argument);
#define CHECK_NULLS_2(id)                                         \
  CHECK_FAILS(hadamard_##id(NULL, &kB, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, NULL, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, &kB, NULL, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(NULL, NULL, NULL, NULL), bad_argument);
#define CHECK_NULLS_3(id)                                              \
  CHECK_FAILS(hadamard_##id(NULL, &kB, &kA, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, NULL, &kA, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, &kB, NULL, &kY, NULL), bad_argument); \
  CHECK_FAILS(hadamard_##id(&kA, &kB, &kA, NULL, NULL), bad_argument);
#define CHECK_NULLS(id, Name, arity) CHECK_NULLS_##arity(id)
  HADAMARD_OPERATORS(CHECK_NULLS)
#undef CHECK_NULLS
#undef CHECK_NULLS_3
#undef CHECK_NULLS_2
#undef CHECK_NULLS_1
  test_bad_tensors();
  test_bad_options();

  /* A zero divisor, wherever it stands: a message with the index, and the output as it was. */
  const int64_t n = 24;
  for (int64_t at = 0; at < n; ++at) {
    int16_t a[24], b[24], y[24];
    for (int i = 0; i < n; ++i) {
      a[i] = 50;
      b[i] = (int16_t)(i == at ? 0 : 5);
      y[i] = -1;
    }
    const hadamard_tensor ta = {a, HADAMARD_DTYPE_int16, 1, &n, NULL};
    const hadamard_tensor tb = {b, HADAMARD_DTYPE_int16, 1, &n, NULL};
    const hadamard_tensor ty = {y, HADAMARD_DTYPE_int16, 1, &n, NULL};
    CHECK_FAILS(hadamard_div(&ta, &tb, &ty, NULL), zero_divisor);
    for (int i = 0; i < n; ++i) CHECK(y[i] == -1);
    CHECK_FAILS(hadamard_div(&ta, &tb, &ta, NULL), zero_divisor); /* in place */
    for (int i = 0; i < n; ++i) CHECK(a[i] == 50);
  }
}
