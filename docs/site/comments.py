# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A header for Doxygen: each of Owner, Thread, Null, Waits and Errors becomes an item of a list.

comments.py HEADER: writes it to standard output.
"""

from __future__ import annotations

import re
import sys

_MARKER = re.compile(r"(?:^|(?<=[.;)] ))(Owner|Thread|Reentrant|Null|Waits|Errors)(?=[:.])")


def listed(comment: str) -> str:
    """The comment with its last lines as a list, if it has such lines."""
    if "@file" in comment or not _MARKER.search(" ".join(comment.split(" * "))):
        return comment
    one = comment.replace("/**", "").replace("*/", "")
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in one.strip().split("\n")]
    made, in_list = [], False
    for line in lines:
        parts = _MARKER.split(line)
        if len(parts) == 1:
            made.append(f"  {line}" if in_list and line else line)
            continue
        if parts[0].strip():
            made.append(f"  {parts[0]}" if in_list else parts[0])
        if not in_list:
            made.append("")
        in_list = True
        for name, text in zip(parts[1::2], parts[2::2]):
            made.append(f"- **{name}**{text}".rstrip())
    body = "\n".join(f" * {line}".rstrip() for line in made)
    return f"/**\n{body}\n */"


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # The first comment is the file's, not that of what follows it.
    text = text.replace("/**\n", "/**\n * @file\n *\n", 1)
    # A field's comment stays as it is.
    print(re.sub(r"/\*\*(?!<)(?:(?!\*/).)*\*/", lambda m: listed(m[0]), text, flags=re.S), end="")


if __name__ == "__main__":
    main(sys.argv[1])
