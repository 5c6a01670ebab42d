#!/bin/sh
# `replan state` as a user meets it: whole, damaged and used folders; what is exported comes back.
#
#     state.sh REPLAN REPLAND FOLDER_OF_STATES
set -u
replan=$1
repland=$2
states=$3
work=$(mktemp -d) || exit 1
daemon=
trap '[ -z "$daemon" ] || kill -9 "$daemon"; rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    out: /' "$work/out"
    sed 's/^/    err: /' "$work/err"
    failed=$((failed + 1))
}

# expect CODE ACTION ARGUMENTS...: run replan state and hold it to an exit code.
expect() {
    code=$1
    shift
    "$replan" state "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "state $*: exit $got, not $code"
}

says() {
    grep -qF -- "$1" "$work/out" || fail "the output does not say: $1"
}

complains() {
    grep -qF -- "$1" "$work/err" || fail "stderr does not say: $1"
}

# What a start would be told, without the numbers and formats of records.
story_of() {
    "$replan" state dump "$1" | sed 's/^{"record":[0-9]*,"base":[a-z]*,"format":[0-9],//'
}

for format in 1 2; do
    state=$work/$format
    cp -r "$states/$format" "$state"
    expect 0 check "$state"
    says "0 torn behind them; in use, or killed; base of generation 2"
    expect 0 check --json "$state"
    says '{"whole":true,"nothing":false,"records":2'
    says '"torn_bytes":0,"torn_or_damaged":false,'
    expect 0 info "$state"
    says "world marsh: created 16 x 8"
    expect 0 dump "$state"
    says "\"format\":$format,"
    says '"message":{"create_world":{"world":"marsh",'
    says '"open_agent":{"world":"marsh","agent":"third","policy":{"lease_s":0}}'

    # One file and back: the same story, of the same format, in two files that know each other.
    expect 0 export "$state" "$work/file"
    expect 0 import "$work/back-$format" "$work/file"
    story_of "$state" >"$work/one"
    story_of "$work/back-$format" >"$work/other"
    cmp -s "$work/one" "$work/other" || fail "format $format comes back otherwise"
    expect 0 dump "$work/back-$format"
    says "\"format\":$format,"
    expect 2 import "$work/back-$format" "$work/file"
    complains "it is not empty"
    diff -r --exclude=lock "$states/$format" "$state" >"$work/out" || fail "looking changed it"

    # A file of it that is cut is none.
    head -c 1000 "$work/file" >"$work/cut"
    expect 2 import "$work/never" "$work/cut"
    complains "it is no whole file"
    [ ! -e "$work/never" ] || fail "it made a folder"
done

# Damage: named, by a code of its own where that was asked.
printf 'X' | dd of="$work/2/00000002.log" bs=1 seek=200 conv=notrunc 2>/dev/null
cp -r "$work/2" "$work/kept"
expect 1 check "$work/2"
complains "00000002.log: damaged: record"
expect 1 check --json "$work/2"
says '{"whole":false,"damage":"'
expect 2 info "$work/2"
expect 2 dump "$work/2"
expect 2 export "$work/2" "$work/none"
complains "00000002.log: damaged: record"
[ ! -e "$work/none" ] || fail "it exported what is damaged"
diff -r "$work/kept" "$work/2" >"$work/out" || fail "looking at damage changed it"
expect 2 check "$work/nowhere"
complains "No such file or directory"
expect 2 mend "$work/2"
complains "\"mend\" is none of check, info, dump, export, import"

# Of format 1 a torn end may be a damaged one; what stands before a whole record is damage.
cp -r "$work/1" "$work/flipped"
size=$(wc -c <"$work/flipped/00000002.log")
truncate -s $((size - 3)) "$work/flipped/00000002.log"
expect 0 check "$work/flipped"
says "torn behind them, or damaged, which a log of format 1 cannot tell; in use, or killed"
expect 0 check --json "$work/flipped"
says '"torn_or_damaged":true'
printf 'X' | dd of="$work/flipped/00000002.log" bs=1 seek=100 conv=notrunc 2>/dev/null
expect 1 check "$work/flipped"
complains "00000002.log: damaged: record 2"

# Nothing is neither whole, nor in use, nor killed.
mkdir "$work/empty"
for action in check info; do
    expect 0 $action "$work/empty"
    says "nothing: neither a base nor a log is in it"
    expect 0 $action --json "$work/empty"
    says '"nothing":true'
done
expect 0 dump "$work/empty"
[ -z "$(ls -A "$work/empty")" ] || fail "looking made something"

# A folder in use is looked at, and not taken away.
"$repland" --state "$work/back-1" --changes 'tcp://127.0.0.1:*' --paths 'tcp://127.0.0.1:*' \
    --control 'tcp://127.0.0.1:*' --poses 'tcp://127.0.0.1:*' 2>"$work/log" &
daemon=$!
until grep -q event=ready "$work/log"; do
    kill -0 "$daemon" || { cat "$work/log"; exit 1; }
    sleep 0.05
done
expect 0 check "$work/back-1"
expect 0 info "$work/back-1"
says "world marsh"
for action in dump export; do
    expect 2 $action "$work/back-1"
    complains "is in use by another process"
done
expect 2 import "$work/back-1" "$work/file"
complains "it is not empty"
control=$(sed -n 's/.*event=ready.* control=\([^ ]*\).*/\1/p' "$work/log")
"$replan" ctl --control "$control" worlds >"$work/out" 2>"$work/err" || fail "no worlds"
says "marsh"
kill "$daemon"
wait "$daemon"
daemon=
expect 0 check "$work/back-1"
says "closed in order"

[ $failed = 0 ] && echo "state: looked at, moved, and refused"
exit $failed
