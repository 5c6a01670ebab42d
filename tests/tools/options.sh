#!/bin/sh
# Refused command lines: the sentence names the option and its limit, by exit code 2, and nothing is
# printed.
#
#     options.sh REPLAN REPLAN_SIM REPLAND
set -u
replan=$1
sim=$2
repland=$3
work=$(mktemp -d) || exit 1
daemon=
trap '[ -z "$daemon" ] || kill "$daemon"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
rows=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    out: /' out
    sed 's/^/    err: /' err
    failed=$((failed + 1))
}

# refused SENTENCE PROGRAM ARGUMENTS...: stderr says these words.
refused() {
    sentence=$1
    program=$2
    shift 2
    rows=$((rows + 1))
    timeout 60 "$program" "$@" <"/dev/null" >out 2>err
    code=$?
    [ $code -eq 2 ] || fail "$program $*: exit $code, not 2"
    grep -qF -- "$sentence" err || fail "$program $*: stderr does not say: $sentence"
    [ ! -s out ] || fail "$program $*: it refuses, but prints"
}

# ---- the command line alone: wrong option, value missing, wrong value, no such command

whole='is not a number of 0..18446744073709551615'
refused 'usage: replan COMMAND' "$replan"
refused 'there is no command "nope"' "$replan" nope
refused 'there is no command "--nope"' "$replan" --nope

for command in solve run planners map watch state doctor load cheat view; do
    refused "replan $command: unrecognized option '--nope'" "$replan" $command --nope
done
refused 'there is no option --nope' "$replan" ctl --nope
refused 'there is no option --nope' "$replan" ctl worlds --nope

for option in planner open variant neighbors limit paranoid; do
    for command in solve run; do
        refused "replan $command: option '--$option' requires an argument" "$replan" $command --$option
    done
done
refused "option '--map' requires an argument" "$replan" solve --map
refused "option '--scen' requires an argument" "$replan" solve --scen
for option in out random density seed; do
    refused "option '--$option' requires an argument" "$replan" map --$option
done
for option in control count; do
    refused "option '--$option' requires an argument" "$replan" watch --$option
done
for option in control seconds rate agents size planner world seed; do
    refused "option '--$option' requires an argument" "$replan" load --$option
done
for option in control changes paths poses state; do
    refused "option '--$option' requires an argument" "$replan" doctor --$option
done
refused "option '--control' requires an argument" "$replan" cheat --control
refused '--bends' "$replan" cheat --bends
refused '--seconds "0" is not a number of 1..86400' "$replan" load --seconds 0
refused '--seconds "86401" is not a number of 0..86400' "$replan" load --seconds 86401
refused '--seconds "1.5" is not a number of 0..86400' "$replan" load --seconds 1.5
refused '--rate "-1" is not a number of 0..1000000' "$replan" load --rate -1
refused '--rate "1e9" is not a number of 0..1000000' "$replan" load --rate 1e9
refused '--agents "0" is not a number of 1..1024' "$replan" load --agents 0
refused '--agents "1025" is not a number of 0..1024' "$replan" load --agents 1025
for size in 7x100 100 100x 100x100x100 16385x8 16384x16384 -8x8 x; do
    refused "--size \"$size\" is not WxH with sides of 8..16384 and at most 267911424 cells" "$replan" load --size $size
done
refused "--seed \"x\" $whole" "$replan" load --seed x
refused '--world has 33 characters, at most 32' "$replan" load --world 123456789012345678901234567890123
refused '"stray" is one argument too many' "$replan" load stray
refused '"stray" is one argument too many' "$replan" doctor stray
refused '"stray" is one argument too many' "$replan" cheat stray
for option in changes paths poses; do
    refused "--$option: \"nonsense\" has no scheme: tcp://" "$replan" doctor --$option nonsense
done
refused "option '--control' requires an argument" "$replan" view --control
refused '"c" is one argument too many, it takes WORLD and AGENT' "$replan" view a b c
refused 'WORLD has 33 characters, at most 32' "$replan" view 123456789012345678901234567890123
for command in doctor load cheat view; do
    refused '--control: "nonsense" has no scheme: tcp://' "$replan" $command -c nonsense
