#!/bin/sh
# The command line as a user meets it: exit codes, sentences, JSON.
#
#     replan.sh REPLAN
set -u
replan=$1
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

# story SENTENCE CODE ARGUMENTS...: run replan and hold it to an exit code.
story() {
    story=$1
    code=$2
    shift 2
    "$replan" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$code" ] || fail "exit $got, not $code"
}

# The output, CPU times set to 0, is exactly what comes on stdin.
prints() {
    sed 's/"micros":[0-9]*\.[0-9]*/"micros":0/' out >seen
    cat >wanted
    cmp -s seen wanted || fail "the output is not: $(cat wanted)"
}

says() {
    grep -qF -- "$1" out || fail "the output does not say: $1"
}

complains() {
    grep -qF -- "$1" err || fail "stderr does not say: $1"
    [ -s out ] && fail "it refuses, but prints"
}

notes() {
    grep -qF -- "$1" err || fail "stderr does not say: $1"
}

# ---- a map of 5 x 3 with a wall that leaves one gap, and a cell behind bars

cat >a.map <<'END'
type octile
height 3
width 5
map
..@..
..@@@
...@.
END
cat >b.map <<'END'
type octile
height 3
width 3
map
...
.@.
...
END
head -n 5 a.map >cut.map

queries() {
    printf 'version 1\n' >q.scen
    printf '%s\n' "$@" >>q.scen
}

# ---- replan

story "without a command it shows the commands" 2
complains "usage: replan COMMAND"
story "help is fine" 0 --help
says "solve"
story "an unknown command is refused by name" 2 fly
complains 'there is no command "fly"'
for command in solve run planners map watch view doctor load cheat; do
    story "$command --help comes with an example" 0 "$command" --help
    says "example: "
    story "$command refuses an unknown option" 2 "$command" --flie
    complains "--flie"
done

story "it tells its version" 0 --version
says "replan "
story "ctl refuses the help of a command that is none" 2 ctl fly --help
complains "there is no command fly"
story "ctl helps with a command" 0 ctl open --help
says "usage: replan ctl open"
story "ctl helps with all" 0 ctl --help
says "usage: replan ctl [--control EP]"
says "example: "

# ---- planners

story "planners come id first" 0 planners
says "astar "
cut -d' ' -f1 out >ids
# Those that can do a weighted world of 8 neighbours.
grep -E ' can [0-9,]*8[a-z0-9,-]*weighted' out | cut -d' ' -f1 >weighted_ids
story "planners as JSON" 0 planners --json
sed 's/^{"id":"\([a-z-]*\)","guarantee":"[^"]*","native":\[[^]]*\],"can":\["[^]]*\],"bytes_per_cell":[0-9]*,"paper":"[^"]*"}$/\1/' \
    out >json_ids
cmp -s ids json_ids || fail "JSON and table list different planners"

# ---- solve

queries "0 b.map 3 3 0 0 2 0 2.00" "0 b.map 3 3 0 1 2 1 4.00" "0 b.map 3 3 1 0 1 0 0"
story "solve agrees" 0 solve --map b.map --scen q.scen --planner astar --json
sed -i 's/"expanded":[0-9]*/"expanded":0/' out
prints <<'END'
{"query":0,"outcome":"found","cost":2,"expected":2,"expanded":0,"micros":0,"cells":3}
{"query":1,"outcome":"found","cost":4,"expected":4,"expanded":0,"micros":0,"cells":5}
{"query":2,"outcome":"found","cost":0,"expected":0,"expanded":0,"micros":0,"cells":1}
END
notes "queries 3, found 3, no path 0, blocked 0, checked 3, differ 0"
story "solve prints a table" 0 solve --map b.map --scen q.scen --planner astar
says "queries 3, found 3"
[ "$(wc -l <out)" -eq 6 ] || fail "not a head, 3 rows and 2 lines of summary"
story "solve --limit stops" 0 solve --map b.map --scen q.scen --planner astar --limit 1 --quiet
says "queries 1,"
story "solve --every passes over" 0 solve --map b.map --scen q.scen --planner astar --every 2 --json
grep -q '"query":2' out || fail "the third query is missing"
[ "$(wc -l <out)" -eq 2 ] || fail "not 2 of 3 queries"

queries "0 a.map 5 3 0 0 4 0 0" "0 a.map 5 3 0 0 4 2 -1" "0 a.map 5 3 2 0 0 0 2" \
    "0 a.map 5 3 0 0 3 2 2" "0 a.map 5 3 0 0 2 2 3.41"
