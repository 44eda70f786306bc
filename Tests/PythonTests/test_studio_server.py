# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The server of `mainstem studio`: it serves who knows the token, on this machine only."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import threading
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import pytest
import tool
from counter_session import counter_session
from mainstem.tool import _server
from mainstem.tool._answers import Answers
from mainstem.tool._live import Live
from mainstem.tool._server import Server

PAGE = "<!doctype html><script nonce=NONCE></script><p>NONCE\n"


@contextmanager
def served(path):
    live = Live(str(path))
    live.read()
    with live, Server(live, Answers(live)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    counter_session().save(folder / "a.journal")
    for name, text in (("page.html", PAGE), ("page.css", "p {}\n"), ("page.js", "//\n")):
        (folder / name).write_text(text)
    (folder / "secret.py").write_text("secret\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_server, "_FOLDER", folder)
        with served(folder / "a.journal") as made:
            yield made


def sent(server, data, more=b""):
    """What is answered to some bytes, until the connection is closed."""
    with closing(socket.create_connection(("127.0.0.1", server.server_port), 20)) as client:
        client.sendall(data)
        if more is None:
            client.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while True:
                part = client.recv(65_536)
                if not part:
                    return answer
                answer += part
        except ConnectionResetError:
            return answer


def asked(server, path, method="GET", token=None, **headers):
    """The status, the headers and the body of an answer."""
    port = server.server_port
    lines = [(name.replace("_", "-"), value) for name, value in headers.items()]
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as client:
        client.putrequest(
            method, f"/{server.token if token is None else token}{path}", skip_host=True
        )
        if "Host" not in headers:
            client.putheader("Host", f"127.0.0.1:{port}")
        for name, values in lines:
            for value in values if isinstance(values, list) else [values]:
                client.putheader(name, value)
        client.endheaders()
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read()


def said(server, path, **headers):
    status, _, body = asked(server, path, **headers)
    return status, json.loads(body)


# What is answered ---------------------------------------------------------------------------------


def test_each_answer_is_what_the_journal_says(server):
    assert said(server, "/status")[1]["rows"] == 5
    assert len(said(server, "/rows?from=1&count=2")[1]["rows"]) == 2
    assert len(said(server, "/chain?row=1")[1]["events"]) == 5
    assert said(server, "/shown?at=16&row=1")[1]["owners"][0]["changes"] == 3
    assert said(server, "/why?at=26")[1]["row"] == 3
    assert said(server, "/event?at=17")[1]["payload"] == "eggs"
    assert [found["at"] for found in said(server, "/search?q=eggs")[1]["found"]] == ["17"]


@pytest.mark.parametrize(
    "path", ["/", "/page.css", "/page.js", "/status", "/nothing", "/chain?row=x"]
)
def test_each_answer_has_the_headers(server, path):
    _, headers, body = asked(server, path)

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert headers["Content-Length"] == str(len(body))
    assert "Python" not in headers["Server"]


def test_each_page_has_a_nonce_of_its_own(server):
    nonces = set()
    for _ in range(3):
        status, headers, body = asked(server, "/")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        (nonce,) = set(re.findall("nonce-([^']+)'", headers["Content-Security-Policy"]))
        assert body.decode() == PAGE.replace("NONCE", nonce)
        nonces.add(nonce)
    assert len(nonces) == 3
    policy = headers["Content-Security-Policy"]
    for part in (
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ):
        assert part in policy
    assert asked(server, "/page.js")[1]["Content-Type"] == "text/javascript; charset=utf-8"


# Who is not answered ------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "x", "x" * 32, "x" * 5000, "%00", "..", "%e4"])
def test_without_the_token_nothing_is_there(server, token):
    for path in ("/", "/status", "/page.js"):
        status, _, body = asked(server, path, token=token)
        assert (status, body) == (404, b"Not Found\n")


def test_a_token_that_is_longer_or_shorter_is_another(server):
    for token in (server.token[:-1], server.token + "x", server.token.upper()):
        assert asked(server, "/status", token=token)[0] == 404
    assert asked(server, "", token=server.token)[0] == 404


def test_only_its_own_host_is_answered(server):
    port = server.server_port
    hosts = ["evil.example", f"localhost:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example", ""]
    for host in (*hosts, [f"127.0.0.1:{port}"] * 2, ["evil.example", f"127.0.0.1:{port}"], []):
        assert asked(server, "/status", Host=host)[0] == 403, host


def test_no_other_site_is_answered(server):
    for site in (
        "cross-site",
        "same-site",
        "",
        "x",
        ["none", "cross-site"],
        ["cross-site", "none"],
    ):
        assert asked(server, "/status", Sec_Fetch_Site=site)[0] == 403, site
    for site in ("none", "same-origin"):
        assert asked(server, "/status", Sec_Fetch_Site=site)[0] == 200


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "X" * 500])
def test_no_other_method_is_answered(server, method):
    status, headers, body = asked(server, "/status", method)

    assert (status, headers["Connection"]) == (501, "close")
    assert body == (b"" if method == "HEAD" else b"Not Implemented\n")
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_what_acts_is_asked_for_by_post_from_the_page_only(server):
    assert asked(server, "/prove", "POST")[::2] == (200, b'{"done": false}')
    assert asked(server, "/prove")[0] == 404
    for path in ("/status", "/", "/page.js", "/none"):
        assert asked(server, path, "POST")[0] == 404, path
    for site in ("cross-site", "same-site"):
        assert asked(server, "/prove", "POST", Sec_Fetch_Site=site)[0] == 403
    assert asked(server, "/prove", "POST", Host="evil.example")[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../a.journal",
        "/secret.py",
        "/a.journal",
        "/%2e%2e/a.journal",
        "//etc/passwd",
        "/./page.js",
        "//page.js",
        "/page.js/",
        "/page.js%00",
        "/..",
        "/page%2ejs",
        "/\\page.js",
        "/;page.js",
        "/status/",
    ],
)
def test_nothing_else_is_there(server, path):
    assert asked(server, path)[0] == 404


