# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A real server on the loopback, which a test starts, kills, stops and starts again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, List, Optional

from client import Client


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def certificate(folder: Path, name: str) -> None:
    """Makes NAME.pem and NAME.key, for localhost."""
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    command += f" -subj /CN=localhost -addext subjectAltName=DNS:localhost -out {name}.pem"
    command += f" -keyout {name}.key"
    subprocess.run(command.split(), check=True, capture_output=True, cwd=folder)


class Server:
    """nats-server with JetStream in a folder; the same port and folder each time it is started."""

    def __init__(self, folder: Path, config: str = "", port: int = 0) -> None:
        self.folder, self.port = folder, port or free_port()
        self._process: Optional[subprocess.Popen[bytes]] = None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config").write_text(
            f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{folder}/store" }}\n'
            f"max_pending: 1GB\n{config}\n"
        )
        self.start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process
        return self._process.pid

    def start(self) -> None:
        """Starts it, and returns when it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["nats-server", "-c", str(self.folder / "config")], stdout=log, stderr=log
            )
        while True:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return

    def _signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it without a word."""
        self._signal(signal.SIGKILL)
        assert self._process
        self._process.wait()

    def stop(self) -> None:
        """It hears nothing until `go_on`: it has stopped when this returns."""
        self._signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED)

    def go_on(self) -> None:
        """Lets it work again."""
        self._signal(signal.SIGCONT)

    def close(self) -> None:
        """Ends it, however it is."""
        if self._process and self._process.poll() is None:
            self.go_on()
            self.kill()

    def client(self, **options: Any) -> Client:
        """A connection to it."""
        return Client(self.port, **options)


def cluster(folder: Path, count: int) -> List[Server]:
    """Servers that know each other."""
    ports = [(free_port(), free_port()) for _ in range(count)]
    routes = ", ".join(f"nats://127.0.0.1:{inner}" for _, inner in ports)
    made = []
    for number, (outer, inner) in enumerate(ports):
        own = f'server_name: "S{number}"\ncluster {{ name: test, listen: "127.0.0.1:{inner}", '
        made.append(Server(folder / f"server-{number}", f"{own} routes: [{routes}] }}", outer))
    return made
