#!/usr/bin/env bash
# The same bits with every compiler here and every choice of instructions, and in the build: 1,000 curves, by a number made of
# all their bits. With the flags of planners/CMakeLists.txt; that the library is built with them is looked at too.
# usage: golden.sh FOLDER_OF_BUILD
set -eu
build=$1
cd "$(dirname "$0")/../../.."
expected=043290b439890ae5
exact=(-ffp-contract=off -fno-tree-vectorize -fno-tree-slp-vectorize)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

/usr/bin/python3 - "$build/compile_commands.json" "${exact[@]}" <<'END' || failed=1
import json
import sys

ours = [entry for entry in json.load(open(sys.argv[1])) if "replan_planners.dir/motion/" in entry["command"]]
loose = [entry["file"] for entry in ours if not set(sys.argv[2:]) <= set(entry["command"].split())]
for file in loose:
    print(file, "is built without", *sys.argv[2:])
sys.exit(1 if loose or not ours else 0)
END

# check RUNNER COMPILER FLAGS...: compile, run by RUNNER (or alone where it is empty), compare
check() {
  local runner=$1 compiler=$2 is
  shift 2
  command -v "$compiler" >/dev/null && { [ -z "$runner" ] || command -v "${runner%% *}" >/dev/null; } || return 0
  "$compiler" -std=c17 -D_GNU_SOURCE -I. "$@" "${exact[@]}" -o "$out/golden" tests/planners/motion/golden_curves.c \
    tests/support/random.c planners/motion/*.c -lm
  is=$($runner "$out/golden")
  echo "$is $compiler $*"
  [ "$is" = "$expected" ] || failed=1
}

check "" gcc -O0
check "" gcc -O3
check "" clang-14 -O3
if grep -qw fma /proc/cpuinfo; then
  check "" gcc -O3 -mfma -mavx2
  check "" clang-14 -O3 -mfma -mavx2
fi
check "qemu-aarch64 -L /usr/aarch64-linux-gnu" aarch64-linux-gnu-gcc -O3
check "" musl-gcc -O3
[ $failed = 0 ] && echo "golden: the same bits everywhere"
exit $failed
