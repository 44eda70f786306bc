# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The types that events carry, and how each travels: docs/wire-forms.md."""

from __future__ import annotations

import dataclasses
import decimal
import enum
import sys
import typing
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Dict, FrozenSet, List, NamedTuple, NewType, Optional, Set, Tuple, Union
from uuid import UUID

import mainstem
import pytest
from conftest import ROOT
from interpreter import child
from mainstem import Context, Notice
from mainstem.events import _wire

if sys.version_info >= (3, 9):
    from typing import TypedDict
else:
    TypedDict = typing.TypedDict


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = -1
    HIGH = 10


class Point(NamedTuple):
    x: int
    y: float = 0.5


class Card(TypedDict):
    name: str
    day: date


class Part(TypedDict, total=False):
    size: int


@dataclasses.dataclass(frozen=True)
class Span:
    begin: datetime
    length: timedelta


Seconds = NewType("Seconds", int)
UTC = timezone.utc
ID = UUID("0F8FAD5B-D9CB-469F-A165-70867728950E")


def event_of(wanted):
    """An event class with one field of a type."""
    kind = type("Told", (Notice,), {"__annotations__": {"value": wanted}})
    return mainstem.event(kind)


def text_of(wanted, value):
    """How a value travels."""
    kind = event_of(wanted)
    data = kind.__mainstem__.encode(kind(value))
    return data.decode()[len('{"value":') : -1]


def read(wanted, text):
    """What a reader makes of a text."""
    kind = event_of(wanted)
    return kind.__mainstem__.decode(1, b'{"value":' + text.encode() + b"}")["value"]


EAST = timezone(timedelta(hours=2))

#: A type, a value of it, and how that travels.
FORMS = [
    (datetime, datetime(2026, 11, 27, 20, 21, 30, tzinfo=UTC), '"2026-11-27T20:21:30Z"'),
    (datetime, datetime(2026, 11, 27, 22, 21, 30, 250000, EAST), '"2026-11-27T20:21:30.25Z"'),
    (datetime, datetime(1, 1, 1, 0, 0, 0, 1, UTC), '"0001-01-01T00:00:00.000001Z"'),
    (datetime, datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), '"9999-12-31T23:59:59.999999Z"'),
    (date, date(2026, 1, 2), '"2026-01-02"'),
    (date, date(1, 1, 1), '"0001-01-01"'),
    (timedelta, timedelta(seconds=90), '"90s"'),
    (timedelta, timedelta(days=1, microseconds=500000), '"86400.5s"'),
    (timedelta, timedelta(seconds=-0.25), '"-0.25s"'),
    (timedelta, timedelta(0), '"0s"'),
    (timedelta, timedelta(microseconds=-1), '"-0.000001s"'),
    (UUID, ID, '"0f8fad5b-d9cb-469f-a165-70867728950e"'),
    (bytes, b"", '""'),
    (bytes, b"\x00\xff\xfe", '"AP/+"'),
    (bytes, b"a", '"YQ=="'),
    (Decimal, Decimal("12.50"), '"12.50"'),
    (Decimal, Decimal("-0.001"), '"-0.001"'),
    (Decimal, Decimal("1E+3"), '"1000"'),
    (Decimal, Decimal("-0.0"), '"0.0"'),
    (Path, Path("/etc/a b"), '"/etc/a b"'),
    (PurePosixPath, PurePosixPath("a/../b"), '"a/../b"'),
    (Colour, Colour.RED, '"red"'),
    (Level, Level.HIGH, "10"),
    (Point, Point(1), '{"x":1,"y":0.5}'),
    (Card, {"day": date(2026, 1, 2), "name": "Ada"}, '{"name":"Ada","day":"2026-01-02"}'),
    (Part, {}, "{}"),
    (Part, {"size": 1}, '{"size":1}'),
    (Seconds, 5, "5"),
    (Dict[int, str], {10: "a", 9: "b", -3: "c"}, '{"-3":"c","10":"a","9":"b"}'),
    (Dict[Level, int], {Level.HIGH: 1, Level.LOW: 2}, '{"-1":2,"10":1}'),
    (Dict[Colour, int], {Colour.RED: 1, Colour.BLUE: 2}, '{"blue":2,"red":1}'),
    (Dict[bool, int], {True: 1, False: 2}, "[false,2,true,1]"),
    (Dict[Tuple[int, int], int], {(2, 1): 1, (10, 0): 2}, "[[10,0],2,[2,1],1]"),
    (Dict[date, bytes], {date(2026, 1, 2): b"a"}, '["2026-01-02","YQ=="]'),
    (Dict[UUID, Point], {ID: Point(1)}, f'["{str(ID).lower()}",{{"x":1,"y":0.5}}]'),
    (Set[Decimal], {Decimal("10"), Decimal("9.5")}, '["10","9.5"]'),
    (FrozenSet[Path], frozenset([Path("a"), Path("a b"), Path("B")]), '["B","a b","a"]'),
    (Optional[date], None, "null"),
    (Optional[date], date(2026, 1, 2), '"2026-01-02"'),
    (Union[date, datetime], datetime(2026, 1, 2, tzinfo=UTC), '"2026-01-02T00:00:00Z"'),
    (
        List[Span],
        [Span(datetime(2026, 1, 2, tzinfo=UTC), timedelta(1))],
        '[{"begin":"2026-01-02T00:00:00Z","length":"86400s"}]',
    ),
    # As before: what is in journals verifies.
    (Set[int], {10, 9}, "[9,10]"),
    (Set[str], {"a b", "a", "B"}, '["B","a","a b"]'),
    (Set[Union[int, str]], {1, "é", "z"}, '["z","é",1]'),
    (Dict[str, int], {"b": 1, "a": 2}, '{"b":1,"a":2}'),
    (Dict[Any, int], {"b": 1}, '{"b":1}'),
]


