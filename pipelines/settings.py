#!/usr/bin/env python3
"""settings.py --programs DIR --defaults FILE [--config FILE]... [--set SECTION.NAME=VALUE]...: settings of a recipe, checked.

Reads TOML files (README.md of this folder describes them), then what --set adds, and asks the programs for their options
(--options-json). Prints lines for common.sh:

    setting<TAB>SECTION<TAB>NAME<TAB>VALUE   in the order given; the section of names before the first one is `all`
    option<TAB>STAGE<TAB>NAME                the stage has this option, for each name of the section `all`
    plain<TAB>NAME<TAB>PLACE                 a file of --config has this name before its first section

Exit code 2 and a message on stderr for what no stage knows, 1 for a file that cannot be read.
"""

import argparse
import difflib
import functools
import json
import re
import signal
import subprocess
import sys
import tomllib
from itertools import chain

STAGES = ("fpl", "fsl", "fmi", "tfx", "esl", "esc", "ksl", "ksc")
# Sections with the stage whose options they have; `linearize` and `compare` have names of their own.
SECTIONS = {"all": "fsl", **{stage: stage for stage in STAGES}, "usvm": "ksl", "isvm": "ksl", "linearize": None, "compare": None}
OWN_NAMES = {"linearize": ("method",), "compare": ("methods", "thresholds", "fragments", "samples", "costs", "class")}


# The lists among them, with what an element is.
WHOLE, POSITIVE = (re.compile("[0-9]+"), "whole numbers"), (re.compile(r"(?!0*\.?0*$)[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?"), "numbers above 0")
LISTS = {"thresholds": WHOLE, "fragments": WHOLE, "samples": WHOLE, "costs": POSITIVE}


class SettingsError(Exception):
    pass


@functools.cache
def options_of(programs, stage):
    """Names of the options of a stage, without the dashes; of tdp those of `tdp convert`, too."""
    told = subprocess.run([f"{programs}/{stage}", "--options-json"], check=True, capture_output=True, encoding="utf-8").stdout
    table = json.loads(told)
    options = table["options"] + [option for command in table.get("commands", ()) if command["name"] == "convert" for option in command["options"]]
    return {option[key].removeprefix("--") for option in options for key in ("name", "off") if key in option}


def text_of(place, value, separator):
    """A TOML value as the text of an option."""
    if isinstance(value, list):
        return separator.join(text_of(place, one, separator) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    raise SettingsError(f"{place}: expected a number, true, false, text or a list of them")


def read_config(path):
    """(place, section, name, value) of each setting of a file."""
    try:
        with open(path, "rb") as file:
            tables = tomllib.load(file, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}; expected TOML: [STAGE] or name = value, text in quotes") from error
    plain = {name: value for name, value in tables.items() if not isinstance(value, dict)}
    for section, names in [("all", plain), *((name, value) for name, value in tables.items() if isinstance(value, dict))]:
        for name, value in names.items():
            place = f"{path}: [{section}] {name}" if section != "all" else f"{path}: {name}"
            yield place, section, name, text_of(place, value, " " if section == "compare" else ",")


def read_set(text):
    match = re.fullmatch(r"(?:([a-z]+)\.)?([a-z][a-z0-9-]*)=(.*)", text, re.DOTALL)
    if not match:
        raise SettingsError(f"--set '{text}': expected STAGE.NAME=VALUE or NAME=VALUE")
    return f"--set {text}", match.group(1) or "all", match.group(2), match.group(3)


def check(programs, place, section, name, value):
    if section not in SECTIONS:
        raise SettingsError(f"{place}: no section '{section}'; there are {' '.join(SECTIONS)}")
    stage = SECTIONS[section]
    if stage is None and name not in OWN_NAMES[section]:
        raise SettingsError(f"{place}: no setting '{name}' in [{section}]; there are {' '.join(OWN_NAMES[section])}")
    if section == "compare" and name in LISTS and (wrong := [one for one in value.split() if not LISTS[name][0].fullmatch(one)]):
        raise SettingsError(f"{place}: found '{wrong[0]}'; expected {LISTS[name][1]} with spaces between them")
    if stage and name not in (known := options_of(programs, stage)):
        near = difflib.get_close_matches(name, known, 1)
        raise SettingsError(f"{place}: {stage} has no option --{name}" + (f"; did you mean --{near[0]}?" if near else ""))
    if "\t" in value or "\n" in value:
        raise SettingsError(f"{place}: tabs and line ends have no place in a value")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--defaults", required=True)
    parser.add_argument("--config", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        given = [*chain.from_iterable(map(read_config, arguments.config))]
        settings = [*read_config(arguments.defaults), *given, *map(read_set, arguments.set)]
        for setting in settings:
            check(arguments.programs, *setting)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"cannot read '{error.filename}': {error.strerror}", file=sys.stderr)
        return 1
    for _, section, name, value in settings:
        print("setting", section, name, value, sep="\t")
    for name in dict.fromkeys(name for _, section, name, _ in settings if section == "all"):
        for stage in (*STAGES, "tdp"):
            if name in options_of(arguments.programs, stage):
                print("option", stage, name, sep="\t")
    for place, section, name, _ in given:
        if section == "all":
            print("plain", name, place, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