story "solve tells no path from blocked ends" 0 solve --map a.map --scen q.scen --planner astar --json
sed -i 's/"expanded":[0-9]*/"expanded":0/' out
prints <<'END'
{"query":0,"outcome":"no_path","cost":null,"expected":0,"expanded":0,"micros":0,"cells":0}
{"query":1,"outcome":"no_path","cost":null,"expected":-1,"expanded":0,"micros":0,"cells":0}
{"query":2,"outcome":"start_blocked","cost":null,"expected":2,"expanded":0,"micros":0,"cells":0}
{"query":3,"outcome":"goal_blocked","cost":null,"expected":2,"expanded":0,"micros":0,"cells":0}
{"query":4,"outcome":"found","cost":3.414213562373095,"expected":3.41,"expanded":0,"micros":0,"cells":4}
END
notes "2 of 5 queries begin or end in a blocked cell"
queries "0 b.map 3 3 0 0 2 1 1.00"
story "solve with 4 neighbours expects nothing" 0 solve --map b.map --scen q.scen --planner astar \
    --neighbors 4 --json
says '"cost":3,"expected":null'

# The cost is 3.41421356...
from="0 a.map 5 3 0 0 2 2"
queries "$from 3" "$from 3.4" "$from 3.41" "$from 3.4142" "$from 3.4143" "$from 3.41421356"
story "solve allows half a unit of the last digit as written, and 1e-4" 0 solve --map a.map \
    --scen q.scen --planner astar --quiet
says "checked 6, differ 0"
queries "$from 4" "$from 3.5" "$from 3.42" "$from 3.4144" "$from 3.414"
story "solve allows no more" 1 solve --map a.map --scen q.scen --planner astar --quiet
says "checked 5, differ 4"
notes "q.scen:4: found, cost 3.414213562373095, expected 3.42"
queries "0 a.map 5 3 0 0 4 0 4.00"
story "a path that is not there differs" 1 solve --map a.map --scen q.scen --planner astar --quiet
notes "q.scen:2: no_path, expected 4"
queries "0 b.map 3 3 0 0 2 0 -1"
story "a path where none was recorded differs" 1 solve --map b.map --scen q.scen --planner astar --quiet
notes "q.scen:2: found, cost 2, expected no path"

queries "0 b.map 3 3 0 0 3 0 2.00"
story "solve refuses a cell outside" 2 solve --map b.map --scen q.scen --planner astar
complains 'q.scen:2: goal x "3" is outside 0..2'
story "solve refuses a map cut short" 2 solve --map cut.map --scen q.scen --planner astar
complains "cut.map:4: the file is cut short"
story "solve refuses a map that is not there" 2 solve --map none.map --scen q.scen --planner astar
complains "none.map: cannot be opened"
story "solve refuses a folder" 2 solve --map . --scen q.scen --planner astar
complains ".: cannot be read"
story "solve needs a map" 2 solve --scen q.scen --planner astar
complains "--map FILE is missing"
story "solve needs a planner" 2 solve --map b.map --scen q.scen
complains "--planner ID is missing"
story "an unknown planner is refused with those that there are" 2 solve --map b.map --scen q.scen \
    --planner dijkstra
complains 'there is no planner "dijkstra"; there are: '
story "neighbours are 4 or 8" 2 solve --map b.map --scen q.scen --planner astar --neighbors 6
complains '"6" is neither 4 nor 8'
story "a limit is a number" 2 solve --map b.map --scen q.scen --planner astar --limit -1
complains '--limit "-1" is not a number'
story "OPEN is one of two" 2 solve --map b.map --scen q.scen --planner astar --open tree
complains '--open "tree" is neither'
queries "0 b.map 3 3 0 0 2 0 2.00"
story "what a planner cannot do is refused by name" 3 solve --map b.map --scen q.scen \
    --planner lpa --variant 1
complains "planner lpa does not support --variant 1 and 2"

# ---- run: a script

