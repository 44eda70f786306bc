# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The router beside a reference: URLs at random, and routes added in any order; A-42."""

import random

import pytest
from mainstem import Router
from random_routes import TYPES, URLS, a_url, agree, bytes_of, filled, taken
from sessions import seeds

SEEDS = seeds(200, "MAINSTEM_ROUTE_SETS")
SHUFFLES = 1000


def test_the_router_agrees_with_the_reference():
    sums = [0, 0, 0]
    for seed in SEEDS:
        sums = [one + two for one, two in zip(sums, agree(seed))]
    print(f"\nbad {sums[0]}, no route {sums[1]}, a route {sums[2]}")
    assert min(sums) > sum(sums) / 100
    assert sum(sums) == len(SEEDS) * URLS


def test_the_order_of_adding_does_not_matter():
    chance = random.Random(7)
    router, patterns = filled(chance, most=60)
    while len(patterns) < 30:
        router, patterns = filled(chance, most=60)
    urls = [a_url(chance, patterns) for _ in range(50)]
    expected = [taken(router, url) for url in urls]
    assert len({found and found[0] for found in expected}) > 10
    for _ in range(SHUFFLES):
        chance.shuffle(patterns)
        with Router() as other:
            for name, accepts in TYPES.items():
                other.type(name, lambda text, accepts=accepts: text if accepts(text) else None)
            for pattern in patterns:
                other.add(pattern, pattern)
            assert [taken(other, url) for url in urls] == expected


def test_removing_leaves_what_adding_the_rest_makes():
    chance = random.Random(11)
    for _ in range(100):
        router, patterns = filled(chance, most=20)
        kept = [pattern for pattern in patterns if chance.random() < 0.5]
        urls = [a_url(chance, patterns or ["a"]) for _ in range(20)]
        for number, pattern in enumerate(patterns, start=1):
            if pattern not in kept:
                router.remove(number)
        with Router() as other:
            for name, accepts in TYPES.items():
                other.type(name, lambda text, accepts=accepts: text if accepts(text) else None)
            for pattern in kept:
                other.add(pattern, pattern)
            assert [taken(router, url) for url in urls] == [taken(other, url) for url in urls]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_matches_with_the_same_values(seed):
    chance = random.Random(seed)
    letters = "aZ0-._~ /?#%&=+:@é\u2028\U0001f680"
    for _ in range(50):
        parts, values = [], {}
        for index in range(chance.randrange(1, 4)):
            word = chance.choice(["", "", "x", "a b", "é"])
            parts.append(f"{word}<n{index}>")
            text = "".join(chance.choice(letters) for _ in range(chance.randrange(1, 5)))
            values[f"n{index}"] = text.replace("/", "|")
        pattern = chance.choice(["", "app://"]) + "/".join(parts)
        if any(text in (".", "..") for text in values.values()):
            continue
        query = [("k", "".join(chance.choice(letters) for _ in range(3))) for _ in range(2)]
        with Router() as router:
            router.add(pattern)
            match = router.match(Router.write(pattern, [*values.items(), *query]))
        assert match.parameters == values
        assert match.items == query
        assert bytes_of(match.items[0][1]) == query[0][1].encode()
