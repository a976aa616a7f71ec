#!/usr/bin/env python3
"""options_test.py BIN: what all programs of that folder say of their options holds.

Reads the options of every program as the program itself tells them (--options-json). Every whole number refuses -1, and
what is no number, with exit code 2 and a message that names the option; every choice refuses another word; every option
has a kind and a type of the project's own; options of one name are of one kind.
"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

BIN = Path()
STAGES = ("tdp", "fsl", "fmi", "fdi", "tfx", "fpl", "esl", "esc", "ksl", "ksc", "ksm", "psl", "psc")

# Names with more than one meaning, each of them said in the synopsis of the project.
SEVERAL_KINDS = {"--splits"}


def run(*arguments):
    return subprocess.run([BIN / arguments[0], *arguments[1:]], capture_output=True, text=True, timeout=60, check=False)


def all_options():
    """(program with its command, option) for every option of every program."""
    for stage in STAGES:
        table = json.loads(run(stage, "--options-json").stdout)
        for option in table["options"]:
            yield [stage] + ([table["commands"][0]["name"]] if table["commands"] else []), option
        for command in table["commands"]:
            for option in command["options"]:
                yield [stage, command["name"]], option


class Options(unittest.TestCase):
    def expect_refusal(self, command, option, value):
        is_argument = not option["name"].startswith("-")
        given = ["folder", value] if is_argument else [f"{option['name']}={value}"]
        with self.subTest(" ".join([*command, *given])):
            result = run(*command, *given)
            self.assertEqual(result.returncode, 2, result.stderr)
            if not (is_argument and value.startswith("-")):
                self.assertIn(f"{command[0]}: {option['name']}: ", result.stderr)
            self.assertIn(f"'{value}'", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_whole_numbers_do_not_wrap(self):
        counts = 0
        for command, option in all_options():
            if option["kind"] == "count":
                counts += 1
                for value in ("-1", "1.5", "0x10", "18446744073709551616", "many"):
                    self.expect_refusal(command, option, value)
        self.assertGreater(counts, 40)

    def test_numbers_are_numbers(self):
        for command, option in all_options():
            if option["kind"] == "number":
                for value in ("nan", "inf", "5e", "much"):
                    self.expect_refusal(command, option, value)

    def test_choices_are_the_only_ones(self):
        for command, option in all_options():
            if option["kind"] == "choice":
                self.expect_refusal(command, option, "no-such-word")

    def test_types_are_told(self):
        for command, option in all_options():
            with self.subTest(command=command, option=option["name"]):
                if option["kind"] != "flag":
                    self.assertTrue(option["type"])
                if option["kind"] == "text":
                    self.assertNotIn(option["type"], ("N", "NUMBER", "UINT", "INT", "FLOAT", "SIZE"))

    def test_one_name_one_kind(self):
        kinds = {}
        for command, option in all_options():
            if option["name"] in SEVERAL_KINDS or not option["name"].startswith("--"):
                continue
            with self.subTest(command=command, option=option["name"]):
                kind, first = kinds.setdefault(option["name"], (option["kind"], command))
                self.assertEqual(kind, option["kind"], f"also in {first}")

    def test_short_names_stand_for_one_option(self):
        names = {}
        for command, option in all_options():
            if "short" in option:
                self.assertEqual(names.setdefault(option["short"], option["name"]), option["name"], command)

    def test_short_and_long_help_are_the_same(self):
        for stage in STAGES:
            short, long = run(stage, "-h"), run(stage, "--help")
            self.assertEqual((short.returncode, short.stdout, short.stderr), (0, long.stdout, ""))


if __name__ == "__main__":
    BIN = Path(sys.argv.pop(1))
    unittest.main()
