#!/usr/bin/env bash
# Every suite of the papers and beyond them, one after the other, and their plots, into bench/results/<machine>.
# usage: all.sh --quick | --full REPLAN_BENCH
# A full run keeps finished worlds in build/bench-work and goes on where it stopped.
set -u
size=$1
program=$2
machine=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr '[:upper:]' '[:lower:]' |
  tr -cs '[:alnum:]' '-' | sed 's/^-//; s/-$//')
results=$(dirname "$0")/results/${machine:-unknown}
work=build/bench-work
mkdir -p "$results" "$work"
failed=""

for suite in fsa-table1 gaa-table1 gaa-table2 fringe-table1 fringe-table2 open-lists maps beyond; do
  printf '%s\n' "$suite" >&2
  arguments="--json $results/$suite.json"
  if [ "$size" = --quick ]; then
    arguments="$arguments --quick"
  else
    arguments="$arguments --resume $work/$suite.jsonl"
  fi
  # shellcheck disable=SC2086
  if ! "$program" "$suite" $arguments >"$work/$suite.md" 2>"$work/$suite.log"; then
    failed="$failed $suite"
    printf '%s failed:\n' "$suite" >&2
    grep '^replan-bench: ' "$work/$suite.log" | tail -n 5 >&2
  fi
  [ ! -s "$work/$suite.md" ] || mv "$work/$suite.md" "$results/$suite.md"
done
python3 "$(dirname "$0")/plots/plot.py" "$results" >&2 || failed="$failed plots"
[ -z "$failed" ] || { printf 'failed:%s\n' "$failed" >&2; exit 1; }
printf 'results: %s\n' "$results" >&2
