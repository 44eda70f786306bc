# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The declarations of the C headers in Python are generated, and a C compiler agrees with them.

The tests need the clang of the Swift toolchain. Tests/PythonTests and Tests/NATSTests compare the
declarations with the libraries.
"""

import ctypes
import importlib
import inspect
import json
import sys
import types

import pytest
from tree import ROOT

sys.path.insert(0, str(ROOT / "Sources" / "MainstemPython"))

import declare

MODULES = [declare.CORE, declare.BRIDGE]
SAMPLE = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define MAINSTEM_MANY 0xffULL
#define MAINSTEM_TWICE(number) ((number) + (number))
enum { MAINSTEM_FEW = -3 };
typedef struct mainstem_thing mainstem_thing;
typedef uint16_t mainstem_kind;
typedef struct mainstem_event { const char *user_message; } mainstem_event;
typedef bool (*mainstem_look_fn)(void *user_data, const mainstem_event *event, const char *text,
                                 size_t size, const char *name);
typedef struct mainstem_look_row { mainstem_look_fn fn; const char *from; } mainstem_look_row;
typedef struct mainstem_look {
  mainstem_look_row row;
  uint8_t id[16];
  mainstem_kind kind;
} mainstem_look;
const char *mainstem_name(void);
int mainstem_look_at(mainstem_thing *thing, const void *data, size_t size,
                     const mainstem_look *looks, mainstem_thing **found, const char **name,
                     const mainstem_event **event);
void mainstem_change(mainstem_event *event, char *buffer, size_t capacity, const void *state,
                     const char *const *names, mainstem_look_fn fn, const mainstem_kind *kinds);
"""
DECLARED = """\
MANY = 0xFF
FEW = -3


class EventStruct(Structure):
    \"""mainstem_event.\"""

    __slots__ = ()
    _fields_ = [
        ("user_message", c_void_p),
    ]


LOOK_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_size_t, c_char_p)


class LookRow(Structure):
    \"""mainstem_look_row.\"""

    __slots__ = ()
    _fields_ = [
        ("fn", LOOK_FN),
        ("from_", c_char_p),
    ]


class LookStruct(Structure):
    \"""mainstem_look.\"""

    __slots__ = ()
    _fields_ = [
        ("row", LookRow),
        ("id", c_uint8 * 16),
        ("kind", c_uint16),
    ]


#: Each function in the order of the headers: its result, its arguments.
DECLARATIONS: List[Tuple[str, Any, List[Any]]] = [
    # sample.h
    ("mainstem_name", c_char_p, []),
    (
        "mainstem_look_at",
        c_int,
        [
            c_void_p,
            c_char_p,
            c_size_t,
            POINTER(LookStruct),
            POINTER(c_void_p),
            POINTER(c_char_p),
            POINTER(c_void_p),
        ],
    ),
    (
        "mainstem_change",
        None,
        [
            POINTER(EventStruct),
            c_void_p,
            c_size_t,
            c_void_p,
            POINTER(c_char_p),
            LOOK_FN,
            POINTER(c_uint16),
        ],
    ),
]
"""


