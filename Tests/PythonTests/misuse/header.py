# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What the headers promise of each function: its parameters, which may be NULL, its errors."""

from __future__ import annotations

import re

from conftest import ROOT

HEADERS = ("core", "types", "context", "scopes", "observing", "requests", "screens", "reactor")
HEADERS += ("recording", "journal", "replay", "routes", "navigation", "stage", "loop", "languages")

#: Of every handle: one made before a fork (mainstem.h, FORK), and NULL (core.h, Handles).
OF_HANDLES = {"FORKED", "INVALID"}

#: What may be NULL in every function that takes it (core.h, at the top).
ALWAYS_NULL = ("user_data", "release", "options")

_HANDLES = ["context", "subscription", "retained", "timer", "pending", "binding"]
_HANDLES += ["journal", "replay", "router", "match"]
_MARKER = r"(?:Owner|Thread|Reentrant|Null|Waits|Code|Options|Returns)\b[^.:]{0,30}[:.]"


class Parameter:
    """One parameter: its name and its type, as C writes it."""

    def __init__(self, text):
        self.ctype, self.name = re.fullmatch(r"(.*?)(\w+)(?:\[\w+\])?", text.strip()).groups()
        self.is_array = text.endswith("]")

    @property
    def is_pointer(self):
        return "*" in self.ctype or self.is_array or self.ctype.strip().endswith("_fn")

    @property
    def is_out(self):
        """Whether the function writes there and does not read."""
        return "*" in self.ctype and "const" not in self.ctype.rsplit("*", 1)[0].split("*")[-1]

    @property
    def handle(self):
        """The kind of handle that it takes: "context"; else None."""
        found = re.fullmatch(r"mainstem_(\w+) \*", self.ctype)
        return found.group(1) if found and found.group(1) in _HANDLES else None

    @property
    def struct(self):
        """The struct that it points to, which may begin with a size; else None."""
        found = re.fullmatch(r"(?:const )?mainstem_(\w+) \*", self.ctype)
        return found.group(1) if found and found.group(1) not in _HANDLES else None


class Function:
    """One function of the headers, and what its comment says."""

    def __init__(self, name, parameters, comment):
        self.name = name
        self.parameters = (
            [] if parameters == "void" else list(map(Parameter, parameters.split(",")))
        )
        self.comment = comment

    def __repr__(self):
        return self.name

    @property
    def own_thread(self):
        """Whether only the thread of the context may call it."""
        said = re.search(r"Thread: (\w+)", self.comment) or re.search(
            r"Thread: (\w+)", self._said()
        )
        return bool(said) and said.group(1) == "context"

    @property
    def ends_null(self):
        """Whether NULL, for its handle, does nothing."""
        return "NULL does nothing" in self.comment

    @property
    def takes_no_scope(self):
        """Whether it is for a whole context."""
        return bool(re.search(r"WRONG_KIND \((?:also for )?a scope", self.comment))

    @property
    def takes_any_type(self):
        """Whether 0 is every type."""
        return "MAINSTEM_TYPE_ANY" in self.comment or "0: no result" in self.comment

    def clears(self, name):
        """Whether a result is NULL after a failure."""
        return f"After a failure `*{name}` is NULL" in self.comment

    @property
    def takes_live_event(self):
        """Whether it takes an event and needs its context, too."""
        return "mainstem_event *" in self.parameters[0].ctype and "STALE" in self.statuses()

    def may_be_null(self, parameter):
        """Whether the comment allows NULL for a pointer."""
        name = parameter.name
        if name in ALWAYS_NULL or self.ends_null and parameter is self.parameters[0]:
            return True
        text = self._said()
        for allowed in re.findall(r"Null: (\w+(?:, \w+| and \w+)*)[.;]", text):
            if name in re.findall(r"\w+", allowed):
                return True
        for allowed in re.findall(r"[^.;:(]*\(?may be NULL", text):
            quoted = re.findall(r"`(\w+)`", allowed)
            if name in (quoted or re.findall(r"\w+", allowed.lower())):
                return True
        said = rf"`?\b{name}`? NULL\b(?! is)|\b{name}: [^.]*(?:or|be) NULL|`{name}`, if not NULL"
        return bool(re.search(said, text, re.I))

    def _said(self):
        """The comment, and those of the functions that it is said to be like."""
        others = re.findall(r"(?:\b[Aa]s|\b[Ll]ike|as in|those of) (mainstem_\w+)", self.comment)
        said = [FUNCTIONS[other]._said() for other in others if other in FUNCTIONS]
        return " ".join([self.comment, *said])

    def statuses(self):
        """The statuses that its errors name, also by "as" another function."""
        found = re.search(rf"\b[Ee]rrors\b[^:.]*: ?(.*?)(?=\s{_MARKER}|$)", self.comment)
        text = re.sub(r"\([^()]*\)", "", found.group(1)) if found else "also"
        less = re.search(r"without ((?:[A-Z_]+(?: and )?)+)", text)
        named = {word for word in re.findall(r"\b[A-Z_]{2,}\b", text) if word in STATUSES}
        others = re.findall(r"(?:^|else |otherwise )(?:as|those of) (mainstem_\w+)", text)
        if re.search(r"\balso\b", text):
            others += re.findall(r"(?:^|\. |therwise )[Ll]ike (mainstem_\w+)", self.comment)
        for other in others:
            named |= FUNCTIONS[other].statuses()
        named -= set(re.findall(r"[A-Z_]+", less.group(1)) if less else ())
        return named | self._implied()

    def _implied(self):
        """The statuses that core.h promises once for all functions."""
        implied = set()
        if self.parameters[0].handle:
            implied |= {"STALE", "WRONG_KIND"}
        if self.parameters[0].handle and self.own_thread:
            implied.add("WRONG_THREAD")
        if "Thread: as mainstem_journal_open" in self.comment:
            implied |= {"WRONG_THREAD", "FORKED"}
        for each in self.parameters:
            if each.name == "row_size" or each.struct in SIZED:
                implied |= {"UNSUPPORTED", "INVALID"}
            if each.is_pointer and not self.may_be_null(each):
                implied.add("INVALID")
        return implied

    is_status = True


def _plain(comment):
    """A comment as one line of text."""
    text = re.sub(r"^\s*(/\*\*+|\*/|\*)", "", comment, flags=re.M)
    return " ".join(text.replace("*/", "").replace("\\", "").split())


def _functions():
    pattern = (
        r"/\*\*((?:(?!\*/).)*?)\*/\s*MAINSTEM_API\s+([\w\s]+?\**)\s*\b(mainstem_\w+)\(([^;]*)\);"
    )
    made = {}
    for header in HEADERS:
        text = (ROOT / "include" / "mainstem" / f"{header}.h").read_text(encoding="utf-8")
        for comment, result, name, parameters in re.findall(pattern, text, re.S):
            made[name] = Function(name, " ".join(parameters.split()), _plain(comment))
            made[name].is_status = result.strip() == "mainstem_status"
    return made


def _statuses():
    text = (ROOT / "include" / "mainstem" / "core.h").read_text(encoding="utf-8")
    return {name: int(number) for name, number in re.findall(r"MAINSTEM_([A-Z_]+) = (\d+)", text)}


def _sized():
    """The structs that begin with their size."""
    texts = [
        (ROOT / "include" / "mainstem" / f"{header}.h").read_text(encoding="utf-8")
        for header in HEADERS
    ]
    return set(re.findall(r"struct mainstem_(\w+) \{\s*uint32_t size;", "".join(texts)))


STATUSES = _statuses()
SIZED = _sized()
FUNCTIONS = _functions()
