# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Plants small faults at random, and says which of them the tests see.

    Tests/faults/plant.py FIRST COUNT              faults of these seeds, in the core
    Tests/faults/plant.py FIRST COUNT --in WORD    only in files whose path contains WORD
    Tests/faults/plant.py FIRST COUNT --of python  in the Python package
    Tests/faults/plant.py FIRST COUNT --of bridge  in the bridge
    Tests/faults/plant.py FIRST COUNT --of face    in the Swift face
    Tests/faults/plant.py FIRST COUNT --show       only shows them

A fault changes one place: a comparison, its bound, a sign, a number, a condition, or it leaves a
statement out. The same seed plants the same fault as long as the sources stay as they are. Each
fault has a line:

    17 Flow/Loop/Timers.swift:40 bound  `if at < due {` -> `if at <= due {`  killed by timers

`killed by` names the first test program or suite that was red, `SURVIVED` says that none was, and
`no build` that the compiler saw it. What survived is a hole in the tests, or changes nothing that
anybody could see: survivors.md beside this file says which. A fault is planted in copies below
build/faults; the sources stay as they are. The programs of the C suite and the library are those in
build/embedded: build them first. Programs and files that share a word with the file of the fault
look first, then what has killed most, then the quickest. Each has ten times what it takes without
a fault; MAINSTEM_PLANT_SECONDS bounds it (900).
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MAINSTEM_BUILD", ROOT / "build")).resolve()
SECONDS = int(os.environ.get("MAINSTEM_PLANT_SECONDS", "900"))

#: Where faults of each kind are planted: folder, suffix.
ROOMS = {
    "core": ("Sources/MainstemCore", ".swift"),
    "face": ("Sources/Mainstem", ".swift"),
    "python": ("Sources/MainstemPython/mainstem", ".py"),
    "bridge": ("Sources/MainstemNATS", ".c"),
}


class Site(NamedTuple):
    """A place that can be changed: characters of a line, and what stands there then."""

    path: Path
    line: int
    start: int
    end: int
    text: str
    operator: str


# Operators ----------------------------------------------------------------------------------------

#: Name, what is looked for, what takes its place.
SWAPS = [
    ("bound", r" (<|>) ", {"<": "<=", ">": ">="}),
    ("bound", r" (<=|>=) ", {"<=": "<", ">=": ">"}),
    ("equal", r" (==|!=) ", {"==": "!=", "!=": "=="}),
    ("and", r" (&&|\|\|) ", {"&&": "||", "||": "&&"}),
    ("sign", r" (&?[+-]) ", {"+": "-", "-": "+", "&+": "&-", "&-": "&+"}),
    ("sign", r" ([+-])= ", {"+": "-", "-": "+"}),
    ("truth", r"\b(true|false|True|False)\b", {}),
    ("number", r"(?<![\w.%$\"'])(\d{1,6})(?![\w.%\"'])", {}),
]
PYTHON = [
    ("and", r" (and|or) ", {"and": "or", "or": "and"}),
    ("equal", r" (is not|is) None", {"is": "is not", "is not": "is"}),
]
OPPOSITE = {"true": "false", "false": "true", "True": "False", "False": "True"}
#: A statement that stands alone on its line and gives nothing.
STATEMENT = {
    ".swift": re.compile(
        r"^\s+(?:try )?(?!return|throw|let|var|case|super|self\.init)"
        r"[\w.]+(?:\([^{}]*\)| (?:[-+]|&[-+])?= [^{}]+)$"
    ),
    ".c": re.compile(
        r"^\s+(?!return|goto|break|free|static)[\w.>-]+(?:\([^{}]*\)| [-+]?= [^{}]+);$"
    ),
    ".py": re.compile(
        r"^\s+(?!return|raise|yield|import|from|super)"
        r"[\w.]+(?:\([^{}]*\)| [-+]?= [^{}]+)$"
    ),
}
CONDITION = {
    ".swift": re.compile(r"\b(?:if|guard|while) (?!let|var|case|#)([^,{}]+?)(?= else \{| \{)"),
    ".c": re.compile(r"\bif \((.+)\)(?= )"),
    ".py": re.compile(r"\b(?:if|elif|while) (.+)(?=:$)"),
}


def code(line: str, suffix: str) -> str:
    """The line with blanks in place of its texts and comments."""
    mark = "#" if suffix == ".py" else "//"
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda found: "_" * len(found[0]), line)
    at = line.find(mark)
    return line if at < 0 else line[:at] + " " * (len(line) - at)