@pytest.mark.parametrize("wanted, value, text", FORMS, ids=[text for *_, text in FORMS])
def test_a_value_travels_in_its_form_and_back(wanted, value, text):
    assert text_of(wanted, value) == text
    assert read(wanted, text) == value
    assert type(read(wanted, text)) is type(value)


#: What only others write.
READ = [
    (datetime, '"2026-11-27T22:21:30+02:00"', datetime(2026, 11, 27, 20, 21, 30, tzinfo=UTC)),
    (datetime, '"2026-11-27T14:51:30-05:30"', datetime(2026, 11, 27, 20, 21, 30, tzinfo=UTC)),
    (datetime, '"2026-01-01T00:00:00.0000005Z"', datetime(2026, 1, 1, tzinfo=UTC)),
    (datetime, '"2026-01-01T00:00:00.0000015Z"', datetime(2026, 1, 1, 0, 0, 0, 2, UTC)),
    (datetime, '"2026-12-31T23:59:59.9999999Z"', datetime(2027, 1, 1, tzinfo=UTC)),
    (timedelta, '"1.500s"', timedelta(seconds=1.5)),
    (timedelta, '"0.0000025s"', timedelta(microseconds=2)),
    (timedelta, '"0.000003500000000001s"', timedelta(microseconds=4)),
    (UUID, '"0F8FAD5B-D9CB-469F-A165-70867728950E"', ID),
    (Set[UUID], f'["{ID}","{ID}"]', {ID}),
    (
        Dict[date, int],
        '["2026-01-03",1,"2026-01-02",2]',
        {date(2026, 1, 3): 1, date(2026, 1, 2): 2},
    ),
    (Part, '{"other":1}', {}),
    (Point, '{"y":1.5,"x":2,"z":0}', Point(2, 1.5)),
]


@pytest.mark.parametrize("wanted, text, value", READ, ids=[text for _, text, _ in READ])
def test_what_others_write_is_read(wanted, text, value):
    assert read(wanted, text) == value


