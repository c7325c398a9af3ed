# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The toolkit compiles all kernels, and the headers for kernels: kernels_check.py NVCC [CASE...].

This runs where nvcc is, and there it must pass: nothing is skipped. ptxas and NVRTC are of the same toolkit.
"""

import ctypes
import ctypes.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

NVCC = pathlib.Path(sys.argv.pop(1)).absolute()
HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
CHIPS = ("sm_75", "sm_80", "sm_90")
KERNELS = [HERE / "kernels.h"]  # sources with PTX in raw strings
# NVRTC's options. Of headers a kernel gets those of UCXX alone: programs give NVRTC no others.
LANGUAGE = "--std=c++17"
INCLUDES = [f"--include-path={folder}" for folder in (INCLUDE, HERE.parent)]
NVCC_OPTIONS = [LANGUAGE, *INCLUDES, "--Werror=all-warnings",
                "--compiler-options=-Wall,-Wextra,-Werror", "--compile"]  # fmt: skip
NVRTC_OPTIONS = [LANGUAGE, *INCLUDES]


def source_with(line):
    """Return a program that has this line, and a kernel that does nothing."""
    return f'{line}\nextern "C" __global__ void ucxx_nothing() {{}}\n'


def sources():
    """Return programs to be compiled, by what is in them: headers, none, and the kernels of the tests."""
    headers = sorted(INCLUDE.glob("ucxx/cuda/device*.h"))
    names = [str(header.relative_to(INCLUDE)) for header in headers]
    kernels = {file.name: file.read_text() for file in sorted(HERE.glob("*.cu"))}
    return {"no header": source_with(""), **{name: source_with(f"#include <{name}>") for name in names}, **kernels}


# What each compiler has to complain about, or its warnings do not count.
DOUBTFUL = source_with("__device__ void ucxx_doubtful() { int unused; }")


def run(*command):
    """Run to the end; return status, and all that was said."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=100)  # fmt: skip
    return done.returncode, done.stdout


def toolkit_folders():
    """Return where the toolkit may have its programs: NVCC's, and that of the file it is a link to."""
    return list(dict.fromkeys([NVCC.parent, NVCC.resolve().parent]))


class Nvrtc:
    """NVIDIA's compiler for running programs."""

    def __init__(self):
        self.library = ctypes.CDLL(self.path())

    @staticmethod
    def path():
        """Return the library's path: the toolkit's, or else what the loader finds."""
        for folder in toolkit_folders():
            for place in ("lib64", "lib", "targets/x86_64-linux/lib"):
                library = folder.parent / place / "libnvrtc.so"
                if library.exists():
                    return str(library)
        found = ctypes.util.find_library("nvrtc")
        if found is None:
            raise AssertionError(f"no libnvrtc.so in the toolkit of {NVCC}, and none that the loader finds")
        return found

    def text(self, program, size_of, get):
        """Return what the library has to say of a program."""
        size = ctypes.c_size_t()
        self.check(size_of, program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        self.check(get, program, text)
        return text.value.decode()

    def check(self, call, *arguments):
        """Call what must not fail."""
        result = self.library[call](*arguments)
        if result != 0:
            raise AssertionError(f"{call}: error {result} of NVRTC")

    def compile(self, source, chip):
        """Return status, all that was said, and the size of what it was compiled into."""
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.check("nvrtcCreateProgram", ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None)
        try:
            options = [f"--gpu-architecture={chip}", *NVRTC_OPTIONS]
            array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
            status = self.library.nvrtcCompileProgram(program, len(options), array)
            said = self.text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog")
            if status == 0:
                self.check("nvrtcGetCUBINSize", program, ctypes.byref(size))
            return status, said, size.value
        finally:
            self.check("nvrtcDestroyProgram", ctypes.byref(program))


class KernelsTest(unittest.TestCase):
    """Each compiler of the toolkit."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def nvcc(self, source, chip):
        """Compile a program; return status, and all that was said."""
        path = self.folder / "kernels.cu"
        path.write_text(source)
        return run(NVCC, *NVCC_OPTIONS, f"--gpu-architecture={chip}", path, "-o", self.folder / "kernels.o")

    def test_ptxas(self):
        ptxas = shutil.which("ptxas", path=":".join(str(folder) for folder in toolkit_folders()))
        self.assertIsNotNone(ptxas, f"no ptxas beside {NVCC}")
        for path in KERNELS:
            (text,) = re.findall(r'R"\((.*?)\)"', path.read_text(), re.DOTALL)
            source = self.folder / "kernels.ptx"
            source.write_text(text.lstrip())
            for chip in CHIPS:
                with self.subTest(path.name, chip=chip):
                    done = run(ptxas, "--warning-as-error", f"--gpu-name={chip}", source, "-o",
                               self.folder / "kernels.cubin")  # fmt: skip
                    self.assertEqual(done, (0, ""))

    def test_nvcc(self):
        for name, source in sources().items():
            for chip in CHIPS:
                with self.subTest(name, chip=chip):
                    self.assertEqual(self.nvcc(source, chip), (0, ""))

    def test_nvrtc(self):
        nvrtc = Nvrtc()
        for name, source in sources().items():
            for chip in CHIPS:
                with self.subTest(name, chip=chip):
                    status, said, size = nvrtc.compile(source, chip)
                    self.assertEqual((status, said), (0, ""))
                    self.assertGreater(size, 0)

    def test_warnings_count(self):
        status, said = self.nvcc(DOUBTFUL, CHIPS[0])
        self.assertNotEqual(status, 0)
        self.assertIn("unused", said)
        self.assertIn("unused", Nvrtc().compile(DOUBTFUL, CHIPS[0])[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
