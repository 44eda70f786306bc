# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""`studio --verify`: a program verifies the session, and the page tells where it first differs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from conftest import PACKAGE
from mainstem import Context
from mainstem.tool import main
from mainstem.tool._answers import Answers
from mainstem.tool._live import Live
from mainstem.tool._proof import Proof

#: An app that adds; what it is given after the word it is called with changes what it does.
APP = """
import json, sys, mainstem

@mainstem.event
class ResponseTotal(mainstem.Response):
    total: int
    text: str = ""

@mainstem.event
class RequestAdd(mainstem.Request[ResponseTotal]):
    number: int

@mainstem.event
class Added(mainstem.Notice):
    number: int

def install(context, how):
    numbers = []

    @context.serve(RequestAdd)
    def add(request):
        numbers.append(request.number)
        total = sum(numbers)
        if how == "silent" and total > 5:
            raise mainstem.Failure("TOO_MUCH")
        if how == "less" and total > 5:
            total -= 1
        if how != "mute" or total <= 5:
            context.send(Added(number=request.number))
        if how == "more" and total > 5:
            context.send(Added(number=-1))
        return ResponseTotal(total=total, text="<b>\\u202e" + str(total))

"""
RECORDS = f"""{APP}
with mainstem.Context() as context:
    context.record(sys.argv[1])
    install(context, "")
    for number in (1, 2, 3, 4):
        context.request(RequestAdd(number=number))
"""
VERIFIES = f"""{APP}
with mainstem.Context() as context, context.replay(sys.argv[2], verify=True) as replay:
    install(context, sys.argv[1])
    replay.to_end()
"""


@pytest.fixture(scope="module", autouse=True)
def journal(tmp_path_factory):
    path = tmp_path_factory.mktemp("proof") / "a.journal"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(PACKAGE))
        subprocess.run([sys.executable, "-c", RECORDS, str(path)], check=True)
        yield str(path)


class Proved(Answers):
    """Answers of a journal that a program has verified."""

    def __init__(self, path, *command):
        self.live = Live(path)
        self.live.read()
        with self.live:
            proof = Proof(path, list(command))
            super().__init__(self.live, None, proof)
            assert self.proof.begin()
            proof._thread.join()
            self.told = self.proved()
            proof.close()


def verified(path, how):
    return Proved(path, sys.executable, "-c", VERIFIES, how).told


def test_a_session_is_proved(journal):
    assert verified(journal, "as it was") == {
        "state": "proved",
        "text": "proved to the end: 8 events were the same",
    }


def test_another_payload_is_shown_beside_the_recorded_one(journal):
    told = verified(journal, "less")
    assert (told["state"], told["at"], told["goes"], told["field"]) == (
        "different",
        "9",
        "9",
        "payload",
    )
    both = {name: told["recorded"][name] for name in ("name", "status", "by", "cause", "answers")}
    assert both == {name: told["actual"][name] for name in both}
    assert both["name"] == "ResponseTotal" and both["cause"] == "#7"
    payloads = [json.loads(told[side]["payload"])["total"] for side in ("recorded", "actual")]
    assert payloads == [6, 5]


def test_an_event_that_did_not_happen_is_told(journal):
    told = verified(journal, "mute")
    assert (told["state"], told["at"]) == ("different", "8")
    assert (told["recorded"]["name"], told["actual"]["name"]) == ("Added", "ResponseTotal")


def test_an_event_too_many_is_told(journal):
    told = verified(journal, "more")
    assert (told["at"], told["recorded"]["name"], told["actual"]["name"]) == (
        "9",
        "ResponseTotal",
        "Added",
    )
    assert json.loads(told["actual"]["payload"]) == {"number": -1}


def test_another_status_is_told_with_its_error(journal):
    told = verified(journal, "silent")
    assert told["actual"]["status"] != told["recorded"]["status"] == "ok" or told["at"] == "8"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; print('no such user'); sys.exit(3)", "status 3"),
        ("import os; os.abort()", "signal 6"),
        ("pass", "reported nothing"),
        (
            "import os; open(os.environ['MAINSTEM_VERIFY_REPORT'], 'w').write('no report\\n')",
            "it could not be proved",
        ),
    ],
)
def test_a_program_that_proves_nothing_is_told(journal, program, said):
    told = Proved(journal, sys.executable, "-c", program).told
    assert told["state"] == "failed"
    assert said in told["text"]
    assert ("no such user" in told["text"]) == ("user" in program)


def test_a_journal_without_outputs_proves_nothing(tmp_path):
    path = str(tmp_path / "inputs.journal")
    with Context() as context:
        context.record(path)
        context.send(context.add_type("Said", payload=str), "words")
    program = """
import sys, mainstem
with mainstem.Context() as context, context.replay(sys.argv[1], verify=True) as replay:
    replay.to_end()
"""
    told = Proved(path, sys.executable, "-c", program).told
    assert told["state"] == "stopped"
    assert "nothing was compared" in told["text"]


def test_the_program_and_what_it_started_end_with_the_studio(journal, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    proof = Proof(journal, ["sh", "-c", f"{{ echo begun; sleep 1000; }} >'{pipe}' & wait"])
    assert proof.begin()
    with open(pipe, encoding="utf-8") as program:
        assert program.readline() == "begun\n"
        assert not proof.begin()
        proof.close()
        assert program.read() == ""
    assert not proof.begin()


def test_a_program_that_is_not_there_is_refused(journal, capfd):
    with pytest.raises(SystemExit) as ended:
        main(["studio", "--verify", "no-such-program x", journal])
    assert ended.value.code == 2
    assert "there is no program 'no-such-program x'" in capfd.readouterr().err
