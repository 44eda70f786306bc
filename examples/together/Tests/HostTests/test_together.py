# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Five apps in one context do what each does alone, and none disturbs another.
TOGETHER_BUILD names the folder with their libraries."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from struct import unpack_from
from typing import Any, Dict, Iterator, List, NamedTuple, Set

import pytest

HERE = Path(__file__).resolve().parents[2]
sys.path.append(str(HERE))
import together  # noqa: E402
from cores import APPS, PREFIX, diary, install, mainstem, prove  # noqa: E402

#: The kind of a record that names the scope of an origin: docs/journal-format.md.
ORIGIN = 4
COMMANDS = (HERE / "commands.txt").read_text(encoding="utf-8").splitlines()
#: Without the requests that are refused: those of other apps, which an app alone does not know.
OWN = [command for command in COMMANDS if command.split()[1] != "request"]


class Session(NamedTuple):
    """What a host has printed, and its journal."""

    lines: List[str]
    journal: str


def run(folder: Path, *apps: str) -> Session:
    journal = str(folder / f"{'-'.join(apps)}.journal")
    words = [sys.executable, str(HERE / "together.py"), "--record", journal, "--apps", *apps]
    done = subprocess.run(
        words, input="\n".join(OWN).encode(), stdout=subprocess.PIPE, timeout=60, check=True
    )
    # The time, which is that of the clock.
    shown = [line.partition("signed in at ")[0] for line in done.stdout.decode().splitlines()]
    return Session(shown, journal)


@pytest.fixture(name="all_apps", scope="module")
def fixture_all_apps(tmp_path_factory: Any) -> Session:
    return run(tmp_path_factory.mktemp("all"), *APPS)


@pytest.fixture(name="alone", scope="module")
def fixture_alone(tmp_path_factory: Any) -> Dict[str, Session]:
    return {app: run(tmp_path_factory.mktemp(app), app) for app in APPS}


class Sent(NamedTuple):
    """An event of a journal."""

    name: str
    origin: str
    #: The app below whose scope it was sent; empty: by the navigator, a provider or the host, or
    #: only its mark was kept.
    app: str
    #: The first event of its chain.
    first: int


def read(session: Session) -> List[Sent]:
    """The events of a journal. Its records of origins say below which scope each one is."""
    scopes: Dict[int, int] = {}
    parents: Dict[int, int] = {}
    with mainstem.Journal(session.journal) as journal:
        for header, data in journal.every_record():
            about = mainstem.EventHeader(*header)
            if about.type == 0 and about.status == ORIGIN:
                number, _, scope, parent = unpack_from("<IIQQ", data)
                scopes[number], parents[scope] = scope, parent
    with mainstem.Context() as context:
        apps = {context.scope(app).number: app for app in APPS}

    def app_of(origin: int) -> str:
        scope = scopes.get(origin, 0)
        while scope and scope not in apps:
            scope = parents.get(scope, 0)
        return apps.get(scope, "")

    events: List[Sent] = []
    firsts: Dict[int, int] = {}
    with mainstem.Journal(session.journal) as journal:
        for event in journal:
            first = firsts[event.position] = firsts.get(event.cause, event.position)
            events.append(Sent(event.name, event.origin, app_of(event.origin_number), first))
    return events


def chains(events: List[Sent]) -> Dict[int, Set[str]]:
    """The apps that have sent in each chain."""
    found: Dict[int, Set[str]] = {}
    for event in events:
        found.setdefault(event.first, set()).update({event.app} - {""})
    return found


@pytest.mark.parametrize("app", APPS)
def test_each_app_shows_what_it_shows_alone(app, all_apps, alone):
    # Up to the colon: a line that is empty has no space after it.
    shown = [line for line in all_apps.lines if line.partition(":")[0] == app]

    assert len(shown) > 3
    assert shown == alone[app].lines


def test_each_chain_stays_within_its_app(all_apps):
    apps = chains(read(all_apps))

    assert [found for found in apps.values() if len(found) > 1] == []
    assert {app for found in apps.values() for app in found} == set(APPS)


