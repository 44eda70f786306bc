# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who may import whom in the Python package, which docs/architecture.md says; no circle."""

import ast
import re

import graphlib
import pytest
from tree import ROOT, files, text

PACKAGE = "Sources/MainstemPython/mainstem"
PAGE = ROOT / "docs" / "architecture.md"
CHECKING = ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def module_of(path):
    """The module of a file: its name in the package; "mainstem" for the package itself."""
    parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
    return ".".join(parts if parts[-1] != "__init__" else parts[:-1]) or "mainstem"


PATHS = {module_of(path): path for path in files(PACKAGE, suffixes=(".py",))}


def imports(tree, is_for_checkers=False):
    """Each import below, also inside functions, and whether only a type checker reads it."""
    for part in ast.iter_child_nodes(tree):
        checked = isinstance(tree, ast.If) and ast.unparse(tree.test) in CHECKING
        hidden = is_for_checkers or (checked and part in tree.body)
        if isinstance(part, (ast.Import, ast.ImportFrom)):
            yield part, hidden
        yield from imports(part, hidden)


def names(module, statement):
    """The full names of what an import brings."""
    if isinstance(statement, ast.Import):
        return [each.name for each in statement.names]
    here = ["mainstem", *module.split(".")] if module != "mainstem" else ["mainstem"]
    if PATHS[module].name != "__init__.py":
        here.pop()
    base = here[: len(here) - statement.level + 1] if statement.level else []
    base += [statement.module] if statement.module else []
    return [".".join([*base, each.name]) for each in statement.names]


def imported(name):
    """The module of the package that a full name is or is in; None if it is of another package."""
    if name != "mainstem" and not name.startswith("mainstem."):
        return None
    inner = name[len("mainstem.") :]
    while inner and inner not in PATHS:
        inner = inner.rpartition(".")[0]
    return inner or "mainstem"


def arrows(module):
    """The modules that one imports, each with whether only a type checker does."""
    found = set()
    for statement, is_for_checkers in imports(ast.parse(text(PATHS[module]))):
        owners = {imported(name) for name in names(module, statement)} - {None}
        found |= {(owner, is_for_checkers) for owner in owners}
    return found


def package_of(module):
    """The package of a module; a module in no package stands for itself."""
    return module.split(".")[0]


def rows():
    """The table of the page: each package, its modules, the packages from which it imports."""
    head = "| package | what it has | modules | imports |\n|---|---|---|---|\n"
    table = text(PAGE).split(head)[1].split("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines()]
    names = [[re.findall(r"`(\w+)`", cell) for cell in row] for row in cells]
    return {package: (modules, imports) for [package], _, modules, imports in names}


ROWS = rows()


def circle(arrows):
    """A circle of arrows, as a text; "" if there is none."""
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        return " ← ".join(error.args[1])
    return ""


def test_a_circle_is_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != ""
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == ""


def test_every_module_is_listed():
    listed = [f"{package}.{name}" for package, (modules, _) in ROWS.items() for name in modules]
    assert sorted([*ROWS, *listed]) == sorted(PATHS)


def test_every_module_in_a_package_is_private():
    inner = [module.split(".")[1:] for module in PATHS if "." in module]
    assert [names for names in inner if len(names) != 1 or not names[0].startswith("_")] == []


def test_a_package_imports_only_from_packages_above_it_in_the_table():
    order = list(ROWS)
    found = [
        f"{package}: {other}"
        for place, (package, (_, imports)) in enumerate(ROWS.items())
        for other in imports
        if other not in order[:place]
    ]
    assert found == []


@pytest.mark.parametrize("package", ROWS)
def test_a_package_imports_from_those_in_its_row_types_included(package):
    found = {
        package_of(other)
        for module in PATHS
        if package_of(module) == package
        for other, _ in arrows(module)
    }
    assert sorted(found - {package}) == sorted(ROWS[package][1])


def test_no_packages_import_each_other_in_a_circle_types_included():
    packages = {package: set() for package in ROWS}
    for module in PATHS:
        packages[package_of(module)] |= {package_of(other) for other, _ in arrows(module)}
    own = {package: others - {package} for package, others in packages.items()}
    assert circle(own) == ""


def test_no_modules_import_each_other_in_a_circle_at_run_time():
    modules = {
        module: {other for other, is_for_checkers in arrows(module) if not is_for_checkers}
        for module in PATHS
    }
    assert circle(modules) == ""


def listed_in(module):
    """The names in `__all__` of a module; None if there is none."""
    for part in ast.parse(text(PATHS[module])).body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            return ast.literal_eval(part.value)
    return None


def is_generated(module):
    return module.endswith("._header")


def test_every_module_says_what_it_gives():
    without = [module for module in PATHS if not listed_in(module) and not is_generated(module)]
    assert without == ["__main__"]


def bound(body):
    """The names that statements bind, but for type checkers only."""
    for part in body:
        if isinstance(part, (ast.Import, ast.ImportFrom)):
            yield from (each.asname or each.name for each in part.names)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield part.name
        elif isinstance(part, (ast.If, ast.Try)):
            is_for_checkers = isinstance(part, ast.If) and ast.unparse(part.test) in CHECKING
            yield from bound([*([] if is_for_checkers else part.body), *part.orelse])
        else:
            yield from (each.id for each in ast.walk(part) if isinstance(each, ast.Name))


@pytest.mark.parametrize("module", [each for each in PATHS if listed_in(each)])
def test_what_a_module_gives_is_there(module):
    given = listed_in(module)
    assert sorted(set(given) - set(bound(ast.parse(text(PATHS[module])).body))) == []
    assert given == sorted(given, key=lambda name: (not name.isupper(), name[0].islower(), name))


def test_a_private_module_lists_what_other_modules_use():
    found = []
    for module, path in PATHS.items():
        for statement, _ in imports(ast.parse(text(path))):
            for full in names(module, statement):
                owner = imported(full)
                name = full.rpartition(".")[2]
                is_name = owner and full != f"mainstem.{owner}"
                if is_name and "._" in owner and not is_generated(owner):
                    found += [] if name in listed_in(owner) else [f"{module}: {owner}.{name}"]
    assert found == []


def protocols():
    """The members that each class of events/_catalogue.py lists."""
    listed = {}
    for kind in ast.parse(text(PATHS["events._catalogue"])).body:
        if isinstance(kind, ast.ClassDef):
            own = {getattr(part, "name", "") for part in kind.body}
            own |= {part.target.id for part in kind.body if isinstance(part, ast.AnnAssign)}
            bases = [listed.get(ast.unparse(base), set()) for base in kind.bases]
            listed[kind.name] = own.union(*bases)
    return listed


#: The navigator has a protocol of its own.
@pytest.mark.parametrize("package", [each for each in ROWS["context"][1] if each != "navigation"])
def test_a_part_uses_of_its_scope_and_context_only_what_the_protocols_list(package):
    listed = protocols()
    found = []
    for module, path in PATHS.items():
        uses = ast.walk(ast.parse(text(path))) if package_of(module) == package else ()
        for use in uses:
            owner = ast.unparse(use.value) if isinstance(use, ast.Attribute) else ""
            protocol = owner.rpartition(".")[2].strip("_").capitalize() + "Like"
            if protocol in listed and use.attr not in listed[protocol]:
                found.append(f"{module}: {owner}.{use.attr}")
    assert found == []


def test_no_module_is_imported_by_a_name_in_a_string():
    calls = re.compile(r"\b(__import__|import_module|importlib)\b")
    assert [module for module, path in PATHS.items() if calls.search(text(path))] == []
