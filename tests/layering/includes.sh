#!/usr/bin/env bash
# Includes point down only: each folder may include from those listed behind it, and itself. Inside a
# box each room may include its rooms listed here, and what those may include.
set -eu
cd "$(dirname "$0")/../.."
declare -A may=(
  [base]="base"
  [planners]="base planners"
  [engine]="base planners engine"
  [files]="base planners files"
  [msgs]="base msgs"
  [store]="base msgs store"
  [daemon]="base planners engine files msgs store daemon"
  [clients/c]="base files msgs clients"
  [clients/wasm]="base planners engine files clients"
  [sim]="base msgs clients sim"
  [tools]="base planners engine files msgs store clients tools"
  [gppc]="base planners files gppc"
  [bench]="base planners engine files msgs store daemon clients gppc bench"
)
declare -A rooms=(
  [planners/include]=""
  [planners/grid]="planners/include"
  [planners/open]="planners/grid"
  [planners/bits]="planners/grid"
  [planners/jump]="planners/open planners/bits"
  [planners/field]="planners/open planners/bits"
  [planners/repair]="planners/open planners/field"
  [planners/core]="planners/grid"
  [planners/members]="planners/jump planners/field planners/repair planners/core"
  [planners/papers]="planners/members"
  [planners/portfolio]="planners/members"
)
# Which rooms of planners/ other boxes enter: beside those that benches and tables look into, only the
# public headers.
declare -A entered=(
  [engine]="planners/include"
  [files]="planners/include"
  [daemon]="planners/include"
  [tools]="planners/include planners/papers"
  [clients/wasm]="planners/include"
  [gppc]="planners/include planners/grid planners/jump"
  [bench]="planners/include planners/grid planners/portfolio planners/papers"
)

# Public headers are included as replan/NAME.h: which folder offers them.
owner_of() {
  local header
  for header in base planners engine clients/c; do
    [ ! -f "$header/include/$1" ] || { echo "$header/include"; return; }
  done
  echo "nobody"
}
# Rooms that a room may include: itself, and all below it.
below() {
  local room
  echo "$1"
  for room in ${rooms[$1]}; do below "$room"; done
}
failed=0
complain() {
  echo "$1"
  failed=1
}

for folder in "${!may[@]}"; do
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=${target%\"*}
    case $target in
    replan.pb-c.h) from=msgs ;;
    replan/*) from=$(owner_of "$target") ;;
    */*) from=${target%/*} ;;
    *) from=$folder ;;
    esac
    case " ${may[$folder]} " in
    *" ${from%%/*} "*) ;;
    *) complain "$file:$line: $folder/ may not include \"$target\" of ${from%%/*}/" ;;
    esac
    [ -n "${entered[$folder]:-}" ] && [ "${from%%/*}" = planners ] || continue
    case " ${entered[$folder]} " in
    *" $(echo "$from" | cut -d/ -f1,2) "*) ;;
    *) complain "$file:$line: $folder/ may not include \"$target\" of $from/" ;;
    esac
  done < <(grep -rnE '^#include "' --include='*.[ch]' "$folder" || true)
done

for room in "${!rooms[@]}"; do
  allowed=" $(below "$room" | sort -u | tr '\n' ' ')"
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=${target%\"*}
    case $target in
    replan/*) from=$(owner_of "$target") ;;
    *) from=$(echo "$target" | cut -d/ -f1,2) ;;
    esac
    case $from in
    "${room%%/*}"/*) ;;
    *) continue ;; # of another box
    esac
    case $allowed in
    *" $from "*) ;;
    *) complain "$file:$line: $room/ may not include \"$target\" of $from/" ;;
    esac
  done < <(grep -rnE '^#include "' --include='*.[ch]' "$room" || true)
done
for room in $(find planners -mindepth 2 -name '*.[ch]' | cut -d/ -f1,2 | sort -u); do
  [ -n "${rooms[$room]+there}" ] || complain "$room/ is no room that this test knows"
done
[ $failed = 0 ] && echo "includes: all point down"
exit $failed
