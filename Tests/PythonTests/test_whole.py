# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers that do not fit in 64 bits, which ctypes would cut off: 2**64 would mean 0."""

import mainstem
import pytest
from mainstem import Limits, Notice
from mainstem.testing import TestContext

FAR = [1e15, 2.0**64 / 1000, 1e300, float("inf")]
MOST = (1 << 64) - 1


@mainstem.event
class Rang(Notice):
    pass


@pytest.mark.parametrize("seconds", FAR)
def test_what_is_to_come_in_aeons_does_not_come_at_once(seconds):
    with mainstem.Context() as context:
        context.send_after(seconds, Rang())
        context.send_every(seconds, Rang())
        assert context.drain() == 0
        assert context.next_timeout() is None


@pytest.mark.parametrize("seconds", FAR)
def test_a_virtual_clock_moves_as_far_as_it_goes(seconds):
    with TestContext() as context:
        context.advance(seconds)
        assert context.now() > 9e9


def test_a_wait_of_aeons_waits():
    with mainstem.Context() as context:
        context.send_after(0.001, Rang())
        assert context.wait(2.0**64 / 1000)


@pytest.mark.parametrize("number", [-1, 1 << 64, (1 << 64) + 3])
@pytest.mark.parametrize(
    "use",
    [
        lambda context, number: context.drain(number),
        lambda context, number: context.find_scope(number),
        lambda context, number: context.observe(Rang, print, count=number),
        lambda context, number: context.observe(Rang, print, on="host", limit=number),
        lambda context, number: context.observe(Rang, print, on="host", limit_bytes=number),
        lambda context, number: context.mailbox(Rang, limit=number),
        lambda context, number: context.record("x", segment_size=number),
        lambda context, number: context.record("x", segment_size=1, keep=number),
        lambda context, number: context.replay("x", session=number),
        lambda _, number: mainstem.Context(seed=number),
        lambda _, number: mainstem.Context(limits=Limits(posts=number)),
    ],
)
def test_a_number_that_does_not_fit_is_refused(use, number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with mainstem.Context() as context:
        context.register(Rang)
        with pytest.raises(ValueError, match=f"is {number}: it must not be "):
            use(context, number)


def test_keep_has_32_bits(tmp_path):
    with mainstem.Context() as context, pytest.raises(ValueError, match="over 4294967295"):
        context.record(tmp_path / "x", segment_size=1, keep=1 << 32)


def test_a_history_that_does_not_fit_is_too_big():
    with mainstem.Context() as context, pytest.raises(mainstem.MainstemError, match="TOO_BIG"):
        context.keep_history(Rang, 1 << 64)


def test_a_history_has_no_negative_age():
    with mainstem.Context() as context:
        with pytest.raises(mainstem.MainstemError, match="INVALID"):
            context.keep_history(Rang, 1, max_age=-5)
        context.keep_history(Rang, 1, max_age=0)  # 0: as short as it gets
        assert context.read_type(Rang).history_max_age == 0.001
