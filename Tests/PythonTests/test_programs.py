# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of the documentation, as they are printed there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap

import pytest
from conftest import PACKAGE, ROOT

GREETINGS = "Hello, Ada, guest 1\nfailed: Please tell me your name.\n"


def output_of(arguments, folder):
    """What a program prints; it must end well and say nothing else."""
    path = os.pathsep.join([str(PACKAGE), str(folder)])
    result = subprocess.run(
        [sys.executable, *arguments],
        env=dict(os.environ, PYTHONPATH=path, PYTHONIOENCODING="utf-8"),
        cwd=str(folder),
        stdout=-1,
        stderr=-1,
        timeout=60,
    )
    assert (result.returncode, result.stderr.decode()) == (0, "")
    return result.stdout.decode("utf-8")


@pytest.mark.parametrize("name", ["hello.py", "hello_async.py"])
def test_the_hello_programs_print_what_the_others_print(name, tmp_path):
    assert output_of([str(ROOT / "examples" / "hello" / name)], tmp_path) == GREETINGS


GREET = """
import mainstem
from mainstem import Failure, Request, Response

@mainstem.event  # a frozen dataclass; the class name is the event's name
class ResponseGreeting(Response):
    text: str

@mainstem.event
class RequestGreet(Request[ResponseGreeting]):
    name: str
"""

GREET_MAIN = """
with mainstem.Context() as context:
    @context.serve(RequestGreet)  # return = the response, raise Failure = the error response
    def greet(request):
        if not request.name:
            raise Failure("NO_NAME", user_message="Please tell me your name.")
        return ResponseGreeting(text=f"Hello, {request.name}!")

    context.observe()(print)  # the log of the whole program
    print(context.request(RequestGreet(name="Ada")).text)
"""

GREET_ASYNC = """
import asyncio
import mainstem
from greet import RequestGreet, ResponseGreeting
async def main():
    async with mainstem.Context() as context:  # host scheduler = this loop, through one fd
        @context.serve(RequestGreet)
        async def greet(request):  # answered when it returns; cancelled if nobody waits
            await asyncio.sleep(0.01)
            return ResponseGreeting(text=f"Hello, {request.name}!")

        async with context.events(ResponseGreeting) as greetings:  # subscribed from here
            print((await context.request(RequestGreet(name="Ada"), timeout=1)).text)
            async for event in greetings:
                print("seen", event)
                break
asyncio.run(main())
"""

LINES = '#1 RequestGreet {"name":"Ada"}\n#2 ResponseGreeting ok ← #1 greet {"text":"Hello, Ada!"}\n'


def test_the_greet_program_prints_its_log_and_its_answer(tmp_path):
    (tmp_path / "greet.py").write_text(GREET + GREET_MAIN)

    assert output_of(["greet.py"], tmp_path) == LINES + "Hello, Ada!\n"


def test_the_async_program_prints_its_answer_and_what_was_seen(tmp_path):
    (tmp_path / "greet.py").write_text(GREET)
    (tmp_path / "greet_async.py").write_text(GREET_ASYNC)

    assert output_of(["greet_async.py"], tmp_path) == (
        'Hello, Ada!\nseen #2 ResponseGreeting ok answers #1 greet {"text":"Hello, Ada!"}\n'
    )


def test_the_programs_of_the_readme_run(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```\n(?:\n((?:    [^\n]*\n)+))?", readme, re.S)
    assert programs, "README.md has no Python program"
    for number, (program, shown) in enumerate(programs):
        # The second program of the documentation imports the events of the first, "greet".
        if number == 0:
            (tmp_path / "greet.py").write_text(program, encoding="utf-8")
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        output = output_of(["program.py"], tmp_path)
        assert not shown or output == textwrap.dedent(shown)
        assert output
