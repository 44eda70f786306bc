# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Both sides of a session are verified and shown again without a network: nothing is asked, nothing
is answered."""

from __future__ import annotations

import struct

import mainstem
import pytest
from asking import PATIENCE, Asked, RequestTotal, ResponseTotal, Step, context, keeping, until
from mainstem import Failure, Status, nats

NOWHERE = "nats://127.0.0.1:1"


def work(request):
    """Answers with progress, with failures, or never."""
    if request.what == b"bad":
        raise Failure("no", code=1001)
    for number in range(3):
        request.event.progress(Step(number))
    return ResponseTotal(request.what * 2)


def session(server, tmp_path, ask=RequestTotal):
    """Records both sides of a session in which all is answered that can be."""
    keep = keeping()
    with context() as here, context() as there:
        here.record(tmp_path / "here")
        there.record(tmp_path / "there")
        there.serve(RequestTotal, lambda r: keep(r) if r.what == b"keep" else work(r))
        with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
            here, RequestTotal, server.url
        ):
            serving.flush(PATIENCE)
            asked = [Asked(here, ask(what)) for what in (b"milk", b"bad", b"keep", b"", b"keep")]
            until(lambda: sum(len(each.answers) for each in asked) == 3, here, there)
            asked[2].pending.cancel()
            until(lambda: keep.settled, here, there)
            asked.append(Asked(here, ask(b"bread")))
            until(lambda: asked[5].answers, here, there)
        here.drain()
        assert asked[4].failure.status == Status.CANCELLED
    server.kill()


def side(path, bridge, url, verify=True):
    """The same program again, with a server that is gone."""
    made = context()
    replay = made.replay(path, verify=verify)
    if path.name == "there":
        keep = keeping()
        made.serve(RequestTotal, lambda r: keep(r) if r.what == b"keep" else work(r))
    return made, replay, bridge(made, RequestTotal, url)


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("name", ["here", "there"])
def test_a_session_again(server, tmp_path, name, verify):
    session(server, tmp_path)
    bridge = {"here": nats.forward, "there": nats.serve}[name]
    made, replay, link = side(tmp_path / name, bridge, server.url, verify)
    with made:
        seen = []
        made.observe()(lambda event: seen.append(str(event)))
        replay.to_end()
        assert replay.info.ended
        assert len(seen) > 12
        assert link.stats.entries == link.stats.begun == 0
        replay.close()
        link.close()


def test_nothing_is_asked_though_there_is_a_server(server, tmp_path):
    """Somebody listens to all that passes."""
    session(server, tmp_path)
    server.start()
    with server.client() as client:
        client.subscribe("$MAINSTEM.>")
        client.ask("INFO")
        for name, bridge in (("here", nats.forward), ("there", nats.serve)):
            made, replay, link = side(tmp_path / name, bridge, server.url)
            with made:
                replay.to_end()
                until(lambda link=link: "replays" in link.stats.message)
                assert link.stats.state == "waiting" and link.stats.status == Status.BUSY
                replay.close()
                # And now it is a context like any other.
                link.flush(PATIENCE)
                link.close()
        client.publish("$MAINSTEM.end", b"")
        assert client.next().subject == "$MAINSTEM.end"


def test_a_difference_is_found(server, tmp_path):
    session(server, tmp_path)
    made = context()
    replay = made.replay(tmp_path / "there", verify=True)
    made.serve(RequestTotal, lambda request: ResponseTotal(b"other"))
    with made, nats.serve(made, RequestTotal, NOWHERE):
        with pytest.raises(mainstem.Different):
            replay.to_end()
        replay.close()


def secret_context():
    made = mainstem.Context()
    made.add_type("RequestEnter", str, response="ResponseEnter", secret=True)
    made.add_type("ResponseEnter", str)
    made.add_type("Tick", int)
    return made


def test_a_secret_stays_one(server, tmp_path):
    """Its journal has neither what came in nor what was asked; verify gets as far as that goes."""

    def enter(request):
        return "welcome" if request.text == "enigma" else "no"

    with secret_context() as here, secret_context() as there:
        there.record(tmp_path / "there")
        there.serve("RequestEnter", enter)
        with nats.serve(there, "RequestEnter", server.url) as serving, nats.forward(
            here, "RequestEnter", server.url
        ):
            serving.flush(PATIENCE)
            answers = []
            here.request("RequestEnter", "enigma", then=answers.append)
            until(lambda: answers, here, there)
            assert answers[0].text == "welcome"
            there.send("Tick", 1)
    assert b"enigma" not in (tmp_path / "there").read_bytes()

    def supply(event):
        """The library's form of what came in: a limit, who asks, what was asked."""
        if event.name == "Asked.RequestEnter":
            return struct.pack("<II", 60_000, 2) + b"Itenigma"
        return "enigma"

    for secrets in (None, supply):
        with secret_context() as again:
            replay = again.replay(tmp_path / "there", verify=True, secrets=secrets)
            again.serve("RequestEnter", enter)
            with nats.serve(again, "RequestEnter", NOWHERE):
                if secrets is None:
                    # As for any secret request: a request came, but nobody knows which.
                    with pytest.raises(mainstem.Different, match="#3 ResponseEnter: payload"):
                        replay.to_end()
                else:
                    assert replay.to_end() and replay.info.matched == 2
                replay.close()
