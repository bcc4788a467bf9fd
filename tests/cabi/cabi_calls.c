/* What the functions compute: every operator and type, layouts, the prepared form. */
#include <math.h>
#include <string.h>
#include <threads.h>

#include "cabi.h"

/* The function of each operator: of its two kinds one is null. */
static const struct {
  int32_t op;
  binary_function of_two;
  unary_function of_one;
} kFunctions[] = {
#define FUNCTION_1(id) {HADAMARD_OP_##id, NULL, hadamard_##id},
#define FUNCTION_2(id) {HADAMARD_OP_##id, hadamard_##id, NULL},
#define FUNCTION_3(id)
#define FUNCTION(id, Name, arity) FUNCTION_##arity(id)
    HADAMARD_OPERATORS(FUNCTION)
#undef FUNCTION
#undef FUNCTION_3
#undef FUNCTION_2
#undef FUNCTION_1
};
enum { kFunctionCount = sizeof kFunctions / sizeof kFunctions[0] };

static hadamard_tensor vector(void* data, int32_t dtype, const int64_t* count) {
  const hadamard_tensor t = {data, dtype, 1, count, NULL};
  return t;
}

/* What C computes; for exp, log, … not to the last bit: *exact is then 0. */
static double in_c(int32_t op, double a, double b, int* exact) {
  *exact = 1;
  switch (op) {
    case HADAMARD_OP_max:
      return isnan(a) || isnan(b) ? NAN : a > b || (a == b && !signbit(a)) ? a : b;
    case HADAMARD_OP_min:
      return isnan(a) || isnan(b) ? NAN : a < b || (a == b && signbit(a)) ? a : b;
    case HADAMARD_OP_identity:
    case HADAMARD_OP_pow_factor: /* factor 1 */
      return a;
    case HADAMARD_OP_neg:
      return -a;
    case HADAMARD_OP_abs:
      return fabs(a);
    case HADAMARD_OP_sign:
      return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a;
    case HADAMARD_OP_relu:
      return a > 0 ? a : a <= 0 ? 0 : a;
    case HADAMARD_OP_reciprocal:
      return 1 / a;
    case HADAMARD_OP_sqrt:
      return sqrt(a);
    case HADAMARD_OP_floor:
      return floor(a);
    case HADAMARD_OP_ceil:
      return ceil(a);
    case HADAMARD_OP_round:
      return nearbyint(a);
    case HADAMARD_OP_exp:
      return *exact = 0, exp(a);
    case HADAMARD_OP_log:
      return *exact = 0, log(a);
    case HADAMARD_OP_tanh:
      return *exact = 0, tanh(a);
    case HADAMARD_OP_sigmoid:
      return *exact = 0, 1 / (1 + exp(-a));
    case HADAMARD_OP_pow:
      return *exact = 0, pow(a, b);
    case HADAMARD_OP_expm1:
      return *exact = 0, expm1(a);
    case HADAMARD_OP_log1p:
      return *exact = 0, log1p(a);
    case HADAMARD_OP_log2:
      return *exact = 0, log2(a);
    case HADAMARD_OP_log10:
      return *exact = 0, log10(a);
    case HADAMARD_OP_exp2:
      return *exact = 0, exp2(a);
    case HADAMARD_OP_sin:
      return *exact = 0, sin(a);
    case HADAMARD_OP_cos:
      return *exact = 0, cos(a);
    case HADAMARD_OP_hypot:
      return *exact = 0, hypot(a, b);
    case HADAMARD_OP_atan2:
      return *exact = 0, atan2(a, b);
    case HADAMARD_OP_trunc:
      return trunc(a);
    case HADAMARD_OP_mod: /* of these operands none has the other's sign but for -1 mod 0, NaN */
    case HADAMARD_OP_rem:
      return fmod(a, b);
    case HADAMARD_OP_relu6:
      return a > 0 ? fmin(a, 6) : 0;
    case HADAMARD_OP_brelu:
      return a > 0 ? fmin(a, 24) : 0;
    case HADAMARD_OP_leaky_relu:
      return a < 0 ? a / 50 : a;
    case HADAMARD_OP_hard_sigmoid:
      return *exact = 0, fmax(0, fmin(1, 0.2 * a + 0.5));
    case HADAMARD_OP_thresholded_relu:
      return a > 1 ? a : 0;
    case HADAMARD_OP_hard_shrink:
      return fabs(a) > 0.5 ? a : 0;
    case HADAMARD_OP_softshrink:
      return a > 0.5 ? a - 0.5 : a < -0.5 ? a + 0.5 : 0;
    case HADAMARD_OP_elu:
      return *exact = 0, a > 0 ? a : expm1(a);
    case HADAMARD_OP_stanh:
      return *exact = 0, 1.7159 * tanh(0.67 * a);
    case HADAMARD_OP_swish:
      return *exact = 0, a / (1 + exp(-a));
    case HADAMARD_OP_soft_relu:
      return *exact = 0, log1p(exp(fmax(fmin(a, 40), -40)));
    case HADAMARD_OP_logsigmoid:
      return *exact = 0, -log1p(exp(-a));
    case HADAMARD_OP_softsign:
      return *exact = 0, isinf(a) ? copysign(1, a) : a / (1 + fabs(a));
    case HADAMARD_OP_softplus:
      return *exact = 0, isinf(a) ? a : log1p(exp(a));
    case HADAMARD_OP_tanh_shrink:
      return *exact = 0, a - tanh(a);
    case HADAMARD_OP_add:
      return a + b;
    case HADAMARD_OP_sub:
      return a - b;
    case HADAMARD_OP_mul:
      return a * b;
    default:
      return a / b;
  }
}

