"""Data that several tests use."""

import gzip
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("TREELINE_DATA", ROOT.parent / "shared/data"))
PROGRAMS = Path(os.environ.get("TREELINE_BIN", ROOT / "build/release/bin"))


def read_lines(path, count=None):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line, _ in zip(file, range(count or 1 << 60))]


def read_examples(path, count=None):
    """(trees, labels) of a file of LABEL<TAB>tree or SVM-light-TK lines."""
    trees, labels = [], []
    for line in read_lines(path, count):
        if "\t" in line:
            label, tree = line.split("\t", 1)
        else:
            label, tree = line.split(" ", 1)
            tree = tree.split("|BT|", 1)[1].split("|ET|", 1)[0].strip()
        trees.append(tree)
        labels.append(label)
    return trees, labels


@pytest.fixture(scope="session")
def sample():
    """Trees and labels to learn from and to test with: the project's own sample."""
    return (*read_examples(ROOT / "data/sample.train.gz"), *read_examples(ROOT / "data/sample.test.gz"))


@pytest.fixture(scope="session")
def small(sample):
    """A few of them."""
    trees, labels, test_trees, test_labels = sample
    return trees[:200], labels[:200], test_trees[:50], test_labels[:50]


@pytest.fixture
def program(tmp_path):
    """Runs a program of the build."""

    def run(name, *arguments):
        done = subprocess.run([PROGRAMS / name, *map(str, arguments), "--log-level", "quiet"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def write_examples(path, trees, labels):
    path.write_text("".join(f"{label}\t{tree}\n" for tree, label in zip(trees, labels)), encoding="utf-8")
    return path


def pytest_sessionfinish(session, exitstatus):
    """A test that is skipped for another reason than missing data is a failure where TREELINE_NO_SKIPS is set."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = [report for report in reporter.stats.get("skipped", []) if "no data folder" not in str(report.longrepr)]
    if skipped and os.environ.get("TREELINE_NO_SKIPS"):
        for report in skipped:
            print(f"\nskipped: {report.nodeid}: {report.longrepr}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
