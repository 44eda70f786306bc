# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The declarations are the header's, and the library's."""

from __future__ import annotations

import ctypes
import inspect
import re
import subprocess
from ctypes import byref, c_uint32

import mainstem
from conftest import ROOT
from mainstem import Status
from mainstem._library import C
from mainstem._library import _header as d
from raw import INVALID, OK

PARTS = (
    "core",
    "types",
    "context",
    "scopes",
    "observing",
    "requests",
    "screens",
    "lists",
    "blocks",
    "queries",
    "reactor",
    "recording",
    "journal",
    "replay",
    "routes",
    "navigation",
    "stage",
    "loop",
    "languages",
)
HEADERS = [ROOT / "include" / "mainstem" / f"{part}.h" for part in PARTS]


def header_text():
    """The headers without their comments."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS)
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def test_the_declared_functions_are_those_of_the_header_in_its_order():
    names = re.findall(r"\bMAINSTEM_API\s[^;]*?\b(mainstem_\w+)\(", header_text())

    assert list(mainstem._library.FUNCTIONS) == names


def test_the_declared_functions_are_what_the_library_exports():
    output = subprocess.run(
        ["nm", "-D", "--defined-only", mainstem._library.LIBRARY_PATH],
        stdout=-1,
        check=True,
        universal_newlines=True,
    ).stdout
    names = [line.split()[-1].split("@")[0] for line in output.splitlines() if line]

    assert sorted(mainstem._library.FUNCTIONS) == sorted(names)


def test_each_function_takes_as_many_arguments_as_the_header_says():
    for name, parameters in re.findall(
        r"\bMAINSTEM_API\s[^;]*?\b(mainstem_\w+)\((.*?)\);", header_text(), re.S
    ):
        count = 0 if parameters.strip() == "void" else parameters.count(",") + 1
        assert len(getattr(C, name).argtypes) == count, name


def test_each_status_has_the_value_of_the_header():
    values = dict(re.findall(r"\bMAINSTEM_([A-Z_]+)\s*=\s*(\d+)", header_text()))

    assert {status.name: int(status) for status in Status} == {
        name: int(value) for name, value in values.items()
    }


def test_the_event_is_a_header_of_64_bytes_and_six_more_words():
    assert d.EventStruct.data.offset == 64
    assert ctypes.sizeof(d.EventStruct) == 112


def test_the_names_of_statuses_are_those_of_the_library():
    for status in Status:
        assert C.mainstem_status_name(status).decode() == status.name
    assert C.mainstem_status_name(4711) == b"APP"
    assert C.mainstem_status_name(999) == b"UNKNOWN"


def test_the_versions_of_library_header_and_module_agree():
    number = C.mainstem_version()
    text = f"{number >> 16}.{number >> 8 & 255}.{number & 255}"

    assert text == mainstem.__version__
    for name, part in zip(("MAJOR", "MINOR", "PATCH"), text.split(".")):
        assert f"#define MAINSTEM_VERSION_{name} {part}" in header_text()


def test_all_names_of_the_module_exist_and_have_a_sentence():
    assert list(mainstem.__all__) == sorted(
        mainstem.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n)
    )
    for name in mainstem.__all__:
        thing = getattr(mainstem, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert thing.__doc__, name


def test_a_failed_call_leaves_its_sentence_for_its_thread():
    number = c_uint32()
    assert C.mainstem_type_find(None, b"x", byref(number)) != OK

    assert C.mainstem_last_error().startswith(b"mainstem_type_find: ")


def test_types_can_be_added_as_a_catalogue(stream):
    rows = (d.TypeRow * 2)(
        d.TypeRow(b"RequestA", d.PAYLOAD_TEXT, b"ResponseA"),
        d.TypeRow(b"ResponseA", d.PAYLOAD_TEXT, None),
    )
    numbers = (c_uint32 * 2)()
    size = ctypes.sizeof(d.TypeRow)

    assert C.mainstem_types_add(stream.handle, rows, size, 2, numbers) == OK
    assert stream.type(b"RequestA", d.PAYLOAD_TEXT, b"ResponseA") == numbers[0]
    info = d.TypeInfoStruct(size=ctypes.sizeof(d.TypeInfoStruct))
    assert C.mainstem_type_read(stream.handle, numbers[0], byref(info)) == OK
    assert info.response == numbers[1]
    assert C.mainstem_types_add(stream.handle, rows, 3, 2, numbers) == INVALID


def test_the_error_of_a_failed_response_can_be_read(stream):
    stream.type(b"RequestA", response=b"ResponseA")
    answer = stream.type(b"ResponseA")
    errors = []

    def read(event):
        error = d.ErrorStruct(size=ctypes.sizeof(d.ErrorStruct))
        assert C.mainstem_event_error(event.address, byref(error)) == OK
        errors.append((error.code, error.message, error.user_message, error.subject))

    stream.server([(b"RequestA", lambda e: C.mainstem_respond_error(e.address, 1001, b"why"))])
    stream.observe(answer, read)
    stream.request(stream.type(b"RequestA", response=b"ResponseA"), b"", lambda e: None)

    assert errors == [(1001, b"why", b"", b"")]