def is_balanced(text: str) -> bool:
    """Whether a condition or a statement is whole."""
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def sites_of(path: Path) -> Iterator[Site]:
    """All places of a file."""
    suffix, in_comment, in_text = path.suffix, False, False
    for number, line in enumerate(path.read_text().splitlines()):
        bare = code(line, suffix)
        if suffix != ".py":
            if "/*" in bare and "*/" not in bare:
                in_comment = True
            if in_comment:
                in_comment = "*/" not in bare
                continue
            if bare.lstrip().startswith(("/*", "*", "@", "import", "#", "precondition", "assert")):
                continue
        else:
            if line.count('"""') % 2:
                in_text = not in_text
                continue
            if in_text or bare.lstrip().startswith(("import", "from", "@", "assert", "#")):
                continue
        yield from sites_in(path, number, line, bare)


def sites_in(path: Path, number: int, line: str, bare: str) -> Iterator[Site]:
    """All places of a line."""
    suffix = path.suffix
    for name, pattern, swaps in SWAPS + (PYTHON if suffix == ".py" else []):
        for found in re.finditer(pattern, bare):
            old = found[1]
            new = swaps.get(old) or OPPOSITE.get(old) or str(int(old) + 1)
            yield Site(path, number, found.start(1), found.end(1), new, name)
    found = CONDITION[suffix].search(bare)
    if found and is_balanced(found[1]):
        text = line[found.start(1) : found.end(1)]
        new = f"not ({text})" if suffix == ".py" else f"!({text})"
        yield Site(path, number, found.start(1), found.end(1), new, "condition")
    if STATEMENT[suffix].match(bare) and is_balanced(bare):
        start = len(line) - len(line.lstrip())
        new = "pass" if suffix == ".py" else ";" if suffix == ".c" else ""
        yield Site(path, number, start, len(line), new, "statement")


def all_sites(kind: str, word: str) -> List[Site]:
    """All places of the rooms of a kind, in a defined order."""
    folder, suffix = ROOMS[kind]
    paths = sorted((ROOT / folder).rglob(f"*{suffix}"))
    # What the bridge needs in Python has no test without a server; what is generated has its own.
    left_out = ("nats", "_nats", "_header")
    paths = [path for path in paths if not path.name.startswith(left_out)]
    return [site for path in paths if word in str(path) for site in sites_of(path)]


# Planting -----------------------------------------------------------------------------------------


def changed(site: Site) -> str:
    """The file with the fault."""
    lines = site.path.read_text().splitlines(keepends=True)
    line = lines[site.line]
    lines[site.line] = line[: site.start] + site.text + line[site.end :]
    return "".join(lines)


def described(site: Site) -> str:
    """Where it is, and what it does."""
    before = site.path.read_text().splitlines()[site.line].strip()
    after = changed(site).splitlines()[site.line].strip()
    name = site.path.relative_to(ROOT / "Sources")
    return f"{name}:{site.line + 1} {site.operator}  `{before}` -> `{after or 'nothing'}`"


def run(
    command: List[str], log: Path, seconds: float = SECONDS, **environment: str
) -> Optional[bool]:
    """Whether a command ends well; None: it takes too long, which counts as seen."""
    with log.open("w") as file:
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                timeout=seconds,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
            )
        except subprocess.TimeoutExpired:
            return None
    return done.returncode == 0


class Look(NamedTuple):
    """A suite, or a part of one. HERE in it is the folder of what is looked at."""

    name: str
    command: List[str]
    environment: Dict[str, str]
    seconds: float


PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]


