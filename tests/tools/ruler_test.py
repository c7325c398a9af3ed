# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""tools/ruler counts what it says."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/ruler"))

import comments  # noqa: E402
import syntax  # noqa: E402

HEADER = """#pragma once
namespace ucxx::core {
struct Part { int a = 0; int b = 0; };
class Whole {
 public:
  Whole() = default;
  Whole(const Whole&) = delete;
  ~Whole();
  template <class T> void set(T value) { part_.a = value; }
  int get() const;
  static constexpr int kMost = 3;
 private:
  Part part_;
  Whole* next_ = nullptr;
};
}
"""


class CommentsTest(unittest.TestCase):
    """Which comments there are, and which of them go on with another one."""

    def leaning(self, text):
        """Return the texts of the comments that do."""
        return [c.text for c in comments.comments(text) if c.goes_on]

    def test_first_words_that_go_on_are_found(self):
        for words in ("Of the peer", "Or nothing", "It waits", "Its end", "The same for two", "... and one"):
            for line in (f"/// {words}\nint a;\n", f"int a;  // {words}\n", f"  //!< {words}\n"):
                self.assertEqual(self.leaning(line), [words])

    def test_words_that_begin_like_them_are_not(self):
        self.assertEqual(self.leaning("// Offers\n// Itself\nint a;  // Order\n"), [])

    def test_lines_that_follow_are_of_the_same_comment(self):
        text = "/// The caller\n/// It is one\nint a;\n"
        self.assertEqual([(c.line, c.text) for c in comments.comments(text)], [(1, "The caller It is one")])

    def test_strings_are_no_comments(self):
        self.assertEqual(list(comments.comments('f("// It is a string", \'"\');\n')), [])

    def test_the_licence_is_none(self):
        self.assertEqual(list(comments.comments("// SPDX-License-Identifier: X\n// Copyright (c) Y\n")), [])


class SyntaxTest(unittest.TestCase):
    """What is read from a small tree."""

    def setUp(self):
        """Make the folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("src/core/whole.h", HEADER)

    def write(self, name, text):
        """Write a file of the tree."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self):
        """Return what the tool reads."""
        options = ["-x", "c++", "-std=c++20", f"-I{self.root}/src"]
        return syntax.Reader(self.root, ["src/core"], options).read()

    def test_members_of_a_class_are_its_own(self):
        classes = {c.name: c for c in self.read().classes}
        self.assertEqual((classes["Whole"].functions, classes["Whole"].fields), (4, 2))
        self.assertEqual((classes["Part"].functions, classes["Part"].fields), (0, 2))
        self.assertEqual(classes["Whole"].pointers, [("Whole", "next_")])

    def test_functions_have_their_lines(self):
        self.write("src/core/whole.cpp",
                   '#include "core/whole.h"\nnamespace ucxx::core {\nint Whole::get() const {\n'
                   "  return part_.a;\n}\n}\n")
        lines = {(f.name, f.line): f.lines for f in self.read().functions}
        self.assertEqual(lines["get", 3], 3)
        self.assertEqual(lines["Whole::set", 9], 1)

    def test_what_a_file_names_is_found_and_where_it_stands(self):
        self.write("src/core/user.cpp",
                   '#include "core/other.h"\nnamespace ucxx::core {\nint f(const Whole& w) { return w.get(); }\n}\n')
        self.write("src/core/other.h",
                   '#pragma once\n#include "core/whole.h"\nnamespace ucxx::core { class Whole; Whole* g(); }\n')
        tree = self.read()
        self.assertEqual(tree.uses["src/core/user.cpp"]["src/core/whole.h"], {"get"})
        self.assertEqual(tree.named["src/core/user.cpp"]["src/core/whole.h"], {"Whole"})
        self.assertEqual(tree.named["src/core/other.h"]["src/core/whole.h"], {"Whole"})
        self.assertEqual(tree.declared["src/core/other.h"], {"Whole"})

    def test_sources_with_the_same_private_names_are_read_apart(self):
        for name in ("a", "b"):
            self.write(f"src/core/{name}.cpp", "namespace { constexpr int kMost = 1; }\n"
                                               f"int {name}() {{ return kMost; }}\n")
        self.assertEqual({f.name for f in self.read().functions} & {"a", "b"}, {"a", "b"})

    def test_a_source_that_is_wrong_is_said(self):
        self.write("src/core/a.cpp", "int f() { return nothing; }\n")
        with self.assertRaisesRegex(SystemExit, "src/core/a.cpp"):
            self.read()


if __name__ == "__main__":
    unittest.main()
