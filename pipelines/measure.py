#!/usr/bin/env python3
"""measure.py --run ID [--made PATH] [--log L [--lines N]] --output O COMMAND...: runs a stage and writes what it took to O as JSON.

With L, everything that the stage says goes to that file, and to stderr only what a person wants to see: N lines of its notes, warnings,
now and then its progress, its last line; where it fails, all of its last lines. With PATH, what the stage makes, nothing is written where the stage found it up to date, that is, left its manifest alone: O then
still says what making it took. The exit code is that of the stage.
"""

import argparse
import json
import os
import re
import sys
import time
from collections import deque
from contextlib import suppress
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


PROGRESS = re.compile(r"/s(, .* left)?\)$")
WARNING = re.compile(r"\bwarning\b|, [1-9][0-9]* skipped")
TAIL = 20  # lines of a stage that failed


class Listener:
    """Writes what a stage says to a file and passes on what a person wants to see."""

    def __init__(self, log, lines):
        self.log, self.left = log, lines
        self.started = self.shown_at = time.monotonic()
        self.held = deque(maxlen=TAIL)  # the last lines that were not passed on

    def show(self, line):
        self.shown_at = time.monotonic()
        print(line, file=sys.stderr, flush=True)

    def hear(self, line):
        if PROGRESS.search(line):  # the longer a stage takes, the rarer
            now = time.monotonic()
            if now - self.shown_at >= max(5, (now - self.started) / 5):
                self.show(line)
        elif self.left > 0 or WARNING.search(line):
            self.left -= 1
            self.show(line)
        else:
            self.held.append(line)

    def keep(self, text):
        """A log that cannot be written is no reason to stop: what fails for want of room says so itself."""
        with suppress(OSError):
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(text)

    def listen(self, pipe):
        self.log.unlink(missing_ok=True)
        with open(pipe, encoding="utf-8", errors="replace") as lines:
            while True:
                try:
                    for line in lines:
                        self.keep(line)
                        self.hear(line.rstrip("\n"))
                    return
                except KeyboardInterrupt:  # the stage has heard it, too, and says how it ends
                    pass

    def finish(self, code):
        """The last line of a stage says what it did, or why it could not."""
        for line in list(self.held)[0 if code else -1:]:
            self.show(line)


def measured(command, made, output, run, errors=None, listener=None):
    """Runs the command; the file `output` says what it took unless it found `made` up to date. The stage's exit code.

    `errors`: a file that standard error goes to, in place of that of this program; `listener`: hears it."""
    before = identity(made) if made else None
    actions = [(os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)] if errors else []
    if listener:
        heard, said = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, said, 2)]
    started = time.monotonic()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    if listener:
        os.close(said)
        listener.listen(heard)
    try:
        _, status, usage = os.wait4(child, 0)
    except KeyboardInterrupt:
        _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - started
    code = os.waitstatus_to_exitcode(status)
    if listener:
        listener.finish(code)
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
    parser.add_argument("--log", type=Path)
    parser.add_argument("--lines", type=int, default=2)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    listener = Listener(options.log, options.lines) if options.log else None
    return measured(options.command, options.made, options.output, options.run, listener=listener)


if __name__ == "__main__":
    sys.exit(main())
