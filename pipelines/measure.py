#!/usr/bin/env python3
"""measure.py --run ID [--made PATH] --output O COMMAND...: runs a stage and writes what it took to O as JSON.

With PATH, what the stage makes, nothing is written where the stage found it up to date, that is, left its manifest alone: O then
still says what making it took. The exit code is that of the stage.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path


def identity(made):
    """Tells one manifest of a file or folder from the next one."""
    manifest = made / "manifest.json" if made.is_dir() else made.with_name(made.name + ".manifest.json")
    try:
        status = os.stat(manifest)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def write_whole(path, text):
    """Writes a file whole or not at all; ends the program with a message where that is not possible."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        sys.exit(f"{Path(sys.argv[0]).name}: cannot write '{path}': {error.strerror}")


def measured(command, made, output, run, errors=None):
    """Runs the command; the file `output` says what it took unless it found `made` up to date. The stage's exit code.

    `errors`: a file that standard error goes to, in place of that of this program."""
    before = identity(made) if made else None
    actions = [(os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)] if errors else []
    started = time.monotonic()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    try:
        _, status, usage = os.wait4(child, 0)
    except KeyboardInterrupt:
        _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - started
    code = os.waitstatus_to_exitcode(status)
    if code == 0 and (not made or identity(made) != before):
        record = {
            "stage": Path(command[0]).name,
            "run": run,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_memory": usage.ru_maxrss * 1024,
        }
        write_whole(output, json.dumps(record) + "\n")
    return code if code >= 0 else 128 - code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="name of the run, to tell what it made from what it found")
    parser.add_argument("--made", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    return measured(options.command, options.made, options.output, options.run)


if __name__ == "__main__":
    sys.exit(main())