cat >a.replan <<'END'
replan-script 1
size 5 3          # all free
start 0 1
goal 4 1
plan
set 2 0 1 2 0     # a wall from above, a gap below
plan
set 2 2 1 1 0
plan
set 2 0 1 3 255   # all free again
start 1 1
plan
goal 4 2
plan
plan
set 0 0 5 3 3
plan
END
story "run plans after each change" 0 run a.replan --planner astar --json
sed -i -e 's/"expanded":[0-9]*/"expanded":0/' -e 's/"restarts":[0-9]*/"restarts":0/' out
prints <<'END'
{"step":0,"version":0,"outcome":"found","cost":4,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"first"}
{"step":1,"version":1,"outcome":"found","cost":4.82842712474619,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"invalid"}
{"step":2,"version":2,"outcome":"no_path","cost":null,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"invalid"}
{"step":3,"version":3,"outcome":"found","cost":3,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"off_path"}
{"step":4,"version":3,"outcome":"found","cost":3.414213562373095,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"goal"}
{"step":5,"version":3,"outcome":"found","cost":3.414213562373095,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"request"}
{"step":6,"version":4,"outcome":"found","cost":10.242640687119286,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"request"}
END
for planner in $(cat weighted_ids); do
    story "run gives the same costs with $planner" 0 run a.replan --planner "$planner" --json
    sed 's/.*"cost":\([^,]*\),.*/\1/' out >costs
    [ "$(tr '\n' ' ' <costs)" = "4 4.82842712474619 null 3 3.414213562373095 3.414213562373095 10.242640687119286 " ] ||
        fail "costs are $(tr '\n' ' ' <costs)"
done
story "run prints paths" 0 run a.replan --planner astar --json --paths --limit 1
says '"why":"first","path":[[0,1],[1,1],[2,1],[3,1],[4,1]]}'
[ "$(wc -l <out)" -eq 1 ] || fail "--limit 1 is not one plan"
story "run prints a table" 0 run a.replan --planner astar
says "plans 7, found 6, no path 1, blocked 0"
story "run can be told to use 4 neighbours" 0 run a.replan --planner astar --neighbors 4 --json --limit 2
says '"cost":6,'

printf 'replan-script 1\nmap b.map\nwrap 1\nstart 0 0\ngoal 2 2\nplan\n' >w.replan
story "run takes a map beside the script and wraps" 0 run "$work/w.replan" --planner astar --json
says '"cost":1.4142135623730951,'
mkdir -p elsewhere
printf 'replan-script 1\nmap %s/b.map\nstart 0 0\ngoal 2 0\nplan\n' "$work" >elsewhere/absolute.replan
story "run takes a map by its absolute name" 0 run elsewhere/absolute.replan --planner astar --json
says '"outcome":"found","cost":2,'
"$replan" run - --planner astar --json <a.replan >out 2>err || fail "it does not read its input"
story="run reads its standard input"
says '"step":6'

printf 'replan-script 1\nsize 5 3\n\nset 4 0 2 1 0\n' >bad.replan
story "run refuses a set outside the world" 2 run bad.replan --planner astar
complains "bad.replan:4: 2 x 1 cells at (4, 0) are outside the world of 5 x 3"
printf 'replan-script 1\nmap none.map\n' >bad.replan
story "run refuses a map that is not there" 2 run bad.replan --planner astar
complains "none.map: cannot be opened"
story "run needs one file" 2 run --planner astar
complains "it takes one FILE"
story "run refuses what is neither format" 2 run a.map --planner astar
complains 'a.map:1: neither "version 2" nor "replan-script 1" but "type octile"'

# ---- run: a dynamic world

cat >d.patch <<'END'
type patch
patches 2
patch 0
height 2
width 1
map
@
@
patch 1
height 1
width 1
map
@
END
dynamic() {
    printf 'version 2\nheight 3\nwidth 5\ncost 1 octile\npatch d.patch\ncommands\n' >d.scen
    printf '%s\n' "$@" >>d.scen
}
dynamic "Q 0 0 1 4 1 4" "P 0 0 2 0" "Q 0 0 1 4 1 4.8284271247462" "P 0 1 2 2" "P 0 1 0 0" \
    "Q 0 0 1 4 1 -1" "Q 0 0 0 4 1 -1"
