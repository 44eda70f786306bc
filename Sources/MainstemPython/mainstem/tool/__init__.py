# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The command `mainstem`: its arguments, and what all its commands share. See docs/tools.md."""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import List, Optional

from ..journal_file import JournalError
from ._diagram import add_diagram
from ._dump import add_dump
from ._files import add_fetch, add_mirror, add_routes, add_salvage, add_verify
from ._info import add_info
from ._reading import UNREADABLE, plain, say
from ._screens import add_screens, add_shown
from ._sqlite import add_sqlite
from ._studio import add_studio
from ._trace import add_trace
from ._tree import add_tree

__all__ = ["main"]


_EPILOG = """PATH is a journal: its file or, if it has segments, their name without .000001 …

exit status: 0 read to its end; 1 damaged (everything before the damage is shown); 2 cannot be read,
or wrong arguments. "verify" adds 3: a torn tail, left by a crash, and nothing else.
"""


def parser() -> argparse.ArgumentParser:
    """Makes the parser of all commands' arguments."""
    whole = argparse.ArgumentParser(
        prog=_name(),
        description="Shows what is in journals: a program's events, and what caused what.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = whole.add_subparsers(dest="command", metavar="COMMAND")
    looking = (add_info, add_dump, add_tree, add_shown, add_screens, add_diagram, add_verify)
    making = (add_trace, add_sqlite, add_salvage, add_mirror, add_fetch)
    for add in (*looking, add_studio, *making, add_routes):
        add(commands)
    return whole


def _name() -> str:
    """What was typed: the command that comes with the wheel, or the module."""
    typed = os.path.basename(sys.argv[0])
    return "mainstem" if typed == "mainstem" else "python3 -m mainstem"


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs one command and returns its exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this: nobody reads it
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    whole = parser()
    chosen = whole.parse_args(arguments)
    # What follows "--" is there, too.
    chosen.words = sys.argv[1:] if arguments is None else arguments
    if chosen.command is None:
        whole.print_help()
        return UNREADABLE
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader closed the pipe. Leave nothing for the interpreter to flush when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except JournalError as error:
        say(plain(str(error)))
    except OSError as error:
        name = f"{plain(str(error.filename))}: " if error.filename else ""
        say(f"{name}{error.strerror or error}")
    return UNREADABLE
