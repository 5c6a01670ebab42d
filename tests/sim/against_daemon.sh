#!/usr/bin/env bash
# Every scenario for a moment against the real daemon; of the answers a third is held to the optimum.
# usage: against_daemon.sh FOLDER_OF_PROGRAMS [WORKERS]
set -eu
bin=$1
workers=${2:-0}
work=$(mktemp -d)
finish() {
  # shellcheck disable=SC2046
  kill $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "FAILED: $*"
  exit 1
}

# start LOG: a daemon; its number is in $daemon.
start() {
  "$bin/repland" --control 'tcp://127.0.0.1:*' --changes 'tcp://127.0.0.1:*' \
    --paths 'tcp://127.0.0.1:*' --poses 'tcp://127.0.0.1:*' --workers "$workers" >/dev/null \
    2>"$1" &
  daemon=$!
  until grep -q event=ready "$1"; do
    kill -0 "$daemon" 2>/dev/null || fail "the daemon ended: $(cat "$1")"
    sleep 0.1
  done
}
# endpoint LOG SOCKET
endpoint() { sed -n "s/.*event=ready.* $2=\([^ ]*\).*/\1/p" "$1"; }

# was_short OUT: nothing is wrong but that too little happened, or that it took too long.
was_short() {
  grep -Eq '^checked [0-9]+ skipped 0 violations 0$' "$1" &&
    ! grep '^BROKEN' "$1" | grep -v '^BROKEN ms ' | grep -qv 'at least'
}
# was_slow OUT: answers are right, but some came too late, and what hangs on that may differ too. What
# else runs here is not known. Under a sanitizer ($REPLAN_SLOW) too little may happen as well.
was_slow() {
  if [ -n "${REPLAN_SLOW:-}" ] && was_short "$1"; then
    return 0
  fi
  grep -Eq '^checked [0-9]+ skipped 0 violations 0$' "$1" && grep -q '^BROKEN ms ' "$1"
}

# play WHAT_IT_SHOWS LOG_OF_DAEMON ARGS: a run without violations, whose laws hold, and that did
# something. A slow machine may take a second to make the world: then it is given more time.
play() {
  local what=$1 log=$2 seconds code out
  shift 2
  out=$work/$what
  for seconds in 2 6 20; do
    code=0
    "$bin/replan-sim" --headless --control "$(endpoint "$log" control)" --duration "$seconds" \
      --check-rate 0.3 --report "$out.json" "$@" >"$out.out" 2>"$out.err" || code=$?
    [ $code = 0 ] || { [ $code = 1 ] && { was_short "$out.out" || was_slow "$out.out"; }; } || break
    if [ $code = 0 ] && grep -Eq '^checked [1-9][0-9]* skipped 0 violations 0$' "$out.out" &&
      grep -Eq '"changes": [1-9]' "$out.json"; then
      echo "$what: $(tail -1 "$out.out")"
      return
    fi
    if [ $code = 1 ] && [ "$seconds" = 6 ] && was_slow "$out.out"; then
      break # more time does not make it faster
    fi
  done
  if [ $code = 1 ] && was_slow "$out.out"; then
    echo "$what: too slow here, $(grep '^BROKEN' "$out.out"); $(tail -1 "$out.out")"
    return
  fi
  cat "$out.out" "$out.err"
  fail "$what: exit $code"
}

# alone SCENARIO: with a daemon of its own, for some look at what it did.
alone() {
  trap 'kill "$daemon" 2>/dev/null || true' EXIT
  trap 'exit 1' TERM
  start "$work/$1.log"
  play "$1" "$work/$1.log" --scenario "$1"
}

# Most of a run is waiting: a few at a time.
for scenario in $("$bin/replan-sim" --list | cut -d ' ' -f 1); do
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do
    wait -n || fail "a scenario"
  done
  (alone "$scenario") &
done
while [ -n "$(jobs -p)" ]; do
  wait -n || fail "a scenario"
done

start "$work/log"
play "published" "$work/log" --changes "$(endpoint "$work/log" changes)" \
  --poses "$(endpoint "$work/log" poses)"

# A recorded drive, through a corridor with a door half way that the last scans find shut.
awk 'BEGIN {
  for (scan = 0; scan < 20; scan++) {
    printf "FLASER 3"
    printf " 1 %g 1 %g 0 0 0 0 0\n", (scan < 15 ? 8 - scan * 0.3 : 4 - 0.15 * (scan - 15)), scan < 15 ? scan * 0.3 : 0.15 * (scan - 15)
  }
}' >"$work/drive.log"
gzip -k "$work/drive.log"
play "drive" "$work/log" --carmen "$work/drive.log" --picture "$work/drive.png"
play "packed-drive" "$work/log" --carmen "$work/drive.log.gz"
head -c 8 "$work/drive.png" | cmp -s - <(printf '\211PNG\r\n\032\n') || fail "the picture of the drive is none"

# expect CODE WHAT ARGS
expect() {
  local wanted=$1 what=$2 code=0
  shift 2
  "$bin/replan-sim" --headless "$@" >"$work/out" 2>"$work/err" || code=$?
  [ $code = "$wanted" ] || fail "$what: exit $code, not $wanted"
  [ -s "$work/err" ] || fail "$what: says nothing"
  echo "$what: exit $code, $(head -1 "$work/err")"
}
expect 2 "an unknown planner" --control "$(endpoint "$work/log" control)" --planner nonsense
expect 2 "an unknown scenario" --scenario nonsense
expect 2 "a report that cannot be written" --control "$(endpoint "$work/log" control)" \
  --report /nowhere/report.json --duration 100
grep -q "/nowhere/report.json" "$work/err" || fail "the report that cannot be written is not named"
[ ! -s "$work/out" ] || fail "it ran before it saw that its report cannot be written"
expect 2 "a log that is not there" --carmen /nowhere/drive.log
grep -q "/nowhere/drive.log: cannot be opened" "$work/err" || fail "the log that is not there is not named"
expect 2 "a log that ends early" --carmen <(echo FLASER 3 1 2)
expect 2 "a scheme that leads nowhere" --control inproc://nowhere
grep -q -- '--control "inproc://nowhere"' "$work/err" || fail "the endpoint is not named"
expect 2 "changes that lead nowhere" --control "$(endpoint "$work/log" control)" --changes inproc://nowhere
grep -q -- '--changes "inproc://nowhere"' "$work/err" || fail "the endpoint is not named"
expect 4 "no daemon" --control tcp://127.0.0.1:1

# A daemon that dies during a run is noticed.
code=0
"$bin/replan-sim" --headless --control "$(endpoint "$work/log" control)" --duration 20 \
  >"$work/out" 2>"$work/err" &
sim=$!
until "$bin/replan" ctl --control "$(endpoint "$work/log" control)" --json worlds | grep -q '"sim"'; do
  kill -0 "$sim" 2>/dev/null || fail "it ended before the daemon did: $(cat "$work/err")"
  sleep 0.1
done
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
wait $sim || code=$?
[ $code = 4 ] || fail "a daemon that died: exit $code, not 4"
echo "a daemon that died: exit 4, $(tail -1 "$work/err")"