story "run agrees with recorded lengths" 0 run d.scen --planner astar --json
sed -i -e 's/"expanded":[0-9]*/"expanded":0/' -e 's/"restarts":[0-9]*/"restarts":0/' out
prints <<'END'
{"step":0,"version":0,"outcome":"found","cost":4,"expected":4,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"first"}
{"step":1,"version":1,"outcome":"found","cost":4.82842712474619,"expected":4.8284271247462,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"invalid"}
{"step":2,"version":2,"outcome":"no_path","cost":null,"expected":-1,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"invalid"}
{"step":3,"version":2,"outcome":"start_blocked","cost":null,"expected":-1,"expanded":0,"micros":0,"restarts":0,"planner":"astar","why":"off_path"}
END
dynamic "Q 0 0 1 4 1 4.001" "Q 0 0 1 4 1 -1"
story "run sees a recorded length that differs" 1 run d.scen --planner astar --quiet
says "checked 2, differ 2"
notes "d.scen: plan 0: found, cost 4, expected 4.001"
story "run holds plans against an independent search" 0 run d.scen --planner auto --neighbors 4 --paranoid 1 --quiet
says "held against an independent search 1, wrong 0"
story "with other neighbours nothing is expected" 0 run d.scen --planner astar --neighbors 4 --json
says '"expected":null'
dynamic "P 0 2 0 0"
story "run refuses a patch that is not there" 2 run d.scen --planner astar
complains "d.scen:7: patch 2 is not one of the 2 patches"
head -n 5 d.patch >e.patch
mv e.patch d.patch
story "run refuses a patch file cut short" 2 run d.scen --planner astar
complains "d.patch:2: the file is cut short: 25 bytes are left for 2 patches"

# ---- map

story "map says what it is" 0 map a.map --json
prints <<'END'
{"file":"a.map","width":5,"height":3,"free":10,"components":3,"largest":7}
END
story "map draws" 0 map a.map --draw
says "  #  "
story "map writes what it reads" 0 map b.map --out c.map
tr -d '\r' <b.map | cmp -s - c.map || fail "the copy differs"
story "map makes the same map from the same seed" 0 map --random 20x10 --density 30 --seed 7 --out r.map
story "map makes the same map from the same seed" 0 map --random 20x10 --density 30 --seed 7 --out s.map
cmp -s r.map s.map || fail "they differ"
story "what map makes can be read" 0 map r.map --json
says '"width":20,"height":10'
for suffix in yaml png pgm map; do
    story "map comes back from a .$suffix" 0 map a.map --out "$suffix.$suffix"
    [ ! -s err ] || fail "it says that cells were lost"
    story "map comes back from a .$suffix" 0 map "$suffix.$suffix" --out back.map
    story "map comes back from a .$suffix" 0 map a.map --out "a2.map"
    cmp -s a2.map back.map || fail "it differs"
done
story "map says how a YAML lies in the world" 0 map yaml.yaml --json
prints <<'END'
{"file":"yaml.yaml","width":5,"height":3,"free":10,"components":3,"largest":7,"profile":"costmap","unknown":0,"resolution":1,"origin":[0,0,0]}
END
story "map writes the bytes to any other suffix" 0 map a.map --out cells.raw
[ "$(od -An -v -tu1 cells.raw | tr -d ' \n')" = 110111100011101 ] || fail "other bytes"
printf '..#\n@..\n' >letters.txt
story "map reads rows of letters" 0 map letters.txt --json
says '"width":3,"height":2,"free":4'
printf 'P2 3 1 100\n50 100 0\n' >grey.pgm
story "map tells what it does not know" 0 map grey.pgm
says "unknown, which count as passable: 1"
story "map tells which cells a format cannot hold" 0 map grey.pgm --out grey.map
notes "grey.map: 1 cells are written as the nearest that this format holds"
printf 'image: gone.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n' >gone.yaml
story "map names the picture that is not there" 2 map gone.yaml
complains "gone.pgm: cannot be opened"
story "map names the line of a YAML" 2 map - <<'END'
image: a.png
resolution: much
END
complains '-:2: resolution: "much" is no number above 0'
queries "0 yaml.yaml 5 3 0 0 2 2 3.41"
story "solve takes a map of any format" 0 solve --map yaml.yaml --scen q.scen --planner astar --quiet
says "checked 1, differ 0"
printf 'replan-script 1\nmap png.png\nstart 0 0\ngoal 2 2\nplan\n' >picture.replan
story "run takes a picture beside the script" 0 run picture.replan --planner astar --json
says '"cost":3.414213562373095'
printf 'replan-script 1\nmap yaml.yaml\nstart 0 0\ngoal 2 2\nplan\n' >picture.replan
story "run takes no map that names another file" 2 run picture.replan --planner astar
complains 'yaml.yaml: its image "yaml.pgm" cannot be read from here'

