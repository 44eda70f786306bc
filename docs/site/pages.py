# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes what Sphinx reads: guides, a page for each header, the Python package, the Swift names.

pages.py FOLDER SYMBOLS: FOLDER is made anew; SYMBOLS has the symbol graphs of the Swift modules.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import mainstem

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("Mainstem", "MainstemSignals", "MainstemTesting")
#: The guides in the order in which they are read; a page that is not here stands under "Project".
GUIDES = ["why", "c", "python", "swift", "swift-core", "screens", "requests", "scopes", "threads"]
GUIDES += ["navigation", "signals", "wire-forms", "testing", "statuses", "journal", "replay"]
GUIDES += ["tools", "studio", "privacy", "beyond"]
MORE = ["laws", "insides", "architecture", "tested", "journal-format", "glossary", "coming-from"]
MORE += ["from-0.12", "from-0.10", "renames", "mission", "install", "releasing"]
#: Not in mainstem.h.
FURTHER_HEADERS = ["testing", "nats_bridge", "nats_mirror", "nats_requests", "nats_import"]
#: What classes of Python itself have is not shown again.
INHERITED = "object, tuple, Exception, BaseException, TimeoutError, TypeError, dict, int, Generic"

PICTURES = (".png", ".gif")
_LINK = re.compile(r"(?<!!)\[((?:[^][]|\[[^]]*\])+)\]\(([^)#\s]+)(#[^)]*)?\)")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`(?!\]))", re.S | re.M)


def tracked() -> set[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


class Site:
    """The folder that Sphinx reads. It has the pages where the repository has them."""

    def __init__(self, folder: Path, symbols: Path) -> None:
        self.folder, self.symbols = folder, symbols
        self.files = tracked()
        self.pages = {
            name for name in self.files if name.endswith(".md") and not name.startswith(".github")
        }

    def make(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in sorted(self.pages - {"README.md"}):
            self._write(name, self._linked(name))
        for name in self.files:
            if name.endswith(PICTURES):
                self._copy(name, self.folder / name)
        self._add_headers()
        self._add_python()
        self._add_swift()
        self._add_names()
        self._add_index()

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _copy(self, name: str, to: Path) -> None:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to)

    def _copy_file(self, name: str) -> str:
        """Copies a file that is no page, so that a browser shows it as text; returns its place."""
        self._copy(name, self.folder / "_extra" / "files" / f"{name}.txt")
        return f"files/{name}.txt"

    def _linked(self, name: str) -> str:
        """A page whose links lead to pages of the site, or to copies of files."""
        folder = os.path.dirname(name)
        up = os.path.relpath(".", folder or ".")

        def link(found: re.Match[str]) -> str:
            label, target, anchor = found[1], found[2], found[3] or ""
            if re.match(r"[a-z]+:", target):
                return found[0]
            path = os.path.normpath(os.path.join(folder, target))
            if path + "/README.md" in self.pages:
                path += "/README.md"
            header = re.fullmatch(r"include/(?:mainstem/)?(\w+)\.h", path)
            if path == "README.md":
                return f"[{label}]({up}/index.md{anchor})"
            if path in self.pages or path.endswith(PICTURES):
                return f"[{label}]({os.path.relpath(path, folder or '.')}{anchor})"
            if header:
                page = "index" if header[1] in ("mainstem", "nats") else header[1]
                return f"[{label}]({up}/c/{page}.rst)"
            if path in self.files:
                return f'<a href="{"../" * name.count("/")}{self._copy_file(path)}">{label}</a>'
            return label

        parts = _CODE.split((ROOT / name).read_text(encoding="utf-8"))
        parts[::2] = [_LINK.sub(link, part) for part in parts[::2]]
        return "".join(parts)

    def _add_headers(self) -> None:
        main = (ROOT / "include" / "mainstem.h").read_text(encoding="utf-8")
        names = [*re.findall(r'#include "mainstem/(\w+)\.h"', main), *FURTHER_HEADERS]
        rows = []
        for name in names:
            text = (ROOT / "include" / "mainstem" / f"{name}.h").read_text(encoding="utf-8")
            first = re.sub(r"^ \* ?", "", text.split("/**\n", 1)[1].split(" */")[0], flags=re.M)
            summary = " ".join(first.split("\n\n")[0].split()).split(" Guide")[0]
            rows.append(f"   * - :doc:`{name}.h <{name}>`\n     - {summary}\n")
            place = self._copy_file(f"include/mainstem/{name}.h")
            body = f"`The header as it is <../{place}>`__, with all its comments.\n\n"
            body += f".. doxygenfile:: {name}.h\n"
            self._write(f"c/{name}.rst", _titled(f"{name}.h", body))
        body = "``#include <mainstem.h>`` includes all but the last five.\n\n.. list-table::\n\n"
        body += "".join(rows) + "\n.. toctree::\n   :hidden:\n\n"
        self._write("c/index.rst", _titled("C", body + "".join(f"   {name}\n" for name in names)))

    def _add_python(self) -> None:
        body = "``import mainstem`` gives all of these.\n\n"
        for name in sorted(mainstem.__all__, key=str.lower):
            value = getattr(mainstem, name)
            if not isinstance(value, type):
                kind = "function" if callable(value) else "data"
                body += f".. auto{kind}:: mainstem.{name}\n\n"
                continue
            kind = "exception" if issubclass(value, BaseException) else "class"
            body += f".. auto{kind}:: mainstem.{name}\n   :members:\n"
            body += f"   :inherited-members: {INHERITED}\n\n"
        self._write("python/index.rst", _titled("Python", body))

    def _add_swift(self) -> None:
        body = "Each module has pages of its own, made by DocC. These are its types:\n\n"
        for module in MODULES:
            body += f"{module}\n{'-' * len(module)}\n\n"
            body += f"`All of {module} <{module}/documentation/{module.lower()}/>`__\n\n"
            for title, place in sorted(self._types(module).items(), key=lambda one: one[0].lower()):
                body += f"- `{title} <{place.removeprefix('swift/')}>`__\n"
            body += "\n"
        self._write("swift/index.rst", _titled("Swift", body))

    def _types(self, module: str) -> dict[str, str]:
        """The types of a module, and the place of the page of each."""
        graph = json.loads((self.symbols / f"{module}.symbols.json").read_text(encoding="utf-8"))
        kinds = ("class", "struct", "enum", "protocol", "typealias", "macro")
        return {
            name: f"swift/{module}/documentation/{module}/{name}/".replace(
                f"/{module}/{name}/", f"/{module}/{name}/".lower()
            )
            for symbol in graph["symbols"]
            for name in symbol["pathComponents"][:1]
            if len(symbol["pathComponents"]) == 1
            and symbol["kind"]["identifier"].split(".")[-1] in kinds
        }

    def _add_names(self) -> None:
        """Which Python and which Swift calls each function of C."""
        python, swift, types = _callers_in_python(), _callers_in_swift(), self._types("Mainstem")
        api = json.loads((ROOT / "include" / "mainstem" / "api.json").read_text(encoding="utf-8"))
        text = "# One thing in three languages\n\n"
        text += "What in Python and in Swift calls a function of C directly, as the sources have\n"
        text += "it. A function that is not here is called inside something else.\n\n"
        text += "| C | Python | Swift |\n|---|---|---|\n"
        for name in sorted(api["functions"]):
            of_python = ", ".join(
                f"{{py:obj}}`{each} <mainstem.{each}>`"
                for each in sorted(_public(python.get(name, set())))
            )
            of_swift = ", ".join(
                f'<a href="{types[each.split(".")[0]]}"><code>{each}</code></a>'
                for each in sorted(swift.get(name, set()))
                if each.split(".")[0] in types
            )
            if of_python or of_swift:
                text += f"| `{name}` | {of_python} | {of_swift} |\n"
        self._write("names.md", text)

    def _add_index(self) -> None:
        def tree(caption: str, pages: list[str]) -> str:
            there = [page for page in pages if list(self.folder.glob(f"{page}.*"))]
            return "```{toctree}\n:hidden:\n:caption: " + "\n".join([caption, "", *there, "```\n"])

        guides, more = ([f"docs/{name}" for name in names] for names in (GUIDES, MORE))
        others = sorted({name[:-3] for name in self.pages - {"README.md"}} - {*guides, *more})
        trees = [
            tree("Guides", guides),
            tree("Reference", ["c/index", "python/index", "swift/index", "names"]),
            tree("More", more),
            tree("Project", others),
        ]
        self._write("index.md", "\n".join([self._linked("README.md"), *trees]))


def _titled(title: str, body: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{body}"


def _callers_in_python() -> dict[str, set[str]]:
    """By function of C: the functions and methods that call it."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "Sources" / "MainstemPython" / "mainstem").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
        for owner, body in [("", tree.body), *((each.name, each.body) for each in classes)]:
            for node in body:
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    continue
                if node.name.startswith("_") and node.name != "__init__":
                    continue
                shown = f"{owner}.{node.name}".strip(".").replace(".__init__", "")
                for each in ast.walk(node):
                    if isinstance(each, ast.Attribute) and each.attr.startswith("mainstem_"):
                        found.setdefault(each.attr, set()).add(shown)
    return found


def _public(names: set[str]) -> set[str]:
    """As a program writes them: what a public class has from a private one is its own."""
    made = set()
    for name in names:
        owner, _, member = name.partition(".")
        if owner in mainstem.__all__:
            made.add(name)
            continue
        for each in mainstem.__all__:
            value = getattr(mainstem, each)
            if isinstance(value, type) and owner in (base.__name__ for base in value.__mro__):
                made.add(f"{each}.{member}" if member else each)
    # What a context does, its kinds do too, and scopes.
    like = ("AsyncContext.", "AsyncScope.", "Scope.")
    return {
        name
        for name in made
        if not name.startswith(like) or "Context." + name.split(".")[-1] not in made
    }


def _callers_in_swift() -> dict[str, set[str]]:
    """By function of C: the public declarations whose bodies name it."""
    found: dict[str, set[str]] = {}
    owned = re.compile(r"(?:public )?(?:final )?(?:extension|struct|class|enum|actor) (\w+)")
    public = re.compile(r"  (?:@\w+ )*public (?:static |mutating )*(?:func (\w+)|var (\w+)|(init))")
    other = re.compile(
        r"  (?:private |fileprivate |static |package |internal )*(?:func|var|init)\b"
    )
    for path in sorted((ROOT / "Sources" / "Mainstem").rglob("*.swift")):
        owner = member = ""
        for line in path.read_text(encoding="utf-8").split("\n"):
            if is_owner := owned.match(line):
                owner, member = is_owner[1], ""
            if is_public := public.match(line):
                member = is_public[1] or is_public[2] or is_public[3]
            elif other.match(line):
                member = ""
            if owner and member:
                for name in re.findall(r"\bmainstem_\w+(?=\()", line):
                    found.setdefault(name, set()).add(f"{owner}.{member}")
    return found


if __name__ == "__main__":
    Site(Path(sys.argv[1]), Path(sys.argv[2])).make()
