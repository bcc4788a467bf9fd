#!/usr/bin/env bash
# Hadamard below another project (add_subdirectory, FetchContent): g++ and clang, Debug and Release, the same bits; ./run and install
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock embed
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
first=''
# A parent's own flags must not change a bit; FetchContent comes second and finds its objects in the compiler cache.
fast='-march=native -ffast-math'
while read -r compiler type kind flags; do
  c="${compiler/#g++/gcc}"
  c="${c/#clang++/clang}"
  echo "-- $kind, $compiler, $type${flags:+, $flags}"
  digest="$(bash "$root/tests/consumer/embedded.sh" "$root" "$root/build/embed/$compiler-$type" "$kind" \
    -DCMAKE_BUILD_TYPE="$type" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c" \
    -DCMAKE_CXX_FLAGS="$flags" "${launcher[@]}")"
  if [[ "${first:=$digest}" != "$digest" ]]; then
    say "embed: $kind, $compiler, $type: expected the bits $first, got $digest"
    exit 1
  fi
done <<VARIANTS
g++ Release add_subdirectory
g++ Release FetchContent
g++ Debug add_subdirectory
clang++-19 Release FetchContent
clang++-19 Debug FetchContent
clang++-19 Debug add_subdirectory
g++ Release add_subdirectory $fast
VARIANTS

echo '-- cmake --install where only ./run has built'
"$root/run" --version
rm -rf "$root/build/embed/prefix"
cmake --install "$root/build/release" --prefix "$root/build/embed/prefix" >/dev/null
find "$root/build/embed/prefix" -name 'libhadamard.so' | grep -q . || { say 'embed: libhadamard.so is not installed'; exit 1; }
"$root/build/embed/prefix/bin/hadamard" --version
