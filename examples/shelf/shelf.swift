// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Shelf: a list with a filter, a detail and an undo. Run it with: swift run shelf [JOURNAL]
//
// It has the rows that shelf.py has, in the same order: so the same session makes the same journal.

import Mainstem

struct Book: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var title: String
}

struct Shelf: ViewModel {
  var filter = ""
  var books: [Book] = []
  var selected = 0
  var lastId = 0
  var before: [[Book]] = []
  var notice = Pulses<String>()

  init(_ titles: String...) {
    books = titles.enumerated().map { Book(id: $0 + 1, title: $1) }
    lastId = titles.count
  }

  var found: [Book] { books.filter { filter.isEmpty || $0.title.contains(filter) } }
  var detail: String { books.first { $0.id == selected }?.title ?? "" }
  var canUndo: Bool { !before.isEmpty }

  static func handlers(_ on: inout Handlers<Self>) {
    on.written("filter", \.filter)
    on.shows("found", of: \.books, \.filter) { $0.found }
    on.shows("count") { $0.books.count }
    on.shows("detail", \.detail)
    on.shows("canUndo", \.canUndo)
    on.pulse("notice", \.notice)
    on.command("add", with: String.self) { $0.add($1) }
    on.command("remove", with: Int.self) { try $0.remove($1) }
    on.command("select", with: Int.self) { $0.selected = try $0.book($1).id }
    on.command("undo", enabled: \.canUndo) { $0.undo() }
  }

  mutating func add(_ title: String) -> Int {
    lastId += 1
    put(books + [Book(id: lastId, title: title)])
    notice("added \(title)")
    return lastId
  }

  mutating func remove(_ id: Int) throws {
    let gone = try book(id)
    put(books.filter { $0 != gone })
    notice("removed \(gone.title)")
  }

  mutating func undo() {
    books = before.removeLast()
    forgetSelection()
    notice("undone")
  }

  func book(_ id: Int) throws -> Book {
    guard let book = books.first(where: { $0.id == id }) else {
      throw Failure("NO_BOOK", userText: "There is no such book.")
    }
    return book
  }

  private mutating func put(_ new: [Book]) {
    before.append(books)
    books = new
    forgetSelection()
  }

  private mutating func forgetSelection() {
    if !books.contains(where: { $0.id == selected }) { selected = 0 }
  }
}

let context = try Context()
if CommandLine.arguments.count > 1 { try context.record(to: CommandLine.arguments[1]) }
let shelf = try context.open(Shelf("Dune", "Emma", "Ulysses"))
let window = try context.scope("Window")
let view = try window.bind(to: shelf) { rows in
  rows.show("found") { (books: [Book]) in
    let titles = books.map { "\($0.id) \($0.title)" }.joined(separator: ", ")
    print("found:", titles.isEmpty ? "nothing" : titles)
  }
  rows.show("count") { (count: Int) in print("count:", count) }
  rows.show("detail") { (title: String) in print("detail:", title.isEmpty ? "none" : title) }
  rows.show("canUndo") { (canUndo: Bool) in print("undo:", canUndo ? "on" : "off") }
  rows.show("notice") { (text: String) in print("(\(text))") }
}
try view.set("filter", "m")
try view.run("select", 2)
try view.run("add", "Moby Dick", answer: Int.self) { id in
  if case .success(let id) = id { print("id:", id) }
}
try view.set("filter", "")
try view.run("remove", 2)
try view.run("undo")
try view.run("undo")
try view.run("remove", 9) { result in
  if case .failure(let failure) = result { print("failed:", failure.text) }
}
do { try view.run("undo") } catch { print("refused:", error.status) }
try context.close()
