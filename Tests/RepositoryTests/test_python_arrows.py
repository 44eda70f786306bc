# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Who may import whom in the Python package: docs/architecture.md has the layers, and no circle."""

import ast
import re

import graphlib
import pytest
from tree import ROOT, files, text

PACKAGE = "Sources/MainstemPython/mainstem"
PAGE = ROOT / "docs" / "architecture.md"
#: What only a type checker imports from above: a value's declaration, what `retain` gives, a
#: scope's context, what `async with` gives, the types in signatures, the view
#: model of what makes it live.
UPWARDS = {
    ("context._context", "context"),
    ("events._declaration", "events._received"),
    ("context._scope", "context._context"),
    ("context._observing", "context._context"),
    ("context._serving", "context._scope"),
    ("context._serving", "context._context"),
    ("viewmodels._declared", "viewmodels._views"),
    ("viewmodels._steps", "viewmodels._live"),
    ("viewmodels._running", "viewmodels._live"),
    ("viewmodels._live", "viewmodels._view_model"),
    ("viewmodels._declared", "viewmodels._view_model"),
    ("viewmodels._views", "viewmodels._view_model"),
    ("navigation._moves", "navigation._navigator"),
    ("navigation._hooks", "navigation._navigator"),
}
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


def known(module):
    """The modules that one imports, but for UPWARDS."""
    return {
        other
        for other, is_for_checkers in arrows(module)
        if not is_for_checkers or (module, other) not in UPWARDS
    }


def rows():
    """The table of the page: each layer, the layers it knows, its modules."""
    table = text(PAGE).split("| layer | knows | modules |\n|---|---|---|\n")[1]
    return {
        layer: (re.findall(r"\w+", knows), re.findall(r"`(\w+)`", modules))
        for layer, knows, modules in re.findall(
            r"^\| (\w+) \| (.*?) ?\| (.+) \|$", table.split("\n\n")[0], flags=re.M
        )
    }


LAYERS = rows()
LAYER_OF = {module: layer for layer, (_, modules) in LAYERS.items() for module in modules}


def layer_of(module):
    """The layer of a module; a module in a folder is where the folder is."""
    return LAYER_OF.get(module.split(".")[0])


def test_every_module_is_in_one_layer():
    listed = [module for _, modules in LAYERS.values() for module in modules]
    assert sorted(listed) == sorted({module.split(".")[0] for module in PATHS})


def test_a_layer_knows_only_layers_above_it_in_the_table():
    order = list(LAYERS)
    below = {layer: set(order[:place]) for place, layer in enumerate(order)}
    assert [layer for layer, (knows, _) in LAYERS.items() if not set(knows) <= below[layer]] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_a_module_imports_only_from_its_layer_and_those_it_knows(layer):
    found = [
        f"{module}: {other}"
        for module in PATHS
        if layer_of(module) == layer
        for other in sorted(known(module))
        if layer_of(other) not in (layer, *LAYERS[layer][0])
    ]
    assert found == []


def test_no_modules_import_each_other_in_a_circle():
    try:
        graphlib.TopologicalSorter({module: known(module) for module in PATHS}).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" ← ".join(error.args[1]))


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
@pytest.mark.parametrize("layer", [each for each in LAYERS["context"][0] if each != "navigator"])
def test_a_part_uses_of_its_scope_and_context_only_what_the_protocols_list(layer):
    listed = protocols()
    found = []
    for module, path in PATHS.items():
        uses = ast.walk(ast.parse(text(path))) if layer_of(module) == layer else ()
        for use in uses:
            owner = ast.unparse(use.value) if isinstance(use, ast.Attribute) else ""
            protocol = owner.rpartition(".")[2].strip("_").capitalize() + "Like"
            if protocol in listed and use.attr not in listed[protocol]:
                found.append(f"{module}: {owner}.{use.attr}")
    assert found == []


def test_what_points_upwards_is_there_and_for_type_checkers_only():
    stale = [(one, other) for one, other in UPWARDS if (other, True) not in arrows(one)]
    assert stale == []


def test_no_module_is_imported_by_a_name_in_a_string():
    calls = re.compile(r"\b(__import__|import_module|importlib)\b")
    assert [module for module, path in PATHS.items() if calls.search(text(path))] == []