static void test_attributes(void) {
  enum { n = 3 };
  const int64_t count = n;
  double a[n] = {-1, 2, -0.0}, b[n] = {1, 1, 1}, y[n];
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_fp64, &count);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_fp64, &count);
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_fp64, &count);
  const hadamard_attribute alpha = {"alpha", 0.2};
  hadamard_options options = HADAMARD_OPTIONS_DEFAULT;
  options.attributes = &alpha;
  options.attribute_count = 1;
  CHECK_STATUS(hadamard_leaky_relu(&ta, &ty, &options), OK);
  CHECK(y[0] == -0.2 && y[1] == 2 && y[2] == 0 && signbit(y[2]));
  CHECK_FAILS(hadamard_exp(&ta, &ty, &options), bad_argument);
  CHECK(strcmp(hadamard_last_error(), "exp has no attributes, got alpha") == 0);
  const hadamard_attribute twice[] = {{"t_min", 1}, {"t_min", 2}}, bad = {"alpha", INFINITY},
                           unnamed = {NULL, 1};
  options.attributes = twice;
  options.attribute_count = 2;
  CHECK_FAILS(hadamard_brelu(&ta, &ty, &options), bad_argument);
  options.attributes = &bad;
  options.attribute_count = 1;
  CHECK_FAILS(hadamard_leaky_relu(&ta, &ty, &options), bad_argument);
  options.attributes = &unnamed;
  CHECK_FAILS(hadamard_leaky_relu(&ta, &ty, &options), bad_argument);
  options.attributes = NULL;
  CHECK_FAILS(hadamard_leaky_relu(&ta, &ty, &options), bad_argument);
  options.attribute_count = 0;
  options.then_attributes = &alpha;
  options.then_attribute_count = 1;
  CHECK_FAILS(hadamard_sub(&ta, &tb, &ty, &options), bad_argument); /* nothing follows */
  options.then = HADAMARD_THEN(HADAMARD_OP_leaky_relu);
  CHECK_STATUS(hadamard_sub(&ta, &tb, &ty, &options), OK);
  CHECK(y[0] == -2 * 0.2 && y[1] == 1 && y[2] == -0.2);
}

