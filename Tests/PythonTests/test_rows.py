# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of bindings that a drain calls: two-way ones, and others."""

from __future__ import annotations

import functools
import gc
import weakref
from typing import Any, List

import mainstem
import pytest


@pytest.fixture
def context(context: mainstem.Context) -> mainstem.Context:
    context.add_type("Form.name", str, role="value")
    context.add_type("Form.size", int, role="value")
    return context


class Field:
    """A control: whoever changes its text, it tells its view, which writes it."""

    def __init__(self, view: mainstem.Scope, owner: mainstem.Scope) -> None:
        self.text = ""
        self.shown: List[str] = []
        self.binding = view.bind(owner, {"name": mainstem.two_way(self.show)})

    def show(self, text: str) -> None:
        self.shown.append(text)
        self.type_in(text)

    def type_in(self, text: str) -> None:
        self.text = text
        self.binding.set("name", text)


def test_a_drain_calls_a_two_way_row_with_the_newest(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    owner.set("Form.name", "one")
    field = Field(context, owner)
    assert field.shown == []
    context.drain()
    owner.set("Form.name", "two")
    owner.set("Form.name", "three")
    context.drain()
    assert field.shown == ["one", "three"]


def test_what_the_view_wrote_does_not_come_back(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    field = Field(context, owner)
    owner.set("Form.name", "older")
    field.type_in("typed")
    context.drain()
    assert field.shown == []
    owner.set("Form.name", "newer")
    context.drain()
    assert (field.shown, field.text) == (["newer"], "newer")


def test_two_views_that_both_write_show_the_same(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    left, right = Field(context, owner), Field(context.scope("Other"), owner)
    left.type_in("left")
    right.type_in("right")
    context.drain()
    assert (left.text, right.text) == ("right", "right")
    assert context.stats().events == 2
    assert context.drain() == 0


def test_a_drain_calls_a_row_on_the_host_with_each_change(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner = context.scope("Form")
    binding = context.bind(owner, {"size": mainstem.on_host(seen.append)})
    owner.set("Form.size", 1)
    owner.set("Form.size", 2)
    assert seen == []
    context.drain()
    binding.end()
    owner.set("Form.size", 3)
    context.drain()
    assert seen == [1, 2]


def test_a_pulse_is_not_two_way(context: mainstem.Context) -> None:
    context.add_type("Form.done", str)
    with pytest.raises(mainstem.MainstemError, match="two_way needs a value"):
        context.bind(context.scope("Form"), {"done": mainstem.two_way(None)})


def test_a_binding_may_end_in_a_two_way_row(context: mainstem.Context) -> None:
    seen: List[str] = []
    owner = context.scope("Form")

    def show(text: str) -> None:
        binding.end()
        seen.append(text)

    binding = context.bind(owner, {"name": mainstem.two_way(show)})
    owner.set("Form.name", "last")
    context.drain()
    owner.set("Form.name", "none")
    context.drain()
    assert seen == ["last"]


def test_the_end_of_an_owner_is_told_after_its_last_value(context: mainstem.Context) -> None:
    seen: List[Any] = []
    owner, other = context.scope("Form"), context.scope("Form")
    binding = context.bind(owner, {"name": seen.append})
    binding.on_changes(seen.append)
    binding.on_ended(lambda: seen.append("empty"))
    owner.set("Form.name", "last")
    owner.end()
    context.drain()
    assert seen == ["last", ["name"], "empty"]
    with pytest.raises(mainstem.MainstemError, match="has ended"):
        binding.set("name", "x")
    binding.retarget(other)
    other.end()
    binding.on_ended(None)
    context.drain()
    assert seen == ["last", ["name"], "empty"]
    binding.on_ended(lambda: seen.append("late"))
    context.drain()
    assert seen[3:] == ["late"]


def test_an_exception_of_the_end_is_reported() -> None:
    told: List[str] = []
    with mainstem.Context(on_exception=lambda error, value: told.append(str(error))) as context:
        owner = context.scope("Form")

        def fail() -> None:
            raise KeyError("empty")

        context.bind(owner, {}).on_ended(fail)
        owner.end()
        context.drain()
    assert told == ["'empty'"]


# A function may get its view --------------------------------------------------------------------


class Sheet(mainstem.ViewModel):
    """A form whose name is written, and trimmed."""

    name: str = mainstem.writable("")
    count: int = mainstem.shown(0)

    @mainstem.on_write("name")
    def trim(self, name: str) -> None:
        self.name = name.strip()
        self.count += 1

    @mainstem.command
    def up(self) -> None:
        self.count += 1


class Window:
    """A row that is a method, and takes its view."""

    def __init__(self, form: Sheet) -> None:
        self.seen: List[Any] = []
        self.view = form.bind(count=self.show)

    def show(self, view: Sheet, count: int) -> None:
        self.seen.append((view, count))


def test_a_function_with_two_parameters_gets_its_view(context: mainstem.Context) -> None:
    form = context.open(Sheet())
    seen: List[Any] = []

    def show(view: Sheet, name: str) -> None:
        seen.append((view, view.name, name))
        if name == "":
            view.name = "  written while it is bound "

    view = form.bind(name=show, count=lambda view, count: seen.append((view, count)))
    assert all(one[0] is view for one in seen)
    assert [one[1:] for one in seen if len(one) == 3][-1] == ("written while it is bound",) * 2
    window = Window(form)
    assert window.seen == [(window.view, 1)]


def test_a_function_may_run_a_command_of_its_view(context: mainstem.Context) -> None:
    form = context.open(Sheet())

    def show(view: Sheet, count: int) -> None:
        if count < 3:
            view.up()

    form.bind(count=show)
    assert form.count == 3


def test_a_binding_of_a_scope_is_given_too(context: mainstem.Context) -> None:
    owner = context.scope("Form")
    owner.set("Form.name", "one")
    seen: List[Any] = []

    def show(binding: Any, name: str) -> None:
        seen.append((binding, name))
        if name == "one":
            binding.set("name", "two")

    binding = context.bind(owner, {"name": show})
    assert seen == [(binding, "one"), (binding, "two")]


@pytest.mark.parametrize(
    "show",
    [
        lambda value: seen.append(value),
        lambda value, again=None: seen.append(value),
        lambda *values: seen.append(*values),
        print,
        [].append,
        functools.partial(lambda one, value: seen.append(value), 1),
    ],
)
def test_any_other_function_gets_the_value(context: mainstem.Context, show: Any) -> None:
    seen.clear()
    context.open(Sheet()).bind(count=show)
    assert seen in ([], [0])


seen: List[Any] = []


def test_a_view_that_has_ended_is_let_go(context: mainstem.Context) -> None:
    form = context.open(Sheet())
    gc.collect()
    gc.disable()
    try:
        view = form.bind(count=lambda view, count: None)
        kept = weakref.ref(view)
        mainstem.end(view)
        del view
        assert kept() is None
    finally:
        gc.enable()


# No row echoes ----------------------------------------------------------------------------------


class Control:
    """A control that tells of each change, also of its own setter's: in two steps, as some do."""

    def __init__(self) -> None:
        self.text = ""
        self.told: List[Any] = []

    def set_text(self, text: str) -> None:
        for step in ("", text):
            self.text = step
            for tell in self.told:
                tell(step)


def test_a_two_way_row_does_not_echo_through_its_own_view(context: mainstem.Context) -> None:
    form, control = context.open(Sheet()), Control()

    def show(view: Sheet, name: str) -> None:
        if not control.told:
            control.told.append(lambda text: setattr(view, "name", text))
        control.set_text(name)

    form.bind(name=mainstem.two_way(show))
    settles(context, form, control)


def test_a_two_way_row_does_not_echo_through_another_view(context: mainstem.Context) -> None:
    form, control = context.open(Sheet()), Control()
    form.bind(name=mainstem.two_way(control.set_text))
    other = form.bind()
    control.told.append(lambda text: setattr(other, "name", text))
    settles(context, form, control)


def test_two_windows_of_one_form_do_not_answer_each_other(context: mainstem.Context) -> None:
    form, controls = context.open(Sheet()), [Control(), Control()]
    for control in controls:
        view = form.bind(name=mainstem.two_way(control.set_text))
        control.told.append(lambda text, view=view: setattr(view, "name", text))
    settles(context, form, *controls)


def settles(context: mainstem.Context, form: Sheet, *controls: Control) -> None:
    writer = form.bind()
    for text in ("Ada", " Bob ", "", "Cy"):
        writer.name = text
        for _ in range(3):
            context.drain()
        before = context.stats().events
        for _ in range(20):
            context.drain()
        assert context.stats().events == before
        assert {control.text for control in controls} == {text.strip()}
