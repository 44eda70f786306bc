# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The package keeps no exception in a variable of a frame that the exception holds.

An exception that was raised holds the frames that it went through, with their variables. If one of
these is the exception, only the cyclic collector frees the two, and all that they hold. So such a
variable is deleted in a `finally`: see Tests/PythonTests/test_no_cycles.py.
"""

from __future__ import annotations

import ast
from typing import Iterator, List, Set

from tree import ROOT

PACKAGE = ROOT / "Sources" / "MainstemPython" / "mainstem"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, but not in one within it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            yield node
            waiting += ast.iter_child_nodes(node)


def may_be(value: ast.AST) -> Set[str]:
    """The variables whose object an expression may be."""
    if isinstance(value, ast.Name):
        return {value.id}
    parts: List[ast.expr] = []
    if isinstance(value, ast.IfExp):
        parts = [value.body, value.orelse]
    elif isinstance(value, ast.BoolOp):
        parts = value.values
    elif isinstance(value, ast.Tuple):
        parts = value.elts
    return {name for part in parts for name in may_be(part)}


def let_go(nodes: List[ast.AST]) -> Set[str]:
    """The variables that are deleted in a `finally`."""
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Try)
        for step in node.finalbody
        if isinstance(step, ast.Delete)
        for target in step.targets
        if isinstance(target, ast.Name)
    }


def held(function: ast.AST) -> Iterator[str]:
    """The exceptions that variables of a function hold when it has raised them."""
    nodes = list(own_nodes(function))
    gone = let_go(nodes)
    # Python itself deletes these.
    gone |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    for node in nodes:
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name):
            # A name with a capital is a class.
            if node.exc.id not in gone and node.exc.id[0].islower():
                yield f"{node.lineno}: raise {node.exc.id}"
        elif isinstance(node, ast.ExceptHandler) and node.name:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Assign) and node.name in may_be(inner.value):
                    names = {
                        name.id
                        for target in inner.targets
                        for name in ast.walk(target)
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
                    }
                    for name in sorted(names - gone):
                        yield f"{inner.lineno}: {name} = {node.name}"


def test_no_variable_of_a_frame_holds_the_exception_that_holds_the_frame() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, FUNCTIONS)
        for line in held(function)
    ]
    assert not found, "delete it in a finally:\n" + "\n".join(found)


def test_it_sees_what_it_looks_for() -> None:
    def lines(text: str) -> List[str]:
        return list(held(ast.parse(text).body[0]))

    assert lines("def f():\n  x = g()\n  raise x") == ["3: raise x"]
    assert lines("def f(x):\n  try: raise x\n  finally: del x") == []
    kept = "def f():\n  try: g()\n  except E as e:\n    x = e if c else None\n"
    assert lines(kept) == ["4: x = e"]
    assert lines("def f():\n  try: g()\n  except E as e:\n    raise e\n") == []