NOT_READ = [
    (datetime, '"2026-11-27T20:21:30"'),
    (datetime, '"2026-11-27t20:21:30z"'),
    (datetime, '"2026-11-27 20:21:30Z"'),
    (datetime, '"2026-11-27T20:21:60Z"'),
    (datetime, '"2026-11-27T24:00:00Z"'),
    (datetime, '"2026-02-29T00:00:00Z"'),
    (datetime, '"2026-01-01T00:00:00.Z"'),
    (datetime, '"2026-01-01T00:00:00+24:00"'),
    (datetime, '"0001-01-01T00:00:00+01:00"'),
    (datetime, '"9999-12-31T23:59:59.9999999Z"'),
    (datetime, "0"),
    (date, '"2026-1-2"'),
    (date, '"2026-01-02T00:00:00Z"'),
    (date, '"٢٠٢٦-01-02"'),
    (timedelta, '"1"'),
    (timedelta, '"1e3s"'),
    (timedelta, '".5s"'),
    (timedelta, '"+1s"'),
    (timedelta, '"0.0000000000000000001s"'),
    (timedelta, f'"{10**20}s"'),
    (UUID, '"0f8fad5bd9cb469fa16570867728950e"'),
    (bytes, '"YQ"'),
    (bytes, '"YR=="'),
    (bytes, '"Y Q=="'),
    (bytes, '"YQ==\\n"'),
    (bytes, '"é"'),
    (Decimal, '"NaN"'),
    (Decimal, '"1e3"'),
    (Decimal, '"01"'),
    (Decimal, '"1."'),
    (Decimal, "1.5"),
    (Point, "[1,2]"),
    (Card, '{"name":"Ada"}'),
    (Dict[int, int], '{"03":1}'),
    (Dict[int, int], '{"-0":1}'),
    (Dict[int, int], '{"x":1}'),
    (Dict[Level, int], '{"5":1}'),
    (Dict[Colour, int], '{"green":1}'),
    (Dict[UUID, int], f'["{ID}"]'),
    (Dict[UUID, int], "{}"),
]


@pytest.mark.parametrize("wanted, text", NOT_READ, ids=[text for _, text in NOT_READ])
def test_what_is_not_in_a_form_is_refused(wanted, text):
    with pytest.raises(mainstem.MainstemError, match="its payload does not fit: Told.value"):
        read(wanted, text)


NOT_SENT = [
    (datetime, datetime(2026, 1, 1), ValueError, "Told.value: it has no time zone: give it one"),
    (datetime, date(2026, 1, 1), TypeError, "Told.value: expected datetime, got date"),
    (date, datetime(2026, 1, 1, tzinfo=UTC), TypeError, "Told.value: expected date, got datetime"),
    (datetime, "2026-01-01T00:00:00Z", TypeError, "Told.value: expected datetime, got str"),
    (timedelta, 5, TypeError, "Told.value: expected timedelta, got int"),
    (bytes, bytearray(b"a"), TypeError, "Told.value: expected bytes, got bytearray"),
    (Decimal, 1.5, TypeError, "Told.value: expected Decimal, got float"),
    (Decimal, Decimal("NaN"), ValueError, "Told.value: NaN is no number in JSON"),
    (Decimal, Decimal("1E+6145"), ValueError, r"Told.value: 1E\+6145 has more than 6144 digits"),
    (Path, PurePosixPath("a"), TypeError, "Told.value: expected Path, got PurePosixPath"),
    (Point, (1, 2), TypeError, "Told.value: expected Point, got tuple"),
    (Point, Point("a"), TypeError, "Told.value.x: expected int, got str"),
    (Card, {"name": "Ada"}, TypeError, "Told.value.day: missing"),
    (Part, {"length": 1}, TypeError, "Told.value: Part has no 'length'"),
    (Dict[int, int], {True: 1}, TypeError, "Told.value: key: expected int, got bool"),
    (Dict[int, int], {"1": 1}, TypeError, "Told.value: key: expected int, got str"),
    (Dict[UUID, int], {ID: "a"}, TypeError, r"Told.value\[UUID\(.*\)\]: expected int, got str"),
]


@pytest.mark.parametrize(
    "wanted, value, kind, message", NOT_SENT, ids=[repr(value) for _, value, *_ in NOT_SENT]
)
def test_a_wrong_value_is_refused_where_it_is_sent(wanted, value, kind, message):
    with pytest.raises(kind, match=message):
        text_of(wanted, value)


@dataclasses.dataclass
class Deep:
    numbers: List[complex]


class Shape(enum.Enum):
    SQUARE = (1, 1)


