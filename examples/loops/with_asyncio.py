# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Mainstem in asyncio: another thread takes readings, the loop counts them and reports in time.

python3 with_asyncio.py [READINGS [MILLISECONDS BETWEEN REPORTS]]
"""

import asyncio
import sys
import threading

import mainstem


@mainstem.event
class Reading(mainstem.Notice):
    value: int


@mainstem.event
class Report(mainstem.Notice):
    pass


def take_readings(context: mainstem.Context, wanted: int) -> None:
    """The other thread. When the context is closed, its sends are refused."""
    try:
        for value in range(wanted):
            context.send(Reading(value))
    except mainstem.MainstemError as error:
        if error.status != mainstem.Status.STALE:
            raise


async def main(wanted: int = 5, period_ms: int = 50) -> None:
    came = 0
    done = asyncio.Event()
    async with mainstem.Context(threads="any") as context:  # from here on this loop drains it

        @context.observe(Reading, on="host", policy="block", limit=1024)
        def count(reading: Reading) -> None:  # called in the loop; who sends too fast waits
            nonlocal came
            came += 1
            if came == wanted:
                print("all came")

        @context.observe(Report, on="host")
        def report(event: Report) -> None:
            print(f"{came} readings")
            if came == wanted:
                done.set()

        context.send_every(period_ms / 1000, Report())
        thread = threading.Thread(target=take_readings, args=(context, wanted))
        thread.start()
        await done.wait()
    thread.join()


asyncio.run(main(*map(int, sys.argv[1:3])))
