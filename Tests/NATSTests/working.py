# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that die at a random instant: each sets the timer that ends it, without a word.

working.py host JOURNAL COUNT SECONDS        records until there are so many events
working.py tick JOURNAL COUNT SECONDS        the same, of one small type, in one file
working.py mirror JOURNAL URL SECONDS        mirrors for ever; a PREFIX may follow
working.py fetch JOURNAL URL SECONDS         fetches
working.py careless JOURNAL PORT SECONDS     mirrors as one would without ids and places
working.py serve URL SECONDS SEED            serves, and answers soon, late, badly, or never
working.py hold URL SECONDS                  serves, says that it works on it, and never answers
working.py importer JOURNAL URL SECONDS STREAM… takes streams in for ever
working.py forgetful JOURNAL PORT COUNT STREAM takes a stream in as one would without a note,
                                               and dies after so many events
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def start(*arguments: object) -> subprocess.Popen[bytes]:
    """One of the programs above."""
    return subprocess.Popen([sys.executable, str(HERE / "working.py"), *map(str, arguments)])


def die_in(seconds: str) -> None:
    """Ends this process then; 0: never."""
    signal.setitimer(signal.ITIMER_REAL, float(seconds))


def host(journal: str, count: str, seconds: str) -> None:
    """Events of two types, some of them large."""
    import mainstem

    with mainstem.Context() as context:
        context.record(journal, segment_size=1 << 20)
        context.add_type("Tick", int)
        context.add_type("Bulk.part", bytes, layer="view")
        die_in(seconds)
        last = context.journal_stats().written
        for number in range(last, int(count)):
            if number % 50:
                context.send("Tick", number)
            else:
                context.send("Bulk.part", b"b" * (number % 60_000))


def tick(journal: str, count: str, seconds: str) -> None:
    """A thousand at a time, and a little rest."""
    import mainstem

    with mainstem.Context() as context:
        context.record(journal)
        context.add_type("Tick", int)
        die_in(seconds)
        last = context.journal_stats().written
        for number in range(last, int(count)):
            context.send("Tick", number)
            if seconds != "0" and number % 1000 == 0:
                context.wait(0.02)


def mirror(journal: str, url: str, seconds: str, prefix: str = "kills") -> None:
    """What is to be tested."""
    from mainstem import nats

    die_in(seconds)
    with nats.mirror(journal, url, prefix=prefix, replicas=3 if "," in url else 0):
        signal.pause()


def fetch(journal: str, url: str, seconds: str) -> None:
    """The way back."""
    from mainstem import nats

    die_in(seconds)
    nats.fetch(journal, url, prefix="kills")


def importer(journal: str, url: str, seconds: str, *streams: str) -> None:
    """Takes in what hosts have mirrored, under a name for each stream."""
    import mainstem
    from mainstem import nats

    with mainstem.Context() as context:
        context.record(journal, segment_size=1 << 20)
        for stream in streams:
            context.add_type(f"{stream}.Tick", int)
            context.add_type(f"{stream}.Bulk.part", bytes)
        die_in(seconds)
        for stream in streams:
            types = {name: f"{stream}.{name}" for name in ("Tick", "Bulk.part")}
            nats.import_stream(context, stream, types, url, journal=journal)
        while True:
            context.wait(None)


def forgetful(journal: str, port: str, count: str, stream: str) -> None:
    """Acknowledges what it has sent, and goes on behind what is acknowledged."""
    import mainstem
    from client import Client

    with mainstem.Context() as context, Client(int(port)) as client:
        context.record(journal)
        context.add_type("Tick", int)
        config = {
            "durable_name": "forgetful",
            "ack_policy": "explicit",
            "ack_wait": 300_000_000,
            "max_ack_pending": 2000,
        }
        where = f"{stream}.forgetful"
        client.ask(f"CONSUMER.DURABLE.CREATE.{where}", {"stream_name": stream, "config": config})
        client.subscribe("_INBOX.forgetful")
        left = int(count)
        request = {"batch": 1000, "expires": 100_000_000}
        while True:
            client.publish(
                f"$JS.API.CONSUMER.MSG.NEXT.{where}",
                json.dumps(request).encode(),
                "_INBOX.forgetful",
            )
            kept = []
            while len(kept) < 1000:
                message = client.next()
                if not message.reply:
                    break
                kept.append(message)
            for message in kept:
                if message.headers.get("Mainstem-Type") == "Tick":
                    context.send("Tick", int.from_bytes(message.data[64:], "little"))
                    left -= 1
                    if left == 0:
                        os.kill(os.getpid(), signal.SIGKILL)
            for message in kept:
                client.publish(message.reply, b"+ACK")
            if (
                not kept
                and client.ask(f"CONSUMER.INFO.{where}")["ack_floor"]["stream_seq"]
                >= (client.state(stream)["last_seq"])
            ):
                os._exit(7)


def careless(journal: str, port: str, seconds: str) -> None:
    """Notes in a file how far it came; a window of entries may wait for their answers."""
    import mainstem
    from client import Client

    noted = Path(journal + ".noted")

    def note(position: int) -> None:
        whole = noted.with_suffix(".new")
        whole.write_text(str(position))
        os.replace(whole, noted)

    last = int(noted.read_text()) if noted.exists() else 0
    die_in(seconds)
    with Client(int(port)) as client, mainstem.Journal(journal) as events:
        client.subscribe("_INBOX.careless")
        waiting = []
        for header, _ in events.records():
            if header[0] <= last:
                continue
            client.publish("careless.x", b"%d" % header[0], "_INBOX.careless")
            waiting.append(header[0])
            if len(waiting) == 64:
                client.next()
                note(waiting.pop(0))
        for position in waiting:
            client.next()
            note(position)
    os._exit(7)


def serve(url: str, seconds: str, seed: str) -> None:
    """Answers begin with the number of this process."""
    import mainstem
    from asking import RequestTotal, ResponseTotal, Step, context
    from mainstem import Failure, nats

    chance, late, never = random.Random(int(seed)), [], []

    def work(request: RequestTotal) -> object:
        kind = request.what[:1]
        if kind == b"f":
            raise Failure("no", code=1001)
        for number in range(3 if kind == b"p" else 0):
            request.event.progress(Step(number))
        if kind == b"n":
            never.append(request.event.retain())
            return mainstem.LATER
        if kind == b"l":
            late.append((request.event.retain(), request.what))
            return mainstem.LATER
        return ResponseTotal(b"%d %s" % (os.getpid(), request.what))

    with context() as made:
        made.serve(RequestTotal, work)
        die_in(seconds)
        with nats.serve(made, RequestTotal, url):
            while True:
                made.wait(0.01)
                chance.shuffle(late)
                while late and chance.random() < 0.8:
                    kept, what = late.pop()
                    with contextlib.suppress(mainstem.MainstemError):
                        kept.respond(ResponseTotal(b"%d %s" % (os.getpid(), what)))


def hold(url: str, seconds: str) -> None:
    """What somebody waits for when this process ends."""
    import mainstem
    from asking import RequestTotal, Step, context
    from mainstem import nats

    kept: list[object] = []

    def work(request: RequestTotal) -> object:
        request.event.progress(Step(os.getpid()))
        kept.append(request.event.retain())
        return mainstem.LATER

    with context() as made:
        made.serve(RequestTotal, work)
        die_in(seconds)
        with nats.serve(made, RequestTotal, url):
            while True:
                made.wait(1)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
