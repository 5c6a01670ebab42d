#!/usr/bin/env bash
# What curves are held to, at the size that a suite has no time for: each step is one program, which tells what it counted.
# `tests/motion.sh STEP...` runs some: words, sweeps, bits, bound, changes, curves, complete.
set -eu
cd "$(dirname "$0")/.."
build=build/release
export REPLAN_TEST_OUT=$PWD/$build

# Lengths and ends of a million pairs of poses, beside OMPL.
step_words() { tests/planners/motion/ompl.sh "$build" 1000000 || [ $? = 77 ]; }

# 10^5 random worlds of one-cell obstacles, by sweeps and by the checker.
step_sweeps() { REPLAN_MOTION_ROUNDS=12500 "$build/tests/test_sweep"; }

# The same bits from every compiler that is here.
step_bits() { tests/planners/motion/golden.sh "$build"; }

# Every legal edge of 20 worlds for each of seven bodies, on normal and on weighted ground.
step_bound() { REPLAN_BOUND_WORLDS=20 "$build/tests/test_lattice_bound"; }

# 10^5 changes, each answer beside that of a lattice that knows nothing of what was.
step_changes() { REPLAN_LATTICE_CHANGES=100000 "$build/tests/test_lattice_changes"; }

# 10^5 published curves of every drive, body and mode, by the checker.
step_curves() { REPLAN_DRIVING_CURVES=100000 "$build/tests/test_driving_by_chance"; }

# Paths that a lattice of 64 headings on cells of a third finds.
step_complete() { REPLAN_COMPLETENESS_WORLDS=400 "$build/tests/test_completeness"; }

[ $# -gt 0 ] || set -- words sweeps bits bound changes curves complete
failed=
for step in "$@"; do
  begun=$SECONDS
  "step_$step" || failed="$failed $step"
  echo "motion: $step took $((SECONDS - begun)) s"
done
[ -z "$failed" ] || { echo "motion: failed:$failed" >&2; exit 1; }
