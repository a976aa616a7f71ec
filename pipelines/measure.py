#!/usr/bin/env python3
"""measure.py --run ID [--made PATH] [--log L [--lines N]] --output O COMMAND...: runs a stage and writes what it took to O as JSON.

With L, everything that the stage says goes to that file, and to stderr only what a person wants to see: N lines of its notes, warnings,
now and then its progress, how many lines are left out, its last line; where it fails, all of its last lines. With PATH, what the stage makes,
nothing is written where the stage found it up to date, that is, left its manifest alone: O then still says what making it took. The exit
code is that of the stage, or 130 after SIGINT.
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # but while a stage is at work, there is nothing to bring to an end

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
    """Writes a file whole or not at all, in UTF-8 but for bytes that were none (surrogateescape); ends the program with a message where
    that is not possible."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", errors="surrogateescape")
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        sys.exit(f"{Path(sys.argv[0]).name}: cannot write '{path}': {error.strerror}")


PROGRESS = re.compile(r"/s(, .* left)?\)$")
WARNING = re.compile(r"\bwarning\b")
TABLE = re.compile(r"^\w+: class +precision ")  # its first line; a table is for the file, as a part of it says little
TAIL = 20  # lines of a stage that failed
INTERRUPTED = 130


class Listener:
    """Writes what a stage says to a file and passes on what a person wants to see."""

    def __init__(self, log, lines):
        self.log, self.left, self.tells_left_out = log, lines, lines > 0
        self.started = self.shown_at = time.monotonic()
        self.held, self.left_out = deque(maxlen=TAIL), 0  # the last lines that were not passed on; how many there were

    def show(self, line):
        self.shown_at = time.monotonic()
        print(line, file=sys.stderr, flush=True)

    def hear(self, line):
        if PROGRESS.search(line):  # the longer a stage takes, the rarer
            now = time.monotonic()
            if now - self.shown_at >= max(5, (now - self.started) / 5):
                self.show(line)
            return
        if TABLE.search(line):
            self.left = 0
        if self.left > 0 or WARNING.search(line):
            self.left -= 1
            self.show(line)
        else:
            self.held.append(line)
            self.left_out += 1

    def keep(self, text):
        """A log that cannot be written is no reason to stop: what fails for want of room says so itself."""
        with suppress(OSError):
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(text)

    def listen(self, pipe):
        self.log.unlink(missing_ok=True)
        with open(pipe, encoding="utf-8", errors="replace", newline="\n") as lines:
            for line in lines:
                self.keep(line)
                self.hear(line.rstrip("\n"))

    def finish(self, code):
        """The last line of a stage says what it did, or why it could not."""
        if code == 0 and self.left_out > 1 and self.tells_left_out:
            self.show(f"... {self.left_out - 1} more lines in {self.log}")
        for line in list(self.held)[0 if code else -1:]:
            self.show(line)


class Interruption:
    """Within it SIGINT is only noted: the stage has heard it, too, and says how it ends."""

    def __enter__(self):
        self.noted = False
        self.before = signal.signal(signal.SIGINT, self.note)
        return self

    def note(self, *_):
        self.noted = True

    def __exit__(self, *_):
        signal.signal(signal.SIGINT, self.before)


def measured(command, made, output, run, errors=None, listener=None):
    """Runs the command; the file `output` says what it took unless it found `made` up to date. The stage's exit code, or INTERRUPTED
    where SIGINT came, even if the stage had ended before it heard that.

    `errors`: a file that standard error goes to, in place of that of this program; `listener`: hears it."""
    before = identity(made) if made else None
    actions = [(os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)] if errors else []
    if listener:
        heard, said = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, said, 2)]
    started = time.monotonic()
    with Interruption() as interruption:
        child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        if listener:
            os.close(said)
            listener.listen(heard)
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
    if interruption.noted:
        return INTERRUPTED
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
