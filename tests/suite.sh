#!/usr/bin/env bash
# The suite, step by step, with the time of each: format and release decide whether a change lands.
# `tests/suite.sh STEP...` runs others: dev, tsan, fuzz, tidy. With --under-load the tests of each step
# run beside four busy loops a core, which end with the script.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)
loops=

sources() { git ls-files '*.c' '*.h' 2>/dev/null || find . -path ./build -prune -o -name '*.[ch]' -print; }

step_format() {
  sources | xargs clang-format-14 --dry-run -Werror
}

step_release() {
  cmake --preset release -DREPLAN_TESTS=ON >/dev/null
  cmake --build --preset release --parallel "$jobs"
  run_tests --preset release --parallel "$jobs"
}

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer.
step_dev() {
  cmake --preset dev >/dev/null
  cmake --build --preset dev --parallel "$jobs"
  run_tests --preset dev --parallel "$jobs" --label-exclude '^(slow|layering)$'
}

# ThreadSanitizer, for what runs beside libzmq's threads.
step_tsan() {
  cmake --preset tsan >/dev/null
  cmake --build --preset tsan --parallel "$jobs" --target repland replan-sim clients/python/all \
    tests/store/all tests/daemon/all tests/hostile/all tests/system/all tests/sim/all
  run_tests --preset tsan --parallel "$jobs" --label-regex '^(store|daemon|system)$'
}

# The other compiler, and the fuzz targets for a moment: they are built with it.
step_fuzz() {
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz --parallel "$jobs"
  tests/fuzz/run.sh 3
}

step_tidy() {
  cmake --preset release -DREPLAN_TESTS=ON >/dev/null
  git ls-files '*.c' | grep -v '^tests/' |
    xargs -P "$jobs" -n 1 clang-tidy-14 -p build/release --quiet 2>/dev/null
}

# Four busy loops a core. What is built is built before.
load() {
  local count
  for count in $(seq $((4 * jobs))); do
    (while :; do :; done) &
    loops="$loops $!"
  done
}

# shellcheck disable=SC2086
unload() {
  [ -z "$loops" ] || kill $loops 2>/dev/null || true
  loops=
}
trap unload EXIT
trap 'exit 130' INT TERM

# run_tests ARGUMENTS...: ctest, alone or beside the loops.
run_tests() {
  [ -z "$is_under_load" ] || load
  ctest "$@" || { unload; return 1; }
  unload
}

is_under_load=
steps=
for word; do
  case $word in
  --under-load) is_under_load=1 ;;
  *) steps="$steps $word" ;;
  esac
done
steps=${steps:-format release}
for step in $steps; do
  started=$(date +%s)
  printf '== %s\n' "$step"
  "step_$step"
  printf '== %s: fine after %s s\n' "$step" "$(($(date +%s) - started))"
done
printf 'suite: all steps fine:%s\n' " ${steps# }"
