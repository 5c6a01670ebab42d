#!/bin/sh
# Hold planners to the recorded lengths of the MovingAI and GPPC files in a folder of maps.
#
#     scens.sh [--every N] [--planner ID] REPLAN MAPS
#
# Every query of every .scen (about 80,000), or each Nth; all planners that can do 8 neighbours but
# me-ida, or one. The dynamic worlds are run whole, or for their first 2000 / N plans (at least 20). One
# line a planner when it is done; exit 0 when all agree, 1 when some differ, else as replan does.
set -u

usage() {
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

every=1
planners=
while [ $# -gt 0 ]; do
    case $1 in
    --every) every=${2:?} && shift 2 || usage ;;
    --planner) planners=${2:?} && shift 2 || usage ;;
    --help) usage ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || usage
replan=$1
maps=$2
# All that can do 8 neighbours; me-ida takes hours where f has many values: ask for it by name.
[ -n "$planners" ] ||
    planners=$("$replan" planners | grep -E ' can [0-9,]*8' | cut -d' ' -f1 | grep -v '^me-ida$') || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

progress() {
    [ -t 2 ] && printf '\r\033[K%s' "$*" >&2
    return 0
}

# take CODE WHAT: keep the worst exit code, add the summary in $work/out to $work/all.
worst=0
take() {
    [ "$1" -le "$worst" ] || worst=$1
    if [ "$1" -gt 1 ]; then
        progress
        printf '%s: exit %s: ' "$2" "$1" >&2
    fi
    [ "$1" -eq 0 ] || cat "$work/err" >&2
    cat "$work/out" >>"$work/all"
}

solve_all() {
    for scen in "$maps"/*/*.map.scen; do
        progress "$1: ${scen#"$maps"/}"
        "$replan" solve --map "${scen%.scen}" --scen "$scen" --planner "$1" --every "$every" \
            --quiet >"$work/out" 2>"$work/err"
        take $? "$1: $scen"
    done
}

run_all() {
    limit=$((2000 / every))
    [ "$limit" -ge 20 ] || limit=20
    for scen in "$maps"/dynamic/*.scen; do
        progress "$1: ${scen#"$maps"/}"
        "$replan" run "$scen" --planner "$1" --limit "$limit" --quiet >"$work/out" 2>"$work/err"
        take $? "$1: $scen"
    done
}

for planner in $planners; do
    : >"$work/all"
    solve_all "$planner"
    run_all "$planner"
    progress
    # "queries 1280, found 1278, no path 0, blocked 2, checked 1278, differ 0"
    # "expanded 1234, restarts 5, CPU 0.987 s (micros ..."
    awk -v planner="$planner" -F'[ ,]+' '
        $1 == "queries" || $1 == "plans" {
            count += $2
            for (i = 1; i < NF; i++) {
                if ($i == "blocked") blocked += $(i + 1)
                if ($i == "checked") checked += $(i + 1)
                if ($i == "differ") differ += $(i + 1)
            }
        }
        $1 == "expanded" {
            for (i = 1; i < NF; i++) {
                if ($i == "CPU") cpu += $(i + 1)
                if ($i == "expanded") expanded += $(i + 1)
            }
        }
        END {
            printf "%-12s plans %d, checked %d, differ %d, blocked %d, expanded %.0f, CPU %.1f s\n",
                planner, count, checked, differ, blocked, expanded, cpu
        }' "$work/all"
done
exit "$worst"
