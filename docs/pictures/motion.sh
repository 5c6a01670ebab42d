#!/usr/bin/env bash
# The pictures of docs/motion.md, and what `replan draw` says of each.
# usage: motion.sh FOLDER_OF_PROGRAMS FOLDER_OF_PICTURES
set -eu
replan=$(realpath "$1")/replan
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Every curve of Dubins between two poses; the shortest one thick.
"$replan" draw --size 34x20 --scale 20 --out "$out/motion-words.svg" \
  --curve 9,10,0.4,24,11,2.6 --turning-radius 4 --all

# A car parks backwards between two others.
printf 'replan-script 1\nsize 34 14\nset 0 0 34 2 0\nset 2 2 9 3 0\nset 23 2 9 3 0\nstart 0 13\ngoal 33 13\nplan\n' >street.script
"$replan" draw street.script --scale 20 --out "$out/motion-parking.svg" \
  --curve 23,7.5,0,14,3.5,0 --turning-radius 5 --reverse --gear-change 1 --all \
  --footprint '[[4.5, 1.2], [-1, 1.2], [-1, -1.2], [4.5, -1.2]]'

# Two vehicles go the same way. The smaller one is free, the larger one meets an obstacle.
printf 'replan-script 1\nsize 34 20\nset 16 4 3 3 0\nset 10 13 2 4 0\nset 24 12 3 2 0\nstart 0 0\ngoal 33 0\nplan\n' >yard.script
"$replan" draw yard.script --scale 20 --out "$out/motion-free.svg" \
  --curve 4,10,0.5,29,9,-0.5 --turning-radius 5 --body-radius 1.5
"$replan" draw yard.script --scale 20 --out "$out/motion-hit.svg" \
  --curve 4,10,0.5,29,9,-0.5 --turning-radius 5 --body-radius 2.5

# What D* Lite does when a wall comes up in its way.
printf 'replan-script 1\nsize 60 36\nstart 5 18\ngoal 54 18\nset 28 4 2 26 0\nplan\nset 40 10 2 26 0\nplan\n' >wall.script
"$replan" draw wall.script --scale 12 --out "$out/motion-search.svg" --planner dstar-lite

# The curve that planner lattice finds, and the poses that it expands, by their cells.
printf 'replan-script 1\nsize 60 36\nset 20 8 4 18 0\nset 38 0 4 22 0\nset 30 28 12 4 0\nstart 6 18\ngoal 54 12\nplan\n' >lattice.script
"$replan" draw lattice.script --scale 12 --out "$out/motion-lattice.svg" --planner lattice --turning-radius 4 --body-radius 2
