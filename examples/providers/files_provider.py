# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A provider of files: a server that reads, writes and lists what is below one folder.

It is on a scheduler of the host, so what it answers are inputs: a replay does not call it, and
verifies without a disk. One thread does the work, in the order of the requests.

    context.install(Files("notes"), on="host")
    context.request(RequestWriteFile.of("today.txt", b"milk"))
    context.request(RequestReadFile("today.txt")).data

Paths are relative, with `/`, and have no part that is empty, `.` or `..`; symbolic links are
followed. A file is replaced as a whole: who reads it gets the old bytes or the new ones, also after
a loss of power. Above 128 KiB both report `NoticeFileDone`, the bytes that are done. When nobody
waits any more, the work stops, and a file that is not complete is not there.

files_provider.h is the same in C, with the same types.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import queue
import stat
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional

import mainstem
from mainstem import Failure, MainstemError, Notice, Request, Response, Status

#: The codes of its failures: no such file; a path or a right; more than MOST; anything else.
MISSING, REFUSED, TOO_LARGE, BROKEN = 1201, 1202, 1203, 1204
CODES = {
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), MISSING),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EISDIR, errno.EINVAL), REFUSED),
    errno.EFBIG: TOO_LARGE,
}
CHUNK, MOST = 128 << 10, 64 << 20


@mainstem.event(payload=bytes)
class ResponseFile(Response):
    data: bytes


@mainstem.event(payload=str)
class RequestReadFile(Request[ResponseFile]):
    path: str


@mainstem.event(payload=int)
class ResponseWritten(Response):
    count: int


@mainstem.event(payload=bytes)
class RequestWriteFile(Request[ResponseWritten]):
    #: The path, 0, and what is written.
    content: bytes

    @staticmethod
    def of(path: str, data: bytes) -> RequestWriteFile:
        return RequestWriteFile(os.fsencode(path) + b"\0" + data)


@mainstem.event(payload=bytes)
class ResponseFiles(Response):
    #: The names in order, with a 0 behind each.
    packed: bytes

    @property
    def names(self) -> List[str]:
        return [os.fsdecode(each) for each in self.packed.split(b"\0")[:-1]]


@mainstem.event(payload=str)
class RequestListFiles(Request[ResponseFiles]):
    folder: str = ""


@mainstem.event(payload=int)
class NoticeFileDone(Notice):
    count: int


class Stopped(Exception):
    """Nobody waits any more."""


class Files:
    """Reads and writes below a folder. Its thread is started by the first request."""

    def __init__(self, root: str) -> None:
        self.root = Path(root)
        self._jobs: queue.SimpleQueue[Optional[Job]] = queue.SimpleQueue()
        self._thread: Optional[threading.Thread] = None
        self._written = itertools.count()

    @mainstem.handles(RequestReadFile)
    def read(self, request: Any) -> Any:
        path = request.path
        return self._give(request, path, lambda job: ResponseFile(self._read(job, path)))

    @mainstem.handles(RequestWriteFile)
    def write(self, request: Any) -> Any:
        name, zero, data = request.content.partition(b"\0")
        path = os.fsdecode(name) if zero else ""
        return self._give(request, path, lambda job: ResponseWritten(self._write(job, path, data)))

    @mainstem.handles(RequestListFiles)
    def list(self, request: Any) -> Any:
        folder = request.folder
        return self._give(request, folder, lambda job: ResponseFiles(self._list(folder)))

    def close(self) -> None:
        """Ends the thread when what was asked is done."""
        if self._thread:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _give(self, request: Any, path: str, work: Callable[[Job], Any]) -> Any:
        job = Job(request.retain(), path, work)
        request.on_settled(job.stop)
        if not self._thread:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._jobs.put(job)
        return mainstem.LATER

    def _run(self) -> None:
        for job in iter(self._jobs.get, None):
            job.run()

    def _path(self, path: str, may_be_root: bool = False) -> Path:
        """The path below the root; refused where it would lead out of it."""
        parts = path.split("/") if path or not may_be_root else []
        if "\0" in path or any(each in ("", ".", "..") for each in parts):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return self.root.joinpath(*parts)

    def _read(self, job: Job, path: str) -> bytes:
        # Whoever opens a pipe would wait for its other end.
        number = os.open(self._path(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            facts, data = os.fstat(number), bytearray()
            if not stat.S_ISREG(facts.st_mode):
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
            if facts.st_size > MOST:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            while len(data) < facts.st_size:
                chunk = os.read(number, min(CHUNK, facts.st_size - len(data)))
                if not chunk:
                    break  # It is shorter now.
                data += chunk
                job.tell(len(data), facts.st_size)
            return bytes(data)
        finally:
            os.close(number)

    def _write(self, job: Job, path: str, data: bytes) -> int:
        """Writes beside the file, and then puts that in its place."""
        whole = self._path(path)
        with self._part(whole) as part, open(part, "xb", buffering=0) as file:
            done = 0
            while done < len(data):
                done += file.write(data[done : done + CHUNK])
                job.tell(done, len(data))
            os.fsync(file.fileno())
            os.replace(part, whole)
        self._sync(whole.parent)
        return len(data)

    @contextlib.contextmanager
    def _part(self, whole: Path) -> Iterator[Path]:
        """A temporary file; it is not left behind."""
        part = whole.with_name(f".{whole.name}.{os.getpid()}-{next(self._written)}.part")
        try:
            yield part
        finally:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                part.unlink()

    def _sync(self, folder: Path) -> None:
        """The new name is on the disk, too."""
        number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(number)
        except OSError as error:
            if error.errno != errno.EINVAL:  # Some systems sync no folders.
                raise
        finally:
            os.close(number)

    def _list(self, folder: str) -> bytes:
        with os.scandir(os.fsencode(self._path(folder, may_be_root=True))) as entries:
            names = [each.name for each in entries if each.is_file()]
        shown = sorted(each for each in names if not each.startswith(b"."))
        return b"".join(each + b"\0" for each in shown)


class Job:
    """A request, on the thread."""

    def __init__(self, asked: Any, path: str, work: Callable[[Job], Any]) -> None:
        self.asked, self.path, self.work = asked, path, work
        self.is_stopped = False

    def stop(self) -> None:
        """Nobody waits any more."""
        self.is_stopped = True

    def tell(self, done: int, size: int) -> None:
        """Reports how far it is, and stops where nobody waits for it."""
        if self.is_stopped:
            raise Stopped
        if size > CHUNK:
            self._try(lambda: self.asked.progress(NoticeFileDone(done)), Status.FULL)

    def run(self) -> None:
        """Does the work, and answers."""
        try:
            if not self.is_stopped:
                self._answer()
        except Stopped:
            pass
        finally:
            self.asked.release()

    def _answer(self) -> None:
        try:
            answer = self.work(self)
        except (OSError, ValueError) as error:
            answer = self._failure(getattr(error, "errno", None) or errno.EINVAL)
        if self._try(lambda: self.asked.respond(answer), Status.TOO_BIG) == Status.TOO_BIG:
            self._try(lambda: self.asked.respond(self._failure(errno.EFBIG)))

    def _failure(self, number: int) -> Failure:
        name = os.fsencode(self.path).decode("utf-8", "replace")
        return Failure(f"{name}: {os.strerror(number)}", code=CODES.get(number, BROKEN))

    def _try(self, call: Callable[[], object], *allowed: Status) -> int:
        """Calls; a given up request and what is allowed are no error."""
        try:
            call()
        except MainstemError as error:
            if error.status not in (Status.STALE, *allowed):
                raise
            return error.status
        return Status.OK
