# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Routers: the tests that XU-12 lists, by their names; FAULTS 3.6; acceptance A-41, A-43."""

import uuid

import pytest
from mainstem import Router, Status
from routing import refused, taken

UUID = "621425B8-42D1-4AB4-9A58-1E69D708A84B"


# XU-12 ------------------------------------------------------------------------------------------


def test_no_candidate():
    assert taken("myapp://user/1") is None


def test_a_scheme_that_does_not_match():
    assert taken("myapp://user/1", "yourapp://user/<id>") is None
    assert taken("myapp://user/1", "user/<id>") is None
    assert taken("user/1", "myapp://user/<id>") is None


def test_a_total_and_a_partial_mismatch():
    assert taken("myapp://user/1", "myapp://comment/<id>") is None
    assert taken("myapp://user/1", "myapp://user/<id>/hello") is None
    assert taken("myapp://user/1/hello", "myapp://user/<id>") is None


def test_a_value_of_another_type():
    assert taken("myapp://user/devxoul", "myapp://user/<int:id>") is None
    assert taken("myapp://user/devxoul", "myapp://user/<float:id>") is None
    assert taken("myapp://user/devxoul", "myapp://user/<uuid:id>") is None


def test_an_exact_match():
    assert taken("myapp://hello", "myapp://hello") == ("myapp://hello", {})


def test_the_longest_match():
    patterns = ("myapp://<path:rest>", "myapp://user/<path:rest>", "myapp://user/<id>/posts")
    assert taken("myapp://user/1/posts", *patterns) == (patterns[2], {"id": "1"})
    assert taken("myapp://user/1/likes", *patterns) == (patterns[1], {"rest": "1/likes"})


def test_untyped_string_int_float_uuid_and_custom():
    long = "myapp://user/<id>/hello"
    assert taken("myapp://user/1", long, "myapp://user/<id>")[1] == {"id": "1"}
    assert taken("myapp://user/123", "myapp://user/<string:id>")[1] == {"id": "123"}
    assert taken("myapp://user/123", "myapp://user/<int:id>")[1] == {"id": 123}
    assert taken("myapp://user/123.456", "myapp://user/<float:id>")[1] == {"id": 123.456}
    assert taken(f"myapp://user/{UUID}", "myapp://user/<uuid:id>")[1] == {"id": uuid.UUID(UUID)}
    greeting = "myapp://hello/<greeting:name>"
    found = taken("myapp://hello/devxoul", greeting, greeting=lambda text: f"Hello, {text}!")
    assert found == (greeting, {"name": "Hello, devxoul!"})


def test_multiple_values():
    patterns = ("myapp://user/<id>", "myapp://user/<id>/<object>")
    assert taken("myapp://user/1/posts", *patterns) == (patterns[1], {"id": "1", "object": "posts"})


def test_the_query_is_ignored():
    assert taken("myapp://alert?title=hello&message=world", "myapp://alert") == (
        "myapp://alert",
        {},
    )


def test_a_path_also_with_a_trailing_slash():
    for url in ("https://google.com/search?q=URL", "https://google.com/search/?q=URL"):
        assert taken(url, "https://<path:url>")[1] == {"url": "google.com/search"}


def test_empty_with_a_path():
    """Issue 109: a path has one segment at least."""
    assert taken("myapp://", "myapp://<path:path>") is None
    assert taken("myapp://user", "myapp://user/<path:path>") is None
    assert taken("myapp://user", "myapp://user", "myapp://user/<path:path>")[0] == "myapp://user"


def test_the_same_candidate_whatever_the_order():
    """Issue 109."""
    patterns = ("myapp://<path:p>", "myapp://user/<path:p>", "myapp://user/<id>", "myapp://<id>")
    for order in (patterns, patterns[::-1], patterns[2:] + patterns[:2]):
        assert taken("myapp://user/1", *order)[0] == "myapp://user/<id>"


def test_a_url_inside_the_path_is_no_match():
    """Issue 123."""
    assert taken("myapp://alert/https://example.com", "myapp://alert/<title>") is None
    assert taken("https://example.com/myapp://alert", "myapp://alert") is None


# What a URL is ----------------------------------------------------------------------------------


def test_slashes_in_a_row_count_as_one_and_one_at_either_end_as_none():
    for url in ("a/b", "/a/b", "a/b/", "//a///b//"):
        assert taken(url, "a/b") == ("a/b", {}), url
    for url in ("app://a/b", "app:///a/b", "APP:////a//b/"):
        assert taken(url, "app://a/b") == ("app://a/b", {}), url
    for url in ("", "/", "//"):
        assert taken(url, "") == ("", {}), url
        assert taken(url, "/") == ("/", {}), url
        assert taken(url, "<path:_>") is None


def test_scheme_and_host_are_compared_without_case_and_the_rest_with():
    pattern = "MyApp://User-<id>/Posts"
    assert taken("myAPP://uSER-Bob/Posts", pattern)[1] == {"id": "Bob"}
    assert taken("myapp://user-Bob/posts", pattern) is None
    assert taken("User", "user") is None
    assert taken("app://\u212aelvin", "app://kelvin") is None


