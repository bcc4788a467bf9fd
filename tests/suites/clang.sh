#!/usr/bin/env bash
# everything compiled by clang without a warning; unit and conformance tests of that build
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock clang
hadamard_build clang
ctest --test-dir "$root/build/clang" --output-on-failure --no-tests=error -j2 --timeout 900 \
  -L '^(unit|conformance)$'
