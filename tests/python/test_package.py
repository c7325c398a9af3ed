# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What pip builds and installs: an sdist, a wheel from it, fresh environments with that.

The wheel is built as by `./dev wheel`, but not optimised as a whole, which takes a minute each time.
"""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import libucx
import pytest
from packaging.requirements import Requirement

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools/dev"))
from portable_wheel import PORTABLE, build, repair  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

# What each Linux has.
SYSTEM = {"libc.so.6", "libgcc_s.so.1", "libm.so.6", "libstdc++.so.6", "ld-linux-x86-64.so.2"}
UCX = {"libucp.so.0", "libucs.so.0"}
# The child is the client, as in docs/start/first_transfer.md.
TWO_PROCESSES = """
import asyncio, os, ucxx
got, put = os.pipe()

async def serve():
    served = asyncio.Event()
    async def echo(endpoint):
        buffer = bytearray(1 << 20)
        assert await endpoint.recv(buffer) == len(buffer)
        await endpoint.send(buffer)
        await endpoint.close()
        served.set()
    with ucxx.create_listener(echo, ip="127.0.0.1") as listener:
        os.write(put, str(listener.port).encode())
        await served.wait()

async def call(port):
    async with await ucxx.create_endpoint("127.0.0.1", port) as endpoint:
        buffer = bytearray(1 << 20)
        await endpoint.send(b"x" * len(buffer))
        await endpoint.recv(buffer)
        assert buffer == b"x" * len(buffer)

if os.fork() == 0:
    asyncio.run(call(int(os.read(got, 16))))
    os._exit(0)
asyncio.run(serve())
assert os.wait()[1] == 0
"""
# As the start of docs/start; it tells its NumPy.
TWO_PES = """
import numpy as np
from ucxx import shmem

mine = shmem.array(shmem.my_pe(), dtype=np.int32)
all_of_us = shmem.empty(shmem.n_pes(), dtype=np.int32)
shmem.fcollect(all_of_us, mine)
assert all_of_us.tolist() == [0, 1]
if shmem.my_pe() == 0:
    print(np.__version__)
