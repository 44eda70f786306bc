# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What C says of a refused call reaches a Swift program in Swift's words."""

import re

from tree import ROOT, code, declared_functions, files, name, text

WORDS = ROOT / "Sources" / "Mainstem" / "Event" / "SwiftWords.swift"
LITERAL = re.compile(r'"""(.*?)"""|"((?:\\.|[^"\\\n])*)"', re.S)
# The variables of the environment are called the same everywhere.
OF_C = re.compile(
    r"mainstem_\w*|MAINSTEM_(?!(?:RECORD|VERIFY_REPORT)\b)\w*|\bNULL\b|user_data|limit_\w+|options\.|rows\."
)
# It never fails; the others are names of words of C, too.
NO_CALLS = {"mainstem_last_error", "mainstem_event_integer", "mainstem_event_number"}


def functions():
    return dict(re.findall(r'"([a-z_]+)": "([^"]+)"', text(WORDS)))


def phrases():
    text_of = r'"((?:\\.|[^"\\])*)"'
    return re.findall(rf"\(\s*{text_of},\s*{text_of}\s*\)", text(WORDS))


def messages():
    """The texts in the core and the door that name something of C, each as one line."""
    names = set(declared_functions())
    for path in files("Sources/MainstemCore", "Sources/MainstemC", suffixes=(".swift",)):
        source = re.sub(r"^\s*//.*$", "", text(path), flags=re.M)
        for long, short in LITERAL.findall(source):
            said = re.sub(r"\\\n\s*", "", long or short).strip()
            if OF_C.search(said) and said not in names and not said.startswith("mainstem_p_"):
                yield name(path), said


def translated(said):
    for words, ours in phrases():
        said = said.replace(words, ours)
    return said


def test_every_text_of_c_has_words_of_swift():
    found = list(messages())
    left = [(path, said) for path, said in found if OF_C.search(translated(said))]
    assert left == []
    assert len(found) > 30


def test_journals_have_the_same_old_words_in_both_languages():
    """StreamError.swift and _spoken.py: what C said in 0.10, where it says something else now."""
    swift = text(WORDS.with_name("StreamError.swift"))
    python = text(ROOT / "Sources" / "MainstemPython" / "mainstem" / "_library" / "_spoken.py")
    python = python[python.index("_RECORDED:") : python.index("_NOW =")]
    name, words = r'"(\w+)": "(\w+)",', r'\(\s*"([^"]*)",\s*"([^"]*)",?\s*\)'
    for pattern in (name, words):
        assert re.findall(pattern, swift) == re.findall(pattern, python) != []


def test_every_function_that_the_face_calls_has_a_name_of_swift():
    known, declared = functions(), set(declared_functions())
    used = set()
    for path in files("Sources/Mainstem", suffixes=(".swift",)):
        used |= set(re.findall(r"\b(mainstem_[a-z_]+)\b", code(path)))
    assert sorted(one for one in used & declared - NO_CALLS if one[9:] not in known) == []
