#!/usr/bin/env bash
# builds wrong versions of the tree, one small change each, and sees the tests notice every one (or: -- NAME…)
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock mutants
python3 "$root/tests/mutants/mutants.py" "$root" "$root/build/mutants" "$@"
