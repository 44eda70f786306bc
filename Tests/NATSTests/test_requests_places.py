# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that are answered elsewhere: in all kinds of contexts, over all kinds of connections,
with and without Mainstem."""

from __future__ import annotations

import pytest
from asking import (
    PATIENCE,
    Asked,
    RequestTotal,
    ResponseTotal,
    Step,
    context,
    echo,
    keeping,
    pair,
    until,
)
from mainstem import MainstemError, Status, nats
from servers import certificate


def test_several_serve_in_one_context_of_scopes_with_rights(server):
    """A scope without the right to send on a type's layer cannot let others ask for it."""
    with context() as there, context() as here:
        there.add_type("RequestOther", bytes, response="ResponseTotal", layer="model")
        here.add_type("RequestOther", bytes, response="ResponseTotal", layer="model")
        there.serve("RequestOther", lambda request: ResponseTotal(b"no"))
        narrow = there.scope("Narrow", sends=["app", "system"], observes=["app", "system"])
        with nats.serve(narrow, "RequestOther", server.url) as serving, nats.forward(
            here, "RequestOther", server.url
        ):
            serving.flush(PATIENCE)
            answers = []
            here.request("RequestOther", b"", then=answers.append)
            until(lambda: answers, here, there)
            assert answers[0].status == Status.DENIED


def test_bridges_of_one_prefix_find_each_other_and_no_others(server):
    with pair(server.url, echo, prefix="shop.berlin") as both:
        assert both.answer(b"yes") == ResponseTotal(b"yes")
        with context() as here, nats.forward(here, RequestTotal, server.url, prefix="shop.rome"):
            asked = Asked(here, RequestTotal(b"no"))
            until(lambda: asked.answers, here, both.there)
            assert asked.failure.status == Status.UNHANDLED


def test_a_mirror_s_stream_does_not_have_what_is_asked(server, tmp_path):
    """A stream would acknowledge a request, and that would be taken for its answer."""
    with context() as recording:
        recording.record(tmp_path / "session")
        recording.send(Step(1))
        with nats.mirror(tmp_path / "session", server.url, prefix="mainstem") as mirror:
            mirror.flush(PATIENCE)
    with pair(server.url, echo) as both, server.client() as client:
        before = client.state("mainstem")["messages"]
        assert both.answer(b"milk") == ResponseTotal(b"milk")
        assert client.state("mainstem")["messages"] == before > 1


def test_a_program_without_mainstem_asks_and_answers(server):
    with pair(server.url, echo) as both, server.client() as client:
        client.subscribe("answers.1")
        client.publish("$MAINSTEM.request.mainstem.RequestTotal", b"plain", "answers.1")
        both.until(lambda: both.serving.stats.entries == 1)
        message = client.next()
        assert (message.data, message.headers) == (b"plain", {})
        both.serving.close()
        client.subscribe("$MAINSTEM.request.mainstem.RequestTotal")
        client.ask("INFO")
        asked = both.ask(b"you")
        both.here.drain()
        message = client.next()
        assert message.data == b"you"
        client.publish(message.reply, b"3", headers={"Mainstem-Status": "0"})
        client.publish(message.reply, b"\x05\0\0\0\0\0\0\0", headers={"Mainstem-Progress": "Step"})
        client.publish(message.reply, b"me")
        both.until(lambda: asked.answers)
        assert (asked.answers, asked.steps) == ([ResponseTotal(b"me")], [5])
        assert both.forward.stats.refused == 1


