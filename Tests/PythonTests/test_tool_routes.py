# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`mainstem routes`: a table, and why a URL takes a route."""

import random

import pytest
from random_routes import a_url, filled
from reference.navigation.routes import split, tried
from tool import run

ROUTES = """\
# The diary.
diary            DiaryList   screen
diary/<int:id>   DiaryPage   screen
diary/<id>
diary/new-<colour:c>  Paint  dialog over all
diary/new-<c>
diary/<path:_>   NotFound
<a>/7            Odd
"""


@pytest.fixture
def routes(tmp_path):
    path = tmp_path / "app.routes"
    path.write_text(ROUTES, encoding="utf-8")
    return path


def asked(path, *url):
    return run("routes", path, *url, "--type", "colour=red|green")


def test_a_file_that_is_no_text_is_named(routes):
    routes.write_bytes(b"diary\n\xff\n")
    assert asked(routes, "diary") == (2, "", f"mainstem: {routes}: is not UTF-8\n")


def test_without_a_url_it_is_a_table(routes):
    status, output, said = asked(routes)
    assert (status, said) == (0, "")
    lines = output.splitlines()
    assert lines[0] == f"{routes}: 7 routes"
    assert lines[1] == "  diary                 DiaryList  screen"
    assert lines[4] == "  diary/new-<colour:c>  Paint      dialog over all"
    assert lines[3] == "  diary/<id>"


def test_it_says_which_route_and_why(routes):
    status, output, said = asked(routes, "/diary/7/?x=%20y&x=2#top")
    assert (status, said) == (0, "")
    assert output.splitlines() == [
        "/diary/7/?x=%20y&x=2#top takes diary/<int:id> (DiaryPage, screen)",
        "  id = 7",
        "  ?x =  y",
        "  ?x = 2",
        "  #top",
        "what else matches, and what decides:",
        "  diary/<id>: at segment 2, any text comes after an int",
        "  diary/<path:_>: at segment 2, a path comes after any text",
        "  <a>/7: at segment 1, any text comes after literal text",
    ]


def test_a_part_of_a_segment_wins_by_its_type(routes):
    output = asked(routes, "diary/new-red")[1]
    assert "takes diary/new-<colour:c> (Paint, dialog over all)" in output
    why = "a part of a segment comes after a typed part of a segment"
    assert f"  diary/new-<c>: at segment 2, {why}" in output
    assert "takes diary/new-<c>\n" in asked(routes, "diary/new-blue")[1]


def test_literal_segments_are_counted_first(tmp_path):
    path = tmp_path / "routes"
    path.write_text("<path:p>\na/<x>\na-<x>/b\n<x>-1/b\n<x>1/b", encoding="utf-8")
    output = run("routes", path, "a/b")[1].splitlines()
    assert output[-1] == "  <path:p>: 0 literal segments, a/<x> has 1"
    output = run("routes", path, "a-1/b")[1].splitlines()
    assert output[0].endswith("takes a-<x>/b")
    assert output[3] == "  <x>-1/b: at segment 1, it has less literal text in front"
    assert output[4] == "  <x>1/b: at segment 1, it has less literal text"


def test_no_route_and_a_bad_url_are_one(routes):
    assert asked(routes, "other")[:2] == (1, "other takes none of 7 routes\n")
    status, output, said = asked(routes, "diary/%2F")
    assert (status, output) == (1, "")
    assert said.startswith("mainstem: BAD_URL: ")


def test_a_file_with_no_routes_is_two(routes, tmp_path):
    assert run("routes", tmp_path / "none")[0] == 2
    status, output, said = run("routes", routes)
    assert (status, output) == (2, "")
    assert said.startswith(f"mainstem: {routes}:5: ") and "colour is no type" in said
    assert run("routes", routes, "--type", "colour")[0] == 2
    assert run("routes", routes, "--type", "colour=(")[0] == 2


def test_what_is_written_cannot_control_the_terminal(routes):
    assert "\x1b" not in asked(routes, "diary/%1b[2J")[1]


@pytest.mark.parametrize("seed", range(8))
def test_what_decides_agrees_with_the_reference(seed):
    from mainstem.tool._files import _segments

    chance = random.Random(seed)
    _, patterns = filled(chance, most=40)
    for _ in range(100):
        scheme, segments = split(a_url(chance, patterns or ["a"]).encode())
        types = {"even": lambda text: True, "vowel": lambda text: True}
        ranks = [(tried(each, scheme, segments, types), each) for each in patterns]
        found = [(rank[0], each) for rank, each in ranks if rank]
        by_tool = [
            (-sum(part.place == 0 for part in _segments(each)), _segments(each))
            for _, each in sorted(found)
        ]
        assert by_tool == sorted(by_tool)
