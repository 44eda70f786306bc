# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The library does what the model predicts, and the scripts see a model that is wrong."""

from __future__ import annotations

import functools
import itertools
import os
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import drive
from census import SITUATIONS, take_census
from player import Player
from reference import declarations
from reference.shrink import shrink
from script import write
from seen_by import SEEN_BY, scripts
from variants import ABOUT, VARIANTS

COUNT = int(os.environ.get("MAINSTEM_MODEL_SCRIPTS", "2000"))
TURN = int(os.environ.get("MAINSTEM_TURN", "0"))
#: Other scripts from commit to commit, of the 100,000 that Tests/steps/long plays.
FIRST = int(os.environ.get("MAINSTEM_MODEL_FIRST", COUNT // 2 * TURN % max(COUNT // 2, 50_000)))
#: Seeds of long runs that found a fault of the library: late hooks of what another thread cancelled
#: (39823, 41240), a flush that left an event (66314), an advance that left a post (85597), a drain
#: with a limit that took what a hook sent meanwhile (19396), a report without room that was counted
#: as rejected (1214096, 1226625), news of a mailbox that a refused fetch took away (1214511), a
#: context that was closing and said that it was not prepared (1201006), an own handler that had not
#: joined, so that another one was added beside it (2804, 3391), a report that named a server which
#: had joined later (1100), a drain refused in a hook that did not count as one (8353, 14670), a
#: wrong answer while the context closes that was INVALID (6261), a close that counted as never
#: called what another thread had cancelled (7692), or named first what was asked for last (52109).
FOUND = (1100, 2804, 3391, 6261, 8353, 14670, 19396, 39823, 41240, 66314, 85597)
FOUND += (7692, 52109, 1201006, 1214096, 1214511, 1226625)
#: Seeds at which the model was wrong, and what they are about: other threads cancel in calls on
#: schedulers, in hooks, and in callbacks of another context; what was asked for stands behind what
#: is cancelled once both are taken (1265469); a factory that was refused has left its types
#: (120552); a timer's event is accepted before the hook of what was cancelled (1401200);
#: who points a binding that a hook has pointed meanwhile points it again (9500816);
#: a first show may end the owner of a run that would be refused (9504009);
#: an observer that joins waits until a drain, even if nothing will pass its flags (300641, 300763);
#: a row that no right could help is refused before rights are asked for (20607);
#: a server that has shown nothing shows before an INCOMPLETE (7325); a request that a scheduler had
#: taken for a handler that ends has one less who can answer it (25912); a drain in which nothing is
#: called may be that of what a view passes by (44192).
ON_SCHEDULERS = ("served", "schedulers")
MENDED = [
    (seed, ()) for seed in (912446, 930136, 1216466, 1219396, 1225048, 1265469, 1286485, 120552)
]
MENDED += [(seed, ()) for seed in (7325, 25912, 44192)]
ABOUT_STATE = "commands bindings rows ended opens values shows asked settled"
MENDED += [(seed, tuple(ABOUT_STATE.split())) for seed in (9500816, 9504009)]
MENDED += [(seed, ("host", "commands", "bindings")) for seed in (300641, 300763)]
MENDED += [(20607, ("commands", "bindings", "limits", "rights", "shows", "rows"))]
MENDED += [(1401200, ("schedulers", "history", "timers", "asked"))]
MENDED += [(seed, ON_SCHEDULERS) for seed in (7, 1312112, 1318221, 1318815, 1319107)]
CORPUS = drive.keys(7500, 3000)
LEAST = 3
#: A third of the planted faults, another from commit to commit; with MAINSTEM_ALL_FAULTS all.
PLANTED = list(VARIANTS) if os.environ.get("MAINSTEM_ALL_FAULTS") else list(VARIANTS)[TURN % 3 :: 3]
About = tuple


def played(variant: type, script: drive.Step) -> drive.Log | None:
    before = signal.signal(signal.SIGALRM, end_it)
    signal.setitimer(signal.ITIMER_REAL, drive.SECONDS)
    try:
        return Player(variant(), script).play()
    except (ValueError, KeyError, RecursionError, TimeoutError):
        return None  # a wrong model may not even get through
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def end_it(*_: object) -> None:
    raise TimeoutError


@functools.lru_cache(maxsize=None)
def prediction(key: drive.Key, about: About) -> drive.Log:
    """What the true model says of a script."""
    return drive.expected(write(*key, about))


def test_random_scripts_give_the_log_that_the_model_predicts() -> None:
    declarations.path()
    for key in drive.differing(drive.keys(FIRST, COUNT)):
        pytest.fail(drive.report(key), pytrace=False)


@pytest.mark.parametrize("seed", FOUND)
def test_a_script_that_found_a_fault_finds_it_no_more(seed: int) -> None:
    declarations.path()
    for key in drive.differing(drive.keys(seed, 2)):
        pytest.fail(drive.report(key), pytrace=False)


@pytest.mark.parametrize(("seed", "about"), MENDED)
def test_a_script_at_which_the_model_was_wrong_gives_one_log(seed: int, about: About) -> None:
    declarations.path()
    for key in drive.differing(drive.keys(seed, 2, *about)):
        pytest.fail(drive.report(key), pytrace=False)


def seeing(name: str, tried: list[drive.Key]) -> list[drive.Key]:
    """The first scripts that see a planted fault: as many as are wanted, if there are so many."""
    about = ABOUT.get(name, ())
    seen = (
        key for key in tried if played(VARIANTS[name], write(*key, about)) != prediction(key, about)
    )
    return list(itertools.islice(seen, LEAST))


@pytest.mark.parametrize("name", PLANTED)
def test_the_scripts_see_a_planted_fault(name: str) -> None:
    seen = seeing(name, scripts(name, CORPUS))

    assert len(seen) == LEAST, f"only {len(seen)} of {len(CORPUS)} scripts see it"


def test_what_sees_a_fault_is_known_of_no_other() -> None:
    assert SEEN_BY.keys() <= VARIANTS.keys()


def test_the_scripts_reach_the_deep_cases() -> None:
    census = take_census(write(*key) for key in CORPUS)

    rare = {name: census[name] for name in SITUATIONS if census[name] < LEAST}
    assert not rare, f"too rare in {len(CORPUS)} scripts: {rare}"


def test_the_same_seed_gives_the_same_script() -> None:
    assert write(7, True) == write(7, True)
    assert write(7, True) != write(8, True)


@pytest.mark.parametrize("name", ["CancelledPeerCalled", "CauseLostInQueue", "CompletionFirst"])
def test_a_difference_shrinks_to_few_steps(name: str) -> None:
    def is_different(script: drive.Step) -> bool:
        return played(VARIANTS[name], script) != drive.expected(script)

    different = (script for script in (write(*key) for key in CORPUS) if is_different(script))
    shrunk = [shrink(script, is_different) for script in itertools.islice(different, 2)]

    assert all(map(is_different, shrunk))
    # Of one script, a part may be left that no single step can be taken out of.
    assert min(len(list(drive.outline(script["steps"], 0))) for script in shrunk) <= 16


def test_a_seed_at_which_nothing_differs_is_no_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["drive.py", "--seed", "5"])

    assert drive.main() == 0
    assert capsys.readouterr().out == "no difference\n"


def test_a_crash_of_the_library_is_a_difference_not_the_end_of_the_tests() -> None:
    def crash(progress: drive.Progress) -> None:
        progress(17)
        os.kill(os.getpid(), signal.SIGKILL)

    outcome = drive.isolated(crash, drive.SECONDS)

    assert outcome.broken == "ended by signal 9"
    assert outcome.progress == 17


def test_a_hang_of_the_library_is_a_difference_too() -> None:
    outcome = drive.isolated(lambda _: signal.pause(), 0.2)

    assert outcome.broken == "hangs: nothing in 0.2 s"
