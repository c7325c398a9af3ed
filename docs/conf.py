# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Settings of Sphinx. `./dev docs` builds the pages of the whole clone: build/docs/html."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import types

from breathe.directives.file import DoxygenFileDirective

ROOT = pathlib.Path(__file__).resolve().parents[1]
(ROOT / "build/docs").mkdir(parents=True, exist_ok=True)
doxygen = subprocess.run(
    ["doxygen", "docs/Doxyfile"], cwd=ROOT, check=True, text=True, stderr=subprocess.PIPE
)
# Doxygen 1.9 does not find the namespace of a specialisation that is written outside of it.
KNOWN = "Internal inconsistency: scope for class std::hash"
if wrong := [line for line in doxygen.stderr.splitlines() if line and KNOWN not in line]:
    raise RuntimeError("\n".join(["doxygen:", *wrong]))

# The stub of the extension in place of the extension: it has all docstrings, more types, and need
# not be compiled.
core = types.ModuleType("ucxx._core")
core.__version__ = core.__git_commit__ = ""
stub = (ROOT / "python/ucxx/_core.pyi").read_text().replace("\nimport ucxx.", "\n# import ucxx.")
sys.path.insert(0, str(ROOT / "python"))  # the stub names types of the package
exec(f"from __future__ import annotations\n{stub}", core.__dict__)
sys.modules["ucxx._core"] = core

# The docstrings of `_shmem` are in its sources alone, so it is loaded. It is where the package was built.
built = [path for folder in [*sys.path, ROOT / "build/dev/python"]
         for path in pathlib.Path(folder).glob("ucxx/_shmem*.so")]
if not built:
    raise RuntimeError("the extension _shmem is not built: run ./dev docs")
spec = importlib.util.spec_from_file_location("ucxx._shmem", built[0])
sys.modules["ucxx._shmem"] = shmem = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shmem)
os.environ["UCXX_SHMEM_RC_INITIALIZE"] = "no"

project = "UCXX"
project_copyright = "2026 the UCXX founders"
# The Markdown files of the clone are the pages: their links are the same here and there.
root_doc = "docs/index"
include_patterns = ["docs/**", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "tests/README.md"]
exclude_patterns = ["build", ".venv"]

extensions = [
    "breathe",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
html_theme = "furo"
html_title = "UCXX"
html_extra_path = ["site"]  # index.html, which leads to root_doc
html_copy_source = False

myst_heading_anchors = 4
breathe_projects = {"ucxx": str(ROOT / "build/docs/doxygen/xml")}
breathe_default_project = "ucxx"
cpp_maximum_signature_line_length = 100
python_maximum_signature_line_length = 100

# Each header opens the namespace anew.
suppress_warnings = ["duplicate_declaration.cpp"]

default_role = "code"  # of `names` in docstrings
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_type_aliases = {
    name: name for name in ("BufferLike", "StreamLike", "GraphLike", "GraphNodeLike")
}
napoleon_use_rtype = False

# Of headers: what programs use, not private members and friends.
SHOWN = (
    "briefdescription detaileddescription innernamespace innerclass user-defined public-type "
    "public-func public-attrib public-static-func public-static-attrib enum func typedef define var"
)


class Header(DoxygenFileDirective):
    """What a header promises: ```{header} worker.h."""

    def run(self):
        """Show it."""
        self.options["sections"] = SHOWN
        return super().run()


def setup(app):
    """Add the directive."""
    app.add_directive("header", Header)
