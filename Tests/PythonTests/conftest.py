# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The tests need the library by its path: MAINSTEM_LIBRARY. Without it they fail, never skip."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: The folder of the package under test: a copy with a planted fault says so, and is no other's.
PACKAGE = Path(os.environ.get("MAINSTEM_PACKAGE") or ROOT / "Sources" / "MainstemPython").resolve()
sys.path.insert(0, str(PACKAGE))
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.append(str(ROOT / "Tests"))

if not os.environ.get("MAINSTEM_LIBRARY"):
    raise pytest.UsageError(
        "MAINSTEM_LIBRARY is not set: type MAINSTEM_LIBRARY=<path of libmainstem.so> before pytest."
    )

# A script's background jobs ignore Ctrl-C, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Some tests run programs elsewhere: a path from here would lead nowhere.
os.environ["MAINSTEM_LIBRARY"] = os.path.abspath(os.environ["MAINSTEM_LIBRARY"])

import mainstem  # noqa: E402
from mainstem._library import _callbacks  # noqa: E402

if PACKAGE not in Path(mainstem.__file__).resolve().parents:
    raise pytest.UsageError(f"the tests are of {PACKAGE}, but {mainstem.__file__} was imported.")


@pytest.fixture
def context():
    """A context that raises what a callback raises, and leaves nothing behind."""
    before = _callbacks.kept()
    made = mainstem.Context(raises=True)
    yield made
    made.close()
    assert _callbacks.kept() == before


@pytest.fixture
def stream():
    """A context as C sees it: handles and statuses."""
    from raw import Stream

    made = Stream()
    yield made
    made.close()
    Stream.let_go()


@pytest.fixture
def interrupt_soon():
    """What Ctrl-C does, by a timer: a signal whose handler raises KeyboardInterrupt."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.05)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
