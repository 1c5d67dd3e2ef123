# frozen_string_literal: true

# Measures Packhorse against the msgpack gem and the json gem in one process. Each case runs in rounds,
# ours and theirs in turn, so that what disturbs the machine disturbs both; shown are the medians of the
# rounds (iterations per second, by benchmark-ips, or by a plain loop where that is not installed) and their
# ratio. Arguments: a part of the names of cases. BENCH_ROUNDS (default 5) and BENCH_SECONDS (default 0.2, of one round of one side) say how long.
# BENCH_CLOCK=cpu counts the time that the process had instead of the time that passed: for busy machines.
# Exit status 1 when a ratio is below what is asked for.
require "packhorse"
require "packhorse/json"
require_relative "cases"
begin
  require "benchmark/ips"
rescue LoadError
  warn "benchmark-ips is not installed: measuring with a plain loop"
end

ROUNDS = Integer(ENV.fetch("BENCH_ROUNDS", "5"))
SECONDS = Float(ENV.fetch("BENCH_SECONDS", "0.2"))

CLOCK = ENV["BENCH_CLOCK"] == "cpu" ? Process::CLOCK_PROCESS_CPUTIME_ID : Process::CLOCK_MONOTONIC

def now
  Process.clock_gettime(CLOCK)
end

# Looks at the clock more and more rarely: to ask it takes as long as a small call.
def rate_of_loop(call)
  start = now
  count = 0
  batch = 1
  until (elapsed = now - start) >= SECONDS
    batch *= 2 if elapsed < SECONDS / 8
    batch.times { call.call }
    count += batch
  end
  count / elapsed
end

def rate(call)
  return rate_of_loop(call) if CLOCK == Process::CLOCK_PROCESS_CPUTIME_ID || !defined?(Benchmark::IPS)

  report = Benchmark.ips(quiet: true) do |bench|
    bench.config(time: SECONDS, warmup: SECONDS / 4)
    bench.report("call") { call.call }
  end
  report.entries.first.stats.central_tendency
end

def median(numbers)
  numbers.sort[numbers.size / 2]
end

def measure(kase)
  pairs = Array.new(ROUNDS) { |round| round.even? ? [rate(kase.ours), rate(kase.theirs)] : [rate(kase.theirs), rate(kase.ours)].reverse }
  [median(pairs.map(&:first)), median(pairs.map(&:last)), median(pairs.map { |ours, theirs| ours / theirs })]
end

def show(title, cases)
  puts "", title, format("%-42s %12s %12s %7s %6s", "", "packhorse/s", "gem/s", "ratio", "asked")
  cases.count do |kase|
    ours, theirs, ratio = measure(kase)
    low = ratio < kase.target
    puts format("%-42s %12.0f %12.0f %7.2f %6.2f%s", kase.name, ours, theirs, ratio, kase.target, low ? "  low" : "")
    low
  end
end

# What freezing costs: the same document with and without, in turn.
def show_freezing(wanted)
  documents = { "600 immediates" => [[Cases::IMMEDIATES], 1.05], "1,000 wide ints" => [[Cases::WIDE_INTEGERS], 1.05],
                "10,000 floats" => [[Cases::FLOATS], 1.05], "1,000 short strings" => [[Cases::STRINGS], 1.15],
                "1,000 new strings" => [Cases::NEW_STRINGS, 1.15], "1,000 empty arrays" => [[Cases::EMPTY_ARRAYS], 1.2] }
  puts "", "Time with freeze: true against without"
  documents.count do |name, (objects, most)|
    next false unless "freeze #{name}".include?(wanted)

    plain = Cases.unpack_in_turn(objects, Packhorse::Unpacker.new)
    frozen = Cases.unpack_in_turn(objects, Packhorse::Unpacker.new(freeze: true))
    _, _, ratio = measure(Cases::Case.new(name, 0, plain, frozen))
    puts format("%-42s %33.2f %6.2f%s", name, ratio, most, ratio > most ? "  high" : "")
    ratio > most
  end
end

wanted = ARGV.join(" ")
chosen = ->(cases) { cases.select { |kase| kase.name.include?(wanted) } }
puts "Ruby #{RUBY_VERSION}, Packhorse #{Packhorse::RELEASE}"
low = 0
begin
  gem "msgpack"
  require "msgpack"
  low += show("msgpack gem #{MessagePack::VERSION}", chosen.call(Cases.msgpack(Packhorse, MessagePack)))
rescue LoadError
  puts "the msgpack gem is not installed: its rows are left out"
end
low += show_freezing(wanted)
require "json"
low += show("json gem #{JSON::VERSION}", chosen.call(Cases.json(Packhorse::JSON, JSON)))
puts "", low.zero? ? "every row is at or above what is asked" : "#{low} rows miss what is asked"
exit(low.zero?)