/* Three operands, and results of another type than the operands'. */
static void test_other_types(void) {
  enum { n = 3 };
  const int64_t count = n;
  float a[n] = {1.5f, -2.0f, NAN}, b[n] = {2.0f, -2.0f, 1.0f}, c[n] = {0.25f, 1.0f, 2.0f}, y[n];
  unsigned char truth[n] = {1, 0, 7};
  int8_t whole[n];
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_fp32, &count);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_fp32, &count);
  const hadamard_tensor tc = vector(c, HADAMARD_DTYPE_fp32, &count);
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_fp32, &count);
  const hadamard_tensor tt = vector(truth, HADAMARD_DTYPE_bool_, &count);
  const hadamard_tensor tw = vector(whole, HADAMARD_DTYPE_int8, &count);
  CHECK_STATUS(hadamard_fma(&ta, &tb, &tc, &ty, NULL), OK);
  CHECK(y[0] == 3.25f && y[1] == 5.0f && isnan(y[2]));
  CHECK_STATUS(hadamard_where(&tt, &ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == 1.5f && y[1] == -2.0f && isnan(y[2]));
  CHECK_STATUS(hadamard_clip(&tb, &tc, &tc, &ty, NULL), OK);
  CHECK(y[0] == 0.25f && y[1] == 1.0f && y[2] == 2.0f);
  CHECK_STATUS(hadamard_lt(&ta, &tb, &tt, NULL), OK);
  CHECK(truth[0] == 1 && truth[1] == 0 && truth[2] == 0);
  CHECK_STATUS(hadamard_isnan(&ta, &tt, NULL), OK);
  CHECK(truth[0] == 0 && truth[1] == 0 && truth[2] == 1);
  CHECK_STATUS(hadamard_cast(&ta, &tw, NULL), OK);
  CHECK(whole[0] == 1 && whole[1] == -2 && whole[2] == 0);
  CHECK_FAILS(hadamard_lt(&ta, &tb, &ty, NULL), type_mismatch);
  CHECK_FAILS(hadamard_where(&ta, &ta, &tb, &ty, NULL), type_mismatch);
  CHECK_FAILS(hadamard_apply(HADAMARD_OP_fma, &ta, &tb, &ty, NULL), bad_argument);
  CHECK_FAILS(hadamard_apply(HADAMARD_OP_fma, &ta, NULL, &ty, NULL), bad_argument);
}

