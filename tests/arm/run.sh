#!/usr/bin/env bash
# What the processors of robots compute: everything here is built for aarch64 and run by qemu-user, said explicitly
# each time, so no binfmt is needed. Natively built programs in build/release are what it is held against.
# usage: run.sh [STEP...]: units, oracle, tapes, path, musl; without any: all
set -eu
cd "$(dirname "$0")/../.."
ORACLE_PLANS=2000 # of each planner
TAPE_SECONDS=2    # of each scenario
emulated=build/aarch64/emulated
export CK_TIMEOUT_MULTIPLIER=20
NOT_EMULATED='^(oracle.*|files_map_server|motion_ompl|prefault)$' # a step of its own; a script; another's library; pages, which the emulator does not tell

# The planners, engine, messages and files, test by test. What only scripts can test is left to the machine's own build.
step_units() {
  local folder
  for folder in base planners engine msgs files; do
    ctest --test-dir "build/aarch64/tests/$folder" --output-on-failure --parallel "$(nproc)" \
      --exclude-regex "$NOT_EMULATED"
  done
}

step_oracle() {
  "$emulated/tests/test_oracle" "$ORACLE_PLANS" 1
}

# What a daemon of x86 recorded, a daemon of aarch64 says again byte by byte.
step_tapes() {
  rm -rf build/aarch64/tapes
  /usr/bin/python3 tests/house/tapes.py record build/release build/aarch64/tapes --seconds "$TAPE_SECONDS"
  /usr/bin/python3 tests/house/tapes.py replay "$emulated" build/aarch64/tapes
}

# Daemon and client, two emulated processes, over tcp.
step_path() {
  local log endpoint="" daemon code=0
  log=$(mktemp)
  "$emulated/bin/repland" --control 'tcp://127.0.0.1:*' --changes 'tcp://127.0.0.1:*' \
    --paths 'tcp://127.0.0.1:*' --poses 'tcp://127.0.0.1:*' 2>"$log" &
  daemon=$!
  while [ -z "$endpoint" ] && kill -0 "$daemon" 2>/dev/null; do
    endpoint=$(sed -n 's/.*event=ready.* control=\([^ ]*\).*/\1/p' "$log")
    sleep 0.1
  done
  "$emulated/examples/first_path" "$endpoint" || code=$?
  kill "$daemon" 2>/dev/null || code=1
  wait "$daemon" || true
  rm -f "$log"
  return "$code"
}

# Another C library, and the games that both architectures play, move by move.
step_musl() {
  cmake -S . -B build/musl -G Ninja -DCMAKE_C_COMPILER=musl-gcc -DREPLAN_ENGINE_ONLY=ON >/dev/null
  cmake --build build/musl --parallel "$(nproc)" --target game_loop skirmish
  local build
  for build in build/musl "$emulated"; do
    "$build/examples/game_loop" | cmp - <(build/release/examples/game_loop)
    "$build/examples/skirmish" 300 blind | cmp - <(build/release/examples/skirmish 300 blind)
  done
}

# A folder of programs like build/release, each of which starts the emulator.
emulate() {
  local program
  for program in bin/repland tests/test_oracle examples/first_path examples/game_loop examples/skirmish; do
    mkdir -p "$(dirname "$emulated/$program")"
    printf '#!/bin/sh\nexec qemu-aarch64 -L / "%s" "$@"\n' "$PWD/build/aarch64/$program" >"$emulated/$program"
    chmod +x "$emulated/$program"
  done
}

emulate
for step in ${*:-units oracle tapes path musl}; do
  started=$(date +%s)
  printf '== %s\n' "$step"
  "step_$step"
  printf '== %s: fine after %s s\n' "$step" "$(($(date +%s) - started))"
done
