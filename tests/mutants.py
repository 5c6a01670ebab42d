#!/usr/bin/python3
"""How much of the code do the tests notice? N small changes, one at a time, to the given sources (mutate.py).

    tests/mutants.sh N SEED FILE...
    tests/mutants.sh FILE:LINE:NUMBER...     those changes, as named by an earlier run

Works in copies of the tree below build/mutants, one for each of MUTANTS_JOBS workers (2). MUTANTS_CMAKE: options of
cmake for their builds. MUTANTS_UNDER: a command under which tests run, as "nice". MUTANTS_MOST_S: leave out tests that
take longer, and the rest of the suite, for a first look. A change ends as one of:

    invalid  it does not build; another one is taken
    equal    the compiler makes the same code of it: no test can notice it
    caught   a test failed twice under it, and passes without it
    lives    no test failed

Tests are those of the source's noun, then those of its room, its folder, and the stories that pass through it, quick
ones first; then, for a change that lives so far, the rest of the suite: the programs that were linked anew, and the
scripts, but for those that are slow, measure, or wait for a network. The first red test ends a change. A test is red,
too, when it takes ten times the processor time that `ctest --preset release` noted last, or more than MEMORY_BYTES.

The rest of the suite is asked when all changes have met the tests near them, as it takes a build of everything: until
then a change that lives `waits`. Each verdict is noted in build/mutants/judged.jsonl, and the same command goes on
where it was interrupted. What was caught counts while its source is the same, the rest while the whole tree is.

Prints a line a change, then a table by file, and each change that lives: such a change has no effect that matters, or a
test is missing. A test that fails without any change is told, and left out. Exit code 1 when one lives.
"""

import collections
import concurrent.futures
import filecmp
import hashlib
import json
import os
import pathlib
import queue
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys

import mutate

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
NOTES = WORK / "judged.jsonl"
BUILD = pathlib.Path("build") / "release"  # as deep as other builds, for those that share a compiler cache
COSTS = ROOT / BUILD / "Testing" / "Temporary" / "CTestCostData.txt"
COST_UNKNOWN_S = 5.0
BUILT_AT_ONCE = 8  # so many, after the noun's own
MEMORY_BYTES = 4 << 30
PATIENCE = 5  # times as long by the clock as a test may take by the processor
MOST_S = float(os.environ.get("MUTANTS_MOST_S", "inf"))
UNDER = shlex.split(os.environ.get("MUTANTS_UNDER", ""))
SKIPPED = 77
OUTCOMES = ("equal", "caught", "lives", "invalid")
PROGRAMS = ["daemon/all", "tools/all", "sim/all", "clients/c/all", "gppc/all"]
# Tests outside of a folder that pass through it. Strangers measure memory, which a busy machine disturbs.
_SYSTEM = r"\d\d\d-|hostile|tools_state"
STORIES = {"engine": "engine_slices", "files": r"fuzz_|tools_(replan|batch)", "tools": r"tools_|files_map_server",
           "store": r"fuzz_|" + _SYSTEM, "msgs": r"fuzz_|" + _SYSTEM, "daemon": _SYSTEM, "clients": _SYSTEM}
ALSO = {"store": ("daemon",), "msgs": ("daemon",)}  # folders whose tests pass through another one's sources
# Left out of the rest of the suite: labels, folders that do not run what was built or wait for a network, and what
# measures time and memory of the machine.
APART_LABELS = {"slow", "layering"}
APART = {"layering", "house", "install", "wasm", "ros2", "support"}
DISTURBED = r"strangers|bench_(against|beyond_figures)"


class Refused(Exception):
    """Nothing can be judged: a file is no source of the build."""