def test_unicode_is_compared_decoded():
    assert taken("caf%C3%A9/%F0%9F%9A%80", "café/<x>")[1] == {"x": "🚀"}
    assert taken("café/a%20b", "café/<x>")[1] == {"x": "a b"}
    assert taken("cafe%CC%81", "café") is None, "as bytes: nothing is normalized"


def test_what_is_decoded_is_decoded_once():
    assert taken("%252F/%2525", "<a>/<b>")[1] == {"a": "%2F", "b": "%25"}
    assert taken("%253Cid%253E", "<a>")[1] == {"a": "%3Cid%3E"}
    assert taken("a%3Fb%23c", "<a>")[1] == {"a": "a?b#c"}


@pytest.mark.parametrize(
    "url",
    ["%", "a%", "a%2", "a%zz", "a%%41", "a?x=%", "a#%g1", "a%2Fb", "a%2fb", "a/./b", "..", "a/../b"]
    + ["%2e", "a/%2E%2e", ".%2e/a", "a%00", "app://%00", "\0", "%ff", "%c0%af", "%ed%a0%80", "%f5"],
)
def test_what_no_route_may_get_is_a_bad_url(url):
    with Router() as router:
        for pattern in ("<path:_>", "app://<path:_>"):
            router.add(pattern)
        refused(Status.BAD_URL, router.match, url)


def test_a_bad_url_is_bad_without_routes_too():
    with Router() as router:
        assert "byte 2" in refused(Status.BAD_URL, router.match, "a/..")
        refused(Status.TOO_BIG, router.match, "a" * 65537)
        assert router.match("a" * 65536) is None


def test_a_colon_or_a_dot_is_no_harm_where_it_is_no_scheme_or_dot_segment():
    for url in ("mailto:a", "...", ".a", "a..", "1x://a", "a?u=http://b/../c", "a#../.."):
        assert taken(url, "<path:p>") is not None, url


# The winner -------------------------------------------------------------------------------------

#: Each wins against those behind it.
RANKS = [
    "x-1",
    "x-<int:a>",
    "x<int:a>",
    "<float:a>1",
    "x-<a>",
    "x<a>",
    "<a>1",
    "<word:a>",
    "<zebra:a>",
    "<a>",
    "<path:a>",
]


def test_the_first_difference_decides_by_rank():
    with Router() as router:
        for name in ("zebra", "word"):
            router.type(name, str)
        numbers = {pattern: router.add(pattern, pattern) for pattern in reversed(RANKS)}
        order = []
        match = router.match("x-1")
        while match:
            order.append(match.value)
            router.remove(numbers[match.value])
            match = router.match("x-1")
    assert order == [pattern for pattern in RANKS if pattern != "<float:a>1"]


def test_uuid_is_before_int_before_float_before_the_apps_own():
    types = {"digits": lambda text: text}
    assert taken("7", "<float:a>", "<digits:a>", "<int:a>", "<a>", **types)[0] == "<int:a>"
    assert taken("7.5", "<float:a>", "<digits:a>", "<int:a>", "<a>", **types)[0] == "<float:a>"
    assert taken("x", "<float:a>", "<digits:a>", "<int:a>", "<a>", **types)[0] == "<digits:a>"
    assert taken(UUID, "<digits:a>", "<uuid:a>", "<a>", **types)[0] == "<uuid:a>"


def test_more_literals_win_wherever_they_are():
    assert taken("1/b/c", "<int:x>/<y>/<z>", "<x>/b/<z>")[0] == "<x>/b/<z>"
    assert taken("a/b/c", "a/<y>/<z>", "<x>/b/c")[0] == "<x>/b/c"
    assert taken("a/b/c", "a/<y>/c", "a/b/<z>")[0] == "a/b/<z>"
    assert taken("a/b/c", "a/x<y>/c", "a/<path:p>")[0] == "a/<path:p>"


def test_a_fallback_takes_what_nobody_else_does():
    patterns = ("diary", "diary/<path:_>", "<path:_>")
    assert taken("diary", *patterns)[0] == "diary"
    assert taken("diary/7/edit", *patterns)[0] == "diary/<path:_>"
    assert taken("other", *patterns)[0] == "<path:_>"


def test_a_placeholder_matches_one_byte_at_least():
    assert taken("user-", "user-<id>") is None
    assert taken("aa", "a<x>a") is None
    assert taken("aba", "a<x>a")[1] == {"x": "b"}


# Queries: A-43 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url, items",
    [
        ("a", []),
        ("a?", []),
        ("a?&&", []),
        ("a?k", [("k", "")]),
        ("a?k=", [("k", "")]),
        ("a?=v", [("", "v")]),
        ("a?=", [("", "")]),
        ("a?a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]),
        ("a?%61=%41%3D%26+&=", [("a", "A=&+"), ("", "")]),
        ("a?a=b=c", [("a", "b=c")]),
        ("a?x=/../%00%ff?", [("x", "/../\0\udcff?")]),
        ("a?ü=ü#a?b", [("ü", "ü")]),
    ],
)
def test_the_query_keeps_order_and_repetitions(url, items):
    with Router() as router:
        router.add("a")
        match = router.match(url)
    assert match.items == items
    assert match.query == dict(items)
    assert match.fragment == ("a?b" if "#" in url else None)


def test_an_empty_fragment_is_one():
    with Router() as router:
        router.add("a")
        assert router.match("a#").fragment == ""
        assert router.match("a#%41#?").fragment == "A#?"
