#!/usr/bin/env bash
# builds wrong versions of the tree, one small change each, and sees the tests notice every one (or: -- NAME…)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock mutants
# Compile nothing twice: the copy of the tree lies elsewhere, its files are mostly the same.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
python3 "$root/tests/mutants/mutants.py" "$root" "$root/build/mutants" "$@"