def _sources():
    """All files of the tree, by name."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True).stdout.decode().split("\0")
    return [name for name in sorted(listed) if name and (ROOT / name).is_file()]


def _costs():
    """Seconds that each test took when it ran last."""
    lines = COSTS.read_text(encoding="utf-8").split("\n---")[0].split("\n") if COSTS.exists() else []
    return {fields[0]: float(fields[2]) for fields in (line.split(" ") for line in lines) if len(fields) == 3}


def _declared(build):
    """Name, folder, command and properties of each test. ctest tells no commands of programs that are not built yet."""
    for file in sorted((build / "tests").glob("*/CTestTestfile.cmake")):
        text = file.read_text(encoding="utf-8")
        name = r"(?:\[=\[)?([^\s\]]+)(?:\]=\])?"
        properties = {each.group(1): dict(re.findall(r'(\w+) "([^"]*)"', each.group(2)))
                      for each in re.finditer(rf"^set_tests_properties\({name} PROPERTIES (.*)\)$", text, re.M)}
        for each in re.finditer(rf"^add_test\({name} (.*)\)$", text, re.M):
            yield (each.group(1), file.parent.name, re.findall(r'"([^"]*)"', each.group(2)),
                   properties.get(each.group(1), {}))


def _end_session(session):
    """End all that a test started: Check runs each of its tests in a process group of its own."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[3]) == session:
                os.kill(int(stat.parent.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


class Test:
    """One test of ctest: its program, what is built for it, how long it takes."""

    def __init__(self, name, folder, command, properties, build, cost_s):
        self.name = name
        self.folder = folder  # below tests/
        self.labels = set(properties.get("LABELS", "").split(";"))
        self.is_fixture = "FIXTURES_SETUP" in properties
        self.cost_s = cost_s
        self._command = [*UNDER, *command]
        self._folder = properties.get("WORKING_DIRECTORY", build / "tests" / folder)
        self._environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", "").split(";") if each)
        program = pathlib.Path(command[0])
        self._program = program if build in program.parents else None
        self.targets = [str(program.relative_to(build))] if self._program else PROGRAMS

    def _limit(self):
        """By processor time, as others may use the machine. What sleeps for ever is ended by passes()."""
        seconds = int(10.0 + 10.0 * self.cost_s)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))

    def was_linked_since(self, time_ns):
        """Whether its program was; scripts run others' programs, so for them this is always so."""
        return self._program is None or (self._program.exists() and self._program.stat().st_mtime_ns > time_ns)

    def passes(self):
        """Run it once, and end all that it started."""
        environment = {**os.environ, "CK_TIMEOUT_MULTIPLIER": str(PATIENCE), **self._environment}
        with subprocess.Popen(self._command, cwd=self._folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                              preexec_fn=self._limit) as child:
            try:
                return child.wait(timeout=PATIENCE * (20.0 + 10.0 * self.cost_s)) in (0, SKIPPED)
            except subprocess.TimeoutExpired:
                return False
            finally:
                _end_session(child.pid)


def _is_red(test):
    return not test.passes() and not test.passes()


