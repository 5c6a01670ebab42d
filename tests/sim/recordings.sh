#!/usr/bin/env bash
# Recorded drives, as fast as 20 scans a second: each log to its end, no violation, the mirror as told, and at least twenty
# times as fast as the robot drove: by the processor's time of simulator and daemon, as other programs may want the cores.
# Their pictures stay beside the build.
# usage: recordings.sh BUILD MAPS
set -eu
build=$1
maps=$2/lidar
work=$(mktemp -d)
trap 'kill "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
"$build/bin/repland" --control 'tcp://127.0.0.1:*' --changes 'tcp://127.0.0.1:*' --paths 'tcp://127.0.0.1:*' \
  --poses 'tcp://127.0.0.1:*' 2>"$work/log" &
daemon=$!
until grep -q event=ready "$work/log"; do
  kill -0 "$daemon" || exit 1
  sleep 0.1
done
control=$(sed -n 's/.*event=ready.* control=\([^ ]*\).*/\1/p' "$work/log")
mkdir -p "$build/recordings"
daemon_s() { awk -v ticks="$(getconf CLK_TCK)" '{ print ($14 + $15) / ticks }' "/proc/$daemon/stat"; }
TIMEFORMAT='%U %S'
failed=0
for log in "$maps"/*.log.gz; do
  [ -f "$log" ] || { echo "skipped: no logs in $maps"; exit 0; }
  name=$(basename "$log" -corrected.log.gz)
  code=0
  before=$(daemon_s)
  { time "$build/bin/replan-sim" --headless --carmen "$log" --check-rate 1 --control "$control" \
    --picture "$build/recordings/$name.png" >"$work/out" 2>"$work/err" || code=$?; } 2>"$work/spent"
  recorded=$(zcat "$log" | awk '/^FLASER/ { if (!first) first = $NF; last = $NF } END { print last - first }')
  played=$(sed -n 's/^carmen: \([0-9.]*\) s.*/\1/p' "$work/out")
  spent=$(awk -v before="$before" -v after="$(daemon_s)" '{ print $1 + $2 + after - before }' "$work/spent")
  echo "$name: recorded in $recorded s, played in $played s by $spent s of processor, $build/recordings/$name.png;" \
    "$(tail -1 "$work/out")"
  # Beside other programs some answers come for maps that the simulator has no more: it skips them, and says 1.
  read -r checked skipped < <(sed -n 's/^checked \([0-9]*\) skipped \([0-9]*\) violations 0$/\1 \2/p' "$work/out") || true
  [ "$code" != 1 ] || grep -q '^BROKEN' "$work/out" || [ "${checked:-0}" -lt 10 ] || [ "$skipped" -gt $((checked / 4)) ] || code=0
  if [ "$code" != 0 ] || ! awk "BEGIN { exit !($recorded >= 20 * $spent) }"; then
    cat "$work/out" "$work/err"
    failed=1
  fi
done
exit "$failed"
