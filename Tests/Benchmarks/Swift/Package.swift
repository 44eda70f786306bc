// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "figures",
  dependencies: [.package(name: "mainstem", path: "../../..")],
  targets: [
    .executableTarget(
      name: "figures",
      dependencies: [
        .product(name: "Mainstem", package: "mainstem")
      ])
  ],
  swiftLanguageModes: [.v6]
)
