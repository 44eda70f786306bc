# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Which route a URL takes, said again in the shortest way: each pattern is tried, the best wins."""

import re
from urllib.parse import unquote_to_bytes

BAD_URL = "BAD_URL"
KINDS = ["uuid", "int", "float", "app", "any", "path"]
SCHEME = re.compile(rb"([A-Za-z][A-Za-z0-9+.-]*)://", re.S)
HOLE = re.compile(rb"<(?:([^<>:]+):)?([^<>:]+)>")
FORMS = {
    b"int": rb"-?[0-9]{1,19}",
    b"float": rb"(?=.{1,63}\Z)-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?",
    b"uuid": rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
}
OTHERS = {None: "any", b"string": "any", b"path": "path"}


def split(text):
    """The scheme in lower case, and the segments."""
    scheme = SCHEME.match(text)
    rest = text[scheme.end() :] if scheme else text
    return scheme and scheme[1].lower(), [part for part in rest.split(b"/") if part]


def accepts(kind, text, types):
    if kind in OTHERS:
        return True
    if kind not in FORMS:
        return types[kind.decode()](text.decode())
    if not re.fullmatch(FORMS[kind], text, re.S):
        return False
    if kind == b"int":
        return -(1 << 63) <= int(text) < 1 << 63
    return kind == b"uuid" or abs(float(text)) != float("inf")


def tried(pattern, scheme, segments, types):
    """The rank of a pattern and what its placeholders match; None: it does not match."""
    own, parts = split(pattern.encode())
    if own != scheme or len(parts) > len(segments):
        return None
    ranks, values = [], []
    for index, part in enumerate(parts):
        text = segments[index]
        is_host = index == 0 and scheme is not None
        hole = HOLE.search(part)
        if hole is None:
            if part != text and not (is_host and part.lower() == text.lower()):
                return None
            ranks.append((0,))
            continue
        (kind, name), before, after = hole.groups(), part[: hole.start()], part[hole.end() :]
        if kind == b"path":
            values.append((name.decode(), b"/".join(segments[index:]).decode()))
            return rank(ranks + [(8,)]), values
        around = re.escape(before) + rb"(.+)" + re.escape(after)
        found = re.fullmatch(around, text, re.S | (re.I if is_host else 0))
        if found is None or not accepts(kind, found[1], types):
            return None
        values.append((name.decode(), found[1].decode()))
        form = OTHERS.get(kind) or (kind.decode() if kind in FORMS else "app")
        by_name = (KINDS.index(form), kind if form == "app" else b"")
        if before or after:
            typed = 2 if form == "any" else 1
            ranks.append((typed, -len(before + after), -len(before), *by_name))
        else:
            ranks.append((3 + by_name[0], by_name[1]))
    return (rank(ranks), values) if len(parts) == len(segments) else None


def rank(ranks):
    return -ranks.count((0,)), ranks


def match(patterns, url, types):
    """BAD_URL, None, or the pattern, its parameters, the items of the query, the fragment."""
    if re.search(rb"%(?![0-9a-fA-F]{2})", url):
        return BAD_URL
    before, hash_, fragment = url.partition(b"#")
    path, _, query = before.partition(b"?")
    scheme, raw = split(path)
    segments = [unquote_to_bytes(part) for part in raw]
    for text in segments:
        is_utf8 = text.decode("utf-8", "replace").encode() == text
        if b"/" in text or b"\0" in text or text in (b".", b"..") or not is_utf8:
            return BAD_URL
    ranked = [(tried(each, scheme, segments, types), each) for each in patterns]
    found = [(*taken, each) for taken, each in ranked if taken]
    if not found:
        return None
    _, values, best = min(found, key=lambda row: row[0])
    pairs = [item.partition(b"=")[::2] for item in query.split(b"&") if item]
    items = [(unquote_to_bytes(key), unquote_to_bytes(value)) for key, value in pairs]
    return best, values, items, unquote_to_bytes(fragment) if hash_ else None
