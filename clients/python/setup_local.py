"""setup.py of replan-local: libreplan-engine.so and libreplan-files.so, by a C compiler alone: $CC, else cc.

Those that CMake built, in `built`, are taken where they are there: a sdist has the sources only.
"""

import glob
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

LIBRARIES = {"replan/local/libreplan-engine.so": ("base", "planners", "engine"), "replan/libreplan-files.so": ("base", "files")}
MEMBERS = ("sources/planners/members/", "sources/planners/papers/", "sources/planners/portfolio/")  # once for each width of costs
EXACT = ("sources/planners/lattice/", "sources/planners/motion/")  # the same bits on every machine: as planners/CMakeLists.txt has it
EXACTLY = ["-fno-tree-vectorize", "-fno-tree-slp-vectorize"]
FLAGS = ["-std=c17", "-O3", "-fPIC", "-ffp-contract=off", "-DNDEBUG", "-D_GNU_SOURCE", "-Isources", "-Isources/base/include", "-Isources/planners/include",
         "-Isources/engine/include"]


def compiled(source, flags, objects):
    name = os.path.join(objects, f"{source}{''.join(flags)}.o".replace("/", "_"))
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, *flags, "-c", source, "-o", name], check=True)
    return name


def link(target, boxes, objects):
    units = []
    for source in sorted(name for box in boxes for name in glob.glob(f"sources/{box}/**/*.c", recursive=True)):
        is_member = source.startswith(MEMBERS) and os.path.basename(source) != "papers.c"
        flags = EXACTLY if source.startswith(EXACT) else []
        units += [(source, [f"-DRP_COST_BITS={bits}"]) for bits in (32, 64)] if is_member else [(source, flags)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda unit: compiled(*unit, objects), units))
    script = ["-Wl,--version-script=engine.sym"] if "engine" in boxes else []
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-o", target, *made, *script, "-lm"], check=True)


class Build(build_py):
    def run(self):
        super().run()
        for path, boxes in LIBRARIES.items():
            target = os.path.join(self.build_lib, path)
            ready = os.path.join("built", path.removeprefix("replan/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.exists(ready):
                shutil.copy(ready, target)
            else:
                objects = os.path.join("objects", os.path.basename(path))
                os.makedirs(objects, exist_ok=True)
                link(target, boxes, objects)
            subprocess.run([os.environ.get("STRIP", "strip"), "--strip-unneeded", target], check=True)


class Wheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])  # ctypes: any Python 3, this machine


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(packages=["replan.local"], cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Binary)
