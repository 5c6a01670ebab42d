#!/usr/bin/env bash
# Every scenario of the simulator, recorded by `replan record` and read back by @mcap/core; and some recorded by
# `repland --record`, whose recordings `repland --replay --mcap` turns into the same.
# usage: read_back.sh BUILD [SCENARIO...]
set -eu
build=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")")
work=$build/recordings
mkdir -p "$work"
cp "$here/mcap_read_back.mjs" "$work"
cd "$work"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @mcap/core@2 @mcap/support@1
trap 'kill "$daemon" 2>/dev/null || true' EXIT
start_daemon() { # ARGS of repland
  : >log # the one before said that it is ready, too
  "$build/bin/repland" --control 'tcp://127.0.0.1:*' --changes 'tcp://127.0.0.1:*' --paths 'tcp://127.0.0.1:*' \
    --poses 'tcp://127.0.0.1:*' "$@" 2>log &
  daemon=$!
  until grep -q event=ready log; do
    kill -0 "$daemon" || exit 1
    sleep 0.1
  done
  control=$(sed -n 's/.*event=ready.* control=\([^ ]*\).*/\1/p' log)
}
start_daemon
[ $# -gt 0 ] || set -- $("$build/bin/replan-sim" --list | cut -d ' ' -f 1)
number=0
for scenario; do
  number=$((number + 1))
  compression=$(echo lz4 zstd none | cut -d ' ' -f $((number % 3 + 1)))
  "$build/bin/replan-sim" --headless --scenario "$scenario" --duration 4 --control "$control" >sim 2>&1 &
  sim=$!
  until "$build/bin/replan" ctl -c "$control" --json worlds | grep -q '"sim"'; do sleep 0.1; done
  "$build/bin/replan" record -c "$control" --mcap "$scenario.mcap" --compression "$compression" sim 2>/dev/null
  wait "$sim" || [ $? = 1 ] # a law that needs more time than this
  node mcap_read_back.mjs "$scenario.mcap"
done
kill "$daemon"
wait "$daemon"
for scenario in doors rolling-window costmap-20hz harbour parking; do
  start_daemon --record "$scenario.tape"
  "$build/bin/replan-sim" --headless --scenario "$scenario" --duration 4 --control "$control" >sim 2>&1 || [ $? = 1 ]
  kill "$daemon"
  wait "$daemon"
  "$build/bin/repland" --log error --replay "$scenario.tape" --mcap "$scenario-tape.mcap"
  node mcap_read_back.mjs "$scenario-tape.mcap"
done