@pytest.fixture(name="declared", scope="module")
def fixture_declared():
    """The modules, without the package around them, which would load the library."""
    for name in ("declared", "declared._library", "declared.nats"):
        package = types.ModuleType(name)
        package.__path__ = [str(declare.PACKAGE.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    files = [module.file[:-3].replace("/", ".") for module in MODULES]
    return [importlib.import_module(f"declared.{file}") for file in files]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.header)
def test_the_declarations_are_what_the_headers_say(module):
    is_same = (declare.PACKAGE / module.file).read_bytes() == declare.written(module).encode()

    assert is_same, (
        f"{module.file} is not what the headers say: type python3 Sources/MainstemPython/declare.py"
    )


def structs(module):
    """The structs that a module declares: each with its name in C, which is its docstring."""
    for kind in vars(module).values():
        is_own = inspect.isclass(kind) and kind.__module__ == module.__name__
        if is_own and issubclass(kind, ctypes.Structure):
            yield kind.__doc__.rstrip("."), kind


def claims(module, prefix):
    """What ctypes makes of the structs and constants of a module, as conditions of C."""
    for name, kind in structs(module):
        yield f"sizeof({name}) == {ctypes.sizeof(kind)}"
        for field, _ in kind._fields_:
            place, member = getattr(kind, field), field.rstrip("_")
            yield f"offsetof({name}, {member}) == {place.offset}"
            yield f"sizeof((({name} *)0)->{member}) == {place.size}"
    for name, value in vars(module).items():
        if isinstance(value, int):
            yield f"{prefix.upper()}{name} == {value}"


def test_a_c_compiler_sees_the_same_structs_and_constants(declared, tmp_path):
    conditions = [
        condition
        for each, module in zip(MODULES, declared)
        for condition in claims(module, each.prefix)
    ]
    assert len(conditions) > 700
    program = tmp_path / "program.c"
    lines = [f"#include <{each.header}>\n" for each in MODULES]
    lines += [f'_Static_assert({each}, "");\n' for each in conditions]
    program.write_text("".join(lines))

    said = declare.clang("-std=c11", "-fsyntax-only", "-I", ".", str(program))

    assert said == ""


def test_the_json_is_what_the_headers_say():
    is_same = declare.API.read_text() == declare.api()

    assert is_same, (
        "api.json is not what the headers say: type python3 Sources/MainstemPython/declare.py"
    )


def told_in_json():
    """What the JSON says of constants, functions and fields, as declarations of C."""
    told = json.loads(declare.API.read_text())
    for name, value in told["constants"].items():
        yield f'_Static_assert({name} == {value}, "");'
    for name, (result, parameters) in told["functions"].items():
        types = ", ".join(kind for _, kind in parameters) or "void"
        yield f"{result} (*of_{name})({types}) = {name};"
    for name, fields in told["structs"].items():
        for field, kind in fields:
            kind, _, count = kind.partition("[")
            length = f"[{count}" if count else ""
            yield f"{kind} (*in_{name}_{field}){length} = &(({name} *)0)->{field};"


def test_a_c_compiler_takes_what_the_json_says(tmp_path):
    lines = list(told_in_json())
    assert len(lines) > 500
    program = tmp_path / "program.c"
    program.write_text("\n".join(["#include <mainstem.h>", *lines, ""]))

    assert declare.clang("-std=c11", "-Werror", "-fsyntax-only", "-I", ".", str(program)) == ""


def test_each_exception_is_of_a_field_that_is_there(declared):
    fields = {
        f"{name}.{field}": kind.__name__
        for module in declared
        for name, struct in structs(module)
        for field, kind in struct._fields_
    }
    assert {name: fields.get(name) for name in declare.FIELDS} == declare.FIELDS


def sample(folder, source):
    """What is written for a header of a test's own."""
    (folder / "sample.h").write_text(source)
    module = declare.Module("_sample.py", str(folder / "sample.h"), "mainstem_")
    return declare.written(module).replace(f"{folder}/", "")


def test_each_rule_gives_what_it_should(tmp_path):
    assert sample(tmp_path, SAMPLE).partition("# sample.h\n")[2] == DECLARED


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("void mainstem_f(float number);", "'float'"),
        ('#define MAINSTEM_NAME "name"\nvoid mainstem_f(void);', "MAINSTEM_NAME is no number"),
        ("enum { MAINSTEM_FIRST };\nvoid mainstem_f(void);", "write the value of MAINSTEM_FIRST"),
    ],
)
def test_what_it_cannot_declare_it_refuses_with_a_sentence(source, said, tmp_path):
    with pytest.raises(SystemExit, match=said):
        sample(tmp_path, source)
