# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`shmem.rc`: how the first use initialises the library."""

import copy
import pickle
import re

import pytest
from jobs_in_python import prints, run, without_pids

from ucxx.shmem._rc import Rc

DEFAULTS = {"initialize": True, "threads": False, "thread_level": "multiple", "finalize": None}


@pytest.fixture
def rc(monkeypatch):
    """Return settings as they are at first, whatever the environment of the tests says."""
    for name in DEFAULTS:
        monkeypatch.delenv(f"UCXX_SHMEM_RC_{name.upper()}", raising=False)
    return Rc()


def test_defaults(rc):
    assert vars(rc) == DEFAULTS
    assert rc.level == 0


def test_its_settings_as_a_dictionary_set_it_again(rc):
    rc(threads=True, finalize=False)
    other = Rc()
    other(**rc.__dict__)
    assert vars(other) == vars(rc) == DEFAULTS | {"threads": True, "finalize": False}


def test_its_name_is_where_it_is(rc):
    assert repr(rc) == f"<{type(rc).__module__}.rc>" == "<ucxx.shmem.rc>"


def test_settings_by_attribute_and_by_call(rc):
    rc.initialize = False
    rc(threads=True, thread_level="serialized", finalize=False)
    assert (rc.initialize, rc.threads, rc.thread_level, rc.finalize) == (False, True, "serialized", False)
    rc(finalize=None)
    assert rc.finalize is None


@pytest.mark.parametrize(("threads", "name", "level"), [
    (False, "multiple", 0), (True, "single", 0), (True, "funneled", 1), (True, "serialized", 2),
    (True, "multiple", 3),
])
def test_level_of_threads(rc, threads, name, level):
    rc(threads=threads, thread_level=name)
    assert rc.level == level


@pytest.mark.parametrize("name", ["thread", "Initialize", "fast_reduce", "level", "__call__", ""])
def test_an_unknown_name_is_a_type_error(rc, name):
    words = re.escape(f"rc: there is no setting {name!r}: there are finalize, initialize, thread_level, "
                      "threads")
    with pytest.raises(TypeError, match=words):
        setattr(rc, name, True)
    with pytest.raises(TypeError, match=words):
        rc(**{name: True})
    assert vars(rc) == DEFAULTS


@pytest.mark.parametrize(("name", "value", "right"), [
    ("initialize", 1, "True or False"), ("initialize", None, "True or False"),
    ("initialize", "yes", "True or False"), ("threads", 0, "True or False"),
    ("finalize", "no", "True, False or None"), ("finalize", 0, "True, False or None"),
    ("thread_level", "MULTIPLE", "one of 'single', 'funneled', 'serialized', 'multiple'"),
    ("thread_level", 3, "one of 'single', 'funneled', 'serialized', 'multiple'"),
    ("thread_level", [], "one of 'single', 'funneled', 'serialized', 'multiple'"),
])
def test_a_wrong_value_is_an_error_that_says_what_would_be_right(rc, name, value, right):
    with pytest.raises(ValueError, match=re.escape(f"rc: {name} = {value!r}: must be {right}")):
        setattr(rc, name, value)
    assert vars(rc) == DEFAULTS


def test_a_deleted_setting_is_as_at_first(rc, monkeypatch):
    rc(threads=True, thread_level="single", finalize=False)
    del rc.threads, rc.finalize
    monkeypatch.setenv("UCXX_SHMEM_RC_THREAD_LEVEL", "funneled")
    del rc.thread_level
    assert vars(rc) == DEFAULTS | {"thread_level": "funneled"}
    with pytest.raises(AttributeError, match="^rc: there is no setting 'level': there are finalize, initialize,"):
        del rc.level


def test_copies_have_the_settings(rc):
    rc(threads=True, finalize=False)
    for other in (pickle.loads(pickle.dumps(rc)), copy.copy(rc), copy.deepcopy(rc)):
        assert vars(other) == vars(rc) and other is not rc and type(other) is Rc
        other.initialize = False
    assert rc.initialize is True


