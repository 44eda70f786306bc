# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What is compiled for a class does what the slow functions do, which know every case."""

from __future__ import annotations

import dataclasses
import inspect
import random
import struct
from typing import Any, Dict, FrozenSet, List, Optional, Set, Tuple, Union

import mainstem
import pytest
from mainstem import Context, Notice
from mainstem.events import _codec, _payload


@dataclasses.dataclass
class Inner:
    a: int
    b: str = "b"


@mainstem.event
class Plain(Notice):
    name: str
    number: int
    ratio: float
    is_on: bool


@mainstem.event
class Nested(Notice):
    maybe: Optional[str]
    many: List[int]
    inner: Inner
    pair: Tuple[str, float]
    anything: Any
    named: Dict[str, Inner]
    late: int = 7


@mainstem.event
class Odd(Notice):
    self: str
    value: int
    made: float
    data: str = "{}"


@mainstem.event
class Checked(Notice):
    number: int

    def __post_init__(self):
        if self.number < 0:
            raise ValueError("below 0")


KINDS = (Plain, Nested, Odd, Checked)
TEXTS = ("", "a", 'é"\\\n\u2028\x00', "{0}", "\ud800")
NUMBERS = (0, -1, 1 << 70, True, 1.5, -0.0, 1e300, float("inf"), float("nan"))
VALUES = (*TEXTS, *NUMBERS, None, [], [1, 2], ["a", 1.5], {}, {"a": 1}, Inner(1), Inner("1", 2))
#: What fits a field.
RIGHT = {
    str: TEXTS,
    int: (0, -1, 1 << 70),
    float: (1.5, -0.0, 1e300, 3),
    bool: (True, False),
    Optional[str]: (None, "a"),
    List[int]: ([], [1, 2], (3,)),
    Inner: (Inner(1), Inner(2, "ü")),
    Tuple[str, float]: (("a", 1.5), ["a", 2]),
    Any: (None, [{}], "a"),
    Dict[str, Inner]: ({}, {"a": Inner(1)}),
}
SPACED = (
    (b":", b" : "),
    (b"{", b"\n{"),
    (b"1", b"1.0"),
    (b'"number"', b'"Number"'),
    (b"}", b""),
    (b"0", b"null"),
)


def outcome(function, *arguments):
    """What it returns, or the error with its text."""
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error), str(error)


def filled(kind, draw):
    value = object.__new__(kind)
    for name, wanted, _ in _payload.fields_of(kind):
        choices = RIGHT[wanted] if draw.random() < 0.9 else VALUES
        value.__dict__[name] = draw.choice(choices)
    return value


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_what_json_does_not_have_is_told_in_our_words(number):
    """Json has others in another version of Python, and a failed handler answers with them."""
    message = rf"Nested.anything.a\[0\]: {number} is no number in JSON"
    with pytest.raises(ValueError, match=message):
        _payload.encode(Nested(None, [], Inner(1), ("", 0.0), {"a": [number]}, {}), "json")


@pytest.mark.parametrize("kind", KINDS)
def test_it_writes_the_same_bytes_and_refuses_the_same(kind):
    encode, draw, written = _codec.encoder(kind, "json"), random.Random(1), 0
    for _ in range(4000):
        value = filled(kind, draw)
        ours = outcome(encode, value)
        assert ours == outcome(_payload.encode, value, "json"), value.__dict__
        written += isinstance(ours, str)
    assert written > 1000


def sent(kind, draw):
    """The bytes of a value that can be sent; sometimes written otherwise, or damaged."""
    while True:
        try:
            data = _payload.encode(filled(kind, draw), "json")
        except (TypeError, ValueError):
            continue
        for old, new in SPACED:
            data = data.replace(old, new) if draw.random() < 0.1 else data
        if draw.random() < 0.1:
            data = data[: draw.randrange(len(data))]
        return data


@pytest.mark.parametrize("kind", KINDS)
def test_it_reads_the_same_values_and_refuses_the_same(kind):
    decode, draw, read = _codec.decoder(kind, "json"), random.Random(2), 0
    for _ in range(2000):
        data = sent(kind, draw)
        ours = outcome(decode, data)
        assert ours == outcome(_payload.decode, kind, "json", data), data
        read += isinstance(ours, str)
    assert read > 500


