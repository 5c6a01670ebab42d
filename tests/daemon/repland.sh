#!/bin/sh
# repland as a process: what it is told on its command line, its exit codes and its sentences.
#
#     repland.sh REPLAND
set -u
repland=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "FAILED: $story: $*"
    sed 's/^/    out: /' out
    sed 's/^/    err: /' err
    failed=$((failed + 1))
}

# story SENTENCE CODE ARGUMENTS...: run it to its end and hold it to an exit code.
story() {
    story=$1
    code=$2
    shift 2
    timeout 60 "$repland" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$code" ] || fail "exit $got, not $code"
}

says() { grep -qF -- "$1" out || fail "the output does not say: $1"; }
complains() { grep -qF -- "$1" err || fail "stderr does not say: $1"; }

free='--control tcp://127.0.0.1:* --changes tcp://127.0.0.1:* --paths tcp://127.0.0.1:* --poses tcp://127.0.0.1:*'
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n' >a.map
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n' >cut.map

story "help is fine" 0 --help
says "usage: repland"
story "so is the version" 0 --version
says "repland"
story "an option that is none" 2 --no-such
# shellcheck disable=SC2086
story "a planner that is none" 2 $free --planner none-such
complains "none-such"
story "an endpoint that cannot be" 2 --control nonsense
complains "nonsense"
# shellcheck disable=SC2086
story "a map that is not there" 2 $free --map gone.map
complains "gone.map"
# shellcheck disable=SC2086
story "a map that is cut" 2 $free --map cut.map
complains "cut.map"
# shellcheck disable=SC2086
story "a name that is none" 2 $free --map a.map=no/name
complains "name of a map"
# shellcheck disable=SC2086
story "two maps of one name" 2 $free --map a.map=bog --map a.map=bog
complains "bog"

# It runs until it is told to stop, and says what it opened.
# live SENTENCE ARGUMENTS...: let it open a world; $thp is then what the system says of its huge pages.
live() {
    story=$1
    shift
    rm err # what it says from now on
    # shellcheck disable=SC2086
    "$repland" $free "$@" >out 2>err &
    process=$!
    while kill -0 "$process" 2>/dev/null && ! grep -qs "event=world" err; do sleep 0.05; done
    thp=$(sed -n 's/^THP_enabled:[^0-9]*//p' "/proc/$process/status")
    kill -TERM "$process" 2>/dev/null
    wait "$process"
    code=$?
    [ "$code" -eq 0 ] || fail "exit $code, not 0"
}

live "a map is opened before the first request" --map a.map=bog
complains "name=bog width=3 height=2"
[ "${thp:-0}" -eq 0 ] || fail "it takes huge pages unasked"
live "huge pages only if asked for" --map a.map --pages huge
[ "${thp:-1}" -eq 1 ] || fail "it takes none"

[ "$failed" -eq 0 ] && echo "repland: all fine"
exit "$failed"