WRONG = [
    (
        complex,
        "Told.value: complex cannot be JSON: take a type of docs/wire-forms.md, or say how it",
    ),
    (bytearray, "Told.value: bytearray cannot be JSON"),
    (Dict[str, List[complex]], "Told.value: complex cannot be JSON"),
    (Dict[complex, int], "Told.value: complex cannot be JSON"),
    (Deep, "Told.value.numbers: complex cannot be JSON"),
    (Optional[Deep], "Told.value.numbers: complex cannot be JSON"),
    (Shape, r"Told.value: Shape.SQUARE is \(1, 1\): the values of an Enum are text or numbers"),
    (Union[str, datetime], "Told.value: str and datetime both travel as text"),
    (Union[UUID, Colour], "Told.value: Colour and UUID both travel as text"),
    (Union[bytes, Path], "Told.value: bytes and Path both travel as text"),
]


@pytest.mark.parametrize("wanted, message", WRONG, ids=[str(wanted) for wanted, _ in WRONG])
def test_a_type_that_cannot_travel_is_refused_where_the_class_is_declared(wanted, message):
    with pytest.raises(TypeError, match=message):
        event_of(wanted)


def test_a_view_model_is_refused_where_it_is_opened(context):
    class Meter(mainstem.ViewModel):
        impedance: complex = mainstem.shown(0j)

    with pytest.raises(TypeError, match="Meter.impedance: complex cannot be JSON"):
        context.open(Meter())


@mainstem.event
class Early(Notice):
    late: Late


@dataclasses.dataclass
class Late:
    day: date


def test_a_class_may_name_one_that_is_declared_later():
    data = Early.__mainstem__.encode(Early(Late(date(2026, 1, 2))))

    assert data == b'{"late":{"day":"2026-01-02"}}'


def test_view_models_show_and_take_them(context):
    class Trip(mainstem.ViewModel):
        begin: datetime = mainstem.writable(datetime(2026, 1, 1, tzinfo=UTC))
        price: Decimal = mainstem.shown(Decimal("1.0"))
        seat: Optional[Point] = mainstem.shown(None)

        @mainstem.command
        def book(self, day: date, seat: Point) -> timedelta:
            self.price = Decimal("1.00")
            self.seat = seat
            return day - self.begin.date()

    prices, seats = [], []
    view = context.open(Trip()).bind(
        price=lambda price: prices.append(str(price)), seat=seats.append
    )
    view.begin = datetime(2026, 1, 2, tzinfo=UTC)

    assert view.book(date(2026, 1, 4), Point(1)).result() == timedelta(2)
    assert (prices, seats) == (["1.0", "1.00"], [None, Point(1)])
    assert view.begin == datetime(2026, 1, 2, tzinfo=UTC)


# Random types and values

TEXT = 'aB é"\\/\n\u2028😀'


def pick_text(random):
    return "".join(random.choice(TEXT) for _ in range(random.randrange(5)))


def pick_number(random):
    return random.choice([0, -1, 1 << 70, random.randrange(-100, 100)])


def pick_instant(random):
    microseconds = random.choice([0, 1, 250000, 999999, random.randrange(10**6)])
    offset = timezone(timedelta(minutes=random.randrange(-1439, 1440)))
    day = random.randrange(2, 3652058)
    at = datetime.fromordinal(day) + timedelta(seconds=random.randrange(86400))
    return at.replace(microsecond=microseconds, tzinfo=random.choice([UTC, offset]))


def pick_length(random):
    return timedelta(
        random.randrange(-(10**6), 10**6), microseconds=pick_instant(random).microsecond
    )


def pick_decimal(random):
    digits = tuple(random.randrange(10) for _ in range(random.randrange(1, 40)))
    return Decimal(decimal.DecimalTuple(random.randrange(2), digits, random.randrange(-30, 30)))