def test_absolute_paths_lead_nowhere(server):
    host = f"Host: 127.0.0.1:{server.server_port}\r\nConnection: close\r\n\r\n"
    for path in (
        "/etc/passwd",
        "//etc/passwd",
        "file:///etc/passwd",
        "http://[/",
        "*",
        "http://x/y",
    ):
        assert sent(server, f"GET {path} HTTP/1.1\r\n{host}".encode())[9:12] in (b"404", b"400")


# What is not right --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number", ["x", "-1", "1.5", "%20", "0x1", "9" * 21, "9" * 5000, "1_0", "\u0661", "", "1e3"]
)
def test_what_is_no_number_is_said(server, number):
    number = "%D9%A1" if number == "\u0661" else number
    for path in (
        "chain?row=",
        "shown?row=0&at=",
        "shown?at=1&row=",
        "why?at=",
        "event?at=",
        "rows?count=",
    ):
        status, told = said(server, f"/{path}{number}")
        assert status == 400
        assert told["error"].endswith("is not a number")


@pytest.mark.parametrize("number", [2**64 - 1, 2**64, 10**20 - 1, 2**63, 27, 0])
def test_what_is_not_there_is_said(server, number):
    for path in ("why?at=", "event?at="):
        assert said(server, f"/{path}{number}")[0] == 404
    assert said(server, f"/chain?row={max(number, 5)}")[0] == 404
    assert said(server, f"/shown?row=0&at={number}")[0] == 200
    assert said(server, f"/rows?from={number}&count={number}")[0] == 200
    assert said(server, f"/search?q=x&from={number}")[0] == 200


def test_queries_that_are_no_text_are_no_crash(server):
    assert said(server, "/search?q=%ff%fe%00")[1] == {"found": [], "next": ""}
    assert said(server, "/search?q=" + "x" * 201)[0] == 400
    assert said(server, "/search")[1] == {"found": [], "next": ""}
    assert said(server, "/search?q=e&q=zzz&&&")[1]["found"]
    assert asked(server, "/status?" + "&".join("abcdefgh"))[0] == 200
    assert asked(server, "/status?" + "&".join("abcdefghi"))[0] == 400


@pytest.mark.parametrize(
    "data, status",
    [
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", b"431"),
        (b"GET / HTTP/9.9\r\n\r\n", b"HTTP Version Not Supported"),
        (b"GET / HTTP/x\r\n\r\n", b"Bad Request"),
        (b"a b c d e\r\n\r\n", b"Bad Request"),
        (b"\x16\x03\x01\x02\x00\x01\x00 \xff\xfe\r\n\r\n", b""),
        (b"\r\n\r\n", b""),
        (b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"403"),
    ],
)
def test_what_is_no_request_is_refused(server, data, status):
    answer = sent(server, data, None)

    assert status in answer.split(b"\r\n")[0]
    assert server.token.encode() not in answer
    assert asked(server, "/status")[0] == 200


def test_random_bytes_are_no_crash(server):
    for _ in range(30):
        sent(server, os.urandom(300) + b"\r\n\r\n", None)
    assert asked(server, "/status")[0] == 200