done
refused '"tcp://a;b:1" has a character that a shell takes for its own' "$replan" cheat -c 'tcp://a;b:1'
refused 'either --json or --table' "$replan" ctl peers --json --table
refused 'agents wants these arguments: WORLD' "$replan" ctl agents
refused 'shapes wants these arguments: WORLD' "$replan" ctl shapes a b
refused 'peers wants these arguments: none' "$replan" ctl peers all
refused 'agents takes no --bends' "$replan" ctl agents w --bends
refused '--control wants a value' "$replan" ctl --control
refused '-c wants a value' "$replan" ctl worlds -c
refused '--bends takes no value' "$replan" ctl answer --bends=yes w a
refused 'there is no option --controls=x' "$replan" ctl worlds --controls=x
refused '--control: "nonsense" has no scheme: tcp://' "$replan" ctl worlds --control=nonsense
refused '--control: "nonsense" has no scheme: tcp://' "$replan" ctl -c nonsense worlds
refused '--control: "nonsense" has no scheme: tcp://' "$replan" watch -c nonsense w
for option in size map neighbors profile resolution fill expect-every origin; do
    refused "--$option wants a value" "$replan" ctl create w --$option
done

for command in solve run; do
    refused "replan $command: --planner: there is no planner \"nope\"; there are: afa" \
        "$replan" $command --planner nope
    refused '--open "stack" is neither heap nor buckets' "$replan" $command --open stack
    refused '--variant "3" is not a number of 0..2' "$replan" $command --variant 3
    refused '--neighbors "6" is neither 4 nor 8' "$replan" $command --neighbors 6
    refused "--limit \"-1\" $whole" "$replan" $command --limit -1
    refused "--limit \"18446744073709551616\" $whole" "$replan" $command --limit 18446744073709551616
    refused '--paranoid "4294967296" is not a number of 0..4294967295' "$replan" $command --paranoid 4294967296
done
printf 'replan-script 1\nsize 9 9\nstart 1 1\ngoal 7 7\nplan\n' >motion.txt
lattice() {
    sentence=$1
    shift
    refused "$sentence" "$replan" run motion.txt --planner lattice "$@"
}
lattice '--turning-radius "nan" is not a number' --turning-radius nan
lattice '--turning-radius "0x4" is not a number' --turning-radius 0x4
lattice '--turning-radius -1 is outside 0..64' --turning-radius -1
lattice '--turning-radius 65 is outside 0..64' --turning-radius 65
lattice '--turning-radius 0 is outside 0..64, and a car cannot turn on 0' --turning-radius 0
lattice 'no move of up to 8 cells turns by one of 16 headings; it can turn with --headings 32' --turning-radius 18
lattice 'one of 8 headings; it can turn with --headings 16, 32' --turning-radius 15 --headings 8
lattice 'it can turn with none' --turning-radius 40
lattice '--body-radius -0.1 is outside 0..64' --body-radius -0.1
lattice '--body-radius 100 is outside 0..64' --body-radius 100
lattice '--body-radius 5 is more than half of the world of 9 x 9' --body-radius 5
lattice '--headings 12 is none of 8, 16, 32, 64' --headings 12
lattice '--headings "x" is not a number' --headings x
lattice '--drive "tank" is none of car, spot, omni' --drive tank
lattice '--turn-price 0 is outside 0.01..1000' --drive spot --turn-price 0
lattice '--bound-percent "51" is not a number of 0..50' --bound-percent 51
refused '--map FILE is missing' "$replan" solve
refused '--map gone.map: cannot be opened' "$replan" solve --map gone.map --scen gone.scen --planner astar
refused 'it takes one FILE' "$replan" run
refused 'gone.scen: cannot be opened' "$replan" run gone.scen --planner astar
refused 'it takes --json or nothing' "$replan" planners stray
refused '--random "0x3" is not WxH with sides of 1..16384' "$replan" map --random 0x3
refused '--density "101" is not a number of 0..100' "$replan" map --random 3x3 --density 101
refused "--seed \"1.5\" $whole" "$replan" map --random 3x3 --seed 1.5
refused '--out /proc/x: ' "$replan" map --random 3x3 --out /proc/x
refused '--count "many" is not a number of 0..4294967295' "$replan" watch w --count many
refused '--control: "nonsense" has no scheme: tcp://' "$replan" watch w --control nonsense
refused '--control: "nonsense" has no scheme: tcp://' "$replan" ctl worlds --control nonsense
refused 'there is no command nope' "$replan" ctl nope
refused 'worlds takes no --size' "$replan" ctl worlds --size 3x3
refused 'pose wants these arguments: WORLD AGENT X Y [YAW]' "$replan" ctl pose w a
refused '"mend" is none of check, info, dump, export, import' "$replan" state mend .
refused 'check wants these arguments: DIR' "$replan" state check
refused 'check wants these arguments: DIR' "$replan" state check . out
refused 'export wants these arguments: DIR [FILE]' "$replan" state export
refused '"" is none of check, info, dump, export, import' "$replan" state

# ---- replan-sim

refused "unrecognized option '--nope'" "$sim" --nope
refused 'stray: this program takes options only' "$sim" stray
for option in scenario duration seed size agents rate planner check-rate report world control changes poses; do
    refused "option '--$option' requires an argument" "$sim" --$option