LEAVES = {
    str: pick_text,
    int: pick_number,
    float: lambda random: random.choice([0.0, -0.0, 1e300, random.uniform(-1, 1)]),
    bool: lambda random: random.random() < 0.5,
    bytes: lambda random: bytes(random.randrange(256) for _ in range(random.randrange(6))),
    datetime: pick_instant,
    date: lambda random: date.fromordinal(random.randrange(1, 3652060)),
    timedelta: pick_length,
    UUID: lambda random: UUID(int=random.getrandbits(128)),
    Decimal: pick_decimal,
    Path: lambda random: Path(pick_text(random)),
    Colour: lambda random: random.choice(list(Colour)),
    Level: lambda random: random.choice(list(Level)),
    Point: lambda random: Point(pick_number(random), random.uniform(-1, 1)),
    Span: lambda random: Span(pick_instant(random), pick_length(random)),
}


def pick_type(random, depth=3):
    """A type, a function that picks a value of it, and whether values can be keys."""
    shape = random.randrange(8) if depth else 0
    if shape < 3:
        leaf = random.choice(list(LEAVES))
        return leaf, LEAVES[leaf], True
    inner, pick, is_key = pick_type(random, depth - 1)
    other, pick_other, is_other_key = pick_type(random, depth - 1)

    def several(random):
        return [pick(random) for _ in range(random.randrange(4))]

    def keyed(random):
        return {key: pick_other(random) for key in several(random)}

    if shape == 3:
        return Optional[inner], lambda random: random.choice([None, pick(random)]), False
    if shape == 4:
        return Tuple[inner, other], lambda r: (pick(r), pick_other(r)), is_key and is_other_key
    if shape == 5 and is_key:
        return FrozenSet[inner], lambda random: frozenset(several(random)), False
    if shape == 6 and is_key:
        return Dict[inner, other], keyed, False
    return Tuple[inner, ...], lambda random: tuple(several(random)), is_key


def test_random_values_of_random_types_come_back():
    import random as randoms

    with Context(raises=True) as context:
        got = []
        context.observe(lambda event: got.append(event.value))
        for seed in range(300):
            random = randoms.Random(seed)
            wanted, pick, _ = pick_type(random)
            made = type(f"Told{seed}", (Notice,), {"__annotations__": {"value": wanted, "n": int}})
            kind = mainstem.event(made)
            for _ in range(5):
                value = kind(pick(random), seed)
                context.send(value)
                assert got.pop() == value, f"seed {seed}: {wanted}"


def test_equal_values_are_the_same_bytes_whatever_their_order():
    import random as randoms

    for seed in range(200):
        random = randoms.Random(seed)
        leaf = random.choice(list(LEAVES))
        if leaf is str:
            continue  # As before: in the order of the dict.
        pairs = list({LEAVES[leaf](random): place for place in range(6)}.items())
        shuffled = random.sample(pairs, len(pairs))
        wanted = Dict[leaf, int]
        assert text_of(wanted, dict(pairs)) == text_of(wanted, dict(shuffled)), f"seed {seed}"


def test_sets_and_keys_are_the_same_bytes_in_every_process():
    program = """
import random, sys
import test_wire_forms as forms
for seed in range(30):
    r = random.Random(seed)
    for leaf, pick in forms.LEAVES.items():
        if leaf is str: continue
        picked = [pick(r) for _ in range(5)]
        print(forms.text_of(forms.FrozenSet[leaf], frozenset(picked)))
        print(forms.text_of(forms.Dict[leaf, int], {key: 1 for key in frozenset(picked)}))
"""
    said = []
    for seed in ("1", "2"):
        code = f"import os; os.environ['PYTHONIOENCODING'] = 'utf-8'\n{program}"
        with child_with(code, PYTHONHASHSEED=seed) as process:
            out, error = process.communicate(timeout=120)
        assert error == ""
        said.append(out)
    assert said[0] == said[1]
    assert said[0].count("\n") == 30 * 2 * (len(LEAVES) - 1)


def child_with(code, **environment):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setenv("PYTHONIOENCODING", "utf-8")
        return child(code)


# Types of a program's own


class Money:
    def __init__(self, amount, currency):
        self.amount, self.currency = amount, currency

    def __eq__(self, other):
        return (self.amount, self.currency) == (other.amount, other.currency)

    def __hash__(self):
        return hash(self.amount)

    def __str__(self):
        return f"{self.amount} {self.currency}"

    @classmethod
    def parse(cls, text):
        amount, _, currency = text.partition(" ")
        if not currency:
            raise ValueError(f"{text!r} has no currency")
        return cls(int(amount), currency)