static void test_floats(void) {
  enum { n = 8 };
  const int64_t count = n;
  double a[n] = {6.1, 9.5, 35.7, 1.0, 0.0, -1.0, 1e-310, INFINITY};
  double b[n] = {3.0, 3.3, 5.1, 0.0, -0.0, 0.0, 0.5, INFINITY};
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_fp64, &count);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_fp64, &count);
  for (int f = 0; f < kFunctionCount; ++f) {
    double y[n], z[n];
    memset(y, 0x5a, sizeof y);
    memset(z, 0x5a, sizeof z);
    const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_fp64, &count);
    const hadamard_tensor tz = vector(z, HADAMARD_DTYPE_fp64, &count);
    const int two = kFunctions[f].of_two != NULL;
    if (kFunctions[f].op >= HADAMARD_OP_fma) continue; /* of other types: test_other_types */
    CHECK_STATUS(hadamard_apply(kFunctions[f].op, &ta, two ? &tb : NULL, &ty, NULL), OK);
    if (two) {
      CHECK_STATUS(kFunctions[f].of_two(&ta, &tb, &tz, NULL), OK);
      CHECK_FAILS(hadamard_apply(kFunctions[f].op, &ta, NULL, &ty, NULL), bad_argument);
    } else {
      CHECK_STATUS(kFunctions[f].of_one(&ta, &tz, NULL), OK);
      CHECK_FAILS(hadamard_apply(kFunctions[f].op, &ta, &tb, &ty, NULL), bad_argument);
    }
    CHECK(memcmp(y, z, sizeof y) == 0);
    hadamard_prepared* prepared = NULL;
    int32_t rank = 0;
    int64_t extent = 0;
    CHECK_STATUS(
        hadamard_result_shape(kFunctions[f].op, &ta, two ? &tb : NULL, NULL, &extent, 1, &rank),
        OK);
    CHECK(rank == 1 && extent == n);
    CHECK_STATUS(hadamard_prepare(kFunctions[f].op, &ta, two ? &tb : NULL, &tz, NULL, &prepared),
                 OK);
    memset(z, 0x5a, sizeof z);
    CHECK_STATUS(hadamard_run(prepared, a, two ? b : NULL, z), OK);
    CHECK(memcmp(y, z, sizeof y) == 0);
    CHECK_FAILS(hadamard_run(prepared, a, two ? NULL : b, z), bad_argument);
    hadamard_release(prepared);
    for (int i = 0; i < n; ++i) {
      int exact;
      const double expected = in_c(kFunctions[f].op, a[i], b[i], &exact);
      if (!exact && isfinite(expected)) {
        CHECK(fabs(y[i] - expected) <= fabs(expected) * 1e-15);
      } else {
        CHECK(isnan(expected) ? isnan(y[i]) : memcmp(&y[i], &expected, sizeof expected) == 0);
      }
    }
  }

  const int64_t two = 2;
  float c[2] = {1.0f, -1e-40f}, d[2] = {3.0f, 2.0f}, e[2] = {0, 0};
  const hadamard_tensor tc = vector(c, HADAMARD_DTYPE_fp32, &two);
  const hadamard_tensor td = vector(d, HADAMARD_DTYPE_fp32, &two);
  const hadamard_tensor te = vector(e, HADAMARD_DTYPE_fp32, &two);
  CHECK_STATUS(hadamard_div(&tc, &td, &te, NULL), OK);
  CHECK(e[0] == 1.0f / 3.0f);
  CHECK(e[1] == -1e-40f / 2.0f);

  /* 1/3 and the smallest subnormal halved (a tie, to even: 0). */
  uint16_t h1[2] = {0x3c00, 0x8001}, h3[2] = {0x4200, 0x4000}, h[2] = {9, 9};
  const hadamard_tensor th1 = vector(h1, HADAMARD_DTYPE_fp16, &two);
  const hadamard_tensor th3 = vector(h3, HADAMARD_DTYPE_fp16, &two);
  const hadamard_tensor th = vector(h, HADAMARD_DTYPE_fp16, &two);
  CHECK_STATUS(hadamard_div(&th1, &th3, &th, NULL), OK);
  CHECK(h[0] == 0x3555 && h[1] == 0x8000);
  uint16_t b1[2] = {0x3f80, 0x3f80}, b3[2] = {0x4040, 0x0000}, bf[2] = {9, 9};
  const hadamard_tensor tb1 = vector(b1, HADAMARD_DTYPE_bf16, &two);
  const hadamard_tensor tb3 = vector(b3, HADAMARD_DTYPE_bf16, &two);
  const hadamard_tensor tbf = vector(bf, HADAMARD_DTYPE_bf16, &two);
  CHECK_STATUS(hadamard_div(&tb1, &tb3, &tbf, NULL), OK);
  CHECK(bf[0] == 0x3eab && bf[1] == 0x7f80); /* rounded up, not cut to 0x3eaa; 1/0 = inf */
}

