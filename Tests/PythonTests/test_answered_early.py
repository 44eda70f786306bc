# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a callback finds answered before the answer is taken in, verify finds, too."""

from __future__ import annotations

import contextlib
import threading

import mainstem
import pytest
from mainstem import LATER, Context, MainstemError
from mainstem.journal_file import Journal as Records
from mainstem.journal_file._record import ANSWERED

THREADS = ("one", "guarded")


class Shop:
    """A page asks; a callback gives up, answers, tells how far it is, or ends the page."""

    def __init__(self, threads):
        self.context = context = Context(threads=threads)
        context.add_type("Ask", str)
        context.add_type("Do", str)
        context.add_type("Told", str)
        context.add_type("Step", str)
        context.add_type("RequestFetch", str, response="ResponseFetch")
        context.add_type("ResponseFetch", str)
        context.serve("RequestFetch", self.keep, name="Store")
        self.page = context.scope("Page")
        self.kept, self.pending = None, None
        context.observe("Ask", self.ask)
        context.observe("Do", self.do)

    def keep(self, event):
        self.kept = event.retain()
        return LATER

    def ask(self, event):
        self.pending = self.page.request(
            "RequestFetch", event.text, then=self.answered, progress=self.went_on
        )

    def answered(self, event):
        self.context.send("Told", f"answer {event.text}")

    def went_on(self, event):
        self.context.send("Told", f"step {event.text}")

    def do(self, event):
        acts = {
            "cancel": lambda: self.pending.cancel(),
            "respond": lambda: self.kept.respond("here"),
            "progress": lambda: self.kept.progress("Step", "here"),
            "end": lambda: self.page.end(),
            "count": lambda: self.context.request_count("RequestFetch"),
        }
        try:
            told = acts[event.text]()
        except MainstemError as error:
            told = error
        self.context.send("Told", f"{event.text} {told}")

    def close(self):
        self.context.close()
        self.kept.release()


def answer_elsewhere(kept):
    """Another thread tells how far it is, and answers."""

    def act():
        kept.progress("Step", "elsewhere")
        kept.respond("elsewhere")
        with pytest.raises(MainstemError, match="STALE"):
            kept.respond("again")

    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def play(path, threads, *acts):
    shop = Shop(threads)
    context = shop.context
    context.record(path)
    context.send("Ask", "one")
    answer_elsewhere(shop.kept)
    for act in acts:
        context.send("Do", act)
    context.drain()
    shop.close()
    with mainstem.Journal(path) as journal:
        return [str(event) for event in journal]


def verified(path, threads):
    shop, lines = Shop(threads), []
    shop.context.observe(lambda event: lines.append(str(event)))
    with shop.context.replay(path, verify=True) as replay:
        replay.to_end()
        assert replay.info.ended
    shop.close()
    return lines


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("act", ["cancel", "respond", "progress", "end", "count"])
def test_verify_finds_answered_what_was(tmp_path, threads, act):
    path = tmp_path / "shop.journal"
    lines = play(path, threads, act, "count")

    told = [line.rsplit("#", 1)[1].split(" ", 1)[1] for line in lines if " Told " in line]
    assert told[1:] == ["count 1", "step elsewhere", "answer elsewhere"]
    assert ("STALE" in told[0]) == (act in ("respond", "progress")), told
    assert verified(path, threads) == lines


def test_the_journal_says_which_request_and_when(tmp_path):
    path = tmp_path / "shop.journal"
    play(path, "one", "cancel", "cancel", "end")

    with Records(str(path)) as records:
        found = [each for each in records.records() if not each.type and each.status == ANSWERED]
        words = [
            [int.from_bytes(one.data[at : at + 8], "little") for at in (0, 8, 16)] for one in found
        ]
    # Once, whoever asks again: event 3 found request 2 answered.
    assert words == [[3, 2, 3]]


def test_a_journal_that_is_salvaged_or_copied_says_it_too(tmp_path):
    path, saved = tmp_path / "shop.journal", tmp_path / "saved.journal"
    lines = play(path, "one", "cancel", "progress", "end")
    mainstem.salvage(path, saved)

    assert verified(saved, "one") == lines


def test_a_journal_that_was_cut_is_proven_up_to_its_end(tmp_path):
    path, cut = tmp_path / "shop.journal", tmp_path / "cut.journal"
    lines = play(path, "one", "cancel", "progress", "end")
    whole = path.read_bytes()
    for length in range(128, len(whole), 40):
        cut.write_bytes(whole[:length])
        with mainstem.Journal(cut) as journal:
            left = sum(1 for _ in journal)
        if left > 2:
            assert verified_so_far(cut)[: left - 1] == lines[: left - 1]


def verified_so_far(path):
    shop, lines = Shop("one"), []
    shop.context.observe(lambda event: lines.append(str(event)))
    with contextlib.closing(shop), shop.context.replay(path, verify=True) as replay:
        replay.to_end()
    return lines
