# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what the C headers declare, with the Swift toolchain's clang: for ctypes, and as JSON.

    python3 Sources/MainstemPython/declare.py

Run it when a header has changed. Tests/RepositoryTests/test_declarations.py compares the modules
and include/mainstem/api.json with what this would write, and with what a C compiler makes of the
headers.
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Set, Tuple

PACKAGE = Path(__file__).resolve().parent / "mainstem"
INCLUDE = PACKAGE.parents[2] / "include"
#: For hosts in other languages: installed as share/mainstem/api.json.
API = INCLUDE / "mainstem" / "api.json"
WIDTH = 100


class Module(NamedTuple):
    """A module to write: its file, its header, how the names of the header begin."""

    file: str
    header: str
    prefix: str


CORE = Module("_library/_header.py", "mainstem.h", "mainstem_")
BRIDGE = Module("nats/_header.py", "mainstem/nats.h", "mainstem_nats_")

HEAD = '''\
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Declares {header} to ctypes; loads no library. Generated: change the header, and type

    python3 Sources/MainstemPython/declare.py

Tests/RepositoryTests/test_declarations.py compares.
"""

from __future__ import annotations

'''

#: The type of a field where the rules in Types are wrong, and why.
FIELDS = {
    # Most events have no text, and c_char_p would copy it: it is read where there is one.
    "mainstem_event.user_message": "c_void_p",
    # These do not end with a zero, as c_char_p expects: a size stands beside them.
    "mainstem_parameter.name": "c_void_p",
    "mainstem_parameter.text": "c_void_p",
    "mainstem_match_info.fragment": "c_void_p",
    # It is set, never read; c_char_p takes bytes.
    "mainstem_secret.data": "c_char_p",
}
#: Macros that are no constants in Python: an attribute, and the version, which the package has.
LEFT_OUT = re.compile(r"MAINSTEM_API|MAINSTEM_VERSION_(MAJOR|MINOR|PATCH)")
#: A struct keeps its name if one of these words is in it. All others are called …Struct: the
#: package has classes of the same names.
PLAIN = {"Options", "Row", "Table", "Value"}

NUMBERS = {
    "void": "None",
    "bool": "c_bool",
    "_Bool": "c_bool",
    "char": "c_char",
    "int": "c_int",
    "double": "c_double",
    "size_t": "c_size_t",
    **{f"{u}int{bits}_t": f"c_{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)},
}


def main() -> None:
    """Writes the modules, and the JSON."""
    for module in (CORE, BRIDGE):
        (PACKAGE / module.file).write_text(written(module), encoding="utf-8")
    API.write_text(api(), encoding="utf-8")


# What clang says of a header ---------------------------------------------------------------------


class Declaration(NamedTuple):
    """A declaration of C: its header, its name, and clang's node."""

    file: str
    name: str
    node: Dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.node["kind"])

    def inner(self, kind: str) -> List[Dict[str, Any]]:
        return [each for each in self.node.get("inner", ()) if each["kind"] == kind]


def clang(*arguments: str) -> str:
    """What the clang beside `swift` prints, in the folder of the headers."""
    swift = shutil.which("swift")
    if swift is None:
        raise SystemExit("declare.py: there is no `swift` on the PATH, and its clang is needed")
    places = [Path(swift).parent, Path(swift).resolve().parent]
    found = [place / "clang" for place in places if (place / "clang").exists()]
    if not found:
        raise SystemExit(f"declare.py: there is no clang beside {swift}")
    command = [str(found[0]), "-x", "c", "-std=c99", *arguments]
    done = subprocess.run(command, cwd=str(INCLUDE), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def declarations(header: str) -> Iterator[Declaration]:
    """What a header and the headers it includes declare, in order."""
    file = ""
    tree = json.loads(clang("-fsyntax-only", "-Xclang", "-ast-dump=json", header))
    for node in tree["inner"]:
        # clang names a file only where another one begins.
        file = ([file] + list(files(node["loc"])))[-1]
        yield Declaration(file, node.get("name", ""), node)
        file = ([file] + list(files(node)))[-1]


def constants(
    header: str, declared: List[Declaration], prefix: str
) -> Iterator[Tuple[str, str, str]]:
    """The macros that are numbers, then the enumerators: each with its header and its value."""
    file, own = "", prefix.upper()
    for line in clang("-E", "-dD", header).splitlines():
        place = re.match(r'# \d+ "(.+?)"', line)
        macro = re.match(rf"#define ({own}\w+) (.+)", line)
        if place:
            file = plain(place[1])
        elif macro and not LEFT_OUT.fullmatch(macro[1]):
            number = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)U?L?L?", macro[2])
            if not number:
                raise SystemExit(f"declare.py: {macro[1]} is no number: does LEFT_OUT lack it?")
            yield file, macro[1][len(own) :], number[1].upper().replace("X", "x")
    for each in declared:
        for one in each.inner("EnumConstantDecl") if each.kind == "EnumDecl" else ():
            if one["name"].startswith(own):
                values = [part["value"] for part in one.get("inner", ()) if "value" in part]
                if not values:
                    raise SystemExit(f"declare.py: write the value of {one['name']} in the header")
                yield each.file, one["name"][len(own) :], values[0]


