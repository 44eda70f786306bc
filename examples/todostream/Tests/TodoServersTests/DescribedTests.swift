// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import StoreFiles
import Testing
import TodoSQLite
import TodoServers

@Suite("Who handles and observes")
struct DescribedTests {
  /// As the C function installs it; HostTests/test_described.py compares what the hosts print.
  @Test func `the app is described in the same words as by the hosts`() throws {
    let file = try StoreFile()
    let context = try Context()
    let app = try context.open(ViewModelServer(in: context))
    try app.install(
      ModelServer(store: SQLiteStore(path: file.path)), on: try app.serial("todo store"))
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()

    let description = try context.describe()

    let described = try String(contentsOf: root.appending(path: "described.json"), encoding: .utf8)
    #expect(description.json + "\n" == described)
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```mermaid\n\(description.mermaid())```\n"))
  }
}
