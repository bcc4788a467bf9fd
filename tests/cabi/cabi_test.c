/* The C interface, from C11: names, versions, messages per thread; and the main program. */
#include "cabi.h"

#include <stdio.h>
#include <string.h>
#include <threads.h>

static int failures = 0;
static int checks = 0;

void check(int good, const char* what, const char* file, int line) {
  ++checks;
  if (!good) {
    ++failures;
    printf("%s:%d: FAILED: %s\n  last error: %s\n", file, line, what, hadamard_last_error());
  }
}

void check_status(hadamard_status got, int expected, const char* what, const char* file, int line) {
  ++checks;
  if ((int)got != expected) {
    ++failures;
    printf("%s:%d: FAILED: %s\n  expected status %d (%s), got %d (%s)\n  last error: %s\n", file,
           line, what, expected, hadamard_status_name(expected), (int)got,
           hadamard_status_name((int32_t)got), hadamard_last_error());
  }
}

int is_one_line(const char* text) {
  return text != NULL && text[0] != '\0' && strchr(text, '\n') == NULL;
}

static void test_names(void) {
  CHECK(strcmp(hadamard_status_name(HADAMARD_OK), "ok") == 0);
#define CHECK_CODE(id, meaning) CHECK(strcmp(hadamard_status_name(HADAMARD_ERR_##id), #id) == 0);
  HADAMARD_ERROR_CODES(CHECK_CODE)
#undef CHECK_CODE
  (void)hadamard_status_name(-1); /* any answer, but an answer */
  (void)hadamard_status_name(12345);

  static const char* const types[] = {
#define TYPE_NAME(id, Type) #id,
      HADAMARD_TYPES(TYPE_NAME)
#undef TYPE_NAME
  };
  const int32_t type_count = (int32_t)(sizeof types / sizeof types[0]);
  for (int32_t i = 0; i < type_count; ++i) {
    /* `bool` is a keyword in C++: its row of the list is called bool_. */
    const char* expected = i == HADAMARD_DTYPE_bool_ ? "bool" : types[i];
    const char* name = hadamard_dtype_name(i);
    CHECK(name != NULL && strcmp(name, expected) == 0);
  }
  CHECK(hadamard_dtype_name(-1) == NULL);
  CHECK(hadamard_dtype_name(type_count) == NULL);
  CHECK(hadamard_dtype_name(INT32_MAX) == NULL);
  CHECK(hadamard_dtype_name(INT32_MIN) == NULL);

  int32_t op_count = 0;
#define CHECK_OP(id, Name, arity)                    \
  ++op_count;                                        \
  CHECK(hadamard_op_name(HADAMARD_OP_##id) != NULL); \
  CHECK(strcmp(hadamard_op_name(HADAMARD_OP_##id), #id) == 0);
  HADAMARD_OPERATORS(CHECK_OP)
#undef CHECK_OP
  CHECK(hadamard_op_name(-1) == NULL);
  CHECK(hadamard_op_name(op_count) == NULL);
  CHECK(hadamard_op_name(256) == NULL); /* not 0 again after a narrowing */

  CHECK(strcmp(hadamard_version(), HADAMARD_EXPECTED_VERSION) == 0);
}

static int fresh_thread(void* unused) {
  (void)unused;
  const int empty = hadamard_last_error()[0] == '\0' && hadamard_last_requirement()[0] == '\0';
  (void)hadamard_apply(HADAMARD_OP_add, NULL, NULL, NULL, NULL);
  return empty && is_one_line(hadamard_last_error());
}

/* A message belongs to the thread whose call failed, and stays until its next failing call. */
static void test_messages(void) {
  CHECK(strcmp(hadamard_last_error(), "") == 0);
  CHECK(strcmp(hadamard_last_requirement(), "") == 0);

  int8_t data[2] = {1, 0};
  const int64_t shape[1] = {2};
  const hadamard_tensor t = {data, HADAMARD_DTYPE_int8, 1, shape, NULL};
  int8_t out[2] = {0, 0};
  const hadamard_tensor y = {out, HADAMARD_DTYPE_int8, 1, shape, NULL};
  CHECK_FAILS(hadamard_div(&t, &t, &y, NULL), zero_divisor);
  CHECK(strcmp(hadamard_last_requirement(), "") == 0); /* the native dialect has no clauses */
  char message[512];
  snprintf(message, sizeof message, "%s", hadamard_last_error());

  thrd_t thread;
  int good = 0;
  CHECK(thrd_create(&thread, fresh_thread, NULL) == thrd_success);
  CHECK(thrd_join(thread, &good) == thrd_success);
  CHECK(good);
  CHECK_STATUS(hadamard_add(&t, &t, &y, NULL), OK);
  CHECK(strcmp(hadamard_last_error(), message) == 0);

  const hadamard_options sonnx = OPTIONS(HADAMARD_DIALECT_sonnx, 0, 0, -1, 0);
  CHECK_FAILS(hadamard_div(&t, &t, &y, &sonnx), zero_divisor);
  CHECK(strncmp(hadamard_last_requirement(), "SONNX-DIV-INT-", 14) == 0);
  CHECK_FAILS(hadamard_div(NULL, &t, &y, NULL), bad_argument);
  CHECK(strcmp(hadamard_last_requirement(), "") == 0); /* not that of an earlier failure */
}

int main(void) {
  test_messages(); /* first: it looks at the state before any failure */
  test_names();
  test_calls();
  test_layouts();
  test_prepared();
  test_float_env();
  test_misuse();
  printf("%d checks, %d failed\n", checks, failures);
  return failures != 0;
}