mainstem.json_form(Money, encode=str, decode=Money.parse)


def test_a_type_of_ones_own_travels_in_the_form_that_is_said():
    assert text_of(Money, Money(5, "EUR")) == '"5 EUR"'
    assert read(Money, '"5 EUR"') == Money(5, "EUR")
    assert text_of(Set[Money], {Money(5, "EUR"), Money(10, "EUR")}) == '["10 EUR","5 EUR"]'
    assert text_of(Dict[Money, int], {Money(5, "EUR"): 1}) == '["5 EUR",1]'
    with pytest.raises(TypeError, match="Told.value: expected Money, got int"):
        text_of(Money, 5)
    with pytest.raises(mainstem.MainstemError, match="Told.value: '5' has no currency"):
        read(Money, '"5"')


def test_a_form_must_give_json():
    class Odd:
        pass

    mainstem.json_form(Odd, encode=lambda odd: {1: odd}, decode=lambda text: Odd())

    with pytest.raises(TypeError, match="Told.value: the encode of Odd gave what is no JSON"):
        text_of(Odd, Odd())


def test_a_form_is_said_before_the_type_is_used():
    @dataclasses.dataclass
    class Used:
        number: int

    event_of(Used)

    with pytest.raises(TypeError, match="Used travels already: say json_form before the first"):
        mainstem.json_form(Used, encode=str, decode=Used)


@pytest.mark.parametrize("kind", [str, int, dict, datetime, UUID])
def test_a_type_that_has_a_form_gets_no_other(kind):
    with pytest.raises(TypeError, match=f"{kind.__name__} has a form: docs/wire-forms.md has it"):
        mainstem.json_form(kind, encode=str, decode=kind)


def test_two_forms_of_one_type_are_refused_but_a_cell_may_run_twice():
    class Shared:
        pass

    def say(encode, name):
        source = f"import mainstem; mainstem.json_form(Shared, encode={encode}, decode=str)"
        exec(compile(source, name, "exec"), {"Shared": Shared, "__name__": name})

    say("lambda one: 'a'", "one.py")
    say("lambda one: 'b'", "one.py")
    assert text_of(Shared, Shared()) == '"b"'
    with pytest.raises(TypeError, match="Shared has two forms, one.py:1 and two.py:1: say one"):
        say("lambda one: 'c'", "two.py")


def test_a_secret_is_not_quoted_in_a_refusal():
    @mainstem.event(secret=True)
    class Born(Notice):
        day: date

    with pytest.raises(mainstem.MainstemError) as raised:
        Born.__mainstem__.decode(1, b'{"day":"hush-hush"}')
    assert "hush" not in str(raised.value)


def test_the_page_has_every_form():
    page = (ROOT / "docs" / "wire-forms.md").read_text(encoding="utf-8")
    kinds = {Path if issubclass(kind, PurePath) else kind for kind in _wire.TEXTS}
    assert len(kinds) == 7
    names = [
        *sorted(kind.__name__ for kind in kinds),
        "Enum",
        "NamedTuple",
        "TypedDict",
        "Tuple[A, B]",
        "Dict[int, X]",
    ]
    assert [name for name in names if f"`{name}" not in page] == []
    told = {text for *_, text in FORMS if f"`{text}`" in page}
    assert len(told) > 10


@pytest.mark.skipif(sys.version_info < (3, 11), reason="NotRequired is newer")
def test_what_may_be_left_out_of_a_typed_dict_is_said_by_field():
    class Note(TypedDict):
        text: str
        day: typing.NotRequired[date]

    class Loose(TypedDict, total=False):
        text: typing.Required[str]
        day: date

    for kind in (Note, Loose):
        assert text_of(kind, {"text": "a"}) == '{"text":"a"}'
        assert read(kind, '{"text":"a","day":"2026-01-02"}')["day"] == date(2026, 1, 2)
        with pytest.raises(TypeError, match="Told.value.text: missing"):
            text_of(kind, {"day": date(2026, 1, 2)})
        with pytest.raises(mainstem.MainstemError, match="Told.value.text: missing"):
            read(kind, "{}")