def test_its_initializer_is_the_one_of_the_dataclass_but_faster():
    own = dataclasses.make_dataclass("Odd", Odd.__annotations__, frozen=True)

    assert list(inspect.signature(Odd).parameters) == list(inspect.signature(own).parameters)
    assert Odd("a", 1, 2.0) == Odd(self="a", value=1, made=2.0, data="{}")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'made'"):
        Odd("a", 1)
    with pytest.raises(ValueError, match="below 0"):
        Checked(-1)
    assert not hasattr(Odd, "data")


@mainstem.event
class Tagged(mainstem.Notice):
    tags: FrozenSet[str]
    sizes: Set[int]


def test_a_set_is_a_sorted_list():
    with mainstem.Context(raises=True) as context:
        seen = []
        context.observe(Tagged, seen.append)
        context.send(Tagged(frozenset({"b", "é", "a"}), {10, 9}))
        assert seen[0].event.text == '{"tags":["a","b","é"],"sizes":[9,10]}'
        assert (seen[0].tags, seen[0].sizes) == (frozenset({"a", "b", "é"}), {9, 10})
        assert type(seen[0].tags) is frozenset
        with pytest.raises(TypeError, match=r"Tagged\.sizes: expected set, got list"):
            context.send(Tagged(frozenset(), [1]))


@mainstem.event(payload=float)
class Ratio(Notice):
    value: float


@mainstem.event(payload=struct.Struct("<dq"))
class Packed(Notice):
    ratio: float
    count: int


@mainstem.event
class Lots(Notice):
    ratios: List[float]
    either: Union[float, int] = 0.0


class Volume(mainstem.ViewModel):
    volume: float = mainstem.writable(0.5)
    loudest: float = mainstem.shown(1.0)

    @mainstem.command
    def shout(self) -> None:
        self.loudest = 2**53 + 1


EXACT = [0, -3, 2**53, -(2**53), 2**53 + 2, 2**60, 10**22, 2**1023]
INEXACT = [2**53 + 1, -(2**53) - 1, 10**23, 2**1023 + 1, 2**1024, -(10**400)]


def made_of(number: Any) -> List[Notice]:
    return [
        Plain("", 0, number, True),
        Ratio(number),
        Packed(number, 1),
        Lots([0.5, number]),
    ]


@pytest.mark.parametrize("number", EXACT)
def test_an_int_that_a_float_equals_travels_as_that(number: int):
    for value in made_of(number):
        assert seen_of(value) == value


@pytest.mark.parametrize("number", INEXACT)
def test_an_int_that_no_float_equals_is_refused(number: int):
    paths = ["Plain.ratio", "Ratio.value", "Packed.ratio", r"Lots.ratios\[1\]"]
    for value, path in zip(made_of(number), paths):
        with Context() as context, pytest.raises(TypeError, match=f"^{path}: expected float, got"):
            context.send(value)


def test_another_part_of_a_union_takes_such_an_int():
    assert seen_of(Lots([], either=2**53 + 1)) == Lots([], either=2**53 + 1)


def test_it_is_read_as_the_nearest_float_as_every_json_reader_does():
    text = b'{"name":"","number":0,"ratio":9007199254740993,"is_on":true}'

    assert _codec.decoder(Plain, "json")(text)["ratio"] == 2.0**53


def test_a_view_cannot_write_one_nor_a_view_model_show_one():
    told: List[BaseException] = []
    with Context(on_exception=lambda error, about: told.append(error)) as context:
        model = Volume()
        context.open(model)
        view = model.bind(volume=lambda volume: None)
        with pytest.raises(TypeError, match="expected float, got an int that no float equals"):
            view.volume = 2**53 + 1
        view.volume = 2
        assert (model.volume, type(view.volume)) == (2.0, float)
        view.shout()
    assert [str(error) for error in told if "no float equals" in str(error)]


def seen_of(value: Notice) -> Any:
    seen: List[Any] = []
    with Context() as context:
        context.observe(type(value), seen.append)
        context.send(value)
    return seen[0]
