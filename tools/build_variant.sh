#!/bin/bash
# Build the package beside the one of `make inplace`, from another source tree or with other options,
# and print the folder to put on PYTHONPATH: tools/build_variant.sh NAME SOURCE [MESON OPTIONS...]
source "$(dirname "$0")/environment.sh"
[ $# -ge 2 ] || die "a name and a source tree are needed"
name=$1 source_tree=$2
shift 2
prepare_build >&2

folder=$BUILD/variants/$name-$PYTHON_TAG
mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
(cd "$source_tree" && configure "$folder/meson" "$@")
ninja -C "$folder/meson" --quiet >"$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    die "$name does not compile"
}
rm -rf "$folder/package"
mkdir -p "$folder/package/packhorse"
tar -C "$source_tree/python/packhorse" --exclude='*.so' --exclude=__pycache__ -cf - . |
    tar -C "$folder/package/packhorse" -xf -
cp "$folder"/meson/python/_core.*.so "$folder/package/packhorse/"
echo "$folder/package"
