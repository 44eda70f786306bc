// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// A row. It counts how often one of its kind is encoded, for tests that have a kind of their own.
struct Ware<Kind: WareKind>: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var name = ""

  init(_ id: Int, _ name: String = "") { (self.id, self.name) = (id, name) }

  func encode(to encoder: any Encoder) throws {
    Kind.count()
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(name, forKey: .name)
  }
}

protocol WareKind: Sendable {
  /// Counts a row that is encoded.
  static func count()
}

enum Plain: WareKind { static func count() {} }

/// The items of a shop, without a view model.
struct ShopItems<Kind: WareKind>: ListEvent {
  static var name: String { "Shop.items" }
  var rows: Rows<Ware<Kind>>
}

/// A view model that shows items.
struct Stock<Kind: WareKind>: ViewModel {
  static var name: String { "Shop" }
  var items: [Ware<Kind>] = []
  var noise = 0

  static var insert: Command<Ware<Kind>, Void> { Command("insert") }

  static func handlers(_ on: inout Handlers<Self>) {
    on.list("items", \.items)
    on.shows("noise", \.noise)
    on.command("set", with: [Ware<Kind>].self) { $0.items = $1 }
    on.command("insert", with: Ware<Kind>.self) { $0.items.insert($1, at: $0.items.count / 2) }
    on.command("rattle") { $0.noise += 1 }
  }
}

func items(_ ids: some Sequence<Int>) -> [Ware<Plain>] { ids.map { Ware($0, "number \($0)") } }

/// An observer that only applies the changes.
final class Applied<Row: Codable & Equatable & Sendable> {
  private(set) var rows: [Row] = []
  private(set) var changes: [[RowChange]] = []

  var events: Int { changes.count }
  var resets: Int { changes.count { $0 == [.reset] } }

  func take(_ new: Rows<Row>) {
    let before = rows
    changes.append(new.changes)
    for change in new.changes { apply(change, new) }
    #expect(rows == Array(new))
    if new.changes.first == .reset { return }
    var spanned = before
    let (at, added) = (new.span.at, new.span.added)
    spanned.replaceSubrange(at..<(at + new.span.removed), with: new[at..<(at + added)])
    #expect(spanned == rows)
  }

  private func apply(_ change: RowChange, _ new: Rows<Row>) {
    switch change {
    case .reset: rows = Array(new)
    case .remove(let run): rows.removeSubrange(run)
    case .move(let run, let to):
      let moved = rows[run]
      rows.removeSubrange(run)
      rows.insert(contentsOf: moved, at: to)
    case .insert(let run): rows.insert(contentsOf: new[run], at: run.lowerBound)
    case .update(let run): rows.replaceSubrange(run, with: new[run])
    }
  }
}
