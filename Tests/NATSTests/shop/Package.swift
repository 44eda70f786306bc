// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The program of docs/beyond.md, which test_swift.py asks from Python. To be built with MAINSTEM_BUILD_NATS=ON.

import PackageDescription

let package = Package(
  name: "shop",
  dependencies: [.package(name: "mainstem", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Shop",
      dependencies: [
        .product(name: "Mainstem", package: "mainstem"),
        .product(name: "MainstemNATS", package: "mainstem"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
