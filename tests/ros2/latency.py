#!/usr/bin/python3
"""From an update that blocks the path to a new path on DDS: microseconds, and what the bridge takes.

usage: latency.py BUILD_DIRECTORY [COUNT [SIDE...]]
"""

import os
import subprocess
import sys

BUILD = os.path.abspath(sys.argv[1])
COUNT = sys.argv[2] if len(sys.argv) > 2 else "1000"
SIDES = sys.argv[3:] or ["400", "1000"]
sys.path[:0] = [os.path.join(BUILD, "python"), os.path.dirname(os.path.abspath(__file__))]
from robot import Bridge, Domain  # noqa: E402

from daemon import Daemon  # noqa: E402


def main():
    for side in SIDES:
        for what in ("updates", "grids"):
            domain = Domain()
            with Daemon(os.path.join(BUILD, "bin", "repland")) as daemon:
                bridge = Bridge(BUILD, domain, control=daemon.control, map_topic="map", map_kind="map",
                                subscribe_to_updates=True)
                told = subprocess.run([os.path.join(BUILD, "tests", "ros2_latency"), str(domain.number), side, COUNT, what],
                                      env=domain.environment, capture_output=True, text=True, check=False)
                print(f"{side} x {side}, {what}: {told.stdout.strip() or told.stderr.strip()}; the bridge: resident "
                      f"{bridge.resident_bytes() / 1e6:.1f} MB, {bridge.cpu_s() * 1e6 / int(COUNT):.0f} us of processor a plan",
                      flush=True)
                bridge.stop()
                domain.close()
                if told.returncode != 0:
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
