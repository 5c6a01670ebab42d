#!/usr/bin/env bash
# How much of the code do the tests notice? N small changes, one at a time, to the given sources
# (mutate.py); for each the tests of its noun, then those of its folder, then the storm or the stories.
#
#     tests/mutants.sh N SEED FILE...
#
# Works on a copy in build/mutants. A line a change: KILLED by which tests, LIVES, or INVALID (does not
# compile; another one is taken). At the end `mutants: N, killed K, live L`; those that live must be
# looked at: either they change nothing that matters, or a test is missing. Exit code 1 when one lives.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 3 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
count=$1
seed=$2
shift 2
jobs=$(nproc)
work=build/mutants
log=$PWD/$work/log
mkdir -p "$work/src"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$work/src"
cd "$work/src"
cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release -DREPLAN_TESTS=ON -DREPLAN_WERROR=OFF >/dev/null
cmake --build build --parallel "$jobs" >"$log" 2>&1 || { tail -20 "$log" >&2; exit 2; }

# Run the tests whose names match. A change may make a program hang.
tests_pass() { ctest --test-dir build --parallel "$jobs" --stop-on-failure --timeout 120 "$@" >"$log" 2>&1; }

first_failure() { sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$log" | head -1; }

# steps FOLDER NOUN: a line for each run of tests, what to build and what to run. Cheap ones first.
steps() {
  local folder=${1%%/*}
  [ ! -x "build/tests/test_$2" ] || echo "test_$2 -R ^$2(_|\$)"
  [ ! -x "build/tests/test_${folder}_$2" ] || echo "test_${folder}_$2 -R ^${folder}_$2\$"
  case $folder in
  planners) echo "tests/planners/all -R ^(contract|native|oracle|budget|family)" ;;
  engine) echo "tests/engine/all -L ^engine\$" ;;
  *) echo "all -R ^${folder}_" ;;
  esac
  case $folder in
  engine) echo "all -R ^(storm|engine_slices)" ;;
  daemon | msgs | store | clients) echo "all -L ^(daemon|system)\$" ;;
  esac
  case $folder in files | tools) echo "all -R ^tools_(replan|batch)" ;; esac
}

# The outcome of the change that stands in the sources now.
outcome() {
  local target rest
  while read -r target rest; do
    timeout 900 cmake --build build --parallel "$jobs" --target "$target" >"$log" 2>&1 || { echo INVALID; return; }
    # shellcheck disable=SC2086
    tests_pass $rest || { echo "KILLED by $(first_failure)"; return; }
  done < <(steps "$1" "$(basename "${1%.*}")")
  echo LIVES
}

tried=0
live=0
while read -r place; do
  [ "$tried" -lt "$count" ] || break
  file=${place%%:*}
  cp "$file" "$file.whole"
  change=$(/usr/bin/python3 tests/mutate.py apply "$place")
  what=$(outcome "$file")
  mv "$file.whole" "$file"
  printf '%s  %s  %s\n' "$what" "$place" "$change"
  [ "$what" != INVALID ] || continue
  tried=$((tried + 1))
  [ "$what" != LIVES ] || live=$((live + 1))
done < <(/usr/bin/python3 tests/mutate.py list $((2 * count)) "$seed" "$@")
echo "mutants: $tried, killed $((tried - live)), live $live"
[ "$live" = 0 ]