class Copy:
    """A copy of the tree with a build of its own, in which one change at a time stands."""

    def __init__(self, number, files):
        self._path = WORK / str(number)
        self._bring()
        flags = f"{os.environ.get('LDFLAGS', '')} -fsanitize=leak"  # what is not freed fails, as under `dev`
        self._run("cmake", "-S", ".", "-G", "Ninja", "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release",
                  "-DREPLAN_TESTS=ON", "-DREPLAN_WERROR=OFF", f"-DCMAKE_EXE_LINKER_FLAGS={flags}",
                  *shlex.split(os.environ.get("MUTANTS_CMAKE", "")))
        build = self._path / BUILD
        cost = _costs()
        self._tests = [Test(*each, build, cost.get(each[0], COST_UNKNOWN_S)) for each in _declared(build)]
        self._objects = {}
        for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
            output = re.search(r" -o (\S+)", entry["command"]).group(1)
            if not output.startswith("tests/"):
                self._objects[os.path.relpath(entry["file"], self._path)] = output
        self._whole = {}
        for file in files:
            self._whole[file] = self._code(file)
            if self._whole[file] is None:
                raise Refused(f"{file} is no source of the build, or does not build")
        self._sound = set()

    def _bring(self):
        """What differs is copied, an interrupted run's change too, and is newer then than what was built of it."""
        for name in _sources():
            source, target = ROOT / name, self._path / name
            if not (target.exists() and filecmp.cmp(source, target, shallow=False)):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)

    def _run(self, *command, **more):
        return subprocess.run(command, cwd=self._path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False, env={**os.environ, **more}).returncode == 0

    def _built(self, targets, **more):
        return self._run("cmake", "--build", str(BUILD), "--parallel", "1", "--target", *sorted(set(targets)), **more)

    def _code(self, file, **more):
        """What the compiler makes of a source as it stands, without lines and columns; None when it does not build.
        @param more  environment of the compiler"""
        if file not in self._objects or not self._built([self._objects[file]], **more):
            return None
        stripped = self._path.with_suffix(".o")
        self._run("objcopy", "--strip-debug", str(BUILD / self._objects[file]), str(stripped))
        return stripped.read_bytes()

    def _tests_of(self, file):
        """Lists of the tests that may notice a change of a file, in the order in which they are asked."""
        folder, room, noun = file.split("/")[0], os.path.dirname(file), pathlib.Path(file).stem
        kind = "files_" if folder == "files" else ""
        while not (ROOT / "tests" / room).is_dir():
            room = os.path.dirname(room)  # a room within a room has its tests beside those of the outer one
        near = {path.stem[len("test_"):] for path in (ROOT / "tests" / room).glob("test_*.c")}
        chosen = []
        for test in self._tests:
            name = test.name.removesuffix("_with_workers").removeprefix(kind)
            is_own = test.folder == folder and name == noun
            if test.cost_s > MOST_S and not is_own:
                continue
            if test.folder in (folder, *ALSO.get(folder, ())):
                chosen.append((0 if is_own else 1 if test.folder == folder and name in near else 2, test))
            elif re.match(STORIES.get(folder, "$"), test.name):
                chosen.append((2 if test.is_fixture else 3, test))
        tests = [test for _, test in sorted(chosen, key=lambda each: (each[0], each[1].cost_s))]
        own = sum(rank == 0 for rank, _ in chosen)
        later = [tests[first:first + BUILT_AT_ONCE] for first in range(own, len(tests), BUILT_AT_ONCE)]
        return [tests[:own], *later] if own else later

    def _rest(self, asked, changed_ns):
        """The rest of the suite, quick ones first, but those that others need before them."""
        rest = [test for test in self._tests
                if test.name not in asked and not test.labels & APART_LABELS and test.folder not in APART
                and not re.match(DISTURBED, test.name) and test.was_linked_since(changed_ns)]
        return sorted(rest, key=lambda test: (not test.is_fixture, test.cost_s))

    def _judge(self, file, by_rest):
        """The outcome of the change that stands in a file, and the test that caught it. A cache might hold what an
        interrupted run compiled while it put the source back.
        @param by_rest  by the rest of the suite: the tests before let it live"""
        changed_ns = (self._path / file).stat().st_mtime_ns
        code = self._code(file, CCACHE_DISABLE="1")
        if code is None or code == self._whole[file]:
            return "invalid" if code is None else "equal", None
        for at_once in self._tests_of(file) if not by_rest else []:
            if not self._built(sum((test.targets for test in at_once), [])):
                return "invalid", None
            red = next((test for test in at_once if _is_red(test)), None)
            if red is not None:
                return "caught", red
        if not by_rest:
            return "waits" if MOST_S == float("inf") else "lives", None
        if not self._built(["all"]):
            return "invalid", None
        asked = {test.name for at_once in self._tests_of(file) for test in at_once}
        red = next((test for test in self._rest(asked, changed_ns) if _is_red(test)), None)
        return ("lives" if red is None else "caught"), red

    def _is_sound(self, test):
        """Whether a test that has caught passes now that nothing is changed. One that does not is asked no more."""
        if test.name in self._sound:
            return True
        if self._built(test.targets) and (test.passes() or test.passes()):
            self._sound.add(test.name)
            return True
        print(f"{test.name} fails without any change, and is left out", file=sys.stderr, flush=True)
        self._tests = [other for other in self._tests if other.name != test.name]
        return False

    def try_change(self, place, by_rest):
        """@return the outcome, or "waits" for the rest; the test that caught it; the line before and after"""
        file = self._path / place.split(":")[0]
        whole = file.read_bytes()
        while True:
            try:
                change = mutate.apply(place, self._path)
                outcome, test = self._judge(place.split(":")[0], by_rest)
            finally:
                file.write_bytes(whole)  # newer than what was built of the change
            if test is None or self._is_sound(test):
                return outcome, test.name if test else "", change


