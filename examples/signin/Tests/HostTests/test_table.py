# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A-64: every name of 0 to 5 letters, with and without a password, in each of five states.

In Python here, and in C by the program table.c, which prints the same lines.
"""

from __future__ import annotations

import json
import subprocess
from itertools import product

from world import BUILT, World

STATES = {
    "unsigned": {"unsigned": {}},
    "signingIn": {"signingIn": {}},
    "signingUp": {"signingUp": {}},
    "signingOut": {"signingOut": {}},
    "signed": {"signed": {"user": {"name": "jack", "time": "09:41"}}},
}
TEXTS = {
    "fillInName": "Please enter your name.",
    "nameTooShort": "A name has at least 4 characters.",
    "fillInPassword": "Please enter your password.",
    "ready": "",
    "signedIn": "jack, signed in at 09:41",
}


def expected(length: int, has_password: bool, state: str) -> str:
    """What the table says, in words."""
    unsigned, signed = state == "unsigned", state == "signed"
    busy = not unsigned and not signed
    hints = {0: "fillInName", 1: "nameTooShort", 2: "nameTooShort", 3: "nameTooShort"}
    says = hints.get(length, "ready" if has_password else "fillInPassword")
    says = "signedIn" if signed else says
    return row(
        *(length, has_password, state),
        *(unsigned, unsigned and length >= 4),
        signed or (unsigned and length >= 4 and has_password),
        "Sign out" if signed else "Submit",
        *(not busy, busy, busy),
        *(says, TEXTS[says]),
    )


def row(*cells: object) -> str:
    return " | ".join(str(int(cell) if isinstance(cell, bool) else cell) for cell in cells)


TABLE = [expected(*case) for case in product(range(6), (False, True), STATES)]


def test_a_64_the_truth_table_in_python() -> None:
    with World() as world:
        form, session = world.form, world.context.find("Session")
        table = []
        for length, has_password, state in product(range(6), (False, True), STATES):
            session.set("Session.state", json.dumps({"unsigned": {}}))
            world.type("n" * length, "p" * has_password)
            session.set("Session.state", json.dumps(STATES[state]))
            table.append(
                row(
                    *(length, has_password, state),
                    *(form.username_input_enable, form.password_input_enable),
                    *(form.submit_enable, form.submit_title),
                    *(form.indicator_hidden, form.indicator_animating, form.state_hidden),
                    *(form.state_id, form.state),
                )
            )
        assert table == TABLE
        assert len(table) == 60


def test_a_64_the_truth_table_in_c() -> None:
    printed = subprocess.run([BUILT / "table"], capture_output=True, text=True, check=True)
    assert printed.stdout.splitlines() == TABLE
