#!/usr/bin/env bash
# Search with each fuzz target for a while, from the seeds and what was found before.
# usage: run.sh SECONDS [TARGET...]      TARGET as in fuzz_<target>.c; default all
#
# Stops at the first input that breaks a target and says where it lies: put it into corpus/<target>/.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
targets=$*
[ -n "$targets" ] || targets=$(basename -s .c tests/fuzz/fuzz_*.c | sed 's/^fuzz_//')
dir=build/fuzz/fuzz

cmake --preset fuzz >/dev/null
# shellcheck disable=SC2046,SC2086
cmake --build --preset fuzz --target make_seeds $(printf 'fuzz_%s ' $targets) >&2
"$dir/make_seeds" "$dir/seeds"

for target in $targets; do
  found=$dir/found/$target
  mkdir -p "$found"
  folders=$found
  for seeds in "$dir/seeds/$target" "tests/fuzz/corpus/$target"; do
    [ ! -d "$seeds" ] || folders="$folders $seeds"
  done
  log=$dir/$target.log
  # shellcheck disable=SC2086
  if ! "$dir/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -artifact_prefix="$found-" \
    $folders >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "fuzz_$target: broken, see $log" >&2
    exit 1
  fi
  printf 'fuzz_%-10s %s\n' "$target" "$(grep -E '^Done' "$log")"
done
