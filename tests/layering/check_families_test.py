"""Questions about kernels are found where they do not belong, and only there."""

import tempfile
import unittest
from pathlib import Path

from check_families import problems


class CheckFamilies(unittest.TestCase):
    def found(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "stages").mkdir()
            (root / path).parent.mkdir(parents=True)
            (root / path).write_text(text)
            return list(problems(root))

    def test_a_kind_outside_its_file_is_told(self):
        told = self.found("lib/fragment/miner.cpp", "int a;\nif (kernel.kind == kernel::TreeKernelKind::kPtk) {\n")
        self.assertEqual(len(told), 1, told)
        self.assertTrue(told[0].startswith("lib/fragment/miner.cpp:2: TreeKernelKind::kPtk belongs to"), told)

    def test_predicates_belong_nowhere(self):
        self.assertEqual(len(self.found("lib/kernel/family.hpp", "bool is_partial() const;\n")), 1)

    def test_their_own_files_and_comments_may_name_them(self):
        self.assertEqual(self.found("lib/kernel/family.hpp", "{TreeKernelKind::kPtk, FragmentKind::kPartial},\n"), [])
        self.assertEqual(self.found("lib/fragment/miner.cpp", "// unlike FragmentKind::kPartial\n"), [])


if __name__ == "__main__":
    unittest.main()
