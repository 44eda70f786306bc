# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Shelf: a list with a filter, a detail and an undo. Run it with: python3 shelf.py [JOURNAL]

The view model is `Shelf`, the host is `host`. Both are also written in C (shelf.c, host.c) and in
Swift (swift), and any host works with any view model: see pairs.py. The view model has these rows,
in this order, so the same session makes the same journal:

    | row      | kind                      | payload | says                                        |
    |----------|---------------------------|---------|---------------------------------------------|
    | filter   | written by views          | text    | what a title has to contain; at first empty |
    | found    | shown                     | JSON    | the books that fit, in the order of ids     |
    | count    | shown                     | integer | how many books there are                    |
    | detail   | shown                     | text    | the title of the selected book, or empty    |
    | canUndo  | shown                     | bool    | whether something can be undone             |
    | notice   | pulse                     | text    | what was just done                          |
    | add      | command                   | text    | adds a title; answers its id, an integer    |
    | remove   | command                   | integer | removes a book by its id                    |
    | select   | command                   | integer | selects a book by its id                    |
    | undo     | command, enabled: canUndo | none    | takes back the last add or remove           |

JSON has its keys sorted and no spaces: `[{"id":1,"title":"Dune"}]`. Ids count from 1; an id is not
used twice. What fits: the title contains the filter, as it is spelled. A book that was removed is
no longer selected. An unknown id is answered with code 1000, message NO_BOOK. `notice` tells
"added Emma", "removed Emma" or "undone", and nothing for `select`.
"""

import dataclasses
import sys
from typing import List, Tuple, Union

import mainstem
from mainstem import Failure


@dataclasses.dataclass(frozen=True)
class Book:
    id: int
    title: str


class Shelf(mainstem.ViewModel):
    filter: str = mainstem.writable("")

    @mainstem.shown(by=("books", "filter"))
    def found(self) -> Tuple[Book, ...]:
        return tuple(book for book in self.books if self.filter in book.title)

    @mainstem.shown
    def count(self) -> int:
        return len(self.books)

    @mainstem.shown
    def detail(self) -> str:
        return next((book.title for book in self.books if book.id == self.selected), "")

    @mainstem.shown
    def can_undo(self) -> bool:
        return bool(self.before)

    notice = mainstem.pulse(str)

    def __init__(self, *titles: str) -> None:
        self.books = tuple(Book(place, title) for place, title in enumerate(titles, 1))
        self.last_id = len(titles)
        self.selected = 0
        self.before: List[Tuple[Book, ...]] = []

    @mainstem.command
    def add(self, title: str) -> int:
        self.last_id += 1
        self.put((*self.books, Book(self.last_id, title)))
        self.notice(f"added {title}")
        return self.last_id

    @mainstem.command
    def remove(self, id: int) -> None:
        gone = self.book(id)
        self.put(tuple(book for book in self.books if book is not gone))
        self.notice(f"removed {gone.title}")

    @mainstem.command
    def select(self, id: int) -> None:
        self.selected = self.book(id).id

    @mainstem.command(enabled="can_undo")
    def undo(self) -> None:
        self.books = self.before.pop()
        self.forget_selection()
        self.notice("undone")

    def book(self, id: int) -> Book:
        for book in self.books:
            if book.id == id:
                return book
        raise Failure("NO_BOOK", user_message="There is no such book.")

    def put(self, books: Tuple[Book, ...]) -> None:
        self.before.append(self.books)
        self.books = books
        self.forget_selection()

    def forget_selection(self) -> None:
        if all(book.id != self.selected for book in self.books):
            self.selected = 0


def show(found: Tuple[Book, ...]) -> None:
    print("found:", ", ".join(f"{book.id} {book.title}" for book in found) or "nothing")


def host(context: mainstem.Context, shelf: Union[int, Shelf]) -> None:
    """Shows a shelf and has it do a few things; a number is that of the scope of any shelf."""
    view = mainstem.view(
        context.scope("Window"),
        Shelf,
        shelf,
        found=show,
        count=lambda count: print("count:", count),
        detail=lambda title: print("detail:", title or "none"),
        can_undo=lambda can: print("undo:", "on" if can else "off"),
        notice=lambda text: print(f"({text})"),
    )
    view.filter = "m"
    view.select(2).result()
    print("id:", view.add("Moby Dick").result())
    view.filter = ""
    view.remove(2).result()
    view.undo().result()
    view.undo().result()
    try:
        view.remove(9).result()
    except Failure as failure:
        print("failed:", failure.user_message)
    try:
        view.undo()
    except mainstem.MainstemError as error:
        print("refused:", mainstem.Status(error.status).name)


def main() -> None:
    with mainstem.Context() as context:
        if len(sys.argv) > 1:
            context.record(sys.argv[1])
        host(context, context.open(Shelf("Dune", "Emma", "Ulysses")))


if __name__ == "__main__":
    main()
