# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The pages keep up with the tree: their code is compiled, their links and files are there."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOW_TOS = sorted((ROOT / "docs").glob("**/*.md"))
PAGES = [*HOW_TOS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SOURCES = [*(ROOT / "examples").glob("*.cpp"), *(ROOT / "examples/cuda").glob("*.cu"),
           ROOT / "tests/compat/snippets_test.cpp"]  # fmt: skip
# Sources that cite pages in comments and messages.
CITING = ["src", "include", "tests", "python", "benchmarks", "examples", "tools", "cmake"]
CITING_SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".cu", ".cuh", ".py", ".pyi", ".txt", ".cmake", ".sh", ""}
# Where the pages' names of files begin: `core/link/link.h` is in src/, `ucxx/api.h` in include/.
FOLDERS = ["", "src/", "include/", "include/ucxx/", "tests/"]


def stripped(text):
    """Return the lines of a text, each behind a line end; of its blanks one is as good as many."""
    return "".join("\n" + " ".join(line.split()) for line in text.splitlines() if line.strip()) + "\n"


def without_blocks(text):
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page):
    """Return where links to a page can lead, by the rule of GitHub."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page):
    """Return file and anchor of each link into the tree."""
    found = re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", without_blocks(page.read_text()))
    return [(file, anchor) for file, anchor in found if "://" not in file]


def expanded(name):
    """Return the names of a{b,c}d: abd, acd."""
    parts = re.fullmatch(r"(.*?){(.*?)}(.*)", name)
    return [parts[1] + word + parts[3] for word in parts[2].split(",")] if parts else [name]


def named_files(page):
    """Return each text in backticks that is the name of a file or folder of a source tree."""
    text = re.sub(r"^.*\| absent.*$", "", without_blocks(page.read_text()), flags=re.MULTILINE)
    words = [word for name in re.findall(r"`([^`\s]+)`", text) for word in expanded(name)]
    roots = tuple(f"{folder.name}/" for folder in ROOT.iterdir()
                  if folder.is_dir() and not folder.name.startswith((".", "build")))
    return [word for word in words if re.fullmatch(r"[\w./*-]+", word)
            and (word.startswith(roots) or re.fullmatch(r"\w[\w./*-]*\.(cpp|h|py|txt|md)", word))]


def is_there(name):
    """Tell whether the tree has such a file; a bare name may be anywhere in it."""
    if "/" not in name:
        name = "**/" + name
    return any(any(ROOT.glob(folder + name)) for folder in FOLDERS)


class HowToTest(unittest.TestCase):
    """Looks at the tree."""

    def expect_all(self, find, is_right):
        """Expect that all that is found in the pages is right; to find little is wrong as well."""
        found = [(page, one) for page in PAGES for one in find(page)]
        self.assertGreater(len(found), 10)
        self.assertEqual([(page.name, one) for page, one in found if not is_right(page, one)], [])

    def test_blocks_stand_in_sources(self):
        """A block that no source has, in one piece, was never compiled."""
        sources = [stripped(path.read_text()) for path in SOURCES]
        self.expect_all(
            lambda page: re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE),
            lambda _, block: any(stripped(block) in source for source in sources))

    def test_links_lead_somewhere(self):
        """A file that is linked is there, and has the heading."""
        def leads(page, link):
            target = (page.parent / link[0]) if link[0] else page
            return target.exists() and (not link[1] or link[1] in anchors(target))

        self.expect_all(links, leads)
        others = [ROOT / "CHANGELOG.md", ROOT / "tests/README.md"]
        self.assertEqual([(page.name, link) for page in others for link in links(page)
                          if not leads(page, link)], [])

    def test_pages_are_linked(self):
        """Nobody finds a page to which no other leads."""
        linked = {(page.parent / file).resolve() for page in PAGES for file, _ in links(page) if file}
        self.assertEqual([page.name for page in HOW_TOS if page not in linked], [])

    def test_subjects_are_named(self):
        """A stranger asks whose: the subject of a sentence is a named thing, nearly always."""
        pages = [*PAGES, ROOT / "CHANGELOG.md", *(ROOT / "include").glob("**/*.h")]
        found = [page.name for page in pages
                 for _ in re.findall(r"\bours?\b", page.read_text(), re.IGNORECASE)]
        self.assertLessEqual(len(found), 20, found)

    def test_pages_that_sources_cite_are_there(self):
        """The name begins at the root, or at a folder that holds the source; or it stands in a table of a how-to."""
        found = [(path, page) for folder in CITING for path in sorted((ROOT / folder).glob("**/*"))
                 if path.is_file() and path.suffix in CITING_SUFFIXES
                 for page in re.findall(r"[\w./-]+\.md\b", path.read_text(errors="replace"))]
        self.assertGreater(len(found), 30)
        self.assertEqual([(str(path.relative_to(ROOT)), page) for path, page in found
                          if not any((place / page).exists()
                                     for place in [*path.parents, ROOT / "docs/how-to"])], [])

    def test_named_files_are_there(self):
        """So is a file that is only named."""
        self.expect_all(named_files, lambda _, name: is_there(name))


if __name__ == "__main__":
    unittest.main()
