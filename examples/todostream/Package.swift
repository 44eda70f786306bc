// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mainstem") }

let package = Package(
  name: "todostream",
  products: [.library(name: "TodoServers", targets: ["TodoServers"])],
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CTodostream"),
    .target(name: "TodoModel", swiftSettings: strict),
    .target(name: "TodoViewModel", dependencies: ["TodoModel"], swiftSettings: strict),
    .target(name: "TodoSQLite", dependencies: ["CSQLite", "TodoModel"], swiftSettings: strict),
    .target(
      name: "TodoServers", dependencies: ["TodoModel", "TodoViewModel", product("Mainstem")],
      swiftSettings: strict),
    .target(
      name: "TodostreamC",
      dependencies: [
        "CTodostream", "TodoModel", "TodoSQLite", "TodoServers", product("Mainstem"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "verify",
      dependencies: ["TodoServers", product("Mainstem")],
      path: "hosts",
      exclude: [
        "draw.c", "field.c", "field.h", "host.h", "keys.c", "main.c", "screen.c", "screen.h",
        "terminal.c", "terminal.h",
        "todo.c", "todo.css", "todo.py", "todo.ui", "todo_list.ui", "todo_row.py", "todo_row.ui",
        "todo_rows.c", "todo_screen.c", "todo_screen.py", "todo_window.c", "todo_window.h",
        "todo_window.py", "todostream.py", "upload.c", "upload.h", "verify.py",
      ],
      swiftSettings: strict),
    .target(
      name: "StoreFiles", dependencies: ["CSQLite"], path: "Tests/StoreFiles",
      swiftSettings: strict),
    .testTarget(name: "TodoModelTests", dependencies: ["TodoModel"], swiftSettings: strict),
    .testTarget(
      name: "TodoViewModelTests", dependencies: ["TodoModel", "TodoViewModel"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoSQLiteTests", dependencies: ["StoreFiles", "TodoModel", "TodoSQLite"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoServersTests",
      dependencies: [
        "StoreFiles", "TodoModel", "TodoViewModel", "TodoSQLite", "TodoServers",
        product("Mainstem"), product("MainstemTesting"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
