// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The shelf in Swift: its host. Run it with: swift run shelf [JOURNAL]

import Mainstem
import Shelf

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
  if case .failure(let failure) = result { print("failed:", failure.userMessage) }
}
do { try view.run("undo") } catch { print("refused:", error.status) }
try context.close()