# Many, and slow ones ------------------------------------------------------------------------------


def test_idle_and_slow_connections_keep_nobody_waiting(server):
    idle = [socket.create_connection(("127.0.0.1", server.server_port), 20) for _ in range(200)]
    for client in idle[::2]:
        client.sendall(b"GET /" + server.token.encode())
    assert asked(server, "/status")[0] == 200
    # A slow client, whose request was whole in the end.
    slow = idle[0]
    slow.sendall(f"/status HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
    assert slow.recv(100).startswith(b"HTTP/1.1 200")
    for client in idle:
        client.close()


def test_a_client_that_goes_away_is_no_error(server, capfd):
    for _ in range(5):
        with closing(socket.create_connection(("127.0.0.1", server.server_port), 20)) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.sendall(f"GET /{server.token}/status HTTP/1.1\r\n".encode())
    assert asked(server, "/status")[0] == 200
    assert capfd.readouterr().err == ""


def test_a_connection_that_says_nothing_is_closed(server, monkeypatch):
    monkeypatch.setattr(server.RequestHandlerClass, "timeout", 0.05)
    assert sent(server, b"GET /") == b""


def test_an_error_within_is_said(server, monkeypatch):
    def fail(query):
        raise ZeroDivisionError("surprise")

    monkeypatch.setitem(server.said, "status", fail)
    assert said(server, "/status") == (500, {"error": "no answer: ZeroDivisionError('surprise')"})


def test_only_this_machine_is_served(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", server.address)


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path):
    return counter_session().save(tmp_path / "a.journal")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_when_it_is_told_and_leaves_nothing(journal, tmp_path, number):
    folder = tmp_path / "temporary"
    folder.mkdir()
    noted = tmp_path / "noted"
    os.mkfifo(noted)
    browser = tmp_path / "browser"
    # It never ends by itself: the page is served all the same.
    browser.write_text(f'#!/bin/sh\necho "$1" > {noted}\nexec cat {noted}\n')
    browser.chmod(0o755)
    environment = {"BROWSER": str(browser), "TMPDIR": str(folder), "PYTHONWARNINGS": "error"}
    process = tool.start("studio", journal, env=environment)
    address = process.stdout.readline().decode().strip()
    file = noted.read_text().strip()
    (path,) = folder.iterdir()
    text = path.read_text()
    mode = stat.S_IMODE(path.stat().st_mode)
    port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", address).groups()
    with closing(HTTPConnection("127.0.0.1", int(port), timeout=20)) as client:
        client.request("GET", f"/{token}/status")
        status = json.loads(client.getresponse().read())
    process.send_signal(number)
    process.wait(timeout=60)
    # The browser, which still reads, ends now; till then it has the output.
    noted.write_text("")
    output, error = process.communicate(timeout=60)

    assert file == f"file://{path}"
    assert token not in file
    assert f'content="0; url={address}"' in text
    assert mode == 0o600
    assert status["path"] == str(journal)
    assert (process.returncode, output, error) == (0, b"", b"")
    assert list(folder.iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir() if "journal" in each.name) == [
        "a.journal"
    ]


def test_without_a_browser_it_only_says_the_address(journal):
    process = tool.start("studio", journal, "--no-browser", "--at", 17)
    address = process.stdout.readline().decode().strip()
    port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", address).groups()
    with closing(HTTPConnection("127.0.0.1", int(port), timeout=20)) as client:
        client.request("GET", f"/{token}/status")
        assert json.loads(client.getresponse().read())["opens"] == "17"
        client.request("GET", f"/{token}/nothing")
        assert client.getresponse().status == 404
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == (b"", b"")
    assert process.returncode == 0


def test_where_no_browser_is_found_it_says_so(journal, tmp_path):
    process = tool.start(
        "studio", journal, env={"BROWSER": "false", "PATH": "/nowhere", "DISPLAY": ""}
    )
    process.stdout.readline()
    assert (
        process.stderr.readline()
        == b"mainstem: no browser was found: open the address above in one\n"
    )
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_what_is_no_journal_is_refused(tmp_path):
    (tmp_path / "text").write_text("hello " * 100)
    (tmp_path / "newer").write_bytes(b"\x89MSJ\r\n\x1a\n" + bytes(120))
    for path in (tmp_path / "text", tmp_path / "newer", tmp_path / "nothing", tmp_path):
        status, output, error = tool.run("studio", path, "--no-browser")
        assert (status, output) == (2, "")
        assert error.startswith("mainstem: ")
        assert error.count("\n") == 1
