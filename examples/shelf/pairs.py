# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""A view model of the shelf with a host in another language.

Run it with: python3 pairs.py MODEL HOST [JOURNAL]. Each of the two is "python" or a library with
the function that shelf.h declares: for example libshelf.so and libshelf_host.so. The library of
the Swift package has the view model in Swift, the host in C, and the core: MAINSTEM_LIBRARY must be
that one, too.
"""

import ctypes
import sys

import mainstem
from shelf import Shelf, host


def open_model(model: str, context: mainstem.Context) -> int:
    """Opens a shelf, and returns the number of its scope."""
    if model == "python":
        return context.open(Shelf("Dune", "Emma", "Ulysses")).scope.number
    number = ctypes.c_uint64()
    opened = ctypes.CDLL(model).shelf_open
    opened.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]
    done(opened(context.handle, ctypes.byref(number)))
    return number.value


def run_host(chosen: str, context: mainstem.Context, number: int) -> None:
    """Lets a host show the shelf with this number."""
    if chosen == "python":
        host(context, number)
        return
    hosted = ctypes.CDLL(chosen).shelf_host
    hosted.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    sys.stdout.flush()
    done(hosted(context.handle, number))


def done(status: int) -> None:
    """Ends the program if a library's function has failed."""
    if status:
        sys.exit(mainstem.Status(status).name)


def main(model: str, chosen: str, journal: str = "") -> None:
    with mainstem.Context() as context:
        if journal:
            context.record(journal)
        run_host(chosen, context, open_model(model, context))


if __name__ == "__main__":
    main(*sys.argv[1:])
