#!/usr/bin/env bash
# fp32 and fp64 against wider types: 10^8 pairs per operator on the best CPU target, 10^7 on the others
# (or: -- COUNT COUNT_ON_OTHERS)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock test
hadamard_build test wide_float
hadamard_unlock
"$root/build/test/tests/differential/wide_float" "${1:-100000000}" "${2:-10000000}"