@pytest.mark.parametrize("threads", ["one", "any", "guarded"])
@pytest.mark.parametrize("on", ["host", "serial"])
@pytest.mark.parametrize("deliver", ["immediate", "host"])
def test_every_kind_of_context(server, threads, on, deliver):
    here, there = (context(threads=threads, deliver=deliver) for _ in range(2))
    place = here.serial("asking") if on == "serial" else "host"
    keep = keeping()
    there.serve(RequestTotal, lambda r: keep(r) if r.what == b"keep" else echo(r))
    with here, there, nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
        here, RequestTotal, server.url, on=place
    ):
        serving.flush(PATIENCE)
        asked = [Asked(here, RequestTotal(b"%d" % number)) for number in range(100)]
        until(lambda: all(each.answers for each in asked), here, there)
        assert [each.answers[0].what for each in asked] == [b"%d" % n for n in range(100)]
        kept = Asked(here, RequestTotal(b"keep"))
        until(lambda: keep.kept, here, there)
        kept.pending.cancel()
        until(lambda: keep.settled, here, there)
        assert here.first_error() is None and there.first_error() is None


def test_an_async_handler_serves(server):
    import asyncio

    async def work(request):
        await asyncio.sleep(0)
        return ResponseTotal(request.what.upper())

    async def both():
        async with context() as there, context() as here:
            there.serve(RequestTotal, work)
            with nats.serve(there, RequestTotal, server.url) as serving, nats.forward(
                here, RequestTotal, server.url
            ):
                serving.flush(PATIENCE)
                return await here.request(RequestTotal(b"milk"), timeout=PATIENCE)

    assert asyncio.run(both()) == ResponseTotal(b"MILK")


def test_only_the_context_s_thread_closes(server):
    import threading

    with pair(server.url, echo) as both:
        found = []

        def close():
            for bridge in (both.forward, both.serving):
                try:
                    bridge.close()
                except MainstemError as error:
                    found.append(error.status)

        thread = threading.Thread(target=close)
        thread.start()
        thread.join()
        assert found == [Status.WRONG_THREAD] * 2
        assert both.answer(b"still") == ResponseTotal(b"still")


def test_a_callback_may_close(server):
    """Also one that runs on the bridge's own thread."""
    with context(threads="any") as here, context(threads="any") as there:
        there.serve(RequestTotal, echo)
        with nats.serve(there, RequestTotal, server.url) as serving:
            serving.flush(PATIENCE)
            for timeout in (0.05, 60):
                name = "rome" if timeout < 1 else "mainstem"
                forward = nats.forward(here, RequestTotal, server.url, timeout=timeout, prefix=name)
                forward.flush(PATIENCE)
                closed = []

                def note(answer, forward=forward, closed=closed):
                    forward.close()
                    closed.append(answer)

                if timeout < 1:
                    server.stop()
                here.request(RequestTotal(b"x"), then=note, failed=note)
                until(lambda closed=closed: closed, here, there)
                server.go_on()
                forward.close()


def test_requests_over_an_encrypted_connection(make_server, tmp_path):
    certificate(tmp_path, "one")
    one = tmp_path / "one"
    server = make_server(f'tls {{ cert_file: "{one}.pem", key_file: "{one}.key" }}')
    safe = {"tls": True, "authorities": f"{one}.pem", "host": "localhost"}
    with pair(f"tls://localhost:{server.port}", echo, **safe) as both:
        asked = [both.ask(b"%d" % number * 200_000) for number in range(30)]
        both.until(lambda: all(each.answers for each in asked))
        assert [each.answers for each in asked] == [
            [ResponseTotal(b"%d" % number * 200_000)] for number in range(30)
        ]


def test_who_may_not_ask_or_serve_is_told(make_server):
    user = (
        "{ user: a, password: a, permissions: { publish: ['_INBOX.>'], subscribe: ['_INBOX.>'] } }"
    )
    server = make_server(f"authorization {{ users: [{user}] }}")
    with context() as here:
        with nats.serve(here, RequestTotal, server.url, user="a", password="a") as serving:
            until(lambda: serving.stats.status == Status.DENIED)
            assert "Permissions Violation" in serving.stats.message
        with nats.forward(
            here, RequestTotal, server.url, user="a", password="a", timeout=1
        ) as forward:
            forward.flush(PATIENCE)
            asked = Asked(here, RequestTotal(b""))
            until(lambda: asked.answers, here)
            assert asked.failure.status == Status.TIMEOUT
            until(lambda: forward.stats.begun > 1)
