# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What clang's syntax tree says of the core: its classes, its functions, and which header each file uses."""

import collections
import dataclasses
import json
import pathlib
import shlex
import subprocess

from clang import cindex
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

CLASSES = {Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE, Kind.UNION_DECL}
TYPES = CLASSES | {Kind.ENUM_DECL, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR,
             Kind.CONVERSION_FUNCTION, Kind.FUNCTION_TEMPLATE}
REFERENCES = {Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR,
              Kind.CALL_EXPR, Kind.MEMBER_REF, Kind.OVERLOADED_DECL_REF}


@dataclasses.dataclass
class Class:
    """A class with what it declares itself: a member of the type of another class is one field."""

    name: str
    file: str
    functions: int = 0  # deleted ones are none
    fields: int = 0
    pointers: list = dataclasses.field(default_factory=list)  # (class, field)


@dataclasses.dataclass
class Function:
    """A function with a body, and how many lines it has, signature and braces included."""

    name: str
    file: str
    line: int
    lines: int


@dataclasses.dataclass
class Tree:
    """All of it; files are named from the root."""

    classes: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)
    # file -> header -> names of what the header declares; a class that is named, and no more, may
    # be declared without its header.
    uses: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(
        lambda: collections.defaultdict(set)))
    named: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(
        lambda: collections.defaultdict(set)))
    declared: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(set))


def options_of(build):
    """Return the options for clang, as the sources of src/core are compiled in this folder."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in commands if "ucxx_objects.dir" in entry["command"])
    words = shlex.split(command)
    options = [word for word in words if word.startswith(("-I", "-D", "-std="))]
    for before, word in zip(words, words[1:]):
        if before == "-isystem":
            options += [before, word]
    # The wheel of libclang has no headers of a compiler: those of the one that builds serve.
    said = subprocess.run([words[0], "-x", "c++", "-E", "-v", "/dev/null"], capture_output=True,
                          text=True, check=True).stderr
    folders = said.split("search starts here:\n")[-1].split("End of search list")[0].split()
    return ["-x", "c++", "-ferror-limit=0", *options,
            *(word for folder in folders for word in ("-isystem", folder))]


class Reader:
    """Reads the sources of `folders` of `root`, and what they include of src/, into a tree."""

    def __init__(self, root, folders, options):
        self.root, self.folders, self.options = root, folders, options
        self.tree = Tree()
        self.names = {}  # of files, by what clang calls them
        self.seen = set()

    def read(self):
        """Return the tree. Sources whose private names meet are read apart."""
        files = [path.relative_to(self.root).as_posix() for folder in self.folders
                 for suffix in ("cpp", "h")
                 for path in sorted((self.root / folder).rglob(f"*.{suffix}"))]
        while files:
            left = self.read_together(files)
            if len(left) == len(files):
                raise SystemExit(f"clang cannot read {', '.join(left)}")
            files = left
        return self.tree

    def read_together(self, files):
        """Read these as one source; return those that are wrong beside the others."""
        text = "".join(f'#include "{self.root / name}"\n' for name in files)
        unit = cindex.Index.create().parse("core.cpp", args=self.options,
                                           unsaved_files=[("core.cpp", text)])
        errors = [said for said in unit.diagnostics if said.severity >= cindex.Diagnostic.Error]
        wrong = {self.name_of(said.location.file) for said in errors}
        if not wrong <= set(files) or any(name.endswith(".h") for name in wrong):
            raise SystemExit("\n".join(str(said) for said in errors))
        done, taken = self.seen | wrong, set()
        for cursor in unit.cursor.get_children():
            name = self.name_of(cursor.location.file)
            if name is not None and name not in done:
                self.take(cursor, name, "")
                self.walk(cursor, name, "")
                taken.add(name)
        self.seen |= taken
        return [name for name in files if name in wrong]

    def name_of(self, file):
        """Return the name from the root; None: it is outside."""
        if file is None:
            return None
        if file.name not in self.names:
            path = pathlib.Path(file.name).resolve()
            inside = path.is_relative_to(self.root / "src")
            self.names[file.name] = path.relative_to(self.root).as_posix() if inside else None
        return self.names[file.name]

    def walk(self, parent, file, scope):
        """Take what is below this cursor."""
        inner = f"{scope}{parent.spelling}::" if parent.kind in CLASSES | {Kind.NAMESPACE} else scope
        for cursor in parent.get_children():
            self.take(cursor, file, inner)
            self.walk(cursor, file, inner)

    def take(self, cursor, file, scope):
        """Take this cursor."""
        if cursor.kind in CLASSES | {Kind.ENUM_DECL} and not cursor.is_definition():
            self.tree.declared[file].add(cursor.spelling)
        elif cursor.kind in CLASSES:
            self.tree.classes.append(self.class_of(cursor, file, scope))
        elif cursor.kind in FUNCTIONS and cursor.is_definition():
            extent = cursor.extent
            self.tree.functions.append(Function(short(scope + cursor.spelling), file, extent.start.line,
                                                extent.end.line - extent.start.line + 1))
        elif cursor.kind in REFERENCES:
            self.refer(cursor, file)

    def class_of(self, cursor, file, scope):
        """Count what a class declares."""
        found = Class(short(scope + cursor.spelling), file)
        for member in cursor.get_children():
            if member.kind in FUNCTIONS:
                found.functions += member.availability != cindex.AvailabilityKind.NOT_AVAILABLE
            elif member.kind == Kind.FIELD_DECL:
                found.fields += 1
                if member.type.get_canonical().kind == TypeKind.POINTER:
                    pointee = member.type.get_canonical().get_pointee()
                    found.pointers.append((short(pointee.spelling.removeprefix("const ")),
                                           member.spelling))
        return found

    def refer(self, cursor, file):
        """Note whose header declares what is referred to."""
        target = cursor.referenced
        if target is None:
            return
        is_type = target.kind in TYPES
        places = [target.get_definition()]  # of an inline function perhaps in another header
        if not is_type:
            places.append(target.canonical)
        uses = self.tree.named if is_type and cursor.kind == Kind.TYPE_REF else self.tree.uses
        name = target.spelling or target.displayname
        for place in places:
            header = None if place is None else self.name_of(place.location.file)
            if header is not None and header != file and header.endswith(".h") \
                    and not name.startswith("__builtin_"):
                uses[file][header].add(name)


def short(name):
    """Without the namespaces that all of them share."""
    return name.removeprefix("ucxx::").removeprefix("core::").removeprefix("::")
