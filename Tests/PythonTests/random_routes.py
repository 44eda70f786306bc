# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Routes and URLs at random, many of which match; and the router beside the reference.

    python3 Tests/PythonTests/random_routes.py 1000000 [FIRST SEED]

tries as many URLs, with new routes for every hundred. PYTHONPATH is Sources/MainstemPython:Tests.
"""

import random
import sys

from mainstem import MainstemError, Router, Status
from reference.navigation import routes
from reference.navigation.routes import BAD_URL

URLS = 100
#: The app's own types: what they accept depends on the text alone.
TYPES = {"even": lambda text: len(text) % 2 == 0, "vowel": lambda text: text[0] in "aeiouäö"}
WORDS = ["a", "b", "ab", "aa", "user", "User", "é", "x.y", "a-b", "+", ":", "...", "1", "%25", " "]
VALUES = ["7", "-7", "007", "9223372036854775807", "9223372036854775808", "-9223372036854775808"]
VALUES += ["1.5", "-0.0", "1e3", "1e999", "1.", ".5", "+1", "0x1", "nan", "12345678901234567890"]
VALUES += ["621425B8-42D1-4AB4-9A58-1E69D708A84B", "621425B8-42D1-4AB4-9A58-1E69D708A84"]
SCHEMES = ["", "", "", "app://", "App://", "http://", "x+y.z-1://", "1x://"]
KINDS = ["", "", "string:", "int:", "float:", "uuid:", "even:", "vowel:"]
ENDS = ["", "", "", "?", "?a=1", "?a=1&a=2&b", "?%C3%BC=%00%ff&&=x", "#", "#f%20g", "?q=a+b#/x?y"]
WRONG = [
    "%",
    "%2",
    "%zz",
    "%2f",
    "%2F",
    ".",
    "..",
    "%2e",
    ".%2E",
    "%00",
    "%ff",
    "%c0%af",
    "%ed%a0%80",
]


def escaped(chance, text):
    """A text with some of its bytes escaped, and all that must be."""
    out = []
    for byte in text.encode():
        is_plain = byte < 128 and chr(byte) not in "%/?#"
        out.append(chr(byte) if is_plain and chance.random() < 0.8 else f"%{byte:02X}")
    return "".join(out)


def a_pattern(chance):
    """A pattern of a few segments, with a scheme now and then."""
    parts = []
    for index in range(chance.choice([0, 1, 1, 2, 2, 2, 3, 4])):
        kind, word = chance.choice(KINDS), chance.choice(WORDS).replace("%25", "%")
        hole = f"<{kind}n{index}>"
        parts.append(
            chance.choice([word, word, hole, hole, word + hole, hole + word, "a" + hole + "b"])
        )
    if chance.random() < 0.15:
        parts.append("<path:rest>")
    slash = chance.choice(["", "", "/"])
    scheme = chance.choice(SCHEMES)
    return scheme + ("" if scheme else slash) + chance.choice(["/", "/", "//"]).join(parts) + slash


def a_url(chance, patterns):
    """A URL that a pattern is likely to match, or nearly."""
    pattern = chance.choice(patterns) if patterns else a_pattern(chance)
    scheme, mark, rest = pattern.rpartition("://")
    scheme = scheme + mark.replace("://", chance.choice(["://", "://", ":///"]))
    parts = []
    for part in (scheme and rest or pattern).split("/"):
        while "<" in part:
            before, _, hole = part.partition("<")
            value = chance.choice(VALUES if chance.random() < 0.6 else WORDS).replace("%25", "%")
            if hole.startswith("path:"):
                value = chance.choice([value, "x/y/z", "x//7/"])
            part = before + value + hole.partition(">")[2]
        parts.append("/".join(escaped(chance, each) for each in part.split("/")))
    if chance.random() < 0.1:
        parts.insert(chance.randrange(len(parts) + 1), chance.choice([*WORDS, "7"]))
    if chance.random() < 0.04:
        parts.insert(chance.randrange(len(parts) + 1), chance.choice(WRONG))
    if chance.random() < 0.1:
        scheme = chance.choice([scheme.swapcase(), chance.choice(SCHEMES)])
    return scheme + "/".join(parts) + chance.choice(ENDS)


def filled(chance, most=12):
    """A router with routes at random, and their patterns in the order of adding."""
    router, patterns = Router(), []
    for name, accepts in TYPES.items():
        router.type(name, lambda text, accepts=accepts: text if accepts(text) else None)
    for _ in range(chance.randrange(most)):
        pattern = a_pattern(chance)
        try:
            router.add(pattern, pattern)
            patterns.append(pattern)
        except MainstemError as error:
            assert error.status == Status.INVALID, error
    return router, patterns


def taken(router, url):
    """What the router says, in the form of the reference."""
    try:
        match = router.match(url)
    except MainstemError as error:
        assert error.status == Status.BAD_URL, error
        return BAD_URL
    if match is None:
        return None
    items = [(bytes_of(key), bytes_of(value)) for key, value in match.items]
    fragment = None if match.fragment is None else bytes_of(match.fragment)
    return match.value, list(match.parameters), items, fragment


def bytes_of(text):
    return text.encode("utf-8", "surrogateescape")


def agree(seed):
    """Compares a hundred URLs; returns how many were bad, took no route, and took one."""
    chance = random.Random(seed)
    router, patterns = filled(chance)
    counts = [0, 0, 0]
    for _ in range(URLS):
        url = a_url(chance, patterns)
        expected = routes.match(patterns, url.encode(), TYPES)
        found = taken(router, url)
        if expected not in (None, BAD_URL):
            texts = dict(expected[1])
            values = router.match(url).parameters
            assert {name: typed(values[name], texts[name]) for name in values} == texts, (url, seed)
            expected = (expected[0], [name for name, _ in expected[1]], *expected[2:])
        assert found == expected, f"seed {seed}: {url!r} among {patterns}"
        counts[0 if expected == BAD_URL else 1 if expected is None else 2] += 1
    router.close()
    return counts


def typed(value, text):
    """The text of a value that has its type, or what differs."""
    is_same = value == text or (not isinstance(value, str) and type(value)(text) == value)
    return text if is_same else value


if __name__ == "__main__":
    wanted, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    sums = [0, 0, 0]
    for each in range(first, first + -(-wanted // URLS)):
        sums = [one + two for one, two in zip(sums, agree(each))]
    print(f"URLs: {sum(sums)}; bad {sums[0]}, no route {sums[1]}, a route {sums[2]}")
