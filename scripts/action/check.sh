#!/bin/bash
# What action.yml runs in mode check: bugloss check on the given paths, or on the Python files that a pull request changes.
# Everything comes in variables; nothing of the event is ever part of a command line.
#   BUGLOSS       the program            INPUT_PATHS    one path a line; empty: changed files, else everything
#   BASE_SHA      of the pull request    INPUT_FAIL_ON  error, warning, advice or never
set -euo pipefail

arguments=(--output-format github)
level=${INPUT_FAIL_ON:-error}
case "$level" in
  error | warning | advice) arguments+=(--fail-on "$level") ;;
  never) arguments+=(--exit-zero) ;;
  *) echo "bugloss: fail-on is '$level', not error, warning, advice or never." >&2; exit 2 ;;
esac

paths=()
if [[ -n "${INPUT_PATHS:-}" ]]; then
  while IFS= read -r line; do [[ -n "$line" ]] && paths+=("$line"); done <<< "$INPUT_PATHS"
elif [[ -n "${BASE_SHA:-}" ]]; then
  [[ "$BASE_SHA" =~ ^[0-9a-f]{40,64}$ ]] || { echo "bugloss: '$BASE_SHA' is not a commit." >&2; exit 2; }
  git cat-file -e "$BASE_SHA^{commit}" 2> /dev/null || git fetch --quiet --depth=1 origin "$BASE_SHA"
  while IFS= read -r -d '' file; do paths+=("$file"); done \
    < <(git diff -z --name-only --no-relative --diff-filter=ACMR "$BASE_SHA" HEAD -- '*.py' '*.ipynb')
  if [[ ${#paths[@]} -eq 0 ]]; then echo "no Python file was changed" >&2; exit 0; fi
else
  paths=(.)
fi
exec "${BUGLOSS:-bugloss}" check "${arguments[@]}" -- "${paths[@]}"
