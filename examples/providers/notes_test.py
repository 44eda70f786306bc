# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The provider of files, and the service on it, tested on a folder of their own.

Run it with: python3 -m pytest notes_test.py
"""

import os
import threading
from pathlib import Path
from typing import Any, Iterator, List

import mainstem
import pytest
from files_provider import (
    BROKEN,
    CHUNK,
    MISSING,
    MOST,
    REFUSED,
    TOO_LARGE,
    Files,
    Job,
    NoticeFileDone,
    RequestListFiles,
    RequestReadFile,
    RequestWriteFile,
)
from mainstem import Failure, Status
from notes import Notes, RequestFetchNote, RequestReloadNotes, RequestUpdateNote, install


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    made = Files(str(tmp_path))
    yield made
    made.close()
    assert parts(tmp_path) == []


@pytest.fixture
def context(files: Files) -> Iterator[mainstem.Context]:
    with mainstem.Context() as made:
        install(made, files)
        yield made
        files.close()


def parts(folder: Path) -> List[Path]:
    """Temporary files that are left."""
    return list(folder.rglob("*.part"))


def failure(context: mainstem.Context, request: Any) -> Failure:
    with pytest.raises(Failure) as failed:
        context.request(request)
    return failed.value


@pytest.mark.parametrize("size", [0, 1, CHUNK, CHUNK + 1, (1 << 20) + 3, 5 << 20])
def test_a_file_of_any_size_comes_back(context: mainstem.Context, size: int) -> None:
    data = bytes(index * 31 % 251 for index in range(251)) * (size // 251 + 1)
    data, steps = data[:size], []
    context.observe(NoticeFileDone, lambda step: steps.append(step.count))
    chunks = range(CHUNK, size + CHUNK, CHUNK) if size > CHUNK else ()
    expected = [min(each, size) for each in chunks]
    assert context.request(RequestWriteFile.of("file", data)).count == size
    assert steps == expected
    assert context.request(RequestReadFile("file")).data == data
    assert steps == expected * 2


def test_a_list_has_the_names_in_order(context: mainstem.Context, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("z", "a b", "été"):
        context.request(RequestWriteFile.of(f"below/{name}", b""))
    assert context.request(RequestListFiles("below")).names == ["a b", "z", "été"]
    assert context.request(RequestListFiles()).names == []  # Folders are left out.


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../b", "a//b", ".", "", "a/"])
def test_a_path_that_leads_out_is_refused(context: mainstem.Context, path: str) -> None:
    for request in (RequestReadFile(path), RequestWriteFile.of(path, b"x")):
        failed = failure(context, request)
        assert failed.code == REFUSED
        assert failed.message.startswith(f"{path}: ")


def test_a_failure_says_why(context: mainstem.Context, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "large", "wb") as large:
        large.truncate(MOST + 1)
    for request, code, message in (
        (RequestReadFile("nothing"), MISSING, "nothing: No such file"),
        (RequestReadFile("below"), REFUSED, "below: "),
        (RequestReadFile("pipe"), REFUSED, "pipe: "),
        (RequestReadFile("large"), TOO_LARGE, "large: "),
        (RequestListFiles("nowhere"), MISSING, "nowhere: "),
        (RequestWriteFile.of("no/file", b"x"), MISSING, "no/file: "),
        (RequestWriteFile.of("below", b"x"), REFUSED, "below: "),
        (RequestWriteFile.of("n" * 300, b"x"), BROKEN, "nnn"),
        (RequestWriteFile(b"no zero"), REFUSED, ": "),
        (RequestWriteFile(b"\xff/\0x"), REFUSED, "�/: "),
    ):
        failed = failure(context, request)
        assert (failed.code, failed.message[: len(message)]) == (code, message)
    assert parts(tmp_path) == []


def test_a_limit_of_the_context_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1001)
    with mainstem.Context(limits=mainstem.Limits(payload=1000)) as context:
        files = Files(str(tmp_path))
        install(context, files)
        assert failure(context, RequestReadFile("file")).code == TOO_LARGE
        files.close()


def test_a_write_that_is_given_up_stops(
    context: mainstem.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, tell = threading.Event(), Job.tell

    def wait(job: Job, done: int, size: int) -> None:
        tell(job, done, size)
        assert goes_on.wait(10)

    answers: List[Any] = []
    patience: Any = {"then": answers.append, "failed": answers.append}
    (tmp_path / "big").write_bytes(b"old")
    monkeypatch.setattr(Job, "tell", wait)
    begun = context.request(RequestWriteFile.of("big", b"new" * CHUNK), **patience)
    context.observe(NoticeFileDone, lambda step: begun.cancel(), count=1)
    waiting = context.request(RequestWriteFile.of("never", b"x"), **patience)
    waiting.cancel()  # Before its turn.
    while len(answers) < 2:
        context.wait()
    context.drain()
    goes_on.set()  # After the first of three chunks.
    assert context.request(RequestReadFile("big")).data == b"old"
    assert failure(context, RequestReadFile("never")).code == MISSING
    assert [each.code for each in answers] == [Status.CANCELLED] * 2
    assert parts(tmp_path) == []


def test_a_fetch_leaves_the_names_as_they_are(context: mainstem.Context, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("x")
    assert context.request(RequestReloadNotes()).names == ["old"]
    assert context.request(RequestUpdateNote("today", "milk")).names == ["old", "today"]
    (tmp_path / "later").write_text("eggs")
    assert context.request(RequestFetchNote("later")).text == "eggs"
    assert context.find(Notes).get("Notes.names").text == '["old", "today"]'
    assert failure(context, RequestFetchNote("never")).code == MISSING
    assert context.stats().failures == 0


def test_a_session_verifies_without_a_disk(tmp_path: Path) -> None:
    path, folder = tmp_path / "session.journal", tmp_path / "notes"
    folder.mkdir()
    with mainstem.Context() as context:
        context.record(path)
        files = Files(str(folder))
        install(context, files)
        context.request(RequestUpdateNote("today", "milk"))
        context.find(Notes).end()
        failure(context, RequestFetchNote("never"))
        context.request(RequestReloadNotes())
        files.close()
    before = threading.active_count()
    with mainstem.Context() as again, again.replay(path, verify=True) as replay:
        install(again, Files("/nowhere"))
        replay.to_end()
        assert again.find(Notes).get("Notes.names").text == '["today"]'
        assert threading.active_count() == before
