#!/bin/bash
# make ruby, bench-ruby, peers-ruby: get Ruby where it is missing, then call what ruby/ holds.
source "$(dirname "$0")/environment.sh"
[ -d ruby ] || die "there is no ruby/ folder in this tree"
need_compiler
command -v ruby >/dev/null || install_debian ruby ruby-dev
[ -e "$(ruby -rrbconfig -e 'print RbConfig::CONFIG["rubyhdrdir"]')/ruby.h" ] || install_debian ruby-dev

# run_script FILE ARGUMENT...: build, then run a Ruby script of ours on what was built.
run_script() {
    [ -e "$1" ] || die "$1 is missing"
    sh ruby/build.sh
    ruby -Iruby/lib "$@"
}

case ${1:-build} in
build) sh ruby/build.sh ;;
bench) run_script ruby/bench/run.rb "${@:2}" ;;
peers) run_script ruby/peers/run.rb "${@:2}" ;;
spec)
    command -v rspec >/dev/null || install_debian ruby-rspec
    sh ruby/build.sh
    cd ruby
    rspec --fail-if-no-examples "${@:2}"
    ;;
*) die "unknown: $1 (build, spec, bench or peers)" ;;
esac
