#!/usr/bin/env bash
# all 2^32 numbers of fp32 for every elementary function of one operand, on every CPU target
# (or: -- FUNCTION…, of those; -- --target avx2 --slice K/N, as exhaustive_unary has them)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock test
hadamard_build test exhaustive_unary
hadamard_unlock
"$root/build/test/tests/exhaustive/exhaustive_unary" "$@"
