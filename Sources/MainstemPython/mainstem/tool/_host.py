# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shows a session in the program's own window, which follows the page: `studio --play HOST`."""

from __future__ import annotations

import os
import subprocess
import threading
from contextlib import suppress
from typing import List, Optional

__all__ = ["Host"]

#: So long it may take to end when the page has closed it, in seconds.
_PATIENCE = 5


class Host:
    """A command with `--replay PATH --follow FD`, which reads positions from FD, one a line."""

    def __init__(self, path: str, command: List[str]) -> None:
        self._path = path
        self._command = command
        self._lock = threading.Condition()
        self._program: "Optional[subprocess.Popen[bytes]]" = None
        self._wanted: Optional[int] = None
        self._thread: Optional[threading.Thread] = None
        #: How it stands, and why it has ended.
        self.state = "closed" if command else "none"
        self.text = ""

    def open(self, at: int) -> bool:
        """Starts the program, which shows a position; False: it runs, or there is none."""
        with self._lock:
            if self.state != "closed":
                return False
            self.state, self.text, self._wanted = "open", "", at
            self._thread = threading.Thread(target=self._run, name="host", daemon=True)
            self._thread.start()
        return True

    def go(self, at: int) -> bool:
        """Has the program show a position; of many, the last one counts. False: it does not run."""
        with self._lock:
            if self.state != "open":
                return False
            self._wanted = at
            self._lock.notify_all()
        return True

    def shut(self) -> bool:
        """Has the program end; False: it does not run."""
        with self._lock:
            if self.state != "open":
                return False
            self.state = "ending"
            self._lock.notify_all()
        return True

    def close(self) -> None:
        """Ends the program, when nobody can start it any more."""
        self.shut()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            text = self._ran()
        except OSError as error:
            text = f"{self._command[0]} cannot be run: {error.strerror}"
        with self._lock:
            self.state, self.text = "closed", text

    def _ran(self) -> str:
        environment = dict(os.environ)
        # What is shown again is not recorded.
        environment.pop("MAINSTEM_RECORD", None)
        read, write = os.pipe()
        words = [*self._command, "--replay", self._path, "--follow", str(read)]
        try:
            program = subprocess.Popen(words, env=environment, pass_fds=[read])
        except OSError:
            os.close(write)
            raise
        finally:
            os.close(read)
        # It may end by itself, while nobody asks for a position.
        threading.Thread(target=self._watch, args=(program,), daemon=True).start()
        return self._feed(program, write)

    def _feed(self, program: "subprocess.Popen[bytes]", write: int) -> str:
        """Tells the program positions until one of the two ends; why the program has ended."""
        os.set_blocking(write, False)
        with os.fdopen(write, "wb", buffering=0) as pipe:
            while (wanted := self._next(program)) is not None:
                # If it does not read, only the last position counts when it does.
                with suppress(BrokenPipeError):
                    if pipe.write(b"%d\n" % wanted) is None:
                        self._again(wanted)
        if self.state == "open":
            return _ended(program.wait())
        _ended_by_us(program)
        return ""

    def _next(self, program: "subprocess.Popen[bytes]") -> Optional[int]:
        """Waits for the position that is wanted next; None: there will be none."""
        with self._lock:
            while self._wanted is None and self.state == "open" and program.returncode is None:
                self._lock.wait()
            if self.state != "open" or program.returncode is not None:
                return None
            wanted, self._wanted = self._wanted, None
            return wanted

    def _again(self, position: int) -> None:
        """The program does not read: its position comes again, unless another one is wanted."""
        with self._lock:
            if self._wanted is None:
                self._wanted = position
            self._lock.wait(0.1)

    def _watch(self, program: "subprocess.Popen[bytes]") -> None:
        program.wait()
        with self._lock:
            self._lock.notify_all()


def _ended(status: int) -> str:
    if status == 0:
        return ""
    return (
        f"the host ended with status {status}" if status > 0 else f"signal {-status} ended the host"
    )


def _ended_by_us(program: "subprocess.Popen[bytes]") -> None:
    """Waits for a program that has nothing more to read, which ends it; a bit, then no longer."""
    for end in (program.terminate, program.kill):
        with suppress(subprocess.TimeoutExpired):
            program.wait(_PATIENCE)
            return
        end()
    program.wait()
