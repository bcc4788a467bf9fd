/* What the parts of cabi_test share. */
#ifndef HADAMARD_TESTS_CABI_CABI_H_
#define HADAMARD_TESTS_CABI_CABI_H_

#include "hadamard/hadamard.h"

/* Counts a failure and says where; the test goes on. */
void check(int good, const char* what, const char* file, int line);
void check_status(hadamard_status got, int expected, const char* what, const char* file, int line);
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define CHECK_STATUS(call, expected) \
  check_status((call), HADAMARD_##expected, #call, __FILE__, __LINE__)

/* Options that give every field; a program uses HADAMARD_OPTIONS_DEFAULT. */
#define OPTIONS(...) \
  { sizeof(hadamard_options), __VA_ARGS__, NULL, 0, NULL, 0 }

/* A failing call leaves a message of one line. */
#define CHECK_FAILS(call, expected)            \
  do {                                         \
    CHECK_STATUS(call, ERR_##expected);        \
    CHECK(is_one_line(hadamard_last_error())); \
  } while (0)
int is_one_line(const char* text);

typedef hadamard_status (*binary_function)(const hadamard_tensor*, const hadamard_tensor*,
                                           const hadamard_tensor*, const hadamard_options*);

typedef hadamard_status (*unary_function)(const hadamard_tensor*, const hadamard_tensor*,
                                          const hadamard_options*);

void test_calls(void);     /* what the functions compute */
void test_layouts(void);   /* shapes, strides, packed types, broadcasting */
void test_prepared(void);  /* prepare, run, release */
void test_float_env(void); /* traps, flags and rounding of the caller */
void test_misuse(void);    /* everything that must be refused, and never crash */

#endif /* HADAMARD_TESTS_CABI_CABI_H_ */