@pytest.mark.parametrize("app", APPS)
def test_each_app_sends_the_events_that_it_sends_alone(app, all_apps, alone):
    def sent(session):
        events = read(session)
        own = chains(events)
        return Counter(event[:3] for event in events if app in own[event.first])

    assert sum(sent(all_apps).values()) > 20
    assert sent(all_apps) == sent(alone[app])


def test_the_journal_has_the_events_of_all_apps_and_none_besides(all_apps, alone):
    begin = [event.name for event in read(all_apps) if event.name == "MainstemReady"]
    total = sum(len(read(session)) for session in alone.values())

    assert begin == ["MainstemReady"]  # which each app has alone
    assert len(read(all_apps)) == total - (len(APPS) - 1)


def test_a_session_verifies_with_all_five_cores(all_apps):
    info = prove(all_apps.journal)

    assert info.ended and info.whole
    assert info.matched > 500
    words = [sys.executable, str(HERE / "together_verify.py"), all_apps.journal]
    said = subprocess.run(words, stdout=subprocess.PIPE, timeout=60, check=True).stdout.decode()
    assert said == f"{info.last} events, digest {info.digest:016x}\n"


def test_a_session_does_not_verify_without_one_of_them(all_apps):
    for app in APPS:
        with pytest.raises(mainstem.MainstemError):
            prove(all_apps.journal, apps=[other for other in APPS if other != app])


def types(*apps: str) -> Dict[str, mainstem.EventType]:
    """What apps register when they are installed."""
    with mainstem.Context() as context:
        install(context, apps)
        found: Dict[str, mainstem.EventType] = {}
        with suppress(mainstem.MainstemError):
            for number in range(1, 1000):
                each = context.read_type(number)
                found[each.name] = each
    return {name: each for name, each in found.items() if not name.startswith("Mainstem")}


def test_no_two_apps_have_a_name_in_common():
    apart = Counter(name for app in APPS for name in types(app))

    assert len(apart) > 100
    assert [name for name, count in apart.items() if count > 1] == []
    assert set(types(*APPS)) == set(apart)


@pytest.fixture(name="host")
def fixture_host(tmp_path: Path) -> Iterator[together.Host]:
    folder = str(tmp_path)
    with together.users.serve() as site, together.tweets.serve() as tweet_site:
        sites = {"dashboard": site.url(""), "tweetboat": tweet_site.url("")}
        with mainstem.Context() as context:
            made = together.Host(context, APPS, folder)
            for app in APPS:
                made.open(app, sites)
                made.settle()
            yield made


@pytest.mark.parametrize("app", APPS)
def test_a_view_is_refused_the_requests_of_the_other_apps(app, host):
    layer = "viewmodel" if app == "todostream" else "view"
    others = [each for other in APPS if other != app for each in types(other).values()]
    requests = [each for each in others if each.response]
    allowed = []

    for each in requests:
        try:
            host.window(app).request(each.name, then=lambda answer: None)
            allowed.append(each)
        except mainstem.MainstemError as error:
            assert error.status == mainstem.Status.DENIED, each.name

    # Rights are by layer. The apps put factories, and nothing else, on a layer of another's views.
    assert len(requests) - len(allowed) > 30
    assert allowed == [each for each in requests if each.layer_name == layer]
    assert [each.name for each in allowed if not each.name.startswith("RequestOpen.")] == []
    # What is opened so, the view does not find.
    assert host.window(app).find_scope(host.owners["tweetboat"].number) is None


def test_apps_with_the_same_names_are_refused():
    program = "import cores\nwith cores.mainstem.Context() as context:\n"
    program += "    cores.{}(context)\n    cores.diary.install(context)\n"
    for app in ("signin", "dashboard"):
        done = subprocess.run(
            [sys.executable, "-c", program.format(f"{app}.install")],
            cwd=HERE,
            stderr=subprocess.PIPE,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (1, b"diary cannot be installed\n")


def test_a_process_has_one_prefix():
    with mainstem.Context() as context:
        install(context, ["diary"])
        with pytest.raises(SystemExit):
            diary.install(context.scope("other"), prefix=f"another {PREFIX}")
