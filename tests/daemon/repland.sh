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
complains '--control: "nonsense" has no scheme'
# What cannot be opened is told with its option.
for socket in control changes paths poses; do
    # shellcheck disable=SC2086
    story "a socket where none can be: $socket" 2 $free --$socket ipc:///proc/x
    complains "--$socket: cannot bind \"ipc:///proc/x\""
done
for socket in changes poses; do
    # shellcheck disable=SC2086
    story "a publisher that cannot be: $socket" 2 $free --$socket-from ipc://
    complains "--$socket-from: cannot connect to \"ipc://\""
done
for option in state record log-file; do
    # shellcheck disable=SC2086
    story "a file where none can be: $option" 2 $free --$option /proc/x
    complains "--$option"
    complains "/proc/x"
done
for option in replay config map; do
    # shellcheck disable=SC2086
    story "a file that is not there: $option" 2 $free --$option /proc/x
    complains "--$option: "
    complains "/proc/x"
done
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
# A port that somebody has: the first says which it got.
story="a port that is used"
rm err
# shellcheck disable=SC2086
"$repland" $free --map a.map >out 2>err &
process=$!
while kill -0 "$process" 2>/dev/null && ! grep -qs "event=ready" err; do sleep 0.05; done
used=$(sed -n 's/.* poses=\([^ ]*\).*/\1/p' err)
# shellcheck disable=SC2086
story "a port that is used" 2 $free --poses "$used"
complains "--poses: cannot bind \"$used\": Address already in use"
kill -TERM "$process"
wait "$process"

live "huge pages only if asked for" --map a.map --pages huge
[ "${thp:-1}" -eq 1 ] || fail "it takes none"

# Whoever reads its log, or does not, it runs until it is told to stop.
# begin SENTENCE ARGUMENTS...: start it, on descriptors as they are, and wait until it can be spoken to.
begin() {
    story=$1
    shift
    rm -f control out err
    : >out
    : >err
    # shellcheck disable=SC2086
    "$repland" $free --control "ipc://$work/control" "$@" &
    process=$!
    while kill -0 "$process" 2>/dev/null && ! [ -S control ]; do sleep 0.05; done
}

# end: stop it in order.
end() {
    kill -TERM "$process" 2>/dev/null
    wait "$process"
    code=$?
    [ "$code" -eq 0 ] || fail "exit $code, not 0"
}

# is_in FILE WORD: wait until it is, as long as the process lives.
is_in() {
    while kill -0 "$process" 2>/dev/null && ! grep -qsF -- "$2" "$1"; do sleep 0.05; done
    grep -qsF -- "$2" "$1" || fail "$1 does not say: $2"
}

begin "a hangup ends nothing" 2>log
is_in log event=ready
kill -HUP "$process"
end
grep -q "event=stop" log || fail "it did not end in order"

begin "a hangup begins the log anew" --log-file log.file
is_in log.file event=ready
mv log.file log.moved
kill -HUP "$process"
while kill -0 "$process" 2>/dev/null && ! [ -e log.file ]; do sleep 0.05; done
end
grep -q "event=stop" log.file || fail "the new file does not hold what came last"
grep -q "event=stop" log.moved && fail "the old file was written to"

begin "descriptors that are closed" --log-file closed.file 0<&- 1>&- 2>&-
is_in closed.file event=ready
for descriptor in 0 1 2; do
    target=$(readlink "/proc/$process/fd/$descriptor")
    [ "$target" = /dev/null ] || fail "descriptor $descriptor is $target"
done
end

mkfifo full
exec 3<>full
head -c 65536 /dev/zero >&3
begin "stderr that nobody reads" --log debug 2>&3
end
story="stderr that nobody reads, and a start that is refused"
# shellcheck disable=SC2086
"$repland" $free --planner none-such 2>&3 &
process=$!
kill -TERM "$process"
wait "$process" 2>/dev/null
code=$?
[ "$code" -eq 143 ] || [ "$code" -eq 2 ] || fail "exit $code"
exec 3>&-

story="a log that is as long as it may be"
head -c 2000 /dev/zero >log
# shellcheck disable=SC2086
(ulimit -f 1 && exec "$repland" $free --control "ipc://$work/limited" 2>>log) &
process=$!
while kill -0 "$process" 2>/dev/null && ! [ -S limited ]; do sleep 0.05; done
end

# A path is one daemon's, as a port is; whether it is awake, stopped, or lost the name.
# shellcheck disable=SC2086
{
    begin "a path that is in use" 2>log
    is_in log event=ready
    story "a second daemon on a path" 2 $free --control "ipc://$work/control"
    complains "ipc://$work/control"
    complains "listening there"
    kill -STOP "$process"
    story "a path of a daemon that is stopped" 2 $free --paths "ipc://./control"
    complains "listening there"
    kill -CONT "$process"
    rm control
    story "a path that was removed" 2 $free --control "ipc://$work/control"
    complains "its process lives"
    kill -KILL "$process"
    wait "$process" 2>/dev/null
    begin "a path of a daemon that will be dead" --paths "ipc://$work/left" 2>log
    is_in log event=ready
    kill -KILL "$process"
    wait "$process" 2>/dev/null
    [ -S left ] || fail "its path is gone"
    begin "a path that it left behind" --paths "ipc://$work/left" 2>log
    is_in log event=ready
    end
    story "a path for two sockets" 2 $free --control "ipc://$work/both" --paths "ipc://$work/both"
    complains "listening there"
    story "a path of something else" 2 $free --control "ipc://$work/a.map"
    complains "no socket"
    [ -s a.map ] || fail "a.map is gone"
}

story "a file of the log that cannot be" 2 --log-file /nowhere/at/all
complains "--log-file"
complains "/nowhere/at/all"

[ "$failed" -eq 0 ] && echo "repland: all fine"
exit "$failed"
