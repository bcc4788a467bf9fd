#!/usr/bin/env bash
# unit, conformance, property, exhaustive8, cli, matlab, model, cabi, fuzz and python tests under AddressSanitizer and UndefinedBehaviorSanitizer
# (without float-divide-by-zero, which is not an error in IEEE 754; clang's `undefined` leaves it out).
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock asan
hadamard_build asan
# Leaks count; a report ends the program, so that no test can miss it. Allocations that cannot be had
# return null, as they do without the sanitizer: refusing what is too large is a thing that is tested.
export ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:allocator_may_return_null=1:${ASAN_OPTIONS:-}"
# libedit keeps the names of functions that are added to it.
export LSAN_OPTIONS="suppressions=$root/tests/suites/leaks.supp:print_suppressions=0:${LSAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
ctest --test-dir "$root/build/asan" --output-on-failure --no-tests=error -j2 --timeout 1500 \
  -L '^(unit|conformance|property|exhaustive8|cli|matlab|model|cabi|fuzz|python)$'
