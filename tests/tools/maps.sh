#!/bin/sh
# Every planner against the recorded lengths of each Nth query of the shared maps.
#
#     maps.sh N REPLAN
#
# The maps are in $REPLAN_MAPS, by default beside the project.
set -u
maps=${REPLAN_MAPS:-../shared/maps}
if [ ! -d "$maps" ]; then
    echo "skipped: no maps in $maps (set REPLAN_MAPS)"
    exit 77
fi
exec bench/scens.sh --every "$1" "$2" "$maps"
