#!/usr/bin/env bash
# Words beside OMPL's (Debian: libompl-dev); skipped where that is not installed.
# usage: ompl.sh FOLDER_OF_BUILD [PAIRS]
set -eu
build=$1
pairs=${2:-20000}
cd "$(dirname "$0")/../../.."
pkg-config --exists ompl 2>/dev/null || {
  echo "ompl: not installed here, skipped"
  exit 77
}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
gcc -std=c17 -O2 -I. -c tests/support/random.c -o "$out/random.o"
# shellcheck disable=SC2046
g++ -std=c++17 -O2 -I. $(pkg-config --cflags-only-I ompl) tests/planners/motion/ompl.cpp "$out/random.o" \
  "$build/planners/libreplan_planners.a" "$build/base/libreplan_base.a" -lompl -o "$out/ompl"
"$out/ompl" "$pairs"
