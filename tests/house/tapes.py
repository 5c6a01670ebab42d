#!/usr/bin/python3
"""Records what a daemon says, and holds another build to the same bytes.

    tests/house/tapes.py record BUILD DIR [NAME..] [--seconds S]
    tests/house/tapes.py replay BUILD DIR [NAME..]

`record` writes DIR/NAME.tape: one for each scenario of replan-sim, with seed 1; `published`, where changes
and poses come by PUB; and `chance-1` to `chance-3`, rounds of equal_answers.py with agents of every planner
and every policy, and a watch. `replay` plays every tape of DIR to the repland of BUILD and prints one line a
tape; a tape that differs is named with its first event that does. NAME: only these.

Tapes hold clocks: to record twice gives other bytes. Exit code: 0 all the same, 1 a build said other bytes,
2 a tape could not be made or read.
"""

import argparse
import pathlib
import subprocess
import sys

import equal_answers
from equal_answers import daemon

SIMULATED_S = 8
LAW_BROKEN = 1  # exit code of replan-sim: some laws need more seconds than that
PUBLISHED = "siege"  # the scenario of the tape `published`
CHANCE = ("chance-1", "chance-2", "chance-3")
ROUNDS = 20  # of each of these


class WatchedRound(equal_answers.Round):
    """A round whose answers are watched, and whose agents have other policies."""

    def _make_world(self):
        super()._make_world()
        self._watch = self._ask("watch", lambda client: client.watch(equal_answers.WORLD))

    def _compare(self):
        super()._compare()
        while self._watch.next(0) is not None:
            pass

    def _some_policy(self):
        chance = self._chance
        return {"switch_gain_percent": chance.choice((0, 5, 30)), "min_interval_ms": chance.choice((0, 5, 200)),
                "max_age_ms": chance.choice((0, 0, 10)), "answer_within_ms": chance.choice((0, 0, 1)),
                "immediate_start": chance.random() < 0.3, "may_wait": chance.random() < 0.2,
                "follow_radius_m": chance.choice((0, 0, 1.0)) * self._resolution}


def simulate(build, served, scenario, seconds, flags=()):
    """Returns the last line that the simulator said, and whether it could play."""
    done = subprocess.run([build / "bin" / "replan-sim", "--headless", "--scenario", scenario, "--seed", "1",
                           "--duration", str(seconds), "--control", served.control, *flags],
                          capture_output=True, text=True)
    is_fine = done.returncode in (0, LAW_BROKEN)
    return "".join((done.stdout if is_fine else done.stderr).strip().splitlines()[-1:]), is_fine


def play_chance(build, served, name):
    players = equal_answers.play([served], equal_answers.planners_of(build), ROUNDS, 1000 * int(name[-1]), WatchedRound)
    return f"{players.compared} replies", players.differences == 0


def record(build, folder, names, seconds):
    listed = subprocess.run([build / "bin" / "replan-sim", "--list"], check=True, capture_output=True, text=True)
    scenarios = [line.split()[0] for line in listed.stdout.splitlines()]
    equal_answers.load_client(build)
    folder.mkdir(parents=True, exist_ok=True)
    code = 0
    for name in (*scenarios, "published", *CHANCE):
        if names and name not in names:
            continue
        tape = folder / f"{name}.tape"
        with daemon.Daemon(build / "bin" / "repland", "--record", str(tape)) as served:
            if name in CHANCE:
                said, is_fine = play_chance(build, served, name)
            elif name == "published":
                said, is_fine = simulate(build, served, PUBLISHED, seconds,
                                         ("--changes", served.changes, "--poses", served.poses))
            else:
                said, is_fine = simulate(build, served, name, seconds)
        print(f"{name}: {tape.stat().st_size} bytes; {said}", flush=True)
        code = code if is_fine else 2
    return code


def replay(build, folder, names):
    tapes = sorted(tape for tape in folder.glob("*.tape") if not names or tape.stem in names)
    if not tapes:
        print(f"{folder} holds no such tapes", file=sys.stderr)
        return 2
    codes = []
    for tape in tapes:
        done = subprocess.run([build / "bin" / "repland", "--log", "error", "--replay", tape],
                              capture_output=True, text=True)
        codes.append(done.returncode if done.returncode in (0, 1) else 2)
        print(f"{tape.stem}: {(done.stdout + done.stderr).strip() or f'exit {done.returncode}'}", flush=True)
    print(f"tapes: {len(tapes)} played, {codes.count(0)} the same")
    return max(codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("record", "replay"))
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=SIMULATED_S)
    told = parser.parse_args()
    if told.act == "record":
        return record(told.build, told.folder, told.names, told.seconds)
    return replay(told.build, told.folder, told.names)


if __name__ == "__main__":
    sys.exit(main())
