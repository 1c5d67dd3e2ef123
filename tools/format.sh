#!/bin/bash
# make format: lay out C and Python sources. With --check, only say what differs.
source "$(dirname "$0")/environment.sh"
find_python
make_venv "$BUILD/tools" "$PYTHON" build check
tools=$BUILD/tools/bin

# Tracked and new files alike, so that a file is laid out before it is committed.
mapfile -t c_sources < <(git ls-files -co --exclude-standard '*.c' '*.h' | sort -u |
    while IFS= read -r file; do [ -e "$file" ] && echo "$file"; done)
status=0
if [ "${1:-}" = --check ]; then
    "$tools/clang-format" --dry-run -Werror "${c_sources[@]}" || status=1
    "$tools/ruff" format --check --quiet . || status=1
    "$tools/ruff" check --quiet . || status=1
    exit $status
fi
"$PYTHON" tools/make_core_map.py
"$tools/clang-format" -i "${c_sources[@]}"
"$tools/ruff" check --fix --quiet . || status=1
"$tools/ruff" format --quiet .
exit $status
