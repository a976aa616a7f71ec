"""Planted violations are found, and what the table allows is not."""

import shutil
import tempfile
import unittest
from pathlib import Path

from check_includes import problems

ROOT = Path(__file__).resolve().parents[2]


class CheckIncludes(unittest.TestCase):
    def found(self, path, include):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path
            file.parent.mkdir(parents=True)
            (Path(folder) / "lib").mkdir(exist_ok=True)
            for name in ("lib/layers.txt", "lib/README.md"):
                shutil.copy(ROOT / name, Path(folder) / name)
            file.write_text(f"#pragma once\n{include}\n")
            return list(problems(Path(folder)))

    def test_allowed(self):
        for path, include in [
            ("lib/base/a.cpp", '#include "base/error.hpp"'),
            ("lib/base/a.cpp", "#include <zstd.h>"),
            ("lib/tree/a.hpp", '#include "base/error.hpp"'),
            ("lib/kernel/a.hpp", '#include "tree/forest.hpp"'),
            ("lib/svm/a.hpp", '#include "kernel/kernel.hpp"'),
            ("lib/fragment/a.hpp", '#include "kernel/kernel.hpp"'),
            ("lib/store/a.hpp", '#include "fragment/fragment.hpp"'),
            ("lib/store/a.hpp", '#include "linear/model.hpp"'),
            ("lib/store/a.cpp", "#include <rocksdb/db.h>"),
            ("lib/store/a.cpp", "#include <arrow/api.h>"),
            ("lib/linear/liblinear_adapter.cpp", "#include <linear.h>"),
            ("stages/ksl/main.cpp", "#include <CLI/CLI.hpp>"),
            ("stages/ksl/run.cpp", '#include "ksl/options.hpp"'),
            ("stages/ksl/run.cpp", '#include "common/stage.hpp"'),
            ("stages/ksl/run.cpp", '#include "store/model.hpp"'),
            ("tests/unit/tree/a.cpp", '#include "support/catch.hpp"'),
            ("tests/support/catch.hpp", "#include <catch2/catch.hpp>"),
            ("tests/bench/a.cpp", "#include <benchmark/benchmark.h>"),
        ]:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.found(path, include), [])

    def test_violations(self):
        for path, include in [
            ("lib/base/a.cpp", '#include "tree/forest.hpp"'),
            ("lib/tree/a.cpp", '#include "kernel/kernel.hpp"'),
            ("lib/kernel/a.cpp", '#include "svm/smo.hpp"'),
            ("lib/linear/a.cpp", '#include "fragment/miner.hpp"'),
            ("lib/fragment/a.cpp", '#include "svm/smo.hpp"'),
            ("lib/fragment/a.cpp", '#include "store/dictionary.hpp"'),
            ("lib/store/a.cpp", '#include "ksl/options.hpp"'),
            ("lib/store/a.hpp", "#include <rocksdb/db.h>"),
            ("lib/store/a.hpp", "  #  include <arrow/api.h>"),
            ("lib/fragment/a.cpp", "#include <rocksdb/db.h>"),
            ("lib/linear/smo.cpp", "#include <linear.h>"),
            ("lib/linear/smo.cpp", '#include "linear.h"'),
            ("lib/base/a.cpp", "#include <CLI/CLI.hpp>"),
            ("lib/base/a.cpp", "#include <iostream>"),
            ("lib/base/a.cpp", '#include "error.hpp"'),
            ("lib/tree/a.cpp", '#include "../base/error.hpp"'),
            ("lib/tree/a.cpp", "#include <base/error.hpp>"),
            ("lib/tree/a.cpp", '#include "support/data.hpp"'),
            ("stages/ksl/run.cpp", '#include "ksc/options.hpp"'),
            ("stages/ksl/run.cpp", "#include <arrow/api.h>"),
            ("tests/unit/tree/a.cpp", "#include <catch2/catch.hpp>"),
        ]:
            with self.subTest(path=path, include=include):
                found = self.found(path, include)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{path}:2: "), found)


if __name__ == "__main__":
    unittest.main()