story "map refuses sizes beyond the limit" 2 map --random 65536x65536
complains "sides of 1..16384"
story "map refuses two maps at once" 2 map a.map --random 3x3
complains "it takes one FILE, or --random WxH"
story "map refuses a density beyond all" 2 map --random 3x3 --density 101
complains '--density "101" is not a number of 0..100'
[ "$(wc -l <err)" -eq 1 ] || fail "more than one sentence"
story "map refuses a place where it cannot write" 2 map --random 3x3 --out /nowhere/x.map
complains "--out /nowhere/x.map: No such file or directory"

# ---- curves

cat >curves.txt <<'END'
replan-script 1
size 30 12
start 3 3
goal 26 8
plan
set 15 0 1 9 0
plan
set 15 9 1 3 0
plan
END
story 'curves are found, lengthened and cut off' 0 run curves.txt --planner lattice --bound-percent 0 --json --curves
[ "$(grep -c '"outcome":"found"' out)" = 2 ] || fail "not two plans are found"
says '"outcome":"no_path","cost":null'
says '"bound":'
says '"curves":[{"x":3,"y":3,"yaw":0,'
story 'the same where it turns in place' 0 run curves.txt --planner lattice --drive spot --turning-radius 0 --headings 8
says 'plans 3, found 2, no path 1'
printf 'replan-script 1\nsize 20 20\nstart 5 5 1\ngoal 15 12\nplan\n' >yaw.txt
story 'a car starts with any yaw' 0 run yaw.txt --planner lattice --json --curves
says '"yaw":1,'
printf 'replan-script 1\nsize 20 20\nstart 5 5\ngoal 15 12 1\nplan\n' >yaw.txt
story 'a car ends with the yaw of its goal' 0 run yaw.txt --planner lattice --json --curves
says '"end":{"x":15,"y":12,"yaw":1}'
story 'or with the opposite one' 0 run yaw.txt --planner lattice --either-way --json --curves
says '"outcome":"found"'
story 'other planners know no yaw at the goal' 3 run yaw.txt --planner astar
complains 'yaw.txt:4: planner astar does not support a yaw at the goal'
printf 'replan-script 1\nsize 20 20\nstart 10 10\ngoal 6 10 0\nplan\n' >back.txt
story 'a car reverses' 0 run back.txt --planner lattice --reverse --reverse-factor 1.5 --gear-change 2 --bound-percent 0 --json --curves
says '"cost":6,'
says '"length":-'
story 'a footprint is a body' 0 run curves.txt --planner lattice --footprint '[[2, 0.8], [-0.6, 0.8], [-0.6, -0.8], [2, -0.8]]' --json --curves
says '"outcome":"found"'
story 'its origin lies inside' 2 run curves.txt --planner lattice --footprint 2,1,1,1,1,-1,2,-1
complains '--footprint: its origin is not inside'
story 'a gear change has a limit' 2 run curves.txt --planner lattice --reverse --gear-change -1
complains '--gear-change -1 is outside 0..1000'
printf 'replan-script 1\nsize 20 20\nset 4 0 1 20 0\nstart 5 9\ngoal 15 9\nplan\n' >wall.txt
story 'a body leaves a wall' 0 run wall.txt --planner lattice --body-radius 1.2 --escape 2
says 'plans 1, found 1'
story 'and it is told which curves do that' 0 run wall.txt --planner lattice --body-radius 1.2 --escape 2 --json --curves
says '"escape":1,"curves":[{"x":5,"y":9,'
story 'or is blocked' 0 run wall.txt --planner lattice --body-radius 1.2
says 'blocked 1'
story 'an escape has a limit' 2 run wall.txt --planner lattice --escape 17
complains '--escape 17 is outside 0..16'
story 'a footprint has corners' 2 run curves.txt --planner lattice --footprint 1,2,x
complains '--footprint "1,2,x" is not X,Y,X,Y,...'
story 'other planners have no motion' 3 run curves.txt --planner astar --body-radius 1
complains '--body-radius: planner astar has no motion; lattice has'
story 'a lattice has no 4 neighbours' 3 run curves.txt --planner lattice --neighbors 4
complains 'planner lattice does not support 4 neighbours'
printf 'version 1\n0\ta.map\t5\t3\t0\t0\t0\t2\t2\n' >curves.scen
story 'recorded lengths are none of curves' 0 solve --map a.map --scen curves.scen --planner lattice --body-radius 0.3 --turning-radius 0.3 --json
says '"expected":null'

[ "$failed" -eq 0 ] && echo "all fine"
exit $((failed != 0))