static void test_integer_division(void) {
  enum { n = 6 };
  const int64_t count = n;
  int8_t a[n] = {-35, 35, -35, -128, -128, 7};
  int8_t b[n] = {3, -3, -3, -1, 3, 2};
  static const int8_t floors[n] = {-12, -12, 11, -128, -43, 3};
  static const int8_t truncs[n] = {-11, -11, 11, -128, -42, 3};
  static const struct {
    hadamard_options options;
    const int8_t* expected;
  } cases[] = {
      {OPTIONS(HADAMARD_DIALECT_native, 0, 0, 0, 0), truncs},
      {OPTIONS(HADAMARD_DIALECT_sonnx, 0, 0, -1, 0), floors},
      {OPTIONS(HADAMARD_DIALECT_onnx, 0, 0, -1, 0), truncs},
      {OPTIONS(HADAMARD_DIALECT_native, 0, 1, -1, 0), floors},
      {OPTIONS(HADAMARD_DIALECT_sonnx, 0, 2, -1, 0), truncs},
      {OPTIONS(HADAMARD_DIALECT_onnx, 0, 1, -1, 0), floors},
  };
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_int8, &count);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_int8, &count);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    int8_t y[n] = {0};
    const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_int8, &count);
    CHECK_STATUS(hadamard_div(&ta, &tb, &ty, &cases[i].options), OK);
    CHECK(memcmp(y, cases[i].expected, n) == 0);
  }
  int8_t y[n];
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_int8, &count);
  const hadamard_options by_macro = HADAMARD_OPTIONS_DEFAULT;
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, &by_macro), OK);
  CHECK(memcmp(y, truncs, n) == 0);
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK);
  CHECK(memcmp(y, truncs, n) == 0);
}

/* Dialect matlab: types are promoted, and the output must have the type of the result. */
static void test_matlab(void) {
  static const int64_t two_elements = 2;
  int8_t a[2] = {7, -7};
  float b[2] = {2, 0};
  float y[2] = {0, 0};
  const hadamard_options matlab = OPTIONS(HADAMARD_DIALECT_matlab, 0, 0, -1, 0);
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_int8, &two_elements);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_fp32, &two_elements);
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_fp32, &two_elements);
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, &matlab), OK);
  CHECK(y[0] == 3.5f && y[1] == -INFINITY);
  const hadamard_tensor narrow = vector(a, HADAMARD_DTYPE_int8, &two_elements);
  CHECK_STATUS(hadamard_div(&ta, &tb, &narrow, &matlab), ERR_type_mismatch);
  CHECK(a[0] == 7 && a[1] == -7);
  hadamard_prepared* prepared = NULL;
  CHECK_STATUS(hadamard_prepare(HADAMARD_OP_div, &ta, &tb, &ty, &matlab, &prepared),
               ERR_unavailable);
  CHECK(prepared == NULL);
}

/* -7 / 2 and 2 + (largest), for each integer type of C. */
#define CHECK_INTEGER(dtype, type, largest, seven, quotient)              \
  do {                                                                    \
    type a[2] = {(type)(seven), (largest)}, b[2] = {2, 2}, y[2] = {0, 0}; \
    const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_##dtype, &two);   \
    const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_##dtype, &two);   \
    const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_##dtype, &two);   \
    CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK);                  \
    CHECK(y[0] == (type)(quotient) && y[1] == (type)((largest) / 2));     \
    CHECK_STATUS(hadamard_add(&ta, &tb, &ty, NULL), OK);                  \
    CHECK(y[1] == (type)((uint64_t)(largest) + 2)); /* wraps */           \
  } while (0)

