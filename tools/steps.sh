# Sourced by scripts that run several independent steps: each is timed, all run, failures are
# shellcheck shell=bash
# listed at the end, and what was left out is said with its reason.

STEP_REPORT=()
STEP_FAILED=0
STEP_SKIPS=()
STEP_NOTE=$BUILD/.step-note-$$

# run_step NAME CMD...: run CMD, note how long it took and whether it worked.
run_step() {
    local name=$1 started status=0 outcome=ok note=
    shift
    say "$name"
    started=$(date +%s)
    rm -f "$STEP_NOTE"
    # A subshell with errexit of its own: a failing command inside a function ends the step.
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    set -e
    if [ $status -ne 0 ]; then
        outcome="FAILED (exit $status)"
        STEP_FAILED=1
    fi
    if [ -e "$STEP_NOTE" ]; then
        note="  $(cat "$STEP_NOTE")"
        rm -f "$STEP_NOTE"
    fi
    STEP_REPORT+=("$(printf '%-28s %5ds  %s' "$name" $(($(date +%s) - started)) "$outcome$note")")
}

# note_step TEXT: inside a step, what the summary shall say about it.
note_step() {
    printf '%s' "$*" >"$STEP_NOTE"
}

# skip_step NAME REASON: nothing to run here; said at the end.
skip_step() {
    STEP_SKIPS+=("$1: $2")
}

# finish_steps: the summary; ends the script with the overall status.
finish_steps() {
    say "summary"
    printf '%s\n' "${STEP_REPORT[@]}"
    if [ ${#STEP_SKIPS[@]} -gt 0 ]; then
        printf '\nskipped:\n'
        printf '  %s\n' "${STEP_SKIPS[@]}"
    fi
    exit $STEP_FAILED
}
