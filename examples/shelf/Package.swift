// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "shelf",
  products: [
    // The view model in Swift, the host in C and the core in one library, for Python: see pairs.py.
    .library(name: "ShelfSwift", type: .dynamic, targets: ["Shelf"])
  ],
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .executableTarget(name: "shelf", dependencies: ["Shelf"], path: "swift/Program"),
    .target(
      name: "Shelf",
      dependencies: ["CShelfHost", .product(name: "Mainstem", package: "mainstem")],
      path: "swift/Shelf"),
    .target(
      name: "CShelfHost",
      dependencies: [.product(name: "Mainstem", package: "mainstem")],
      path: ".",
      exclude: [
        "CMakeLists.txt", "expected.txt", "main.c", "pairs.py", "shelf.c", "shelf.py",
        "shelf_test.py", "swift",
      ],
      sources: ["host.c"],
      publicHeadersPath: ".",
      cSettings: [.unsafeFlags(["-I\(Context.packageDirectory)/../../include"])],
      linkerSettings: [.linkedLibrary("jansson")]),
  ],
  swiftLanguageModes: [.v6]
)
