# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""How commands connect to a server of NATS: their arguments in common."""

from __future__ import annotations

import argparse
import os
from typing import Any, Dict

_NAMES = "user credentials tls authorities certificate key"


def add_connection(own: Any) -> None:
    """Adds them."""
    own.add_argument("--user", help="who connects")
    own.add_argument("--credentials", metavar="FILE", help="a file of credentials")
    own.add_argument("--tls", action="store_true", help="only encrypted")
    own.add_argument("--authorities", metavar="FILE", help="certificates to trust")
    own.add_argument("--certificate", metavar="FILE", help="this side's certificate")
    own.add_argument("--key", metavar="FILE", help="and its key")


def connection_of(chosen: argparse.Namespace) -> Dict[str, Any]:
    """What was chosen, as the functions of mainstem.nats take it."""
    made = {name: getattr(chosen, name) for name in _NAMES.split()}
    made.update(password=os.environ.get("MAINSTEM_NATS_PASSWORD") if chosen.user else None)
    return made
