#!/usr/bin/env bash
# How much of the code do the tests notice? N small changes, one at a time, to the given sources
# (mutate.py); for each the tests of its noun, then those of its folder, then the storm or the stories.
#
#     tests/mutants.sh N SEED FILE...
#
# Works on a copy in build/mutants. A line a change: KILLED by which test, LIVES, or INVALID (does not
# build; another one is taken). A test kills when it fails twice under the change and passes without it.
# At the end how many were made, killed, lived and did not build, of all and of each file, and a list of
# those that lived or did not build. Those that live must be looked at: either they change nothing that
# matters, or a test is missing. Exit code 1 when one lives, 2 when the tests fail without any change.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 3 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
count=$1
seed=$2
shift 2
jobs=$(nproc)
work=$PWD/build/mutants
log=$work/log
judged=$work/judged
mkdir -p "$work/src"
: >"$judged"
# What differs is copied, an interrupted run's change too, and is newer then than what was built of it.
while IFS= read -r -d '' file; do
  [ -f "$file" ] || continue
  mkdir -p "$work/src/${file%/*}"
  cmp -s "$file" "$work/src/$file" || cp "$file" "$work/src/$file"
done < <(git ls-files -z --cached --others --exclude-standard | sed -z 's|^|./|')
cd "$work/src"
build=build/release # as deep as other builds, for those that share a compiler cache
cmake -G Ninja -B $build -DCMAKE_BUILD_TYPE=Release -DREPLAN_TESTS=ON -DREPLAN_WERROR=OFF \
  -DCMAKE_EXE_LINKER_FLAGS="${LDFLAGS-} -fsanitize=leak" >/dev/null # what is not freed fails, as under `dev`

built() { # targets, joined by commas; what ninja is told besides
  # shellcheck disable=SC2086
  cmake --build $build --parallel "$jobs" --target ${1//,/ } -- "${@:2}" >"$log" 2>&1
}

# Run the tests that are named by folder of the build and options. A change may make a program hang.
tests_pass() {
  ctest --test-dir "$build/$1" --parallel "$jobs" --stop-on-failure --repeat until-pass:2 --timeout 120 "${@:2}" >"$log" 2>&1
}

first_failure() { sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$log" | head -1; }

programs=daemon/all,tools/all,sim/all,clients/c/all

# step SOURCE...: the line of steps() that runs the programs of these sources of tests.
step() {
  local source names=()
  for source; do
    source=${source##*/test_}
    names+=("$kind${source%.c}")
  done
  [ $# = 0 ] || (IFS=, && printf '%s' "${names[*]/#/test_}" && IFS='|' && echo " . -R ^(${names[*]})(_with_workers)?\$")
}

# steps FILE: a line for each run of tests: what to build, in which folder of the build to run what.
# First the noun's own tests, wherever in its folder they are, then those of its room: cheap ones first.
steps() {
  local folder=${1%%/*} room=${1%/*} noun kind=
  noun=$(basename "${1%.*}")
  [ "$folder" != files ] || kind=files_
  # shellcheck disable=SC2046
  step $(find "tests/$folder" -name "test_$noun.c")
  # shellcheck disable=SC2046
  [ "$room" = "$folder" ] || [ ! -d "tests/$room" ] ||
    step $(find "tests/$room" -name 'test_*.c' ! -name "test_$noun.c")
  case $folder in
  planners) echo "tests/planners/all tests/planners -R ^(contract|native|oracle|budget|family)" ;;
  daemon | clients) echo "$programs,tests/$folder/all tests/$folder" ;; # they start programs
  *) echo "$folder/all,tests/$folder/all tests/$folder" ;;
  esac
  case $folder in
  engine) echo "tests/slices/all . -R ^engine_slices\$" ;;
  msgs | store) echo "tests/daemon/all,tests/fuzz/all . -L ^(daemon|fuzz)\$ -E ^daemon_repland" ;;
  files) echo "tests/fuzz/all tests/fuzz" ;;
  esac
  case $folder in # strangers measure memory, which a busy machine disturbs
  daemon | msgs | store | clients) echo "$programs . -L ^system\$ -E ^strangers" ;;
  files | tools) echo "$programs,gppc/all . -R ^tools_(replan|batch)" ;;
  esac
}

# The outcome of the change that stands in the sources now.
outcome() {
  local target rest
  while read -r target rest; do
    echo "$target" >"$work/target"
    built "$target" || { echo INVALID; return; }
    # shellcheck disable=SC2086
    tests_pass $rest || { echo "KILLED by $(first_failure)"; return; }
  done < <(steps "$1")
  echo LIVES
}

# A test that has killed must pass now that nothing is changed.
declare -A sound
prove() {
  [ -z "${sound[$1]-}" ] || return 0
  built "$(cat "$work/target")" || { tail -20 "$log" >&2; exit 2; }
  tests_pass . -R "^$1\$" || { echo "$1 fails without any change: $log" >&2; exit 2; }
  sound[$1]=1
}

# How many of the judged lines that hold $2 begin with $1.
tally() { grep -F -- "$2" "$judged" | grep -c "^$1" || true; }

report() { # of which lines, by what name
  local killed lived
  killed=$(tally KILLED "$1")
  lived=$(tally LIVES "$1")
  echo "$2: made $((killed + lived)), killed $killed, lived $lived, did not build $(tally INVALID "$1")"
}

for file in "$@"; do # a target that is not there would pass for a change that does not build
  while read -r target _; do
    built "$target" -n || { cat "$log" >&2; exit 2; }
  done < <(steps "$file")
done

tried=0
while read -r place; do
  [ "$tried" -lt "$count" ] || break
  file=${place%%:*}
  cp "$file" "$work/whole"
  change=$(/usr/bin/python3 tests/mutate.py apply "$place")
  what=$(outcome "$file")
  cp "$work/whole" "$file" # newer than what was built of the change
  printf '%s  %s  %s\n' "$what" "$place" "$change" | tee -a "$judged"
  [ "$what" = INVALID ] || tried=$((tried + 1))
  case $what in KILLED*) prove "${what#KILLED by }" ;; esac
done < <(/usr/bin/python3 tests/mutate.py list $((2 * count)) "$seed" "$@")

for file in "$@"; do report "  $file:" "$file"; done
grep -E '^(LIVES|INVALID)' "$judged" || true
report '' 'mutants'
[ "$(tally LIVES '')" = 0 ]
