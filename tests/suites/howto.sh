#!/usr/bin/env bash
# the how-tos, followed in a scratch copy: the diffs apply, build, and do what the pages say
set -euo pipefail
# shellcheck source=tools/build.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/build.sh"
hadamard_lock howto
python3 "$root/tests/readme/howto.py" "$root" --do "$root/build/howto" "$@"
