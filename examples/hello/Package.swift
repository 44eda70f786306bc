// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "hello",
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .executableTarget(
      name: "hello",
      dependencies: [
        .product(name: "Mainstem", package: "mainstem")
      ],
      path: ".",
      exclude: ["CMakeLists.txt", "hello.c", "hello.py", "hello_async.py"],
      sources: ["hello.swift"])
  ],
  swiftLanguageModes: [.v6]
)
