#!/usr/bin/env bash
# Every scenario for a moment against the real daemon; each answer is held to the optimum.
# usage: against_daemon.sh FOLDER_OF_PROGRAMS
set -eu
bin=$1
work=$(mktemp -d)
daemon=
finish() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "FAILED: $*"
  exit 1
}

"$bin/repland" --control 'tcp://127.0.0.1:*' --changes 'tcp://127.0.0.1:*' \
  --paths 'tcp://127.0.0.1:*' --poses 'tcp://127.0.0.1:*' 2>"$work/log" &
daemon=$!
for _ in $(seq 100); do
  grep -q event=ready "$work/log" && break
  sleep 0.1
done
endpoint() { sed -n "s/.*event=ready.* $1=\([^ ]*\).*/\1/p" "$work/log"; }
[ -n "$(endpoint control)" ] || fail "the daemon is not ready"

# play WHAT_IT_SHOWS ARGS: a run without violations that did something. A slow machine may take a
# second to make the world: then it is given more time.
play() {
  local what=$1 seconds code
  shift
  for seconds in 1 5 20; do
    code=0
    "$bin/replan-sim" --headless --control "$(endpoint control)" --duration "$seconds" \
      --check-rate 1 --report "$work/report" "$@" >"$work/out" 2>"$work/err" || code=$?
    [ $code = 0 ] || { cat "$work/out" "$work/err"; fail "$what: exit $code"; }
    tail -1 "$work/out" | grep -Eq '^checked [0-9]+ skipped 0 violations 0$' ||
      fail "$what: last line is $(tail -1 "$work/out")"
    if grep -Eq '^checked [1-9]' "$work/out" && grep -Eq '"changes": [1-9]' "$work/report"; then
      echo "$what: $(tail -1 "$work/out")"
      return
    fi
  done
  fail "$what: nothing changed, or nothing was checked: $(tail -1 "$work/out")"
}

for scenario in $("$bin/replan-sim" --list | cut -d ' ' -f 1); do
  play "$scenario" --scenario "$scenario"
done
play "published changes and poses" --changes "$(endpoint changes)" --poses "$(endpoint poses)"

# expect CODE WHAT ARGS
expect() {
  local wanted=$1 what=$2 code=0
  shift 2
  "$bin/replan-sim" --headless "$@" >"$work/out" 2>"$work/err" || code=$?
  [ $code = "$wanted" ] || fail "$what: exit $code, not $wanted"
  [ -s "$work/err" ] || fail "$what: says nothing"
  echo "$what: exit $code, $(head -1 "$work/err")"
}
expect 2 "an unknown planner" --control "$(endpoint control)" --planner nonsense
expect 2 "an unknown scenario" --scenario nonsense
expect 4 "no daemon" --control tcp://127.0.0.1:1

# A daemon that dies during a run is noticed.
code=0
"$bin/replan-sim" --headless --control "$(endpoint control)" --duration 20 \
  >"$work/out" 2>"$work/err" &
sim=$!
sleep 1
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
daemon=
wait $sim || code=$?
[ $code = 4 ] || fail "a daemon that died: exit $code, not 4"
echo "a daemon that died: exit 4, $(tail -1 "$work/err")"
