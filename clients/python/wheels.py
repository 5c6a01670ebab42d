#!/usr/bin/python3
"""Make the wheels and sdists of the Python package, without network: what `./run wheels` calls.

usage: wheels.py BUILD_DIRECTORY OUTPUT_DIRECTORY

replan: the client, pure, with the generated messages. replan-local: replan/local with libreplan-engine.so, and the reader of
maps. Its sdist holds the C sources, and is built by a compiler alone: for the other of MACHINES by its cross compiler, where that is
installed.
"""

import os
import platform
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", ".."))
BOXES = ("base", "planners", "engine", "files")
MACHINES = {"x86_64": "x86-64", "aarch64": "aarch64"}  # of which there are wheels of replan-local, and what Debian's compilers call them

ABOUT = """[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"
description = "{description}"
readme = "README.md"
license = {{file = "LICENSE"}}
requires-python = ">=3.10"
dependencies = [{dependencies}]
classifiers = ["Typing :: Typed", "Operating System :: POSIX :: Linux", "Programming Language :: Python :: 3"]
keywords = ["path planning", "pathfinding", "D* Lite", "LPA*", "A*", "replanning", "grid", "costmap", "robotics", "games"]
"""
PURE = """
[tool.setuptools]
packages = ["replan"]

[tool.setuptools.package-data]
replan = ["py.typed", "*.pyi"]
"""
BUILD = "import sys; from setuptools import build_meta as it; out, kinds = sys.argv[1], sys.argv[2:]; " \
        "[getattr(it, 'build_' + kind)(out) for kind in kinds]"  # which changes sys.argv


def version():
    with open(os.path.join(TOP, "CMakeLists.txt")) as file:
        return re.search(r"project\(replan VERSION ([0-9.]+)", file.read()).group(1)


def begin(folder, text):
    """An empty source tree, but for what every one has."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "replan"))
    shutil.copy(os.path.join(TOP, "LICENSE"), folder)
    shutil.copy(os.path.join(HERE, "README.md"), folder)
    with open(os.path.join(folder, "pyproject.toml"), "w") as file:
        file.write(text)


def lay_client(built, folder):
    begin(folder, ABOUT.format(name="replan", version=version(), dependencies='"pyzmq", "protobuf>=4.21"',
                               description="Shortest paths kept true while the world changes: client of repland") + PURE)
    for name in sorted(os.listdir(os.path.join(built, "replan"))):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            shutil.copy(os.path.join(built, "replan", name), os.path.join(folder, "replan"))


def lay_local(built, folder, takes_libraries=True):
    """takes_libraries: those that CMake built are taken, else the sources are compiled."""
    begin(folder, ABOUT.format(name="replan-local", version=version(), dependencies=f'"replan=={version()}"',
                               description="Shortest paths kept true while the world changes: the engine, in the process"))
    shutil.copy(os.path.join(HERE, "setup_local.py"), os.path.join(folder, "setup.py"))
    shutil.copy(os.path.join(TOP, "engine", "engine.sym"), folder)
    os.makedirs(os.path.join(folder, "replan", "local"))
    for name in sorted(os.listdir(os.path.join(built, "replan", "local"))):
        if name.endswith(".py"):
            shutil.copy(os.path.join(built, "replan", "local", name), os.path.join(folder, "replan", "local"))
    for box in BOXES:
        ignored = shutil.ignore_patterns("examples", "*.md", "CMakeLists.txt")
        shutil.copytree(os.path.join(TOP, box), os.path.join(folder, "sources", box), ignore=ignored)
    with open(os.path.join(folder, "MANIFEST.in"), "w") as file:
        file.write("include engine.sym\nrecursive-include sources *.c *.h\n")
    if takes_libraries:
        shutil.copytree(os.path.join(built, "replan"), os.path.join(folder, "built"), ignore=lambda _, names: [
            name for name in names if not name.endswith(".so") and name != "local"])  # not in the sdist


def make(folder, output, *kinds, **environment):
    subprocess.run([sys.executable, "-c", BUILD, os.path.abspath(output), *kinds], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, **environment})


def why_not(compiler, debian):
    """None, or why this compiler makes no programs."""
    if shutil.which(compiler) is None:
        return f"there is no {compiler}, which Debian's package gcc-{debian}-linux-gnu has"
    trial = subprocess.run([compiler, "-xc", "-fsyntax-only", "-"], input=b"#include <math.h>\n", stderr=subprocess.DEVNULL)
    return f"{compiler} finds no C library, which libc6-dev-*-cross has" if trial.returncode != 0 else None


def cross(built, output, machine, debian):
    """The wheel of replan-local for a machine other than this one."""
    tools = f"{machine}-linux-gnu-"
    fault = why_not(tools + "gcc", debian)
    if fault is not None:
        print(f"no wheel of replan-local for {machine}: {fault}", file=sys.stderr)
        return
    folder = os.path.join(output, "src", f"replan-local-{machine}")
    lay_local(built, folder, takes_libraries=False)
    make(folder, output, "wheel", CC=tools + "gcc", STRIP=tools + "strip", _PYTHON_HOST_PLATFORM=f"linux-{machine}")


def main(build, output):
    built = os.path.join(build, "python")
    os.makedirs(output, exist_ok=True)
    for name in os.listdir(output):
        if name.endswith((".whl", ".tar.gz")):
            os.remove(os.path.join(output, name))
    for name, lay in (("replan", lay_client), ("replan-local", lay_local)):
        folder = os.path.join(output, "src", name)
        lay(built, folder)
        make(folder, output, "sdist", "wheel")
    for machine, debian in MACHINES.items():
        if machine != platform.machine():
            cross(built, output, machine, debian)
    for name in sorted(os.listdir(output)):
        if name.endswith((".whl", ".tar.gz")):
            print(os.path.join(output, name))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