done
refused '--scenario nowhere: there is none of that name; --list prints them' "$sim" --scenario nowhere
refused '--duration -1: a number from 0 to 1e+07' "$sim" --duration -1
refused '--seed 18446744073709551616: a whole number from 0 to 18446744073709551615' "$sim" --seed 18446744073709551616
refused '--size 16385x1: WxH in cells is needed, each at most 16384, at most 267911424' "$sim" --size 16385x1
refused '--agents 1025: a whole number from 1 to 1024' "$sim" --agents 1025
refused '--rate nan: a number from 0 to 100000' "$sim" --rate nan
refused '--check-rate 1.1: a number from 0 to 1' "$sim" --check-rate 1.1
refused '--report /proc/x: ' "$sim" --headless --report /proc/x
refused '--control "nonsense": has no scheme: tcp://' "$sim" --headless --control nonsense

# ---- values that are looked at when there is a daemon

"$repland" --changes 'tcp://127.0.0.1:*' --paths 'tcp://127.0.0.1:*' --control 'tcp://127.0.0.1:*' \
    --poses 'tcp://127.0.0.1:*' 2>log &
daemon=$!
until grep -q event=ready log; do
    kill -0 "$daemon" || { cat log; exit 1; }
    sleep 0.05
done
control=$(sed -n 's/.*event=ready.* control=\([^ ]*\).*/\1/p' log)
"$replan" ctl --control "$control" create w --size 8x8 || exit 1

# ctl SENTENCE ARGUMENTS...
ctl() {
    sentence=$1
    shift
    refused "$sentence" "$replan" ctl --control "$control" "$@"
}

ctl '--size "12" is not WIDTHxHEIGHT in cells' create v --size 12
ctl 'geometry.width is 0, it must be 1 to 16384' create v --size 0x4
ctl 'create_world.neighbors is 5, it must be 4 or 8' create v --size 3x3 --neighbors 5
ctl '--resolution "x" is not a number' create v --size 3x3 --resolution x
ctl 'geometry.resolution is -1, it must lie within 0.0001 and 10000' create v --size 3x3 --resolution -1
ctl '--fill "256" is not a number of 0..255' create v --size 3x3 --fill 256
ctl '--expect-every "-1" is not a number of 0..4294967295' create v --size 3x3 --expect-every -1
ctl '--origin "1" is not X,Y or X,Y,YAW' create v --size 3x3 --origin 1
ctl '--map gone.map: cannot be opened' create v --map gone.map
ctl 'create wants either --size or --map' create v
for option in gain interval max-age lease within; do
    ctl "--$option \"x\" is not a number of 0..4294967295" open w a 1 1 2 2 --$option x
done
for option in follow escape tolerance radius; do
    ctl "--$option \"x\" is not a number" open w a 1 1 2 2 --$option x
done
ctl '--inflation "1,2" is not INSCRIBED,RADIUS,SCALING' open w a 1 1 2 2 --inflation 1,2
ctl 'open_agent.planner: there is no planner "nope"' open w a 1 1 2 2 --planner nope
ctl 'body.profile: world "w" has no profile "nope"' open w a 1 1 2 2 --profile nope
ctl '--wait "never" is not applied, durable or settled' set w 1 1 1 1 0 --wait never
ctl 'X "-1" is not a number of 0..4294967295' set w -1 1 1 1 0
ctl 'BYTE "256" is not a number of 0..255' set w 1 1 1 1 256
ctl '--ttl "x" is not a number of 0..4294967295' disc w 1 1 1 1 0 --ttl x
ctl '--output /proc/x: ' snapshot w --output /proc/x
refused 'watch.world has the byte 0x2f at 1' "$replan" view -c "$control" a/b
ctl 'world: there is no world "v"' agents v
ctl 'list_agents.world has the byte 0x2f at 1' agents a/b
ctl 'list_shapes.world is empty' shapes ''
refused 'open_agent.planner: there is no planner "nope"' "$replan" load -c "$control" --planner nope
refused 'create_world.world has the byte 0x2f at 1' "$replan" load -c "$control" --world a/b
refused 'create_world.world: "w" is there already' "$replan" load -c "$control" --world w
refused 'world: create_world.world has the byte 0x2f at 1, names are made of' \
    "$sim" --headless --control "$control" --world a/b
for option in changes poses; do
    refused "--$option \"nonsense\": has no scheme: tcp://" \
        "$sim" --headless --control "$control" --$option nonsense
done
refused 'open_agent.planner: there is no planner "nope"' \
    "$sim" --headless --control "$control" --planner nope

[ $failed = 0 ] && echo "options: $rows command lines refused by name and limit"
exit $failed
