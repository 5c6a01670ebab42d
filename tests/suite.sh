#!/usr/bin/env bash
# The suite, step by step, with the time of each: format and release decide whether a change lands.
# `tests/suite.sh STEP...` runs others: dev, tsan, fuzz, tidy.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)

sources() { git ls-files '*.c' '*.h' 2>/dev/null || find . -path ./build -prune -o -name '*.[ch]' -print; }

step_format() {
  sources | xargs clang-format-14 --dry-run -Werror
}

step_release() {
  cmake --preset release -DREPLAN_TESTS=ON >/dev/null
  cmake --build --preset release --parallel "$jobs"
  ctest --preset release --parallel "$jobs"
}

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer.
step_dev() {
  cmake --preset dev >/dev/null
  cmake --build --preset dev --parallel "$jobs"
  ctest --preset dev --parallel "$jobs" --label-exclude '^(slow|layering)$'
}

# ThreadSanitizer, for what runs beside libzmq's threads.
step_tsan() {
  cmake --preset tsan >/dev/null
  cmake --build --preset tsan --parallel "$jobs" --target repland replan-sim clients/python/all \
    tests/store/all tests/daemon/all tests/hostile/all tests/system/all tests/sim/all
  ctest --preset tsan --parallel "$jobs" --label-regex '^(store|daemon|system)$'
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

steps=${*:-format release}
for step in $steps; do
  started=$(date +%s)
  printf '== %s\n' "$step"
  "step_$step"
  printf '== %s: fine after %s s\n' "$step" "$(($(date +%s) - started))"
done
printf 'suite: all steps fine: %s\n' "$steps"
