#!/bin/bash
# make ruby, bench-ruby, peers-ruby and the specs of make test: get Ruby where it is missing, then
# call the scripts in ruby/. RUBY chooses the interpreter.
source "$(dirname "$0")/environment.sh"
[ -d ruby ] || die "there is no ruby/ folder in this tree"
need_compiler
install_debian make
if [ -z "${RUBY:-}" ]; then
    command -v ruby >/dev/null || install_debian ruby ruby-dev
    [ -e "$(ruby -rrbconfig -e 'print RbConfig::CONFIG["rubyhdrdir"]')/ruby.h" ] || install_debian ruby-dev
    ruby -e 'require "rspec/core"' 2>/dev/null || install_debian ruby-rspec
fi

action=${1:-build}
shift || true
case $action in
build | test | peers) sh "ruby/$action.sh" "$@" ;;
bench)
    sh ruby/build.sh
    "${RUBY:-ruby}" -Iruby/lib ruby/bench/run.rb "$@"
    ;;
*) die "unknown: $action (build, test, bench or peers)" ;;
esac