def files(part: Any) -> Iterator[str]:
    """The files that a part of clang's tree names, in order."""
    if isinstance(part, list):
        for each in part:
            yield from files(each)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key == "file":
                yield plain(value)
            elif key != "includedFrom":
                yield from files(value)


def plain(path: str) -> str:
    """The path of a header below include/."""
    return path[2:] if path.startswith("./") else path


# What ctypes calls it ----------------------------------------------------------------------------


class Types:
    """The rules: the ctypes type of each type of C."""

    def __init__(self, prefix: str, declared: List[Declaration]) -> None:
        self.prefix = prefix
        #: Names of another module's that were needed.
        self.borrowed: Set[str] = set()
        self.structs = {each.name for each in declared if each.node.get("completeDefinition")}
        aliases = {
            each.name: str(each.node["type"]["qualType"])
            for each in declared
            if each.kind == "TypedefDecl" and each.name.startswith("mainstem_")
        }
        self.callbacks = {name for name, alias in aliases.items() if "(*)" in alias}
        opaque = {name for name, alias in aliases.items() if alias == f"struct {name}"}
        self.opaque = opaque - self.structs
        self.numbers = {name: alias for name, alias in aliases.items() if alias in NUMBERS}

    def named(self, name: str) -> str:
        """What Python calls a struct or a type of callbacks."""
        is_own = name.startswith(self.prefix)
        words = name[len(self.prefix if is_own else CORE.prefix) :].split("_")
        if name in self.callbacks:
            called = "_".join(words).upper()
        else:
            words = [word.capitalize() for word in words]
            called = "".join(words) + ("" if PLAIN.intersection(words) else "Struct")
        if not is_own:
            self.borrowed.add(called)
        return called

    def of(self, spelled: str) -> str:
        """The type of a value."""
        spelled = re.sub(r"\bconst$", "", spelled).strip()
        array = re.fullmatch(r"(.+)\[(\d+)\]", spelled)
        if array:
            return f"{self.of(array[1])} * {array[2]}"
        if spelled.endswith("*"):
            return self.pointer(spelled[:-1].strip())
        name = spelled.replace("const ", "").replace("struct ", "")
        if name in self.structs or name in self.callbacks:
            return self.named(name)
        number = NUMBERS.get(self.numbers.get(name, name))
        if number is None:
            raise SystemExit(f"declare.py: what is {spelled!r} in ctypes? Types has no rule for it")
        return number

    def pointer(self, target: str) -> str:
        """The type of a pointer. An event is its address: that is the cheapest form in ctypes."""
        if target == "const char":
            return "c_char_p"
        if target == "const mainstem_event":
            return "c_void_p"
        name = target.replace("const ", "").replace("struct ", "")
        if name in ("void", "char") or name in self.opaque:
            return "c_void_p"
        return f"POINTER({self.of(target)})"

    def called(self, spelled: str, is_callback: bool = False) -> Tuple[str, List[str]]:
        """The types of the result and of the arguments of a function.

        A payload for the library is bytes. A text for a callback that has a size does not end with
        a zero.
        """
        result, _, inside = spelled.rstrip(")").replace("(*)", "").partition("(")
        parts = [] if inside == "void" else inside.split(", ")
        types = [self.of(part) for part in parts]
        sized = ("const char *", "c_void_p") if is_callback else ("const void *", "c_char_p")
        for place, pair in enumerate(zip(parts, parts[1:])):
            if pair == (sized[0], "size_t"):
                types[place] = sized[1]
        return self.of(result.strip()), types


# What is written ---------------------------------------------------------------------------------


class Block(NamedTuple):
    """Lines that belong together: constants, a struct, or a type of callbacks."""

    kind: str
    lines: List[str]


def written(module: Module) -> str:
    """The text of a module."""
    declared = list(declarations(module.header))
    types = Types(module.prefix, declared)
    own = [each for each in declared if each.name.startswith(module.prefix)]
    numbers = list(constants(module.header, declared, module.prefix))
    text, functions, before = "", "", ""
    for file in dict.fromkeys(each.file for each in own):
        here = [each for each in own if each.file == file]
        lines = [f"{name} = {number}" for place, name, number in numbers if place == file]
        blocks = [Block("constants", lines)] if lines else []
        blocks += [block(each, types) for each in here if is_type(each, types)]
        for place, each in enumerate(blocks):
            text += distance(before, each.kind, place == 0)
            text += "" if place else f"# {file}\n"
            text += "".join(f"{line}\n" for line in each.lines)
            before = each.kind
        calls = [each for each in here if each.kind == "FunctionDecl"]
        functions += f"    # {file}\n" if calls else ""
        functions += "".join(function(each, types) for each in calls)
    text += distance(before, "functions", True)
    text += "#: Each function in the order of the headers: its result, its arguments.\n"
    text += f"DECLARATIONS: List[Tuple[str, Any, List[Any]]] = [\n{functions}]\n"
    return HEAD.format(header=module.header) + imports(text, types) + text


