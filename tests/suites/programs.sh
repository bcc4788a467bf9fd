#!/usr/bin/env bash
# random programs of up to 20 nodes, fused, not fused and by the reference: two million (or: -- COUNT [SEED])
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock test
hadamard_build test diff_programs
hadamard_unlock
export HADAMARD_PROGRAMS="${1:-2000000}" HADAMARD_SEED="${2:-$(date +%s)}"
echo "seed $HADAMARD_SEED"
parts=()
for part in 0 1; do
  GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$part "$root/build/test/tests/differential/diff_programs" --gtest_brief=1 &
  parts+=($!)
done
failed=0
for part in "${parts[@]}"; do wait "$part" || failed=1; done
exit "$failed"
