#!/bin/bash
# Build the extension for one interpreter and put it into python/packhorse/, beside the sources:
# `make inplace PYTHON=python3.13`, then `PYTHONPATH=python python3.13 -c 'import packhorse'`.
# Several interpreters live side by side; their tags differ. MESON_OPTIONS adds to meson setup.
source "$(dirname "$0")/environment.sh"
prepare_build

folder=$BUILD/inplace-$PYTHON_TAG
exec 9>"$folder.lock"
flock 9

# shellcheck disable=SC2086  # several options in one variable
configure "$folder" ${MESON_OPTIONS:-}
ninja -C "$folder" --quiet >"$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    die "the extension does not compile"
}
grep -E -A3 'warning:' "$folder.log" || true
for built in "$folder"/python/_core.*.so; do
    # Renamed into place: a process that has the old one mapped keeps it.
    if ! cmp -s "$built" "python/packhorse/$(basename "$built")"; then
        cp "$built" "python/packhorse/.$(basename "$built").new"
        mv -f "python/packhorse/.$(basename "$built").new" "python/packhorse/$(basename "$built")"
    fi
    echo "python/packhorse/$(basename "$built")"
done