def api() -> str:
    """What the header of the core declares, as JSON; types as C spells them."""
    declared = list(declarations(CORE.header))
    types = Types(CORE.prefix, declared)
    own = [each for each in declared if each.name.startswith(CORE.prefix)]
    rooms: Dict[str, Dict[str, Any]] = {
        "constants": {
            f"MAINSTEM_{name}": int(number, 0)
            for _, name, number in constants(CORE.header, declared, CORE.prefix)
        },
        "callbacks": {},
        "structs": {},
        "functions": {},
    }
    for each in own:
        if each.kind == "TypedefDecl" and each.name in types.callbacks:
            rooms["callbacks"][each.name] = spelled(each.node)
        elif is_struct(each):
            rooms["structs"][each.name] = pairs(each, "FieldDecl")
        elif each.kind == "FunctionDecl":
            result = spelled(each.node).partition("(")[0].strip()
            rooms["functions"][each.name] = [result, pairs(each, "ParmVarDecl")]
    written_rooms = ",\n".join(room(name, rooms[name]) for name in rooms)
    return f"{{\n{written_rooms}\n}}\n"


def pairs(declaration: Declaration, kind: str) -> List[Tuple[str, str]]:
    """The names and types of fields or parameters, in order."""
    return [(one["name"], spelled(one)) for one in declaration.inner(kind)]


def room(name: str, members: Dict[str, Any]) -> str:
    """A member of the JSON, a line for each of its own."""
    lines = ",\n".join(f"  {json.dumps(each)}: {json.dumps(members[each])}" for each in members)
    return f" {json.dumps(name)}: {{\n{lines}\n }}"


def is_type(declaration: Declaration, types: Types) -> bool:
    """Whether a declaration is of a struct with fields or of a type of callbacks."""
    is_callback = declaration.kind == "TypedefDecl" and declaration.name in types.callbacks
    return is_struct(declaration) or is_callback


def is_struct(declaration: Declaration) -> bool:
    """Whether it is a struct with its fields, not only the name of one that comes later."""
    return declaration.kind == "RecordDecl" and bool(declaration.node.get("completeDefinition"))


def block(declaration: Declaration, types: Types) -> Block:
    """A struct, or a type of callbacks."""
    name = types.named(declaration.name)
    if declaration.kind == "TypedefDecl":
        result, arguments = types.called(spelled(declaration.node), is_callback=True)
        parts = [result, *arguments]
        line = f"{name} = CFUNCTYPE({', '.join(parts)})"
        if len(line) <= WIDTH:
            return Block("callback", [line])
        return Block("callback", [f"{name} = CFUNCTYPE(", *(f"    {part}," for part in parts), ")"])
    # Slots, or a field that the header no longer has could still be set, and nobody would notice.
    lines = [f"class {name}(Structure):", f'    """{declaration.name}."""', ""]
    lines += ["    __slots__ = ()", "    _fields_ = ["]
    for field in declaration.inner("FieldDecl"):
        called = field["name"] + ("_" if keyword.iskeyword(field["name"]) else "")
        exception = FIELDS.get(f"{declaration.name}.{field['name']}")
        lines.append(f'        ("{called}", {exception or types.of(spelled(field))}),')
    return Block("struct", [*lines, "    ]"])


def function(declaration: Declaration, types: Types) -> str:
    """The row of a function."""
    result, arguments = types.called(spelled(declaration.node))
    name, listed = f'"{declaration.name}"', f"[{', '.join(arguments)}]"
    line = f"    ({name}, {result}, {listed}),\n"
    if len(line) <= WIDTH + 1:
        return line
    if len(listed) > WIDTH - 9:
        listed = "".join(["[\n", *(f"            {each},\n" for each in arguments), "        ]"])
    return f"    (\n        {name},\n        {result},\n        {listed},\n    ),\n"


def spelled(node: Dict[str, Any]) -> str:
    """The type of a node as the header spells it."""
    return str(node["type"]["qualType"])


def distance(before: str, kind: str, is_first: bool) -> str:
    """The blank lines between two blocks."""
    if not before:
        return ""
    if "struct" in (before, kind):
        return "\n\n"
    return "\n" if is_first or before != kind else ""


def imports(text: str, types: Types) -> str:
    """The imports that a text needs."""
    needed = set(re.findall(r"\b(?:CFUNCTYPE|POINTER|Structure|c_\w+)\b", text))
    # As ruff sorts: c_uint8 before c_uint32.
    in_order = sorted(needed, key=lambda name: re.sub(r"\d+", lambda n: n[0].zfill(2), name))
    lines = ["from ctypes import (", *(f"    {name}," for name in in_order), ")"]
    lines += ["from typing import Any, List, Tuple", ""]
    if types.borrowed:
        lines += [f"from .._library._header import {', '.join(sorted(types.borrowed))}", ""]
    return "".join(f"{line}\n" for line in lines) + ("\n" if text.startswith("class") else "")


if __name__ == "__main__":
    main()
