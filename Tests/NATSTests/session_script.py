# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A random session of the bridge: machines that record, mirrors, imports, and steps. From a seed it
is the same each time. Steps that do not apply are passed over, so any of them may be left out."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional

import foreign

Script = Dict[str, Any]
Step = List[Any]

#: Names, with what such types carry. Each machine has some, each with a record and a layer.
KINDS = {
    "Tick": "int",
    "Bulk.part": "bytes",
    "Größe %41": "text",
    ".a..b.": "json",
    "a b*>%\u0007 ": "bytes",
    "Flag": "bool",
    "Ratio": "float",
    "Empty": "none",
    "Secret": "text",
    "Trace": "bytes",
    "Image": "bytes",
}
LAYERS = [None, "view", "model", "weather.%", "a b"]
SCOPES = ["", "", "Clouds", "Cl ouds%"]
SMALL = [0, 1, 7, 8, 9, 63, 100, 300, 1000]
LARGE = [4000, 60_000, 65_536, 131_008, 131_072, 131_073, 200_000, 400_000]
TOO_LARGE = [1_000_000, 1_048_000, 1_048_576, 1_200_000]
LEVELS = ["process", "process", "buffered", "power"]
MODES = [{}, {}, {"threads": "any"}, {"threads": "guarded"}, {"deliver": "host"}]