class Bed:
    """Copies of the sources, in which faults are planted, and the suites that look at them."""

    def __init__(self, kind: str) -> None:
        self.kind, self.work = kind, BUILD / "faults" / "plant" / kind
        self.tree = self.work / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in ("Sources", "include", "cmake", "CMakeLists.txt", "LICENSE", "README.md"):
            subprocess.run(
                ["cp", "-ru", "--preserve=timestamps", str(ROOT / name), str(self.tree)], check=True
            )
        # What a fault of an earlier run has left is older than nothing: compare, and put it back.
        for path in (ROOT / "Sources").rglob("*"):
            copy = self.tree / path.relative_to(ROOT)
            if path.is_file() and copy.read_bytes() != path.read_bytes():
                copy.write_bytes(path.read_bytes())
        if kind == "core":
            self.configure()
        assert self.build("healthy"), f"the healthy sources do not build: see {self.work}"
        #: How long each suite takes at most while it is green, and how many faults it has killed.
        self.seconds: Dict[str, float] = {}
        self.kills: Dict[str, int] = {}
        #: Which suites are known to be green on the healthy sources, and which to be red.
        self.green: Set[str] = set()
        self.broken: Set[str] = set()

    def configure(self) -> None:
        """The static library, file by file: a fault costs seconds."""
        flags = "-DCMAKE_Swift_FLAGS_DEBUG=-O -enable-batch-mode -driver-batch-size-limit 1000"
        options = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O2", flags]
        options += ["-DMAINSTEM_RUNTIME=static", "-DMAINSTEM_BUILD_TESTS=OFF"]
        options += ["-DMAINSTEM_BUILD_EXAMPLES=OFF", "-DMAINSTEM_CHECK_TOKENS=ON"]
        command = ["cmake", "-S", str(self.tree), "-B", str(self.work / "core"), "-G", "Ninja"]
        assert run([*command, *options], self.work / "configure.log")

    def build(self, name: str) -> bool:
        """Builds what the tree has now, and keeps it in a folder of that name."""
        libraries, folder = str(BUILD / "embedded"), self.work / name
        folder.mkdir(exist_ok=True)
        if self.kind == "core":
            command = ["cmake", "--build", str(self.work / "core"), "--target", "mainstem"]
        elif self.kind == "face":
            sources = str(self.tree / "Sources")
            command = ["Tests/SwiftLaws/compile", str(folder), libraries, "face", sources]
        elif self.kind == "bridge":
            sources = [str(path) for path in (self.tree / ROOMS["bridge"][0]).rglob("*.c")]
            flags = "-std=gnu11 -g -O1 -fvisibility=hidden -D_GNU_SOURCE -pthread -fPIC -shared"
            links = ["-L", libraries, "-lmainstem", "-lnats", f"-Wl,-rpath,{libraries}"]
            out = ["-o", str(folder / "libmainstem_nats.so")]
            command = ["cc", *flags.split(), f"-I{self.tree}/include", *sources, *out, *links]
        else:
            shutil.rmtree(folder)
            shutil.copytree(self.tree / "Sources" / "MainstemPython", folder)
            return True
        if not run(command, self.work / "build.log"):
            return False
        for library in (self.work / "core").glob("libmainstem.so*"):
            shutil.copyfile(library, folder / library.name)
        return True

    def programs(self) -> Iterator[Look]:
        """The C suite, and the scenarios as C plays them."""
        folder = BUILD / "embedded" / "Tests" / "CTests"
        environment = {"LD_LIBRARY_PATH": "HERE"}
        for program in sorted(path for path in folder.iterdir() if is_program(path)):
            yield Look(program.name, [str(program)], environment, 1)
        for text in sorted((ROOT / "Tests/scenarios").glob("*.txt")):
            yield Look(text.stem, [str(folder / "scenario"), str(text)], environment, 1)

    def files(self, folder: str, library: str, package: str, *of: str) -> Iterator[Look]:
        """A suite in Python, file by file."""
        seconds = 30 if "Model" in folder else 4
        environment = {
            "MAINSTEM_LIBRARY": library,
            "MAINSTEM_PACKAGE": package,
            "MAINSTEM_NATS_LIBRARY": "HERE/libmainstem_nats.so",
            "MAINSTEM_NATS_SHRINKS": "0",
            "MAINSTEM_MODEL_SCRIPTS": "500",
            "PYTHONPATH": f"{package}:Tests",
        }
        for path in sorted((ROOT / folder).glob("test_*.py")):
            if not any(word in path.stem for word in ELSEWHERE):
                yield Look(path.stem, [*PYTEST, str(path), *of], environment, seconds)

    def looks(self) -> List[Look]:
        """All that look at a fault."""
        embedded, package = str(BUILD / "embedded" / "libmainstem.so"), "Sources/MainstemPython"
        package = str(ROOT / package)
        if self.kind == "core":
            library, own = "HERE/libmainstem.so", ("-k", "not planted and not shrinks")
            model = self.files("Tests/ModelTests", library, package, *own)
            python = self.files("Tests/PythonTests", library, package)
            of_core = [look for look in python if not any(word in look.name for word in OF_PYTHON)]
            return [*self.programs(), *model, *of_core]
        if self.kind == "python":
            return list(self.files("Tests/PythonTests", embedded, "HERE"))
        if self.kind == "bridge":
            return list(self.files("Tests/NATSTests", embedded, package))
        return [Look("face", ["HERE/face"], {"LD_LIBRARY_PATH": str(BUILD / "embedded")}, 60)]

    def is_green(self, look: Look, name: str) -> bool:
        """Whether a suite is green on what was built under that name."""
        here, began = str(self.work / name), time.monotonic()
        usual = self.seconds.get(look.name)
        allowed = 20 * look.seconds + 60 if usual is None else 10 * usual + 20
        command = [word.replace("HERE", here) for word in look.command]
        environment = {key: word.replace("HERE", here) for key, word in look.environment.items()}
        log = self.work / f"{look.name}.log"
        if not run(command, log, min(allowed, SECONDS), **environment):
            return False
        self.seconds[look.name] = max(time.monotonic() - began, self.seconds.get(look.name, 0))
        return True

    def kills_it(self, look: Look) -> bool:
        """Whether a suite is red because of the fault."""
        if look.name in self.broken or self.is_green(look, "faulty"):
            return False
        if look.name not in self.green:
            if not self.is_green(look, "healthy"):
                self.broken.add(look.name)
                print(f"    {look.name} is red without a fault", flush=True)
                return False
            self.green.add(look.name)
        self.kills[look.name] = self.kills.get(look.name, 0) + 1
        return True

    def can_see(self, site: Site) -> List[Look]:
        """Of all looks those that run the file: parts of the command are in tests that name it."""
        if "tool" not in site.path.parts:
            return self.looks()
        return [look for look in self.looks() if "tool" in Path(look.command[-1]).read_text()]

    def in_order(self, site: Site) -> List[Look]:
        """The nearest first, then what has killed most, then the quickest."""
        words = set(re.findall("[a-z]+", re.sub("([A-Z])", r" \1", site.path.stem).lower()))

        def place(look: Look) -> Tuple[bool, float]:
            near = any(word.startswith(tuple(words)) for word in look.name.split("_"))
            seconds = self.seconds.get(look.name, look.seconds)
            return not (near and seconds < 20), seconds / (1 + 3 * self.kills.get(look.name, 0))

        return sorted(self.can_see(site), key=place)

    def outcome(self, site: Site) -> str:
        """What came of a fault."""
        copy = self.tree / site.path.relative_to(ROOT)
        copy.write_text(changed(site))
        try:
            if not self.build("faulty"):
                return "no build"
            for look in self.in_order(site):
                if self.kills_it(look):
                    return f"killed by {look.name}"
            if not self.seconds:
                sys.exit("no suite is green without a fault: build first, and see the logs there")
            return "SURVIVED"
        finally:
            copy.write_bytes(site.path.read_bytes())