@pytest.mark.parametrize(("text", "value"), [
    ("1", True), ("yes", True), ("True", True), ("ON", True), ("0", False), ("no", False),
    ("false", False), ("off", False),
])
@pytest.mark.parametrize("name", ["initialize", "threads", "finalize"])
def test_settings_from_the_environment(rc, monkeypatch, name, text, value):
    monkeypatch.setenv(f"UCXX_SHMEM_RC_{name.upper()}", text)
    assert getattr(Rc(), name) is value


def test_level_from_the_environment(rc, monkeypatch):
    monkeypatch.setenv("UCXX_SHMEM_RC_THREADS", "yes")
    monkeypatch.setenv("UCXX_SHMEM_RC_THREAD_LEVEL", "Funneled")
    assert Rc().level == 1


@pytest.mark.parametrize(("name", "text", "words"), [
    ("INITIALIZE", "maybe", "UCXX_SHMEM_RC_INITIALIZE=maybe: must be yes or no"),
    ("FINALIZE", "", "UCXX_SHMEM_RC_FINALIZE=: must be yes or no"),
    ("THREAD_LEVEL", "most", "UCXX_SHMEM_RC_THREAD_LEVEL=most: must be one of 'single', 'funneled', "
                             "'serialized', 'multiple'"),
])
def test_a_wrong_value_in_the_environment_is_an_error(rc, monkeypatch, name, text, words):
    monkeypatch.setenv(f"UCXX_SHMEM_RC_{name}", text)
    with pytest.raises(ValueError, match=re.escape(words)):
        Rc()


# What each setting does. Each case is a child, which has not used the library before.
EFFECTS = """
import os
from ucxx import shmem

def in_child(function):
    child = os.fork()
    if child == 0:
        print(function(), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

def not_initialised():
    shmem.rc.initialize = False
    try:
        shmem.my_pe()
    except RuntimeError as error:
        return error, shmem.query_initialized()

def initialised_by_hand():
    shmem.rc.initialize = False
    shmem.init()
    return shmem.n_pes(), shmem.query_thread().name

def level(**settings):
    shmem.rc(**settings)
    return shmem.query_thread().name

in_child(not_initialised)
in_child(initialised_by_hand)
in_child(level)
in_child(lambda: level(threads=True))
in_child(lambda: level(threads=True, thread_level="funneled"))
in_child(lambda: (level(threads=True), shmem.init(), shmem.query_thread().name))
"""


def test_what_the_settings_do():
    assert prints(EFFECTS) == sorted([
        "(RuntimeError('my_pe: the library is not initialised: call init() first'), False)",
        "(1, 'SINGLE')",
        "SINGLE",
        "MULTIPLE",
        "FUNNELED",
        "('MULTIPLE', None, 'MULTIPLE')",
    ])  # fmt: skip


def test_what_the_program_sets_counts_more_than_the_environment():
    code = "from ucxx import shmem; shmem.rc.initialize = True; print(shmem.n_pes())"
    assert prints(code, UCXX_SHMEM_RC_INITIALIZE="no") == ["1"]


# PE 0 ends; PE 1 waits for it.
ENDS = """
import sys
from ucxx import shmem
shmem.rc.finalize = eval(sys.argv[1])
if shmem.my_pe() == 1:
    shmem.barrier_all()
"""


def test_without_finalize_the_end_of_the_program_finalises_nothing():
    status, _, err = run(ENDS, "False", pes=2)
    assert status == 1
    assert "oshrun: PE 0 (pid N) exited with status 0 without shmem_finalize" in without_pids(err)


@pytest.mark.parametrize("setting", ["True", "None"])
def test_the_end_of_the_program_finalises(setting):
    assert prints("""
import sys
from ucxx import shmem
shmem.rc.finalize = eval(sys.argv[1])
print(shmem.my_pe())
""", setting, pes=2) == ["0", "1"]
