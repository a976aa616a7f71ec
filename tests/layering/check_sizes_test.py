"""Long functions and files are found, whatever stands around them, and nothing else is."""

import tempfile
import unittest
from pathlib import Path

from check_sizes import functions, problems


def body(lines):
    return "    work();\n" * lines


class CheckSizes(unittest.TestCase):
    def found(self, text):
        return [(name, count) for name, _, count in functions(text)]

    def test_lines_are_counted_from_head_to_closing_brace(self):
        self.assertEqual(self.found("int f(int a,\n      int b) {\n" + body(3) + "}\n"), [("f", 6)])

    def test_members_constructors_and_qualifiers(self):
        text = ("class A final : public B {\n  public:\n    A() : B(1), c_{2}, d_(3) {\n" + body(2) + "    }\n"
                "    [[nodiscard]] int g() const noexcept override { return 1; }\n    int c_{1};\n};\n"
                "int A::h(std::vector<int> v) const {\n" + body(1) + "}\n")
        self.assertEqual(self.found(text), [("A", 4), ("g", 1), ("A::h", 3)])

    def test_what_is_within_a_function_belongs_to_it(self):
        text = "void f() {\n    if (a) {\n    }\n    const auto g = [&](int x) {\n        return x;\n    };\n}\n"
        self.assertEqual(self.found(text), [("f", 7)])

    def test_braces_in_comments_and_literals_mean_nothing(self):
        text = "void f() {\n    // }\n    /* } */ call(\"}\", '}', R\"x(})x\");\n}\nvoid g() {}\n"
        self.assertEqual(self.found(text), [("f", 4), ("g", 1)])

    def test_namespaces_and_tables_are_no_functions(self):
        self.assertEqual(self.found("namespace a {\nconstexpr auto k = make({\n{1}, {2}});\nenum class E { kA };\n}\n"), [])

    def test_too_long_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "lib/base").mkdir(parents=True)
            (root / "stages").mkdir()
            (root / "lib/base/a.cpp").write_text("void f() {\n" + body(78) + "}\n")
            (root / "lib/base/b.cpp").write_text("void g() {\n" + body(79) + "}\n")
            (root / "lib/base/c.cpp").write_text("int x;\n" * 401)
            told = list(problems(root))
            self.assertEqual(len(told), 2, told)
            self.assertIn("lib/base/b.cpp:1: g has 81 lines", told[0])
            self.assertIn("lib/base/c.cpp: 401 lines", told[1])


if __name__ == "__main__":
    unittest.main()