static void test_integers(void) {
  const int64_t two = 2;
  CHECK_INTEGER(int8, int8_t, INT8_MAX, -7, -3);
  CHECK_INTEGER(int16, int16_t, INT16_MAX, -7, -3);
  CHECK_INTEGER(int32, int32_t, INT32_MAX, -7, -3);
  CHECK_INTEGER(int64, int64_t, INT64_MAX, -7, -3);
  CHECK_INTEGER(uint8, uint8_t, UINT8_MAX, 7, 3);
  CHECK_INTEGER(uint16, uint16_t, UINT16_MAX, 7, 3);
  CHECK_INTEGER(uint32, uint32_t, UINT32_MAX, 7, 3);
  CHECK_INTEGER(uint64, uint64_t, UINT64_MAX, 7, 3);

  uint8_t a[2] = {100, 200}, b[2] = {200, 2}, y[2] = {0, 0};
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_uint8, &two);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_uint8, &two);
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_uint8, &two);
  CHECK_STATUS(hadamard_sub(&ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == 156 && y[1] == 198);
  CHECK_STATUS(hadamard_mul(&ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == (uint8_t)(100 * 200) && y[1] == (uint8_t)(200 * 2));
}

static void test_complex(void) {
  const int64_t two = 2;
  double a[4] = {1, 2, 1e300, 1e300}, b[4] = {3, 4, 1e300, 1e300}, y[4] = {0};
  const hadamard_tensor ta = vector(a, HADAMARD_DTYPE_complex128, &two);
  const hadamard_tensor tb = vector(b, HADAMARD_DTYPE_complex128, &two);
  const hadamard_tensor ty = vector(y, HADAMARD_DTYPE_complex128, &two);
  CHECK_STATUS(hadamard_sub(&ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == -2 && y[1] == -2);
  CHECK_STATUS(hadamard_mul(&ta, &tb, &ty, NULL), OK);
  CHECK(y[0] == -5 && y[1] == 10);
  CHECK_STATUS(hadamard_div(&ta, &tb, &ty, NULL), OK);
  CHECK(y[2] == 1 && y[3] == 0); /* where the textbook formula overflows */
  float c[4] = {4, 2, 1, 1}, d[4] = {2, 0, 1, 1}, z[4] = {0};
  const hadamard_tensor tc = vector(c, HADAMARD_DTYPE_complex64, &two);
  const hadamard_tensor td = vector(d, HADAMARD_DTYPE_complex64, &two);
  const hadamard_tensor tz = vector(z, HADAMARD_DTYPE_complex64, &two);
  CHECK_STATUS(hadamard_div(&tc, &td, &tz, NULL), OK);
  CHECK(z[0] == 2 && z[1] == 1 && z[2] == 1 && z[3] == 0);
  const hadamard_options sonnx = OPTIONS(HADAMARD_DIALECT_sonnx, 0, 0, -1, 0);
  CHECK_FAILS(hadamard_div(&ta, &tb, &ty, &sonnx), unsupported_type);
}

/* The output is an operand, or lies across one. */
static void test_in_place(void) {
  const int64_t four = 4;
  double x[5] = {8, 16, 32, 64, 128};
  double two[4] = {2, 2, 2, 2};
  const hadamard_tensor tx = vector(x, HADAMARD_DTYPE_fp64, &four);
  const hadamard_tensor shifted = vector(x + 1, HADAMARD_DTYPE_fp64, &four);
  const hadamard_tensor t2 = vector(two, HADAMARD_DTYPE_fp64, &four);
  CHECK_STATUS(hadamard_div(&tx, &t2, &tx, NULL), OK);
  CHECK(x[0] == 4 && x[3] == 32 && x[4] == 128);
  CHECK_STATUS(hadamard_sub(&t2, &tx, &tx, NULL), OK);
  CHECK(x[0] == -2 && x[3] == -30);
  const hadamard_options then_relu =
      OPTIONS(HADAMARD_DIALECT_paddle, 0, 0, -1, HADAMARD_THEN(HADAMARD_OP_relu));
  double r[4];
  const hadamard_tensor tr = vector(r, HADAMARD_DTYPE_fp64, &four);
  CHECK_STATUS(hadamard_mul(&tx, &t2, &tr, &then_relu), OK);
  CHECK(r[0] == 0 && r[3] == 0);
  CHECK_STATUS(hadamard_sub(&t2, &tx, &tr, &then_relu), OK);
  CHECK(r[0] == 4 && r[3] == 32);
  CHECK_STATUS(hadamard_add(&tx, &tx, &tx, NULL), OK);
  CHECK(x[0] == -4 && x[1] == -12 && x[2] == -28 && x[3] == -60);
  /* All of the operand is read before any of it is overwritten, or the call is refused. */
  const hadamard_status status = hadamard_add(&tx, &t2, &shifted, NULL);
  CHECK(status == HADAMARD_OK || status == HADAMARD_ERR_overlap);
  if (status == HADAMARD_OK) {
    CHECK(x[0] == -4 && x[1] == -2 && x[2] == -10 && x[3] == -26 && x[4] == -58);
  } else {
    CHECK(x[0] == -4 && x[1] == -12 && x[4] == 128);
  }
}

void test_calls(void) {
  test_matlab();
  test_floats();
  test_other_types();
  test_attributes();
  test_integer_division();
  test_integers();
  test_complex();
  test_in_place();
}

static hadamard_prepared* prepare(int32_t op, const hadamard_tensor* t) {
  hadamard_prepared* prepared = NULL;
  CHECK_STATUS(hadamard_prepare(op, t, t, t, NULL, &prepared), OK);
  CHECK(prepared != NULL);
  return prepared;
}

static int run_often(void* prepared) {
  double a[100], b[100], y[100];
  for (int round = 1; round <= 50; ++round) {
    for (int i = 0; i < 100; ++i) {
      a[i] = i * round;
      b[i] = round;
    }
    if (hadamard_run((const hadamard_prepared*)prepared, a, b, y) != HADAMARD_OK) return 0;
    for (int i = 0; i < 100; ++i) {
      if (y[i] != i) return 0;
    }
  }
  return 1;
}

void test_prepared(void) {
  const int64_t hundred = 100;
  double any[101] = {0};
  const hadamard_tensor t = vector(any, HADAMARD_DTYPE_fp64, &hundred);
  hadamard_prepared* prepared = prepare(HADAMARD_OP_div, &t);
  CHECK(run_often(prepared));
  thrd_t threads[4];
  for (int i = 0; i < 4; ++i) {
    CHECK(thrd_create(&threads[i], run_often, prepared) == thrd_success);
  }
  for (int i = 0; i < 4; ++i) {
    int good = 0;
    CHECK(thrd_join(threads[i], &good) == thrd_success);
    CHECK(good);
  }
  for (int i = 0; i < 101; ++i) any[i] = i + 1;
  CHECK_STATUS(hadamard_run(prepared, any, any, any), OK); /* in place */
  CHECK(any[0] == 1 && any[99] == 1 && any[100] == 101);
  double other[100];
  for (int i = 0; i < 100; ++i) other[i] = 2;
  CHECK_FAILS(hadamard_run(prepared, any, other, any + 1), overlap);
  CHECK(any[1] == 1 && any[100] == 101);
  CHECK_FAILS(hadamard_run(NULL, any, any, any), bad_argument);
  CHECK_FAILS(hadamard_run(prepared, NULL, any, any), bad_argument);
  CHECK_FAILS(hadamard_run(prepared, any, NULL, any), bad_argument);
  CHECK_FAILS(hadamard_run(prepared, any, any, NULL), bad_argument);
  hadamard_release(prepared);
  hadamard_release(NULL);

  /* An integer zero is found before anything is written. */
  const int64_t three = 3;
  int32_t a[3] = {6, 7, 8}, b[3] = {2, 7, 0}, y[3] = {-1, -2, -3};
  const hadamard_tensor ti = vector(a, HADAMARD_DTYPE_int32, &three);
  prepared = prepare(HADAMARD_OP_div, &ti);
  CHECK_FAILS(hadamard_run(prepared, a, b, y), zero_divisor);
  CHECK(y[0] == -1 && y[1] == -2 && y[2] == -3);
  b[2] = 3;
  CHECK_STATUS(hadamard_run(prepared, a, b, y), OK);
  CHECK(y[0] == 3 && y[1] == 1 && y[2] == 2);
  hadamard_release(prepared);
}