class Writer:
    """Writes one session."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.count = self.chance.choice([2, 2, 3])
        self.is_shared = self.chance.random() < 0.3
        self.machines = [self.machine(number) for number in range(self.count)]
        self.mirrors = self.all_mirrors()
        self.imports = self.all_imports()

    def script(self) -> Script:
        """The whole of it."""
        return {
            "machines": self.machines,
            "streams": self.streams(),
            "mirrors": self.mirrors,
            "imports": self.imports,
            "steps": self.steps(),
        }

    def machine(self, number: int) -> Dict[str, Any]:
        """A context with its types, and the settings of its journal."""
        chance = self.chance
        is_last = number == self.count - 1
        names = [name for name in KINDS if name == "Tick" or chance.random() < 0.6]
        return {
            "is_recorded": not (is_last and chance.random() < 0.3),
            "level": chance.choice(LEVELS),
            "segment": chance.choice([0, 0, 4096, 100_000, 1 << 20]),
            "mode": chance.choice(MODES),
            "limits": chance.choice(
                [{}, {}, {}, {"posts": 1}, {"events": 64}, {"payload": 150_000}]
            ),
            "queue": chance.choice([0, 0, 0, 3, 20]),
            "types": {name: self.type(name) for name in names},
        }

    def type(self, name: str) -> Dict[str, Any]:
        record = {"Image": "mark", "Trace": "none"}.get(name, "full")
        if name in ("Bulk.part", "Flag") and self.chance.random() < 0.2:
            record = self.chance.choice(["mark", "inputs"])
        kind = "bytes" if name == "Ratio" and self.chance.random() < 0.3 else KINDS[name]
        is_secret = name == "Secret" and self.chance.random() < 0.8
        layer = self.chance.choice(LAYERS)
        return {"kind": kind, "layer": layer, "record": record, "secret": is_secret}

    def all_mirrors(self) -> List[Dict[str, Any]]:
        """One of all for each journal, and sometimes one of chosen events."""
        made = []
        for number, machine in enumerate(self.machines):
            if not machine["is_recorded"]:
                continue
            stream = "all" if self.is_shared and number < 2 else f"whole{number}"
            made.append(self.mirror(number, stream, f"p{number}"))
            if self.chance.random() < 0.3:
                chosen = self.chosen(machine)
                made.append(self.mirror(number, f"part{number}", f"q.{number}", **chosen))
        return made

    def mirror(self, of: int, stream: str, prefix: str, **chosen: List[str]) -> Dict[str, Any]:
        window = self.chance.choice([0, 0, 1, 3, 100])
        none: Dict[str, List[str]] = {"layers": [], "types": []}
        return {"of": of, "stream": stream, "prefix": prefix, "window": window, **none, **chosen}

    def chosen(self, machine: Dict[str, Any]) -> Dict[str, List[str]]:
        if self.chance.random() < 0.5:
            return {"types": self.some(list(machine["types"]))}
        layers = {each["layer"] or "app" for each in machine["types"].values()}
        return {"layers": self.some(sorted(layers))}

    def some(self, names: List[str]) -> List[str]:
        return self.chance.sample(names, self.chance.randint(1, len(names)))

    def streams(self) -> Dict[str, Dict[str, Any]]:
        """Those that somebody makes before the mirrors do."""
        made: Dict[str, Dict[str, Any]] = {}
        for each in self.mirrors:
            if each["stream"] == "all":
                made["all"] = {"subjects": ["p0.>", "p1.>"]}
            elif self.chance.random() < 0.3:
                size = self.chance.choice([100_000, 140_000])
                made[each["stream"]] = {"subjects": [f"{each['prefix']}.>"], "max_msg_size": size}
        return made

    def all_imports(self) -> List[Dict[str, Any]]:
        """A machine takes in what machines before it have."""
        made = []
        for into in range(1, self.count):
            for number in range(self.chance.choice([1, 1, 2])):
                earlier = [each for each in self.mirrors if each["of"] < into]
                made.append(self.taken(into, self.chance.choice(earlier), number))
        return made

    def taken(self, into: int, mirror: Dict[str, Any], number: int) -> Dict[str, Any]:
        source, own = self.machines[mirror["of"]]["types"], self.machines[into]
        both = [
            name
            for name in source
            if own["types"].get(name, {"record": "none"})["record"] != "none"
        ]
        far = {
            name: f"Far.{name}"
            for name in self.some(list(source))
            if source[name]["record"] != "none"
        }
        for name, here in far.items():
            own["types"][here] = {**source[name], "layer": self.chance.choice(LAYERS)}
        types = {name: name for name in self.some(both)} if self.chance.random() < 0.5 else far
        types = types or {"Tick": "Tick"}
        # What takes in what it mirrors comes to no end.
        is_own = mirror["stream"] == "all" and into == 1
        layers = sorted({own["types"][here]["layer"] or "app" for here in types.values()})
        return {
            "into": into,
            "stream": mirror["stream"],
            "types": types,
            "scope": f"import {number}",
            "source": mirror["of"] if is_own or self.chance.random() < 0.3 else None,
            "sends": self.some(layers) if self.chance.random() < 0.2 else None,
            "window": self.chance.choice([0, 0, 1, 7, 100]),
        }

    # Steps ----------------------------------------------------------------------------------------

    def steps(self) -> List[Step]:
        steps: List[Step] = []
        for number in range(self.count):
            steps.append(["open", number])
        for _ in range(self.chance.randint(8, 30)):
            steps.append(self.step())
        return steps

    def step(self) -> Step:
        chance = self.chance
        number = chance.randrange(self.count)
        kind = chance.choices(
            [
                "send",
                "mirror",
                "end_mirror",
                "import",
                "end_import",
                "again",
                "drain",
                "open",
                "close",
                "kill",
                "kill_in",
                "server",
                "fetch",
                "quiet",
                "kill_worker",
                "foreign",
            ],
            [12, 8, 3, 8, 2, 3, 6, 4, 2, 2, 2, 3, 1, 4, 1, 4],
        )[0]
        if kind == "send":
            return ["send", number, *self.group(number)]
        if kind == "kill_in":
            return ["kill_in", number, chance.uniform(0.001, 0.05), *self.group(number)]
        if kind == "mirror":
            return [kind, chance.randrange(len(self.mirrors)), chance.choice(["own", "worker"])]
        if kind == "foreign":
            salt = [chance.choice(foreign.KINDS), chance.randint(1, 5), chance.randrange(1000)]
            return [kind, chance.randrange(len(self.mirrors)), *salt]
        if kind in ("end_mirror", "fetch"):
            return [kind, chance.randrange(len(self.mirrors))]
        if kind in ("import", "end_import", "again"):
            return [kind, chance.randrange(len(self.imports))]
        if kind == "server":
            return [kind, chance.choice(["restart", "restart", "down", "stop", "on"])]
        if kind == "close":
            return [kind, number, chance.choice(["imports", "context"])]
        return [kind] if kind in ("quiet", "kill_worker") else [kind, number]

    def group(self, number: int) -> List[Any]:
        """How they are sent, how often, and what: name, scope, size and salt."""
        chance, types = self.chance, self.machines[number]["types"]
        names = [name for name in types if not name.startswith("Far.")]
        rows = [self.row(chance.choice(names)) for _ in range(chance.choice([1, 3, 10]))]
        is_large = max(row[2] for row in rows) > 1000
        times = chance.choice([1, 2]) if is_large else chance.choice([1, 1, 5, 50, 200])
        return [chance.choice(["send", "send", "many", "post"]), times, rows]

    def row(self, name: str) -> List[Any]:
        chance = self.chance
        sizes = SMALL if chance.random() < 0.9 else LARGE if chance.random() < 0.85 else TOO_LARGE
        return [name, chance.choice(SCOPES), chance.choice(sizes), chance.randrange(250)]


def write(seed: int) -> Script:
    """The session of a seed."""
    return Writer(seed).script()


def sent(times: int, rows: List[List[Any]]) -> List[List[Any]]:
    """What a step sends: each time with another salt."""
    return [
        [name, scope, size, salt + turn]
        for turn in range(times)
        for name, scope, size, salt in rows
    ]


def value_of(kind: str, size: int, salt: int) -> Optional[object]:
    """What a host gives to the library."""
    if kind in ("int", "float", "bool"):
        return {"int": salt * 7919 + size, "float": salt / 7 + size, "bool": salt % 2 == 0}[kind]
    if kind == "none":
        return None
    if kind == "bytes":
        return (bytes(range(256)) * (size // 256 + 2))[salt % 256 : salt % 256 + size]
    text = f"{salt} größer " * (size // 10 + 1)
    text = text.encode()[:size].decode(errors="ignore")
    return text if kind == "text" else f'{{"salt":{salt},"text":"{text}"}}'
