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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="name of the run, to tell what it made from what it found")
    parser.add_argument("--made", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    before = identity(options.made) if options.made else None
    started = time.monotonic()
    child = os.posix_spawn(options.command[0], options.command, os.environ)
    try:
        _, status, usage = os.wait4(child, 0)
    except KeyboardInterrupt:
        _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - started
    code = os.waitstatus_to_exitcode(status)
    if code == 0 and (not options.made or identity(options.made) != before):
        record = {
            "stage": Path(options.command[0]).name,
            "run": options.run,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_memory": usage.ru_maxrss * 1024,
        }
        write_whole(options.output, json.dumps(record) + "\n")
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
