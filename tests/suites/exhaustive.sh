#!/usr/bin/env bash
# all 2^32 pairs of fp16 and bf16 for every operator, and of int16 and uint16 division, on every CPU target
# (or: -- --slice, 1/64 of the pairs; -- --target avx2 --type fp16 --op div --slice K/N, as exhaustive16 has them)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
arguments=()
while [[ $# -gt 0 ]]; do
  if [[ "$1" == --slice && ! "${2:-}" =~ ^[0-9]+/[0-9]+$ ]]; then
    arguments+=(--slice 1/64)
  else
    arguments+=("$1")
  fi
  shift
done
hadamard_lock test
hadamard_build test exhaustive16
hadamard_unlock
"$root/build/test/tests/exhaustive/exhaustive16" "${arguments[@]}"
