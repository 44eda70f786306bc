#!/usr/bin/env python3
# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""twohosts.py PROGRAM FOLDER: starts a server, the hosts berlin (PROGRAM, in C) and tokyo (in
Python), and the board; then gives each line "HOST COMMAND" to that host, and shows what the board
draws when all three have it.

    berlin add Buy milk      tokyo tick berlin.1      tokyo list      berlin kill

`kill` ends a host without a word (kill -9) and starts it again.
"""

import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Dict, List

HERE = Path(__file__).resolve().parent
HOSTS = ("berlin", "tokyo")
PATIENCE = 60
CHANGE = re.compile(r"\S+\.\d+ \[[ x]\] ")


class Program:
    """A program that runs, with what it says, line by line."""

    def __init__(self, *command: str) -> None:
        self._command = command
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._said: "queue.Queue[str]" = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process, self._said), daemon=True).start()

    @staticmethod
    def _listen(process: "subprocess.Popen[str]", said: "queue.Queue[str]") -> None:
        for line in process.stdout or ():
            said.put(line.rstrip("\n"))

    def say(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")

    def next(self) -> str:
        """What it says next."""
        try:
            return self._said.get(timeout=PATIENCE)
        except queue.Empty:
            raise SystemExit(
                f"{Path(self._command[0]).name} has said nothing for a minute"
            ) from None

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> None:
        """Its input ends, and so does it."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(folder: Path) -> "tuple[subprocess.Popen[bytes], str]":
    """A server with JetStream on the loopback; what it keeps is in the folder."""
    port = free_port()
    command = ["nats-server", "-js", "-a", "127.0.0.1", "-p", str(port), "-sd", str(folder)]
    with (folder / "server.log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log), f"nats://127.0.0.1:{port}"


class Stage:
    """The three programs, and what the board drew last."""

    def __init__(self, program: str, folder: str, url: str) -> None:
        hosts = {"berlin": [program], "tokyo": [sys.executable, str(HERE / "host.py")]}
        self.programs: Dict[str, Program] = {}
        for name, other in (HOSTS, HOSTS[::-1]):
            self.programs[name] = Program(*hosts[name], name, other, url, folder)
        self.board = Program(sys.executable, str(HERE / "board.py"), url, folder, *HOSTS)

    def command(self, name: str, command: str) -> None:
        host = self.programs[name]
        if command == "kill":
            host.kill()
            host.start()
            return
        host.say(command)
        answer = host.next()
        if command == "list":
            while not answer.endswith(" todos"):
                print(answer)
                answer = host.next()
        print(answer)
        if command != "list" and CHANGE.match(answer):
            self.settle(name, answer)

    def settle(self, name: str, change: str) -> None:
        """Returns when the others have the change, too; prints what the board draws."""
        other = self.programs[HOSTS[1 - HOSTS.index(name)]]
        while other.next() != change:
            pass
        drawn: List[str] = []
        while not any(line.endswith(change) for line in drawn):
            drawn = list(iter(self.board.next, ""))
        print("\n".join(f"    {line}" for line in drawn))

    def end(self) -> None:
        for program in (*self.programs.values(), self.board):
            program.end()


def main(program: str, folder: str) -> None:
    server, url = start_server(Path(folder))
    try:
        stage = Stage(program, folder, url)
        for line in sys.stdin:
            name, _, command = line.strip().partition(" ")
            if not sys.stdin.isatty():
                print(f"{name}> {command}")
            if name in HOSTS:
                stage.command(name, command)
            elif name:
                print("HOST COMMAND, where the hosts are berlin and tokyo")
            sys.stdout.flush()
        stage.end()
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
