"""The runner of the command-line cases, on cases made of shell commands."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import run


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.case = self.root / "stage" / "case"

    def outcome(self, refresh=False, **files):
        """Exit code and output of the runner over one case with these files."""
        for name, content in files.items():
            file = self.case / name.replace("__", "/").replace("_absent", ".absent")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            with mock.patch.dict(os.environ, {"TREELINE_REFRESH": "1" if refresh else ""}):
                code = run.main(["--bin", str(self.root / "bin"), "--cases", str(self.root)])
        return code, output.getvalue()

    def test_all_expectations_met(self):
        code, output = self.outcome(
            cmd='cat; cp "$CASE/stdin" copy; echo stage: 12 records >&2; exit 3',
            stdin="a\n", stdout="a\n", stderr="records$\n", exit="3\n", files__copy="a\n", files__other_absent="",
        )
        self.assertEqual(code, 0, output)
        self.assertIn("1 passed, 0 failed, 0 skipped", output)

    def test_wrong_stdout_is_shown_as_a_difference(self):
        code, output = self.outcome(cmd="echo b", stdout="a\n")
        self.assertEqual(code, 1)
        self.assertIn("-a\n+b\n", output)

    def test_stdout_without_an_expectation_must_be_empty(self):
        self.assertEqual(self.outcome(cmd="echo b")[0], 1)

    def test_wrong_exit_code(self):
        self.assertEqual(self.outcome(cmd="exit 2")[0], 1)
        self.assertEqual(self.outcome(cmd="true", exit="2")[0], 1)

    def test_failure_inside_the_command_counts(self):
        self.assertEqual(self.outcome(cmd="false\ntrue")[0], 1)

    def test_stderr_patterns_match_in_order(self):
        command = "echo one >&2; echo two >&2"
        self.assertEqual(self.outcome(cmd=command, stderr="o.e\ntwo\n")[0], 0)
        self.assertEqual(self.outcome(cmd=command, stderr="two\none\n")[0], 1)
        self.assertEqual(self.outcome(cmd=command, stderr="three\n")[0], 1)
        self.assertEqual(self.outcome(cmd=command, stderr="")[0], 1)

    def test_files(self):
        self.assertEqual(self.outcome(cmd="true", files__out="a\n")[0], 1)
        self.assertEqual(self.outcome(cmd="echo b > out", files__out="a\n")[0], 1)
        self.assertEqual(self.outcome(cmd="echo a > out", files__out="a\n")[0], 0)
        self.assertEqual(self.outcome(cmd="echo a > out; touch other", files__other_absent="")[0], 1)

    def test_skipped(self):
        self.assertEqual(self.outcome(cmd="exit 77")[0], 77)

    def test_programs_are_found_in_the_bin_folder(self):
        program = self.root / "bin" / "hello"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho hello\n")
        program.chmod(0o755)
        self.assertEqual(self.outcome(cmd="hello", stdout="hello\n")[0], 0)

    def test_refresh_writes_what_was_found(self):
        command = "echo b; echo '(x)' >&2; echo c > out; exit 4"
        self.outcome(refresh=True, cmd=command, stdout="a\n", stderr="y\n", files__out="a\n")
        self.assertEqual((self.case / "stdout").read_text(), "b\n")
        self.assertEqual((self.case / "files" / "out").read_text(), "c\n")
        code, output = self.outcome()
        self.assertEqual(code, 0, output)

    def test_unknown_names_are_refused(self):
        self.outcome(cmd="true")
        with self.assertRaises(SystemExit):
            run.main(["--bin", ".", "--cases", str(self.root), "nothing"])


if __name__ == "__main__":
    unittest.main()
