#!/usr/bin/env python3
"""examples.py --recipe NAME --tdp PROGRAM --test F... --train F [--class C] [--label-until T] -- OPTION...: checks the files of a recipe.

It does so before the work. The options are those that `tdp check` reads the files with. The exit code is 3, with a message, where examples to measure on cannot be
read or have no labels, 2 where the training examples do not have the class.
"""

import argparse
import json
import signal
import subprocess
import sys
from pathlib import Path

MOST_NAMED = 20


def found_in(path, arguments):
    """What `tdp check` finds in a file; ends the program where it cannot be read."""
    told = subprocess.run([arguments.tdp, "check", "--json", "--log-level=quiet", f"--input={path}", *arguments.options],
                          capture_output=True, check=False, encoding="utf-8", errors="replace")
    skip = "--on-error=skip" in arguments.options
    if told.returncode and not (told.returncode == 3 and told.stdout and skip):
        sys.stderr.write(told.stderr)
        sys.exit(told.returncode)
    return json.loads(told.stdout)


class Refusal(Exception):
    """Exit code and message."""


def check_test(path, arguments):
    found = found_in(path, arguments)
    if not found["examples"]:
        raise Refusal(3, f"'{path}' has no examples{' that can be read' if found['unreadable'] else ''}; expected labelled trees to measure on")
    if set(found["classes"]) == {""}:
        raise Refusal(3, f"the examples of '{path}' have no labels, and there is nothing to measure; expected LABEL<TAB>tree. "
                         "To label them, run esc with the model")


def check_class(wanted, path, arguments):
    labels = found_in(path, arguments)["classes"]
    classes = list(dict.fromkeys(label.split(arguments.label_until, 1)[0] if arguments.label_until else label for label in labels))
    if wanted not in classes:
        named = " ".join(classes[:MOST_NAMED]) + (" ..." if len(classes) > MOST_NAMED else "")
        raise Refusal(2, f"compare.class: '{path}' has no class '{wanted}'; there are {named}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recipe", required=True, help="whose name begins the messages")
    parser.add_argument("--tdp", type=Path, required=True)
    parser.add_argument("--test", action="append", required=True)
    parser.add_argument("--train", required=True)
    parser.add_argument("--class", dest="wanted", default="")
    parser.add_argument("--label-until", default="")
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        for path in arguments.test:
            check_test(path, arguments)
        if arguments.wanted:
            check_class(arguments.wanted, arguments.train, arguments)
    except Refusal as refusal:
        code, message = refusal.args
        print(f"{arguments.recipe}: {message}", file=sys.stderr)
        return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
