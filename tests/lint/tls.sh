#!/usr/bin/env bash
# Usage: tls.sh LIBRARY. What is thread-local in a library that a program loads late (Python's import, dlopen) must find
# room in the few hundred bytes that the C library keeps for all such libraries together.
set -euo pipefail
limit=192
bytes=$(readelf --program-headers --wide "$1" | awk '$1 == "TLS" {print $6}')
if [[ -z "$bytes" ]]; then
  echo "$1 has no thread-local memory: is it the library?"
  exit 1
fi
size=$((bytes))
if ((size > limit)); then
  echo "$1 has $size thread-local bytes, of which others must have some too: at most $limit. Keep a pointer to the rest."
  exit 1
fi
echo "$size of $limit thread-local bytes"
