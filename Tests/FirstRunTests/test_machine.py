# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""The first run on a machine that lacks something: one message, the one thing to do, status 3."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ROOT / ".ci" / "machine"
#: For the other programs that install.
WAITS = "-o DPkg::Lock::Timeout=600"
NEEDED = [
    "bash",
    "cat",
    "dirname",
    "env",
    "flock",
    "head",
    "id",
    "printf",
    "sed",
    "sort",
    "tail",
    "mkdir",
    "realpath",
]


@pytest.fixture
def bare(tmp_path):
    """A machine, as a folder that is the whole PATH: basic commands only."""
    for name in NEEDED:
        found = subprocess.run(["which", name], capture_output=True, text=True, check=True)
        (tmp_path / name).symlink_to(found.stdout.strip())
    return tmp_path


def add(machine, name, body):
    script = machine / name
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


def run(machine, *command):
    return subprocess.run(
        [str(word) for word in command],
        env={"PATH": str(machine), "LC_ALL": "C.UTF-8", "MAINSTEM_BUILD": str(machine / "build")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def assert_refused(result, *words):
    assert result.returncode == 3, result.stderr
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert [line for line in lines if not line.startswith("Installing ")] == lines[-1:]
    for word in words:
        assert word in lines[-1]


def test_swift_that_is_missing_is_one_sentence(bare):
    assert_refused(
        run(bare, MACHINE, "swift"), "Swift 6.3 or newer is not on PATH", "https://www.swift.org"
    )


@pytest.mark.parametrize("version", ["5.10.1", "6.2", "6.2.9"])
def test_swift_that_is_too_old_is_one_sentence(bare, version):
    add(bare, "swiftc", f"echo 'Swift version {version} (swift-{version}-RELEASE)'")
    assert_refused(run(bare, MACHINE, "swift"), f"Swift {version} is too old", "6.3 or newer")


@pytest.mark.parametrize("version", ["6.3", "6.3.1", "6.10", "7.0"])
def test_swift_that_is_new_enough_passes(bare, version):
    add(bare, "swiftc", f"echo 'Swift version {version} (swift-{version}-RELEASE)'")
    assert run(bare, MACHINE, "swift").returncode == 0


def test_swift_that_does_not_run_is_one_sentence(bare):
    add(bare, "swiftc", "exit 127")
    assert_refused(run(bare, MACHINE, "swift"), "does not say its version")


def test_python_that_is_too_old_is_one_sentence(bare):
    add(bare, "python3", "echo 3.7")
    assert_refused(run(bare, MACHINE, "python"), "Python 3.7 is too old", "3.8 or newer")


def test_python_that_is_new_enough_passes(bare):
    add(bare, "python3", "echo 3.13")
    assert run(bare, MACHINE, "python").returncode == 0


def test_a_machine_without_apt_is_told_what_to_install(bare):
    assert_refused(
        run(bare, MACHINE, "cmake", "ninja-build"), "cmake ninja-build", "There is no apt-get"
    )


def test_a_person_who_is_not_root_is_told_the_line_to_type(bare):
    add(bare, "apt-get", "exit 1")
    (bare / "id").unlink()
    add(bare, "id", "echo 1000")
    assert_refused(
        run(bare, MACHINE, "ninja-build"),
        "Type: sudo apt-get install -y --no-install-recommends ninja-build",
    )


def test_what_apt_cannot_install_is_named(bare):
    add(bare, "apt-get", "exit 100")
    (bare / "id").unlink()
    add(bare, "id", "echo 0")
    assert_refused(
        run(bare, MACHINE, "ninja-build"), "Could not install ninja-build", "type: apt-get"
    )


def test_what_is_missing_is_installed_after_an_update(bare):
    (bare / "id").unlink()
    add(bare, "id", "echo 0")
    add(
        bare,
        "apt-get",
        f"""echo "$*" >>{bare}/asked
case $1 in
  update) : >{bare}/updated ;;
  install) [ -f {bare}/updated ] || exit 100
    printf '#!/bin/sh\\n' >{bare}/ninja; chmod +x {bare}/ninja ;;
esac""",
    )
    (bare / "chmod").symlink_to("/bin/chmod")
    result = run(bare, MACHINE, "ninja-build")
    assert result.returncode == 0, result.stderr
    assert (bare / "asked").read_text().splitlines() == [
        f"install -y --no-install-recommends ninja-build {WAITS}",
        f"update {WAITS}",
        f"install -y --no-install-recommends ninja-build {WAITS}",
    ]


def test_of_several_at_once_one_installs_at_a_time(bare):
    (bare / "id").unlink()
    add(bare, "id", "echo 0")
    for name in ("chmod", "mkdir", "rmdir"):
        (bare / name).unlink(missing_ok=True)
        (bare / name).symlink_to(f"/bin/{name}")
    os.mkfifo(bare / "go")
    add(
        bare,
        "apt-get",
        f"""mkdir {bare}/busy || exit 100
[ -f {bare}/ninja ] || read -r _ <{bare}/go
printf '#!/bin/sh\n' >{bare}/ninja; chmod +x {bare}/ninja; rmdir {bare}/busy""",
    )
    words = {"env": {"PATH": str(bare)}, "stderr": subprocess.PIPE, "text": True}
    first = subprocess.Popen([str(MACHINE), "ninja-build"], **words)
    with open(bare / "go", "w") as go:  # it installs now
        second = subprocess.Popen([str(MACHINE), "ninja-build"], **words)
        while second.poll() is None and not Path(f"/proc/{second.pid}/fd/8").exists():
            pass
        go.write("\n")
    for each in (first, second):
        assert (each.communicate()[1], each.returncode) == ("Installing ninja-build\n", 0)


def test_a_cmake_that_stays_too_old_is_one_sentence(bare):
    (bare / "id").unlink()
    add(bare, "id", "echo 0")
    add(bare, "apt-get", "exit 0")
    add(bare, "cmake", "echo 'cmake version 3.18.4'")
    assert_refused(run(bare, MACHINE, "cmake"), "cmake is installed and still too old")


def test_the_example_says_what_is_missing_and_leaves_its_output_to_the_host(bare):
    assert_refused(run(bare, ROOT / "examples" / "run"), "Swift 6.3 or newer is not on PATH")


def test_the_tests_say_what_is_missing(bare):
    assert_refused(run(bare, ROOT / "Tests" / "run", "quick"), "Swift 6.3 or newer is not on PATH")


@pytest.fixture
def configuring(bare, tmp_path):
    """A machine that has CMake and Ninja, and the command that configures a build."""
    for name in ["cmake", "ninja"]:
        found = subprocess.run(["which", name], capture_output=True, text=True, check=True)
        (bare / name).symlink_to(Path(found.stdout.strip()).resolve())
    build = tmp_path / "configured"
    return [bare / "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-Wno-dev"]


def said(result):
    return " ".join(result.stderr.split())


def test_cmake_says_that_swift_is_missing(bare, configuring):
    result = run(bare, *configuring)
    assert result.returncode != 0
    assert "Swift 6.3 or newer is not on PATH: install it from https://www.swift.org" in said(
        result
    )


def test_cmake_says_that_swift_is_too_old(bare, configuring):
    add(bare, "swiftc", """echo '{"compilerVersion": "Swift version 5.10.1"}'""")
    result = run(bare, *configuring)
    assert result.returncode != 0
    assert 'Swift 6.3 or newer is needed, found "5.10.1"' in said(result)


def test_cmake_says_that_it_needs_ninja(bare, configuring):
    result = run(bare, *configuring, "-G", "Unix Makefiles")
    assert result.returncode != 0
    assert "Mainstem builds with Ninja only" in said(result)
