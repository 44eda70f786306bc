// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The view model in Swift. It has the rows that shelf.py has, in the same order.

public import Mainstem

public struct Book: Codable, Equatable, Identifiable, Sendable {
  public var id: Int
  public var title: String
}

public struct Shelf: ViewModel {
  var filter = ""
  var books: [Book] = []
  var selected = 0
  var lastId = 0
  var before: [[Book]] = []
  var notice = Pulses<String>()

  public init(_ titles: String...) {
    books = titles.enumerated().map { Book(id: $0 + 1, title: $1) }
    lastId = titles.count
  }

  var found: [Book] { books.filter { filter.isEmpty || $0.title.contains(filter) } }
  var detail: String { books.first { $0.id == selected }?.title ?? "" }
  var canUndo: Bool { !before.isEmpty }

  public static func handlers(_ on: inout Handlers<Self>) {
    on.writable("filter", \.filter)
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
      throw Failure("NO_BOOK", userMessage: "There is no such book.")
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