"""
BACKEND = "import sys, scikit_build_core.build as backend; backend.build_sdist(sys.argv[1])"


def run(*command, **options):
    """Run a program that must succeed, and return what it printed."""
    done = subprocess.run(list(map(str, command)), check=False, text=True, timeout=1000,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def pip(environment, *arguments):
    """Run pip for an environment: it finds nothing that is installed elsewhere."""
    variables = {**os.environ, "UCXX_UCX": "wheel"}
    variables.pop("PYTHONPATH", None)  # the build folder has the metadata of the package
    return run(sys.executable, "-m", "pip", "--python", environment / "bin/python",
               "--disable-pip-version-check", *arguments, env=variables)


def unpack(archive, folder):
    """Unpack, and touch no file that is the same already: only the others are compiled again."""
    with tarfile.open(archive) as tar:
        files = {folder / member.name.partition("/")[2]: tar.extractfile(member).read()
                 for member in tar if member.isfile()}
    for path in set(filter(pathlib.Path.is_file, folder.rglob("*"))) - set(files):
        path.unlink()
    for path, content in files.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@pytest.fixture(scope="module")
def work(root):
    """Return the folder of these tests. Sources and objects stay there, for the next time."""
    folder = root / "build/package"
    for old in ("dist", "venv", "empty", "consumer", "shmem"):
        shutil.rmtree(folder / old, ignore_errors=True)
    (folder / "dist").mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def sdist(root, work):
    """Return the source archive."""
    run(sys.executable, "-c", BACKEND, work / "dist", cwd=root)
    return next((work / "dist").glob("ucxx-*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(work, sdist):
    """Return the wheel, built from the source archive."""
    unpack(sdist, work / "source")
    return build(work / "source", work / "objects", work / "dist/plain", PORTABLE)


@pytest.fixture(scope="module")
def portable(work, wheel):
    """Return the wheel for all machines."""
    return repair(wheel, work / "dist/portable")


@pytest.fixture(scope="module")
def site_packages(work, wheel):
    """Return the packages of a new environment, with the wheel, libucx, and nothing else."""
    folder = installed(wheel, work / "venv")
    (folder / "libucx").symlink_to(pathlib.Path(libucx.__file__).parent)
    return folder


def installed(wheel, environment):
    """Install a wheel into a new environment, without what it requires; return its packages."""
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    pip(environment, "install", "--no-deps", "--no-index", wheel)
    return next((environment / "lib").glob("python3*/site-packages"))


def required(distribution, extra=""):
    """Return what a distribution declares that it requires, with an extra or without."""
    every = map(Requirement, distribution.requires or ())
    return [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]


def link_packages(folder, distribution):
    """Put links to the packages of a distribution into a folder of packages."""
    for name in {file.parts[0] for file in distribution.files if file.parts[0] != ".."}:
        if not (folder / name).exists():
            (folder / name).symlink_to(distribution.locate_file(name))


def link_what_is_required(folder, distribution):
    """Put links to what a distribution declares that it requires into a folder of packages."""
    for requirement in required(distribution):
        needed = importlib.metadata.distribution(requirement.name)
        link_packages(folder, needed)
        link_what_is_required(folder, needed)


def distribution_in(folder, name):
    """Return the distribution of a folder of packages."""
    (distribution,) = importlib.metadata.distributions(name=name, path=[str(folder)])
    return distribution


def numpy_of(root, version):
    """Return the distribution of the NumPy that this runs with, or of the oldest one."""
    if version == "newest":
        return importlib.metadata.distribution("numpy")
    if sys.version_info >= (3, 13):
        pytest.skip("NumPy 1.26 is not made for this CPython")
    (folder,) = (root / "build/peers/numpy/lib").glob("python3*/site-packages")
    return distribution_in(folder, "numpy")


@pytest.fixture(scope="module")
def elsewhere(work, portable):
    """Return a function that runs Python where there is the wheel, and no program on the path."""
    folder = installed(portable, work / "empty")
    link_what_is_required(folder, distribution_in(folder, "ucxx"))
    nothing = work / "empty/nothing"
    nothing.mkdir()
    kept = {name: os.environ[name] for name in os.environ if name.startswith("UCX_")}
    return lambda *arguments: run(work / "empty/bin/python", "-W", "error", *arguments,
                                  env={**kept, "PATH": str(nothing)})


@pytest.fixture(scope="module", params=["newest", "1.26.4"])
def shmem(request, root, work, portable):
    """Return an environment with the wheel and what its extra `shmem` requires, a NumPy of two."""
    environment = work / "shmem" / request.param
    folder = installed(portable, environment)
    (wanted,) = [one for one in required(distribution_in(folder, "ucxx"), "shmem")
                 if one.name == "numpy"]
    numpy = numpy_of(root, request.param)
    assert wanted.specifier.contains(numpy.version)
    link_packages(folder, numpy)
    environment.joinpath("numpy").write_text(numpy.version)
    return environment


@pytest.fixture(scope="module")
def python(work, site_packages):
    """Return the interpreter of that environment."""
    assert site_packages.is_dir()
    return work / "venv/bin/python"


def test_sdist_holds_what_is_compiled_and_no_more(sdist):
    with tarfile.open(sdist) as tar:
        names = [name.partition("/")[2] for name in tar.getnames()]
    top = {name.partition("/")[0] for name in names}
    assert top == {"CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "cmake", "include",
                   "pyproject.toml", "python", "src"}
    assert not [name for name in names if re.search(r"src/tools|__pycache__|\.so$", name)]


def test_wheel_holds_package_library_and_headers(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    libraries = {name for name in names if ".so" in name}
    assert all(re.fullmatch(r"ucxx/(_(core|shmem)\..*\.so|lib/libucxx(_shmem)?\.so\.\d+\.\d+)", name)
               for name in libraries - {"ucxx/lib/libucxx_shmem.so"}), libraries
    assert len(libraries) == 5
    programs = {name for name in names if re.search(r"/(bin|scripts)/", name)}
    assert {re.sub(r".*\.data/", "", name) for name in programs} == {
        "ucxx/bin/oshcc", "ucxx/bin/oshc++", "scripts/oshrun"}
    assert {"ucxx/_process/load.py", "ucxx/dask/backend.py", "ucxx_dask_hook.py", "ucxx/py.typed", "ucxx/_core.pyi", "ucxx/include/ucxx/api.h",
            "ucxx/include/shmem.h", "ucxx/include/mpp/shmem.h", "ucxx/include/ucxx_shmem/types.h",
            "ucxx/_shmem.pyi", "ucxx/shmem/__init__.py",
            "ucxx/lib/cmake/ucxx/ucxx-config.cmake", "ucxx/benchmarks/prk/c/stencil.c"} <= names
    assert {name.rpartition(".")[2] for name in names - libraries - programs} <= {
        "py", "pyi", "typed", "h", "c", "cmake"}
    assert wheel.stat().st_size < 4.7e6


def test_it_imports_beside_libucx_alone(python, run_python):
    status, said = run_python("import ucxx; from ucxx._process.load import load; print(*load(), sep='|')",
                              executable=python, PYTHONPATH="")
    assert status == 0, said
    path, _, reason = said.strip().split("|")
    assert path == str(pathlib.Path(libucx.__file__).resolve().parent / "lib/libucp.so.0")
    assert reason == "the wheel libucx"


def test_wheel_for_all_machines_needs_none_of_ours(work, portable):
    assert re.fullmatch(r"ucxx-.*-cp3\d+-cp3\d+-manylinux_2_\d+_\w+\.whl", portable.name)
    with zipfile.ZipFile(portable) as archive:
        files = [pathlib.Path(archive.extract(name, work / "dist"))
                 for name in archive.namelist() if not name.endswith("/")]
    libraries = [path for path in files if path.read_bytes()[:4] == b"\x7fELF"]
    assert sorted(path.name.partition(".")[0] for path in libraries) == [
        "_core", "_shmem", "libucxx", "libucxx_shmem", "oshrun"]  # nothing is copied beside them
    for library in libraries:
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library)))
        others = SYSTEM if "shm" in library.name or library.name == "oshrun" else SYSTEM | UCX
        assert {name for name in needed if not re.match(r"libucxx(_shmem)?\.", name)} <= others
        offered = run("nm", "-D", "--defined-only", library)
        assert not re.findall(r" ((?:EVP|HMAC|OPENSSL|CRYPTO)_\w+)", offered)


def test_wheel_sends_between_processes_where_no_compiler_is(elsewhere):
    elsewhere("-c", "import shutil; assert not any(map(shutil.which, ['cc', 'gcc', 'c++', 'sh']))")
    elsewhere("-c", TWO_PROCESSES)


def test_what_is_installed_along_suffices_for_the_commands(elsewhere):
    assert "the wheel libucx" in elsewhere("-m", "ucxx", "info")
    assert "0 problems" in elsewhere("-m", "ucxx", "doctor", "--quick")
    assert "ucxx-core" in elsewhere("-m", "ucxx.benchmarks.send_recv", "--backend", "ucxx-core",
                                    "--sizes", "8", "--iterations", "10", "--runs", "1")
    with pytest.raises(AssertionError, match=r"drawing needs matplotlib: pip install matplotlib"):
        elsewhere("-m", "ucxx", "benchmark", "sweep", "--plot", "sweep.png")


def on_path(environment, *folders):
    """Return variables by which programs of an environment are found, and then those of folders."""
    return {"PATH": os.pathsep.join([str(environment / "bin"), *folders])}


def test_pes_are_started_by_the_program_of_the_environment(shmem):
    said = run("oshrun", "-n", "2", "python", "-W", "error", "-c", TWO_PES, env=on_path(shmem))
    assert said == (shmem / "numpy").read_text() + "\n"


def test_launcher_ends_as_its_program_does(shmem):
    for code, status in (("import sys; sys.exit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)):
        done = subprocess.run(["oshrun", "-n", "1", "python", "-c", code], check=False, timeout=60,
                              capture_output=True, env=on_path(shmem))
        assert done.returncode == status


@pytest.mark.parametrize("compiler", ["oshcc", "oshc++"])
def test_programs_in_c_are_compiled_and_run(compiler, root, shmem):
    source = root / f"tests/install/consumer/shmem.{'c' if compiler == 'oshcc' else 'cpp'}"
    environment = on_path(shmem, os.environ["PATH"])
    run(compiler, source, "-o", shmem / "program", env=environment)
    run("oshrun", "-n", "2", shmem / "program", env=environment)


def test_numpy_that_is_missing_is_named(elsewhere):
    says = re.escape("ImportError: ucxx.shmem needs NumPy: pip install 'ucxx[shmem]'")
    with pytest.raises(AssertionError, match=says):
        elsewhere("-c", "from ucxx import shmem")


def test_nothing_stays_when_it_is_uninstalled(work, portable):
    environment = work / "shmem/uninstalled"
    installed(portable, environment)
    run("oshrun", "-n", "1", "python", "-c", "import ucxx", env=on_path(environment))
    pip(environment, "uninstall", "--yes", "ucxx")
    left = [path for path in environment.rglob("*") if re.search("ucxx|osh", path.name)]
    assert not left


def test_mypy_finds_its_types(work, python):
    program = work / "typed.py"  # NumPy is not installed there
    program.write_text("import ucxx\n\nasync def receive(endpoint: ucxx.Endpoint) -> int:\n"
                       "    return await endpoint.recv(bytearray(8))\n")
    run(sys.executable, "-m", "mypy", "--strict", "--python-executable", python,
        "--config-file", os.devnull, "--cache-dir", work / "mypy_cache", program, cwd=work)


def test_libraries_find_each_other(site_packages):
    run_paths = {}
    for library in (site_packages / "ucxx").glob("**/*.so*"):
        if library.read_bytes()[:4] != b"\x7fELF":
            continue  # what the linker takes for -lucxx_shmem
        dynamic = run("readelf", "-d", library)
        run_paths[library.name.partition(".")[0]] = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic)
    assert run_paths == {"_core": ["$ORIGIN/lib"], "libucxx": ["$ORIGIN/../../libucx/lib"],
                         "_shmem": ["$ORIGIN/lib"], "libucxx_shmem": []}


def test_nothing_names_a_path_of_the_build(root, site_packages):
    files = [path for path in site_packages.glob("ucxx*/**/*") if path.is_file()]
    files.append(site_packages.parents[2] / "bin/oshrun")
    assert len(files) > 50
    clone = [str(root).encode(), pathlib.Path(libucx.__file__).parent.as_posix().encode()]
    naming = [path for path in files if any(part in path.read_bytes() for part in clone)
              and path.suffix != ".pyc" and path.name not in ("direct_url.json", "RECORD")]
    assert not naming


def test_programs_in_cxx_find_it(root, work, site_packages):
    build = work / "consumer"
    run("cmake", "-S", root / "tests/install/consumer", "-B", build, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={site_packages / 'ucxx'}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    run("cmake", "--build", build)
    run(build / "consumer")
    loaded = re.findall(r"(libucxx|libucp)\.so\S* => (\S+)/lib/", run("ldd", build / "consumer"))
    found = {name: os.path.realpath(prefix) for name, prefix in loaded}
    assert found == {name: os.path.realpath(site_packages / package)
                     for name, package in {"libucxx": "ucxx", "libucp": "libucx"}.items()}
    run(site_packages.parents[2] / "bin/oshrun", "-n", "2", build / "consumer_shmem")
