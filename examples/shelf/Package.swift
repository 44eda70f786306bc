// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "shelf",
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .executableTarget(
      name: "shelf",
      dependencies: [
        .product(name: "Mainstem", package: "mainstem")
      ],
      path: ".",
      exclude: [
        "CMakeLists.txt", "expected.txt", "host.c", "main.c", "pairs.py", "shelf.c", "shelf.h",
        "shelf.py", "shelf_test.py",
      ],
      sources: ["shelf.swift"])
  ],
  swiftLanguageModes: [.v6]
)
