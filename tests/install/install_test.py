#!/usr/bin/env python3
"""Installs a build, moves it, and uses it from outside.

    install_test.py --cmake CMAKE --build DIR --source DIR [--generator NAME] [--compiler CXX]

Installs into a temporary folder, which is then renamed: what was installed must work wherever it is. Checks that no exported file names
a path of the build or the source, that the programs run with the libraries beside them, that a recipe finds the programs, and that a
program of forty lines, built against the package alone, goes from trees to an explained linear model.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexited with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def check(holds, problem):
    if not holds:
        sys.exit(problem)


def check_exported_paths(prefix, build, source):
    exported = sorted(prefix.rglob("*.cmake"))
    check(len(exported) >= 4, f"few files of a CMake package: {exported}")
    for file in exported + sorted(prefix.rglob("*.hpp")):
        text = file.read_text(encoding="utf-8")
        for path in (build, source, source.parent / "installed"):
            check(str(path) not in text, f"{file} names {path}")


def check_programs(prefix, environment):
    programs = sorted(program for program in (prefix / "bin").iterdir() if not program.name.startswith("treeline-"))
    check(len(programs) >= 12, f"few programs: {programs}")
    for program in programs:
        check(run([program, "--version"], env=environment).startswith(program.name), f"{program} --version")
        for name, path in re.findall(r"(libarrow\S*) => (\S+)", run(["ldd", program], env=environment)):
            check("not found" not in path, f"{program} does not find {name}")
            bundled = list(prefix.rglob("libarrow.so*"))
            check(not bundled or path.startswith(str(prefix)), f"{program} takes {name} from {path}")


def check_recipe(prefix, source, work, environment):
    recipe = prefix / "share/treeline/pipelines/linearize.sh"
    sample = source / "data"
    shown = run(["bash", recipe, "--train", sample / "sample.train.gz", "--test", sample / "sample.test.gz", "--work", work, "--method", "mined",
                 "--set", "fsl.splits=2", "--set", "fmi.top=300"], env=environment)
    check("accuracy" in shown.lower() or "F1" in shown, f"no measure in\n{shown}")


def check_program(arguments, prefix, folder, environment):
    program, built = arguments.source / "tests/install/program", folder / "outside"
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={arguments.compiler}"]
    run([arguments.cmake, "-S", program, "-B", built, "-G", arguments.generator, *options], env=environment)
    run([arguments.cmake, "--build", built], env=environment)
    work = folder / "work"
    work.mkdir()
    shown = run([built / "outside", arguments.source / "data/sample.train.gz", work], env=environment)
    print(shown)
    accuracies = [float(number) for number in re.findall(r"^(?:kernel machine|linear model) (\S+)$", shown, re.M)]
    check(len(accuracies) == 2 and min(accuracies) > 90, "the program has not learnt")
    check(re.search(r"^  [+-]\d\.\d+  \(", shown, re.M) and "total" in shown, "no fragment in the explanation")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--source", required=True, type=Path)
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--compiler", default="c++")
    arguments = parser.parse_args()
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "DESTDIR", "TREELINE_BIN")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run([arguments.cmake, "--install", arguments.build, "--prefix", folder / "installed", "--strip"], env=environment)
        prefix = folder / "moved"
        (folder / "installed").rename(prefix)
        check_exported_paths(prefix, arguments.build, arguments.source)
        check_programs(prefix, environment)
        check_recipe(prefix, arguments.source, folder / "recipe", environment)
        check_program(arguments, prefix, folder, environment)


if __name__ == "__main__":
    main()
