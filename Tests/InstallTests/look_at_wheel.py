# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""What a wheel says of itself is so: its record, its tags, its license."""

from __future__ import annotations

import base64
import csv
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

wheel = Path(sys.argv[1])
name, version, *tags = wheel.stem.split("-")
with zipfile.ZipFile(str(wheel)) as archive:
    files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    assert archive.testzip() is None
    assert len(files) == len(archive.infolist())

folder = f"{name}-{version}.dist-info"
rows = {row[0]: row[1:] for row in csv.reader(files[f"{folder}/RECORD"].decode().splitlines())}
assert rows.pop(f"{folder}/RECORD") == ["", ""]
assert sorted(rows) == sorted(set(files) - {f"{folder}/RECORD"})
for path, (digest, size) in rows.items():
    own = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).rstrip(b"=").decode()
    assert (digest, int(size)) == (f"sha256={own}", len(files[path])), path

with tempfile.NamedTemporaryFile() as library:
    library.write(files["mainstem/libmainstem.so"])
    library.flush()
    table = subprocess.check_output(["objdump", "-T", library.name], universal_newlines=True)
    header = subprocess.check_output(["readelf", "-h", library.name], universal_newlines=True)
asked = max(tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", table))
machine = re.search(r"Machine: .*?(X86-64|AArch64)", header).group(1).lower().replace("-", "_")
assert tags == ["py3", "none", f"manylinux_{asked[0]}_{asked[1]}_{machine}"], (tags, asked)
assert f"\nTag: {'-'.join(tags)}\n" in files[f"{folder}/WHEEL"].decode()
assert "\nRoot-Is-Purelib: false\n" in files[f"{folder}/WHEEL"].decode()

metadata = files[f"{folder}/METADATA"].decode()
for line in (
    f"Name: {name}",
    f"Version: {version}",
    "Requires-Python: >=3.8",
    "Provides-Extra: rx",
    'Requires-Dist: reactivex>=4.0.4; extra == "rx"',
    "License: Apache-2.0",
):
    assert f"\n{line}\n" in metadata, line
assert metadata.count("\nRequires-Dist: ") == 1
assert b"Apache License" in files[f"{folder}/LICENSE"]
command = files[f"{folder}/entry_points.txt"].decode()
assert command == "[console_scripts]\nmainstem = mainstem.tool:main\n", command
assert b"mainstem/py.typed" in files[f"{folder}/RECORD"]
print(f"{wheel.name}: {len(files)} files, {wheel.stat().st_size} bytes")
