#!/bin/bash
# make ruby, bench-ruby, peers-ruby: get Ruby where it is missing, then call what ruby/ holds.
source "$(dirname "$0")/environment.sh"
[ -d ruby ] || die "there is no ruby/ folder in this tree"
need_compiler
command -v ruby >/dev/null || install_debian ruby ruby-dev
[ -e "$(ruby -rrbconfig -e 'print RbConfig::CONFIG["rubyhdrdir"]')/ruby.h" ] || install_debian ruby-dev

case ${1:-build} in
build) ruby ruby/build.rb ;;
bench)
    ruby ruby/build.rb
    ruby -Iruby/lib ruby/bench/run.rb
    ;;
peers)
    ruby ruby/build.rb
    ruby -Iruby/lib ruby/peers/run.rb
    ;;
spec)
    command -v rspec >/dev/null || install_debian ruby-rspec
    ruby ruby/build.rb
    cd ruby && rspec
    ;;
*) die "unknown: $1" ;;
esac
