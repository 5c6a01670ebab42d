#!/usr/bin/env bash
# Includes point down only: each folder may include from those listed behind it, and itself.
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
  [clients]="base files msgs clients"
  [sim]="base msgs clients sim"
  [tools]="base planners engine files msgs store clients tools"
  [gppc]="base planners files gppc"
  [bench]="base planners engine files msgs store daemon clients gppc bench"
)
# Public headers are included as replan/NAME.h: which folder offers them.
owner_of() {
  local header
  for header in base planners engine clients/c; do
    [ ! -f "$header/include/$1" ] || { echo "${header%%/*}"; return; }
  done
  echo "nobody"
}
failed=0
for folder in "${!may[@]}"; do
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=${target%\"*}
    case $target in
    replan.pb-c.h) from=msgs ;;
    replan/*) from=$(owner_of "$target") ;;
    */*) from=${target%%/*} ;;
    *) from=$folder ;;
    esac
    case " ${may[$folder]} " in
    *" $from "*) ;;
    *)
      echo "$file:$line: $folder/ may not include \"$target\" of $from/"
      failed=1
      ;;
    esac
  done < <(grep -rnE '^#include "' --include='*.[ch]' "$folder" || true)
done
[ $failed = 0 ] && echo "includes: all point down"
exit $failed
