# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The bridge in Swift: its own tests, and the program of docs/beyond.md, which is asked from here.

MAINSTEM_SWIFT_TESTS names the program with Tests/MainstemNATSTests, MAINSTEM_SWIFT_SHOP the other.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import List

import mainstem
import pytest
from asking import PATIENCE, until
from mainstem import Failure, Request, Response, Status, nats

ROOT = Path(__file__).resolve().parents[2]
TESTS = os.environ.get("MAINSTEM_SWIFT_TESTS")
SHOP = os.environ.get("MAINSTEM_SWIFT_SHOP")


@mainstem.event
class ResponseTotal(Response):
    cents: int


@mainstem.event
class RequestTotal(Request[ResponseTotal]):
    prices: List[int]


@pytest.mark.skipif(TESTS is None, reason="the program is built by the step nats")
def test_its_own_tests(make_server, tmp_path):
    guarded = make_server('authorization { user: ada, password: "lovelace" }')
    given = {
        "MAINSTEM_NATS_SERVER": make_server().url,
        "MAINSTEM_NATS_GUARDED": guarded.url,
        "MAINSTEM_NATS_FOLDER": str(tmp_path),
    }
    command = [str(TESTS), "--testing-library", "swift-testing", "--filter", "^MainstemNATSTests"]
    ran = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True)
    told = ran.stdout + ran.stderr
    assert ran.returncode == 0 and "in 4 suites passed" in told and "skipped" not in told, told


def answer_of(context, prices):
    """What the shop answers; None while there is none."""
    try:
        return context.request(RequestTotal(prices), timeout=PATIENCE)
    except Failure as failure:
        return None if failure.status == Status.UNHANDLED else failure


@pytest.mark.skipif(SHOP is None, reason="the program is built by the step nats")
def test_the_program_of_the_page_answers_what_python_asks(server):
    with mainstem.Context() as context, subprocess.Popen([str(SHOP), server.url]) as shop:
        context.register(RequestTotal, ResponseTotal)
        try:
            with nats.forward(context, RequestTotal, server.url, prefix="shop"):
                total = until(lambda: answer_of(context, [1, 2, 39]), context)
                empty = answer_of(context, [])
        finally:
            shop.kill()
    assert total == ResponseTotal(42)
    assert empty.user_message == "Buy something."


def test_the_page_shows_that_program():
    program = (ROOT / "Tests/NATSTests/shop/Sources/Shop/Shop.swift").read_text(encoding="utf-8")
    shown = program.partition("\n\n")[2]
    assert shown.startswith("import ")
    assert f"```swift\n{shown}```" in (ROOT / "docs/beyond.md").read_text(encoding="utf-8")
