# shellcheck shell=bash
# Sourced by ./run, ./test and tests/suites/*.sh: builds a preset of CMakePresets.json.
#
#   source tools/build.sh            sets `root`, the top of the checkout
#   hadamard_lock NAME               waits until no other build of that name is under way
#   hadamard_build PRESET [TARGET…]  configures build/PRESET where needed and builds; compiler output
#                                    goes to build/PRESET.log and is shown when the build fails

root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"

# For ccache, paths below the checkout count from there: another clone compiles nothing that this one has compiled.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1

say() { echo "hadamard: $*" >&2; }

# Makes build/ (or says why that cannot be), and takes the lock that keeps two builds of one folder apart.
# It is held until hadamard_unlock or the end of the script and of the compilers that it started.
hadamard_lock() {
  if ! mkdir -p "$root/build" 2>/dev/null || ! [[ -w "$root/build" ]]; then
    say "cannot build: $(id -un) may not write to $root/build (owner $(stat -c %U "$root")); use a clone of your own"
    return 1
  fi
  if ! { exec 9>>"$root/build/.$1.lock"; } 2>/dev/null; then
    say "cannot build: $(id -un) may not write to $root/build/.$1.lock; use a clone of your own"
    return 1
  fi
  if ! flock --nonblock 9; then
    say "waiting for another build in build/$1 …"
    flock 9
  fi
}

hadamard_unlock() { exec 9>&-; }

hadamard_build() {
  local preset="$1" folder="$root/build/$1" log="$root/build/$1.log" options=() targets=() target
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
    # What ccache wants to be told before it takes precompiled headers (the other half is in HadamardModule.cmake).
    export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
    # Where the user has no home to keep a cache in, keep it here.
    if [[ -z "${CCACHE_DIR:-}" && ! -w "${HOME:-/nonexistent}" ]]; then
      export CCACHE_DIR="$root/build/.ccache"
    fi
  fi
  # A build folder that was made for another place (a moved or copied checkout) is of no use.
  if [[ -f "$folder/CMakeCache.txt" ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    options+=(--fresh)
    rm -f "$folder/build.ninja"
  fi
  : >"$log"
  # CMake notices changes of CMakeLists.txt itself, but not of the presets, nor that a package was installed which an
  # optional part was waiting for.
  if [[ ! -f "$folder/build.ninja" || "$root/CMakePresets.json" -nt "$folder/build.ninja" ||
    /var/lib/dpkg/status -nt "$folder/build.ninja" ]]; then
    if ! (cd "$root" && cmake --preset "$preset" "${options[@]}") >>"$log" 2>&1; then
      say "cmake --preset $preset failed; the end of $log:"
      tail -n 25 "$log" >&2
      return 1
    fi
  fi
  if ! cmake --build "$folder" --parallel "$(nproc)" "${targets[@]}" >>"$log" 2>&1; then
    say "the build in build/$preset failed; the end of $log:"
    tail -n 40 "$log" >&2
    return 1
  fi
}
