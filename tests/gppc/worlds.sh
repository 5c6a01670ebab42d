#!/bin/sh
# The entry against the recorded lengths of the shared dynamic worlds.
#
#     worlds.sh RUNNER
#
# The maps are in $REPLAN_MAPS, by default beside the project.
set -u
maps=${REPLAN_MAPS:-../shared/maps}
if [ ! -d "$maps/dynamic" ]; then
    echo "skipped: no dynamic worlds in $maps (set REPLAN_MAPS)"
    exit 77
fi
for scen in "$maps"/dynamic/*.scen; do
    "$1" check "$scen" || exit 1
done
