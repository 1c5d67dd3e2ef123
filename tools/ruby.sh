#!/bin/bash
# make ruby, bench-ruby, peers-ruby, the specs of make test, and docs and memcheck: get Ruby where it is
# missing, then call the scripts in ruby/. RUBY chooses the interpreter.
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
docs) install_debian yard && sh ruby/docs.sh ;;
memcheck) install_debian valgrind && sh ruby/memcheck.sh "$@" ;;
build | test | peers) sh "ruby/$action.sh" "$@" ;;
bench)
    sh ruby/build.sh
    "${RUBY:-ruby}" -Iruby/lib ruby/bench/run.rb "$@"
    ;;
*) die "unknown: $action (build, test, bench, peers, docs or memcheck)" ;;
esac
