#!/usr/bin/env bash
# replan-engine-VERSION.tar.gz, unpacked and compiled by one line with a program of somebody's, by gcc and by clang: the program
# is told the same as by the library, in 10^4 plans, some with 64-bit costs, and by the engine.
# usage: run.sh BUILD_FOLDER [TARBALL]; without a tarball it makes one
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tarball=${2:-$(/usr/bin/python3 engine/tarball.py "$work")}
tar xzf "$tarball" -C "$work"
folder=$(echo "$work"/replan-engine-*/)

[ "$(find "$folder" -name '*.h' | wc -l)" = 1 ]
[ "$(find "$folder" -name '*.c' | wc -l)" -le 4 ]

echo "== the library"
mkdir "$work/library"
printf '#include "replan/%s.h"\n' engine planner path deferred_free >"$work/library/replan.h"
cc -std=c17 -O2 -I"$work/library" -Ibase/include -Iplanners/include -Iengine/include tests/tarball/mine.c \
  "$build/engine/libreplan_engine.a" "$build/planners/libreplan_planners.a" "$build/base/libreplan_base.a" -lm -o "$work/expected"
"$work/expected" 10000 | tee "$work/expected.txt"
wide=$(sed -n 's/.*with 64 bits \([0-9]*\),.*/\1/p' "$work/expected.txt")
[ "$wide" -ge 1000 ] || { echo "tarball: only $wide plans needed 64 bits"; exit 1; }

cp tests/tarball/mine.c "$folder"
for compiler in gcc clang-14; do
  echo "== $compiler"
  (cd "$folder" && "$compiler" -std=c17 -O2 -Wall -Wextra -Werror ./*.c -lm -o "$work/$compiler")
  "$work/$compiler" 10000 | diff - "$work/expected.txt"
done
echo "== traced"
(cd "$folder" && gcc -std=c17 -O1 -DREPLAN_TRACE ./*.c -lm -o "$work/traced")
"$work/traced" 10000 | diff - "$work/expected.txt"
nm "$work/traced" >"$work/names"
grep -q ' T rp_trace$' "$work/names"
g++ -std=c++20 -fsyntax-only -Wall -Wextra -x c++ "$folder/replan.h"
echo "tarball: the same as the library"
