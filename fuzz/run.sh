#!/bin/bash
# Builds and runs the fuzz targets: run.sh SECONDS [TARGET...], or run.sh replay [TARGET...].
# FUZZ_SEED makes a run that can be repeated; without it each goes its own way.
# BUILD is where things are built (build/ by default), PYTHON the interpreter to embed, CC the compiler
# of replay (a fuzzer needs clang). Findings are left in BUILD/fuzz and end the run with a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

how=${1:?"seconds, or replay"}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(frame decode json extension)
work=${BUILD:-build}/fuzz
python=${PYTHON:-python3}
mkdir -p "$work"
work=$(cd "$work" && pwd)

warnings=(-Wall -Wextra -Wconversion -Werror)
sanitizers=("-fsanitize=address,undefined" -fno-sanitize-recover=all)
flags=(-std=gnu11 -g -O1 -fno-omit-frame-pointer -Icore -Ifuzz "${sanitizers[@]}")
if [ "$how" = replay ]; then
    compiler=${CC:-cc}
    main=(fuzz/replay.c)
else
    compiler=clang
    main=()
    flags+=(-fsanitize=fuzzer)
fi
mapfile -t regressions < <(find fuzz/regressions -type f ! -name '*.md')
mapfile -t core < <(find core -name '*.c' | sort)

# The flags of the interpreter to embed, by its own configuration: include and link.
python_flags() {
    "$python" - <<'END'
import os
import sysconfig

value = sysconfig.get_config_var
library = value("LDLIBRARY") or ""
folder = value("LIBDIR") if value("Py_ENABLE_SHARED") else value("LIBPL")
print("-I" + sysconfig.get_path("include"))
if not value("Py_ENABLE_SHARED"):
    print("-no-pie")
print("-L" + folder)
print("-Wl,-rpath," + folder)
print("-l" + os.path.splitext(library)[0].removeprefix("lib"))
for flag in f"{value('LIBS')} {value('SYSLIBS')}".split():
    print(flag)
print("-rdynamic")
END
}

build() {
    local target=$1 extra=()
    if [ "$target" = extension ]; then
        mapfile -t extra < <(python_flags)
        mapfile -t sources < <(find python/src -name '*.c' | sort)
        "$compiler" "${flags[@]}" -Ipython/src fuzz/extension_fuzz.c "${main[@]}" "${sources[@]}" "${core[@]}" \
            "${extra[@]}" -lm -o "$work/$target-$how_name"
    else
        "$compiler" "${flags[@]}" "${warnings[@]}" "fuzz/${target}_fuzz.c" "${main[@]}" "${core[@]}" \
            -lm -o "$work/$target-$how_name"
    fi
}

# The words of the formats that a target reads.
dictionary() {
    case $1 in
        json) echo fuzz/json.dict ;;
        extension) cat fuzz/messagepack.dict fuzz/json.dict >"$work/both.dict" && echo "$work/both.dict" ;;
        *) echo fuzz/messagepack.dict ;;
    esac
}

how_name=fuzzer
[ "$how" = replay ] && how_name=replay
rm -rf "$work/seeds"
"$python" fuzz/make_seeds.py "$work/seeds"
export PYTHONPATH=$PWD/fuzz:$PWD/python
# The interpreter's own allocator hides what the sanitizer looks for.
export PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
failed=0
for target in "${targets[@]}"; do
    echo "== $target"
    build "$target"
    if [ "$target" = extension ]; then
        export PYTHONHOME
        PYTHONHOME=$("$python" -c 'import sys; print(sys.base_prefix)')
    fi
    if [ "$how" = replay ]; then
        "$work/$target-replay" "$work/seeds" "${regressions[@]}" || failed=1
    else
        mkdir -p "$work/corpus-$target" "$work/findings-$target"
        "$work/$target-fuzzer" ${FUZZ_SEED:+-seed="$FUZZ_SEED"} -max_total_time="$how" "-dict=$(dictionary "$target")" -max_len=2048 -timeout=20 \
            -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 -artifact_prefix="$work/findings-$target/" \
            "$work/corpus-$target" "$work/seeds" 2>"$work/$target.log" || failed=1
        grep -E '^(stat::number_of_executed_units|stat::average_exec_per_sec)|ERROR|SUMMARY|not so:|AssertionError' \
            "$work/$target.log" || tail -5 "$work/$target.log"
    fi
done
exit $failed