def _row(name, tally):
    made = sum(tally[outcome] for outcome in OUTCOMES if outcome != "invalid")
    return f"{name:40} {made:5}" + "".join(f" {tally[outcome]:8}" for outcome in OUTCOMES)


def _report(judged):
    """@param judged  places, outcomes and changes"""
    files = collections.defaultdict(collections.Counter)
    for place, outcome, _ in judged:
        files[place.split(":")[0]][outcome] += 1
    print(f"\n{'':40}  made" + "".join(f" {outcome:>8}" for outcome in OUTCOMES))
    for file in sorted(files):
        print(_row(file, files[file]))
    total = sum(files.values(), collections.Counter())
    print(_row("all", total))
    for place, outcome, change in judged:
        if outcome == "lives":
            print(f"\n{place}\n  - " + change.replace("  =>  ", "\n  + "))
    return total["lives"]


class Notes:
    """Verdicts on disk. What was caught counts while its source is the same, what lives while the whole tree is."""

    def __init__(self):
        tree = hashlib.sha256()
        self._sources = {}
        for name in _sources():
            self._sources[name] = hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
            tree.update(f"{name} {self._sources[name]}\n".encode())
        self._tree = f"{tree.hexdigest()} {MOST_S}"
        lines = NOTES.read_text(encoding="utf-8").splitlines() if NOTES.exists() else []
        self._known = {tuple(note["of"]): note["verdict"] for note in map(json.loads, lines)}

    def _of(self, place, outcome):
        return place, self._sources[place.split(":")[0]], self._tree if outcome in ("lives", "waits") else ""

    def find(self, place):
        """@return the outcome, the test, the change; None: it was not judged"""
        return self._known.get(self._of(place, "")) or self._known.get(self._of(place, "lives"))

    def add(self, place, verdict):
        """@param verdict  as find()"""
        with NOTES.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"of": self._of(place, verdict[0]), "verdict": verdict}) + "\n")


def _is_enough(judged, waiting, count):
    return sum(outcome != "invalid" for _, outcome, _ in judged) + waiting.qsize() >= count


def _say(place, verdict, judged, waiting):
    outcome, test, change = verdict
    if outcome == "waits":
        waiting.put(place)
    else:
        judged.append((place, outcome, change))
    print(f"{outcome:8} {place}  {change}" + (f"  ({test})" if test else ""), flush=True)


def _work(copy, places, is_enough, note):
    """Take places until enough are judged, by the tests near them."""
    while not is_enough():
        try:
            place = places.get_nowait()
        except queue.Empty:
            return
        note(place, copy.try_change(place, False))


def _work_on_rest(copy, waiting, note):
    """Judge those that wait by the rest of the suite: all is built for the first of them."""
    while True:
        try:
            place = waiting.get_nowait()
        except queue.Empty:
            return
        note(place, copy.try_change(place, True))


def main(count, chosen):
    """@param chosen  changes, in the order in which they are taken. @return the exit code"""
    places = queue.SimpleQueue()
    waiting = queue.SimpleQueue()
    files = sorted({place.split(":")[0] for place in chosen})
    judged = []
    notes = Notes()

    def is_enough():
        return _is_enough(judged, waiting, count)

    def note(place, verdict):
        notes.add(place, verdict)
        _say(place, verdict, judged, waiting)

    for place in chosen:
        known = notes.find(place)
        if known is None:
            places.put(place)
        elif not is_enough():
            _say(place, known, judged, waiting)
    jobs = range(1, int(os.environ.get("MUTANTS_JOBS", "2")) + 1)
    try:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            copies = list(pool.map(lambda number: Copy(number, files), jobs))
            list(pool.map(lambda copy: _work(copy, places, is_enough, note), copies))
            list(pool.map(lambda copy: _work_on_rest(copy, waiting, note), copies))
    except Refused as why:
        print(why, file=sys.stderr)
        return 2
    return 1 if _report(judged) else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    if len(sys.argv) > 1 and ":" in sys.argv[1]:
        sys.exit(main(len(sys.argv) - 1, sys.argv[1:]))
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1]), mutate.places(2 * int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
