#!/usr/bin/env bash
# Installs a build tree into a temporary prefix and uses it as a stranger would.
#   check.sh CMAKE BUILD_FOLDER C_COMPILER CXX_COMPILER VERSION SANITIZERS
set -euo pipefail
cmake="$1" build="$2" cc="$3" cxx="$4" version="$5" sanitizers="$6"
here="$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
work="$(mktemp -d "${TMPDIR:-/tmp}/hadamard-consumer.XXXXXX")"
trap 'rm -rf "$work"' EXIT
quotients=$'2.033333333333333\n2.878787878787879\n7.000000000000001'

fail() {
  echo "consumer: $*" >&2
  exit 1
}
expect() {  # what, got, expected
  [[ "$2" == "$3" ]] || fail "$1: expected"$'\n'"$3"$'\n'"got"$'\n'"$2"
  echo "ok: $1"
}
flags=''
if [[ -n "$sanitizers" ]]; then flags="-fsanitize=$sanitizers"; fi

"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log" || fail 'cmake --install failed'
mv "$work/first" "$work/prefix"  # an installed tree can be moved
prefix="$work/prefix"
for file in bin/hadamard include/hadamard/hadamard.hpp include/hadamard/matlab.hpp include/hadamard/paddle.hpp include/hadamard/hadamard.h include/hadamard/hadamard_conform.h; do
  [[ -f "$prefix/$file" ]] || fail "$file is not installed"
done
find "$prefix" -name LICENSE | grep -q . || fail 'LICENSE is not installed'
expect 'the installed program' "$("$prefix/bin/hadamard" div '[6.1 9.5 35.7]' '[3.0 3.3 5.1]' | tr ' ' '\n')" "$quotients"
(cd / && "$prefix/bin/hadamard" conform --quiet) || fail 'the installed program does not have its cases with it'
echo 'ok: the installed program has its cases with it'

# A library for `hadamard conform --lib` needs one header of ours, and nothing to link.
mkdir "$work/conform"
cp "$prefix/include/hadamard/hadamard_conform.h" "$work/conform"
printf '#include "hadamard_conform.h"\n%s\n' 'int hadamard_conform_run(const char* profile, const char* op,
  const char* type, int32_t rank, const int64_t* shape, const void* a, const void* b, void* y) {
  return profile && op && type && rank && shape && a && b && y ? HADAMARD_CONFORM_UNSUPPORTED : HADAMARD_CONFORM_ERROR;
}' >"$work/conform/alone.c"
cp "$work/conform/alone.c" "$work/conform/alone.cpp"
strict_c=(-Wall -Wextra -Wpedantic -Werror -shared -fPIC -fvisibility=hidden)
"$cc" -std=c99 "${strict_c[@]}" "$work/conform/alone.c" -o "$work/conform/c.so" || fail 'hadamard_conform.h in C99'
"$cxx" -std=c++11 "${strict_c[@]}" "$work/conform/alone.cpp" -o "$work/conform/cpp.so" || fail 'hadamard_conform.h in C++'
for library in c cpp; do
  expect "hadamard_conform.h alone, $library" \
    "$(nm -D --defined-only "$work/conform/$library.so" | grep -o 'hadamard_conform_run$')" hadamard_conform_run
done

# With CMake, which must not be asked to find what the library is made of.
strict="$flags -Wall -Wextra -Wpedantic -Werror"
for language in cpp c; do
  "$cmake" -S "$here/$language" -B "$work/$language" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_C_FLAGS="$strict" -DCMAKE_CXX_FLAGS="$strict" --no-warn-unused-cli \
    -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
  "$cmake" --build "$work/$language"
done
expect 'find_package, C++' "$("$work/cpp/consumer")" "$quotients"$'\n30.6\n2 3 0.5 3\n3.5\n-1\nzero_divisor'
expect 'find_package, C' "$("$work/c/consumer")" "$quotients"

# With pkg-config.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name hadamard.pc)")"
expect 'the version of pkg-config' "$(pkg-config --modversion hadamard)" "$version"
libraries="$(pkg-config --variable=libdir hadamard)"
# shellcheck disable=SC2046,SC2086  # flags are words
"$cc" $flags -std=c11 "$here/c/main.c" $(pkg-config --cflags --libs hadamard) -o "$work/plain"
expect 'pkg-config, C' "$(LD_LIBRARY_PATH="$libraries" "$work/plain")" "$quotients"

# A pointer to packed elements does not compile, and the message says what to do.
printf '#include <hadamard/tensor.hpp>\nint main() { hadamard::Tensor(hadamard::DType::int4, {2}).data<hadamard::int4>(); }\n' >"$work/packed.cpp"
# shellcheck disable=SC2046
if "$cxx" -std=c++20 -fsyntax-only $(pkg-config --cflags hadamard) "$work/packed.cpp" 2>"$work/packed.log"; then fail 'data<int4>() compiles'; fi
grep -q 'packed two to a byte: use at()' "$work/packed.log" || fail "data<int4>(): $(cat "$work/packed.log")"
echo 'ok: data<int4>() is refused, with advice'

# A consumer sees no header of the private libraries, and links libhadamard alone.
# shellcheck disable=SC2046
seen="$("$cxx" -std=c++20 -M $(pkg-config --cflags hadamard) "$here/cpp/main.cpp" |
  grep -oiE '[^ ]*/(gmp[a-z]*\.h|mpfr\.h|hwy/[^ ]*|tbb/[^ ]*|fmt/[^ ]*|onnx/onnx[-_][^ ]*|google/protobuf/[^ ]*)' || true)"
expect 'no private header is included' "$seen" ''
needed="$(readelf -d "$work/cpp/consumer" | grep NEEDED)"
grep -q 'libhadamard\.so\.' <<<"$needed" || fail 'the consumer does not link libhadamard.so'
if grep -E 'gmp|hwy|tbb|fmt|onnx|protobuf' <<<"$needed"; then fail 'the consumer links a private library'; fi
if readelf -d "$libraries/libhadamard.so" | grep -E 'NEEDED.*(onnx|protobuf)'; then
  fail 'libhadamard.so loads the messages of ONNX, which abort beside another copy of them'
fi
# Only our own names leave the library.
strange="$(nm -D --defined-only --demangle "$libraries/libhadamard.so" | grep -vE 'hadamard(::|_)' || true)"
expect 'no foreign symbol is exported' "$strange" ''
