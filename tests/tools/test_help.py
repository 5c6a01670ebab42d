"""Help, programs, pages and completion name the same commands and options.

usage: test_help.py BIN SOURCES    BIN has repland, replan and replan-sim
"""

import os
import re
import select
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import screen  # noqa: E402
from patience import PATIENCE_S  # noqa: E402

BIN, SOURCES = sys.argv[1], sys.argv[2]
PROGRAMS = ("repland", "replan-sim", "replan")
ENVIRONMENT = {**os.environ, "PATH": BIN + ":" + os.environ["PATH"]}
failed = []


def fail(where, why):
    failed.append(where)
    print(f"{where}: {why}")


def run(*words):
    done = subprocess.run([os.path.join(BIN, words[0]), *words[1:]], capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def help_of(*words):
    code, said, complaint = run(*words, "--help")
    if code != 0 or complaint or not said:
        fail(" ".join(words), f"--help: exit code {code}, {complaint!r}")
    return said


def options_of(text):
    """Options by name, and whether each takes a value: those of the usage, and those that lines begin with."""
    found = {}
    for line in text.splitlines():
        if line.startswith(("usage:", "       replan", "  -")):
            part = re.split(r"  +", line.strip())[0] if line.startswith("  -") else line
            for name, value in re.findall(r"(--[a-z][a-z-]*)(?:[ =]([A-Z][A-Za-z,\[\]]*))?", part):
                found[name] = found.get(name, "") or value
    return found


def commands_of(text):
    return re.findall(r"^  ([a-z][a-z-]*) ", text, re.M)


# ---- what each program says of itself

TREE = {(program,): help_of(program) for program in PROGRAMS}
for command in commands_of(TREE["replan",]):
    TREE["replan", command] = help_of("replan", command)
for command in commands_of(TREE["replan", "ctl"]):
    TREE["replan", "ctl", command] = help_of("replan", "ctl", command)
OPTIONS = {words: options_of(text) for words, text in TREE.items()}


def check_options_are_taken():
    """What a help names is no unknown option: behind it comes one that is, which ends the program."""
    for words, options in OPTIONS.items():
        for name, value in options.items():
            if words == ("replan",) or name in ("--help", "--version"):
                continue
            _, _, said = run(*words, f"{name}=/nowhere/x" if value else name, "--nope")
            for refusal in (f"unrecognized option '{name}", f"no option {name}", f"takes no {name}", f"{name}' doesn't allow",
                            f"{name} takes no value", f"{name}' requires", f"{name} wants"):
                if refusal in said:
                    fail(" ".join(words), f"--help names {name} {value}, and the program says: {said.strip()}")


def check_unknown_options_are_refused():
    for words in OPTIONS:
        code, out, said = run(*words, "--nope")
        if code != 2 or "--nope" not in said or out:
            fail(" ".join(words), f"--nope: exit code {code}, {said!r}")


# ---- the pages

def pages():
    for folder, folders, files in os.walk(SOURCES):
        folders[:] = sorted(name for name in folders if name != "build" and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".md") and name != "CHANGELOG.md":
                yield os.path.join(folder, name)


def named_in(line):
    """Command lines of a line of a page: in backticks, or indented as a block is."""
    quoted = re.findall(r"`([^`]+)`", line)
    if re.match(r"    [^ ]", line):
        quoted.append(line.strip())
    for text in quoted:
        for part in re.split(r"[;|&] ", text.split(" #")[0]):
            words = part.removeprefix("./").removeprefix("build/release/bin/").split()
            if words and words[0] in PROGRAMS:
                yield words


def check_page_line(page, number, words):
    """The longest part of the words that is a command has each option that the rest names."""
    plain = [word for word in words if not word.startswith("-")]
    known = max((len(key) for key in OPTIONS if tuple(plain[:len(key)]) == key), default=0)
    if words[0] == "replan" and len(plain) > 1 and known == 1 and re.fullmatch(r"[a-z-]+", plain[1]):
        fail(f"{page}:{number}", f"names the command {plain[1]!r} of replan, which is none")
    if plain[:2] == ["replan", "ctl"] and len(plain) > 2 and known == 2 and re.fullmatch(r"[a-z-]+", plain[2]):
        fail(f"{page}:{number}", f"names the command {plain[2]!r} of replan ctl, which is none")
    options = OPTIONS[tuple(plain[:known])]
    for word in words[1:]:
        name = word.split("=")[0].rstrip(",.:;)")
        if re.fullmatch(r"--[a-z][a-z-]*", name) and name not in options and name != "--help":
            fail(f"{page}:{number}", f"names {name}, which `{' '.join(plain[:known])} --help` does not")


def check_pages():
    count = 0
    for page in pages():
        short = os.path.relpath(page, SOURCES)
        with open(page, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for words in named_in(line):
                    check_page_line(short, number, words)
                    count += 1
    if count < 50:
        fail("pages", f"only {count} command lines were found in them")
    return count


def check_commands_are_explained():
    """Each command has a row in tools/README.md, each of ctl a place in some page."""
    with open(os.path.join(SOURCES, "tools", "README.md"), encoding="utf-8") as file:
        readme = file.read()
    text = ""
    for page in pages():
        with open(page, encoding="utf-8") as file:
            text += file.read()
    for words in TREE:
        if len(words) == 2 and f"| `{words[1]}` |" not in readme:
            fail(" ".join(words), "has no row in tools/README.md")
        if len(words) == 3 and not re.search(rf"`(?:replan )?(?:ctl )?{words[2]}\b", text):
            fail(" ".join(words), "is in no page")


# ---- completion

def bash_words(*words):
    script = f'. "{SOURCES}/tools/completion/replan.bash"; _replan_words "$@"'
    done = subprocess.run(["bash", "-u", "-c", script, "bash", *words], capture_output=True, text=True, timeout=PATIENCE_S,
                          env=ENVIRONMENT)
    if done.stderr:
        fail("bash", f"{words}: {done.stderr.strip()}")
    return set(done.stdout.split())


def check_completion():
    for words, options in OPTIONS.items():
        if words != ("replan",) and bash_words(*words, "--") != set(options):
            fail("completion of " + " ".join(words), f"has not what --help has: {bash_words(*words, '--') ^ set(options)}")
    commands = {words[1] for words in TREE if len(words) == 2}
    if bash_words("replan", "") != commands | {"--help", "--version"}:
        fail("completion of replan", "has not the commands of --help")
    if bash_words("replan", "ctl", "") != {words[2] for words in TREE if len(words) == 3}:
        fail("completion of replan ctl", "has not the commands of --help")
    planners = {line.split()[0] for line in run("replan", "planners")[1].splitlines()}
    rows = {
        ("replan", "state", ""): {"check", "info", "dump", "export", "import"},
        ("replan", "ctl", "open", "w", "a", "--planner", ""): planners,
        ("repland", "--planner", ""): planners,
        ("replan", "ctl", "set", "w", "1", "1", "1", "1", "0", "--wait", ""): {"applied", "durable", "settled"},
        ("repland", "--log", ""): {"error", "warn", "info", "debug"},
        ("replan-sim", "--scenario", ""): {line.split()[0] for line in run("replan-sim", "--list")[1].splitlines()},
        ("replan", "map", ""): {"FILES"},
    }
    for words, expected in rows.items():
        if bash_words(*words) != expected:
            fail("completion", f"{words}: {bash_words(*words)}, not {expected}")


def check_on_a_terminal(name, arguments, setup, typed, expected):
    """An interactive shell completes what is typed."""
    master, slave = screen.open_terminal()
    process = subprocess.Popen(arguments, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               env={**ENVIRONMENT, "TERM": "xterm", "PS1": "ready> ", "HOME": "/nowhere"})
    os.close(slave)
    terminal = screen.Screen(200, 50)

    def until(words):
        while words not in terminal.text():
            if not select.select([master], [], [], 60)[0]:
                fail(name, f"no {words!r} in\n{terminal.text().rstrip()}")
                return
            terminal.feed(os.read(master, 65536).decode(errors="replace"))
    os.write(master, (setup + "; echo set''up\n").encode())
    until("setup")
    os.write(master, (typed + "\t").encode())
    until(expected)
    process.kill()
    process.wait()
    os.close(master)


def check_shells():
    folder = os.path.join(SOURCES, "tools", "completion")
    check_on_a_terminal("bash", ["bash", "--norc", "-i"], f". {folder}/replan.bash", "replan load --sec", "replan load --seconds")
    if shutil.which("zsh") is None:
        print("zsh is not installed: its completion was not tried")
        return
    setup = f"PS1='ready> '; fpath=({folder} $fpath); autoload -U compinit; compinit -D -u"
    check_on_a_terminal("zsh", ["zsh", "-f", "-i"], setup, "replan load --sec", "replan load --seconds")
    check_on_a_terminal("zsh", ["zsh", "-f", "-i"], setup, "replan ctl sna", "replan ctl snapshot")


check_options_are_taken()
check_unknown_options_are_refused()
lines = check_pages()
check_commands_are_explained()
check_completion()
try:
    check_shells()
except unittest.SkipTest as reason:
    print(f"completion was not tried in a shell: {reason}")
if not failed:
    print(f"help: {len(OPTIONS)} commands, {sum(map(len, OPTIONS.values()))} options, {lines} command lines of pages agree")
sys.exit(bool(failed))
