# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Routes: added to a router, removed from it, and written as URLs."""

import decimal
import enum
import gc
import threading
import uuid

import pytest
from mainstem import MainstemError, Router, Status
from mainstem._library import _callbacks
from routing import refused

# Adding and removing ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    ["<", ">", "a<b", "a>b", "<>", "<a><b>", "<a>>", "<<a>", "<a/b>", "<:a>", "<int:>", "<a:b:c>"]
    + ["<int:a>/<b>/<a>", "<path:p>/b", "x<path:p>", "<path:p>x", ".", "..", "a/../b", "a?b", "a#b"]
    + ["<colour:a>", "<Int:a>", "a\0b"],
)
def test_a_malformed_pattern_is_refused(pattern):
    with Router() as router:
        refused(Status.INVALID, router.add, pattern)
        assert router.match("a") is None


def test_a_pattern_that_is_too_long_is_refused():
    with Router() as router:
        refused(Status.TOO_BIG, router.add, "a" * 4097)
        router.add("a/" * 2048)
        assert router.match("a/" * 2048).parameters == {}


def test_the_same_shape_is_refused_and_changes_nothing():
    with Router() as router:
        first = router.add("App://a/<id>/x-<int:n>")
        for pattern in ("app://A/<string:other>/x-<int:m>", "APP:///a//<id>/x-<int:n>/"):
            assert "App://a/<id>" in refused(Status.INVALID, router.add, pattern)
        assert router.match("app://a/b/x-1").route == first
        router.remove(first)
        assert router.match("app://a/b/x-1") is None
        assert router.add("app://A/<string:other>/x-<int:m>") != first


def test_a_removed_route_is_gone_and_its_number_too():
    with Router() as router:
        kept, gone = router.add("a/<x>"), router.add("a/<x>/b")
        match = router.match("a/1/b")
        router.remove(gone)
        assert router.match("a/1/b") is None
        assert router.match("a/1").route == kept
        assert match["x"] == "1"
        refused(Status.STALE, router.remove, gone)
        refused(Status.INVALID, router.remove, 0)
        refused(Status.INVALID, router.remove, 77)
        assert router.add("a/<x>/b") == 3


def test_a_type_is_known_by_one_name():
    with Router() as router:
        router.type("colour", str)
        for name in ("colour", "int", "path", "string", "", "a:b", "<", "a/b"):
            refused(Status.INVALID, router.type, name, str)


def test_a_type_is_asked_once_for_each_place():
    asked = []

    def word(text):
        asked.append(text)
        return text

    with Router() as router:
        router.type("word", word)
        for first in ("<word:a>", "<a>", "x<word:a>"):
            for second in ("<word:b>", "<b>", "b"):
                for third in ("<word:c>", "<c>", "c", "<path:c>"):
                    router.add(f"{first}/{second}/{third}")
        assert router.match("xa/b/c")
        assert len(asked) == 2 + 3 + 9
        router.match("xa/b/c/d/e")
        assert len(asked) == (2 + 3 + 9) + (2 + 3 + 9)


def test_what_a_type_raises_is_raised_and_a_value_error_is_no_match():
    def odd(text):
        if text == "boom":
            raise KeyError(text)
        return int(text)

    with Router() as router:
        router.type("odd", odd)
        router.add("<odd:n>")
        assert router.match("7")["n"] == 7
        assert router.match("x") is None
        with pytest.raises(KeyError):
            router.match("boom")
        assert router.match("8")["n"] == 8


def test_a_type_may_not_call_its_router():
    errors = []

    def busy(text):
        for call in (lambda: router.match("a"), lambda: router.add("b"), router.close):
            try:
                call()
            except MainstemError as error:
                errors.append(error.status)
        return text

    router = Router()
    handle = router._handle
    router.type("busy", busy)
    router.add("<busy:x>")
    assert router.match("a")["x"] == "a"
    assert errors == [Status.BUSY] * 3
    router._handle = handle
    router.close()


def test_another_thread_gets_wrong_thread_while_one_is_inside():
    statuses = []

    def slow(text):
        def other():
            try:
                router.match("a")
            except MainstemError as error:
                statuses.append(error.status)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        return text

    with Router() as router:
        router.type("slow", slow)
        router.add("<slow:x>")
        router.match("a")
    assert statuses == [Status.WRONG_THREAD]


def test_a_closed_router_is_closed_and_lets_its_types_go():
    before = len(_callbacks._accepts)
    router = Router()
    router.type("word", str)
    assert len(_callbacks._accepts) == before + 1
    router.close()
    router.close()
    assert len(_callbacks._accepts) == before
    refused(Status.INVALID, router.match, "a")
    dropped = Router()
    dropped.type("word", str)
    del dropped
    gc.collect()
    assert len(_callbacks._accepts) == before


# Writing ----------------------------------------------------------------------------------------


def test_a_url_is_written_escaped():
    assert Router.write("user/<int:id>", id=7, tab="all posts") == "user/7?tab=all%20posts"
    assert Router.write("a b/<x>", x="ü?#%&=+~") == "a%20b/%C3%BC%3F%23%25%26%3D%2B~"
    assert Router.write("app://<path:p>", p="x/y z") == "app://x/y%20z"
    assert Router.write("a", [("k", "1"), ("k", ""), ("", "&")]) == "a?k=1&k=&=%26"
    assert Router.write("") == ""
    assert Router.write("app://") == "app://"
    assert Router.write("<colour:c>", c="any text") == "any%20text"


@pytest.mark.parametrize(
    "pattern, values",
    [
        ("<id>", {}),
        ("<id>", {"id": ""}),
        ("<id>", {"id": "a/b"}),
        ("<id>", {"id": ".."}),
        (".<id>", {"id": "."}),
        ("<id>", {"id": "\udcff"}),
        ("<id>", {"id": "a\0"}),
        ("<id>", [("id", "a"), ("id", "a")]),
        ("<int:id>", {"id": "x"}),
        ("<float:id>", {"id": "nan"}),
        ("<uuid:id>", {"id": "7"}),
        ("<path:p>", {"p": "a//b"}),
        ("<path:p>", {"p": "/a"}),
        ("<path:p>", {"p": "a/../b"}),
        ("<id", {"id": "a"}),
    ],
)
def test_what_would_not_match_again_is_not_written(pattern, values):
    refused(Status.INVALID, Router.write, pattern, values)


class Colour(enum.Enum):
    RED = "red"


class Named:
    def __str__(self):
        return "a name"


@pytest.mark.parametrize(
    "value", [None, True, b"a", bytearray(b"a"), [1], (1,), {}, {1}, object(), Colour.RED]
)
def test_what_is_no_text_is_not_written(value):
    for pattern in ("<x>", "a"):
        with pytest.raises(TypeError, match="values: x=.* is no text: give a str"):
            Router.write(pattern, x=value)


def test_what_says_its_text_is_written():
    id = uuid.UUID(int=7)
    assert Router.write("<uuid:x>", x=id) == str(id)
    assert Router.write("a", x=Named(), y=decimal.Decimal("1.50")) == "a?x=a%20name&y=1.50"
    assert Router.write("a", x=Colour.RED.value, y=1.5, z=7) == "a?x=red&y=1.5&z=7"


def test_what_is_too_long_is_not_written():
    refused(Status.TOO_BIG, Router.write, "<id>", {"id": "a" * 65537})
    refused(Status.TOO_BIG, Router.write, "a", [("k", "v")] * 4097)
    assert len(Router.write("<id>", {"id": "a" * 65536})) == 65536
