#!/usr/bin/env bash
# libFuzzer on every parser, 60 seconds each (or: -- SECONDS [NAME…])
# New inputs are kept in build/fuzz/corpus/NAME, what makes the program fail in build/fuzz/crash/NAME-*.
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
seconds="${1:-60}"
shift || true
if [[ ! "$seconds" =~ ^[0-9]+$ ]]; then
  say "fuzzing: expected a number of seconds, got '$seconds'"
  exit 2
fi
names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then
  for source in "$root"/tests/fuzz/*_fuzz.cpp; do
    [[ -e "$source" ]] && names+=("$(basename "$source" _fuzz.cpp)")
  done
fi
if [[ ${#names[@]} -eq 0 ]]; then
  say 'fuzzing: there is no tests/fuzz/*_fuzz.cpp'
  exit 1
fi
hadamard_lock fuzz
hadamard_build fuzz "${names[@]/#/fuzz_}"
failed=()
for name in "${names[@]}"; do
  found="$root/build/fuzz/corpus/$name"
  crash="$root/build/fuzz/crash"
  mkdir -p "$found" "$crash"
  dictionary=()
  if [[ -f "$root/tests/fuzz/$name.dict" ]]; then dictionary=(-dict="$root/tests/fuzz/$name.dict"); fi
  log="$root/build/fuzz/$name.log"
  if "$root/build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$crash/$name-" "${dictionary[@]}" \
    "$found" "$root/tests/fuzz/corpus/$name" >"$log" 2>&1; then
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    echo "-- fuzz_$name: nothing found in ${runs:-?} runs of $seconds s"
  else
    failed+=("$name")
    echo "-- fuzz_$name FAILED; the end of build/fuzz/$name.log:"
    tail -n 40 "$log"
  fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
  say "fuzzing found something: ${failed[*]}; the inputs are in build/fuzz/crash (add them to tests/fuzz/corpus with the fix)"
  exit 1
fi
