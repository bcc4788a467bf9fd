#!/usr/bin/env bash
# Builds tests/consumer/embedded, a project that has Hadamard below it, runs it and prints the number that it prints.
#   embedded.sh ROOT FOLDER KIND [CMAKE OPTION…]   KIND: add_subdirectory or FetchContent; FOLDER is made anew
# Nothing but Highway, oneTBB, GMP, MPFR and fmt can be found while it is configured.
set -euo pipefail
root="$1" folder="$2" kind="$3"
shift 3
here="$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
fail() {
  echo "embedded: $kind: $*" >&2
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
# What must not be asked for: an error where it is.
hidden=()
for package in Protobuf ONNX ZLIB CLI11 GTest Python Python3 pybind11 rapidcheck; do
  hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
mkdir "$folder/pkgconfig"
for module in gmp mpfr; do
  ln -s "$(pkg-config --variable=pcfiledir "$module")/$module.pc" "$folder/pkgconfig"
done
configure() {
  PKG_CONFIG_LIBDIR="$folder/pkgconfig" PKG_CONFIG_PATH='' cmake -G Ninja --no-warn-unused-cli "${hidden[@]}" "$@" \
    >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log" >&2; fail 'cmake failed'; }
}
asked_for() { grep -iE '^(//)?[^:]*(onnx|protobuf|matio|libedit|cli11|pybind|zlib|gtest)[^:]*:[A-Z]' "$1" | grep -v DISABLE_FIND || true; }

configure -S "$root" -B "$folder/bare" -DHADAMARD_BUILD_APPS=OFF -DHADAMARD_BUILD_TESTS=OFF \
  -DHADAMARD_BUILD_PYTHON=OFF "$@"
[[ -z "$(asked_for "$folder/bare/CMakeCache.txt")" ]] ||
  fail "the bare library asks for $(asked_for "$folder/bare/CMakeCache.txt")"

# A parent without a build type gets kernels that are optimized all the same.
configure -S "$here/embedded" -B "$folder/untyped" -DHADAMARD_ROOT="$root" -DKIND="$kind" "$@" -DCMAKE_BUILD_TYPE=
grep -A8 'memo.cpp.o:' "$folder/untyped/build.ninja" | grep -q 'FLAGS = .*-O[23]' ||
  fail 'the library is not optimized below a parent without a build type'

configure -S "$here/embedded" -B "$folder/build" -DHADAMARD_ROOT="$root" -DKIND="$kind" "$@"
[[ -z "$(asked_for "$folder/build/CMakeCache.txt")" ]] ||
  fail "the library below a parent asks for $(asked_for "$folder/build/CMakeCache.txt")"
cmake --build "$folder/build" >"$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log" >&2; fail 'the build failed'; }
if grep -q 'warning:' "$folder/build.log"; then fail "$(grep -m3 'warning:' "$folder/build.log")"; fi

made="$(find "$folder/build" \( -name '*.a' -o -name '*.so*' \) -not -type l -printf '%f ' -o -name consumer -type f -printf '%f ')"
[[ "$made" =~ ^(libhadamard\.so\.[0-9.]+ consumer |consumer libhadamard\.so\.[0-9.]+ )$ ]] ||
  fail "expected the library and the consumer to be built, got: $made"
if nm "$(find "$folder/build" -name 'libhadamard.so')" | grep set_fast_math; then
  fail 'libhadamard.so sets FTZ and DAZ when it is loaded'
fi
cmake --install "$folder/build" --prefix "$folder/prefix" >/dev/null
installed="$(cd "$folder/prefix" && find . -type f)"
[[ "$installed" == ./bin/consumer ]] || fail "expected only the parent's program to be installed, got: $installed"
tests="$(ctest --test-dir "$folder/build" -N | sed -n 's/^Total Tests: //p')"
[[ "${tests:-0}" == 0 ]] || fail "the parent has $tests tests of ours"

"$folder/build/consumer" >"$folder/output" || fail "the consumer fails: $(head -n 8 "$folder/output")"
[[ "$(head -n 3 "$folder/output")" == $'2.033333333333333\n2.878787878787879\n7.000000000000001' ]] ||
  fail "wrong quotients: $(head -n 3 "$folder/output")"
tail -n 1 "$folder/output"
