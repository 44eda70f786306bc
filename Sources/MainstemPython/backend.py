# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel, with the built library inside. It needs only the standard library.

CMake's target `wheel` runs it. So does pip, to which this is a build backend (PEP 517):

    MAINSTEM_LIBRARY=build/release/libmainstem.so pip install Sources/MainstemPython
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
MACHINES = {62: "x86_64", 183: "aarch64"}

METADATA = """\
Metadata-Version: 2.1
Name: mainstem
Version: {version}
Summary: One ordered stream of immutable events, from C, Python or Swift, in one process.
License: Apache-2.0
License-File: LICENSE
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.8
Provides-Extra: rx
Requires-Dist: reactivex>=4.0.4; extra == "rx"
Description-Content-Type: text/markdown

An embeddable application core: every part of a program talks through one ordered stream of
immutable events. `import mainstem` needs no compiler: the library is inside.
"""

ENTRY_POINTS = """\
[console_scripts]
mainstem = mainstem.tool:main
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: mainstem {version}
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def get_requires_for_build_wheel(config_settings: Optional[dict] = None) -> List[str]:
    """Nothing: a build needs no network."""
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[dict] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes the wheel and returns the name of its file."""
    library = library_bytes()
    filled = {"version": version(), "platform": platform(library)}
    folder = "mainstem-{version}.dist-info".format(**filled)
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in sources()}
    files["mainstem/libmainstem.so"] = library
    files[f"{folder}/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
    files[f"{folder}/METADATA"] = METADATA.format(**filled).encode()
    files[f"{folder}/entry_points.txt"] = ENTRY_POINTS.encode()
    files[f"{folder}/WHEEL"] = WHEEL.format(**filled).encode()
    files[f"{folder}/RECORD"] = record(files, f"{folder}/RECORD").encode()
    name = "mainstem-{version}-py3-none-{platform}.whl".format(**filled)
    write(Path(wheel_directory) / name, files)
    return name


def library_bytes() -> bytes:
    """The library that goes inside; a message when there is none."""
    chosen = os.environ.get("MAINSTEM_LIBRARY")
    if not chosen:
        raise SystemExit(
            "mainstem: MAINSTEM_LIBRARY is not set, and a wheel needs the library. To build "
            "both: cmake --preset release && cmake --build --preset release --target wheel"
        )
    return Path(chosen).read_bytes()


def sources() -> List[Path]:
    """The files of the module, in order."""
    kinds = (".py", ".typed", ".html", ".css", ".js")
    return sorted(path for path in (HERE / "mainstem").rglob("*") if path.suffix in kinds)


def version() -> str:
    """What the module says of itself."""
    text = (HERE / "mainstem" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, flags=re.M)
    assert found
    return found.group(1)


def platform(library: bytes) -> str:
    """Where it runs (PEP 600): its machine, and the newest glibc that a symbol of it asks for."""
    machine = MACHINES[int.from_bytes(library[18:20], "little")]
    asked = re.findall(rb"\0GLIBC_2\.(\d+)[.\d]*(?=\0)", library)
    if not asked:
        return f"linux_{machine}"
    return f"manylinux_2_{max(map(int, asked))}_{machine}"


def record(files: Dict[str, bytes], own: str) -> str:
    """Each file with its digest and size; itself without."""
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join(rows) + f"{own},,\n"


def write(path: Path, files: Dict[str, bytes]) -> None:
    """The same files make the same archive, byte for byte."""
    # The oldest moment that a zip archive can name.
    moment = time.gmtime(max(315532800, int(os.environ.get("SOURCE_DATE_EPOCH", "0"))))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    print(Path(sys.argv[1]) / build_wheel(sys.argv[1]))
