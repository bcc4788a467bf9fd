#!/usr/bin/env bash
# the core's tests, compiled for aarch64 and run under qemu-user: the same bits on NEON
# (or: -- K/N, the slice of all 16-bit pairs to take; 5/128)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
slice="${1:-5/128}"
if [[ ! "$slice" =~ ^[0-9]+/[0-9]+$ ]]; then
  say "aarch64: expected a slice K/N, got '$slice'"
  exit 2
fi
if [[ "$(uname -m)" == aarch64 ]]; then
  say 'aarch64: this machine is one; ./test runs all of this, and more'
  exit 2
fi
hadamard_lock aarch64
"$root/tools/bootstrap" aarch64
hadamard_build aarch64
folder="$root/build/aarch64"
# As in cmake/aarch64.cmake.
emulate=(qemu-aarch64 -cpu cortex-a72 -L "$root/build/sysroot-arm64")

# That a target does what is claimed to be its work: qemu logs every block that it translates, with the
# function that it belongs to, and those of the kernels have the target in their name.
helper="$folder/tests/differential/forced_helper"
log="$folder/forced.log"
for target in neon scalar; do
  for type in fp64 fp16 bf16 int8 uint4 int64; do
    HADAMARD_CPU="$target" QEMU_LOG=in_asm QEMU_LOG_FILENAME="$log" "${emulate[@]}" "$helper" "$type" >/dev/null
    ran="$(sed -n 's/^IN: .*[0-9]N_\([A-Z]\{3,\}\).*/\L\1/p' "$log" | sort -u | tr '\n' ' ')"
    if [[ "$ran" != "$target " ]]; then
      say "aarch64: HADAMARD_CPU=$target, $type: the kernels that ran are those of '${ran% }'"
      exit 1
    fi
  done
  echo "-- $target: the kernels that run are its own"
done
rm -f "$log"

# Left out, because it takes minutes under an emulator and no kernel for aarch64 is in it: the lines of
# rationals, the long lines of complex128 (complex64 takes the same way), the search for shorter texts; and of the
# divisors of fp32 with their hard quotients all but every 32nd.
left_out='*Targets.*/real:*Threads*/complex128:Text16/*.NothingShorter*:*OfAllOtherFp32'
GTEST_FILTER="-$left_out" ctest --test-dir "$folder" --output-on-failure --no-tests=error -j2 --timeout 900 \
  -L '^(unit|conformance|property|differential|exhaustive8|fuzz|cabi)$' -E '^differential\.wide_float$'
echo '-- fp32 and fp64 against wider types'
"${emulate[@]}" "$folder/tests/differential/wide_float" 4000000 400000
echo "-- slice $slice of all pairs of 16 bits"
"${emulate[@]}" "$folder/tests/exhaustive/exhaustive16" --target neon --slice "$slice"
echo "left out: $left_out"