#: Words of test files that look at the Python package more than at the core.
OF_PYTHON = ("tool", "rx", "kit", "wire", "messages", "declar", "mistakes", "view_model")
OF_PYTHON += ("cycles", "classes", "codec", "loop", "types", "shown", "provider")
#: Words of test files that a fault in the sources here does not reach, or that take minutes.
ELSEWHERE = ("random_changes", "tool_sizes", "swift")


def is_program(path: Path) -> bool:
    """A test that needs no arguments, and does not take minutes."""
    slow = {"journal_faults", "journal_bounds", "journal_kills", "storm", "scenario"}
    return path.is_file() and os.access(path, os.X_OK) and path.name not in slow


def main() -> int:
    """Plants them, and counts."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("first", type=int)
    words.add_argument("count", type=int)
    words.add_argument("--of", default="core", choices=sorted(ROOMS))
    words.add_argument("--in", dest="word", default="")
    words.add_argument("--show", action="store_true")
    chosen = words.parse_args()
    sites = all_sites(chosen.of, chosen.word)
    print(f"{len(sites)} places", flush=True)
    counts: Dict[str, int] = {}
    bed = None
    for seed in range(chosen.first, chosen.first + chosen.count):
        site = random.Random(seed).choice(sites)
        if chosen.show:
            print(seed, described(site))
            continue
        if bed is None:
            bed = Bed(chosen.of)
        outcome = bed.outcome(site)
        print(f"{seed} {described(site)}  {outcome}", flush=True)
        word = outcome.split(" by ")[0]
        counts[word] = counts.get(word, 0) + 1
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
