# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Proves a session: a program of the user verifies the journal, and reports what it found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import Any, Dict, List, Optional

from ..journal_file import Record, Session, TypeInfo
from ..recording import _FIELDS as FIELDS
from ._reading import plain

__all__ = ["Proof", "actual_of", "field_of"]

#: How much is shown of what the program printed last: bytes, and lines.
_PRINTED, _LINES = 4096, 8


class Proof:
    """A command that verifies a journal, given its path; without a command, nothing is proven."""

    def __init__(self, path: str, command: List[str]) -> None:
        self._path = path
        self._command = command
        self._lock = threading.Lock()
        self._program: Optional["subprocess.Popen[bytes]"] = None
        self._thread: Optional[threading.Thread] = None
        #: How often it has begun, how it stands, and what the report says.
        self.turn = 0
        self.state = "ready" if command else "none"
        self.text = ""
        self.report: Dict[str, Any] = {}

    def begin(self) -> bool:
        """Runs the command; False: it is running, or there is none."""
        with self._lock:
            if self.state in ("none", "running"):
                return False
            self.state, self.text, self.report = "running", "", {}
            self.turn += 1
        self._thread = threading.Thread(target=self._run, name="proof", daemon=True)
        self._thread.start()
        return True

    def close(self) -> None:
        """Ends the command, with all that it has started."""
        with self._lock:
            self.state = "none"
            if self._program is not None:
                _end(self._program)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        found: Dict[str, Any] = {}
        try:
            with tempfile.TemporaryDirectory(prefix="mainstem-") as folder:
                report = os.path.join(folder, "report")
                with open(os.path.join(folder, "printed"), "w+b") as printed:
                    state, text, found = self._tried(report, printed)
        except Exception as error:  # It is told: without it, the page could only wait.
            state, text = "failed", plain(f"it could not be proved: {error!r}")
        with self._lock:
            if self.state == "running":
                self.state, self.text, self.report = state, text, found

    def _tried(self, report: str, printed: Any) -> "tuple[str, str, Dict[str, Any]]":
        environment = dict(os.environ, MAINSTEM_VERIFY_REPORT=report)
        # It replays a session; what it does is not another one.
        environment.pop("MAINSTEM_RECORD", None)
        try:
            with self._lock:
                if self.state != "running":
                    return "none", "", {}
                self._program = program = subprocess.Popen(
                    [*self._command, self._path],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            return "failed", f"the command cannot be run: {error.strerror}", {}
        status = program.wait()
        with self._lock:
            _end(program)  # What it has started ends with it.
            self._program = None
        found = _found_in(report)
        if found is None:
            return "failed", _why_not(status, printed), {}
        return (*_judged(found), found)


def _end(program: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)


def _found_in(path: str) -> Optional[Dict[str, Any]]:
    """Returns the first report of a difference, else of a stop, else the last, if there is one."""
    reports: List[Dict[str, Any]] = []
    with suppress(OSError), open(path, "rb") as file:
        # A program that was killed may have left a part of a line.
        lines = [line for line in file if line.endswith(b"\n")]
        reports = [json.loads(line.decode("utf-8", "surrogateescape")) for line in lines]
    worst = min(reports, key=lambda report: ("field" not in report, "at" not in report), default={})
    return worst if "at" in worst else reports[-1] if reports else None


def _judged(report: Dict[str, Any]) -> "tuple[str, str]":
    if "field" in report:
        return "different", plain(report["message"])
    if "at" in report:
        return "stopped", f"#{report['at']} {plain(report['message'])}"
    until, matched = report["verified"], report["matched"]
    if matched == 0:
        return "stopped", "nothing was compared: all events of the session are inputs"
    same = "1 event was the same" if matched == 1 else f"{matched:,} events were the same"
    if report["ended"] and until >= report["last"]:
        return "proved", f"proved to the end: {same}"
    return "proved", f"proved to #{until}: {same}"


def _why_not(status: int, printed: Any) -> str:
    printed.seek(max(printed.seek(0, os.SEEK_END) - _PRINTED, 0))
    lines = printed.read().decode("utf-8", "replace").splitlines()[-_LINES:]
    ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    text = f"the command {ended} and reported nothing: it has to close a replay that verifies"
    said = "\n".join(plain(line) for line in lines if line.strip())
    return f"{text}:\n{said}" if said else text


def actual_of(report: Dict[str, Any]) -> Optional[Record]:
    """Returns what happened instead, as a record; None: nothing happened."""
    if "type" not in report:
        return None
    session = Session()
    name = report["type"].encode("utf-8", "surrogateescape")
    session.types[1] = TypeInfo(1, report["contract"], name, b"")
    session.origins[1] = report["origin"].encode("utf-8", "surrogateescape")
    data = bytes.fromhex(report["payload"])
    header = (report["at"], report["cause"], report["correlation"], report["answers"], 0)
    kind = (len(data), 0, 1, report["status"], 1, report["flags"])
    record = Record.checked(("", 0, 0), (*header, *kind), data)
    record.session = session
    return record


def field_of(report: Dict[str, Any]) -> str:
    """Returns the name of what differs."""
    number = report.get("field", 0)
    return FIELDS[number] if number < len(FIELDS) else f"field {number}"
