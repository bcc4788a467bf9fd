#!/usr/bin/env bash
# Every C and C++ file is as clang-format leaves it. `format.sh ROOT --fix` makes it so.
set -euo pipefail
cd "${1:?usage: format.sh ROOT [--fix]}"
mode=(--dry-run -Werror)
if [[ "${2:-}" == --fix ]]; then mode=(-i); fi

# Versions format differently: Debian 12's is the one.
formatter="$(command -v clang-format-14 || command -v clang-format || true)"
if [[ -z "$formatter" ]] || [[ "$("$formatter" --version)" != *'version 14.'* ]]; then
  echo "format: needs clang-format 14 (Debian 12's package clang-format), found: ${formatter:-none}" >&2
  exit 1
fi

# Tracked and new files; in a tree without git, all but build folders.
if git -c safe.directory='*' rev-parse --git-dir >/dev/null 2>&1; then
  list=(git -c safe.directory='*' ls-files -z --cached --others --exclude-standard
    -- '*.cpp' '*.hpp' '*.h' '*.c')
else
  list=(find . -name 'build*' -prune -o -type f '(' -name '*.cpp' -o -name '*.hpp' -o -name '*.h'
    -o -name '*.c' ')' -print0)
fi
files=()
while IFS= read -r -d '' file; do
  if [[ -f "$file" ]]; then files+=("$file"); fi  # a deleted file is still tracked
done < <("${list[@]}")
if [[ ${#files[@]} -eq 0 ]]; then
  echo 'format: found no file to check' >&2
  exit 1
fi
if ! output="$("$formatter" --style=file "${mode[@]}" "${files[@]}" 2>&1)"; then
  grep -oE '^[^ :]+:[0-9]+:[0-9]+: error' <<<"$output" | cut -d: -f1 | sort | uniq -c | head -n 40 || true
  echo "format: not as clang-format leaves them (lines, file); bash tests/lint/format.sh . --fix" >&2
  exit 1
fi
echo "format: ${#files[@]} files"
