// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "mainstem",
  products: [
    .library(name: "Mainstem", targets: ["Mainstem"]),
    .library(name: "MainstemSignals", targets: ["MainstemSignals"]),
    .library(name: "MainstemTesting", targets: ["MainstemTesting"]),
  ],
  targets: [
    .target(name: "CMainstem"),
    .target(name: "MainstemCore", dependencies: ["CMainstem"], swiftSettings: strict),
    .target(name: "MainstemC", dependencies: ["MainstemCore", "CMainstem"], swiftSettings: strict),
    .target(name: "MainstemSignals", swiftSettings: strict),
    .target(
      name: "Mainstem", dependencies: ["CMainstem", "MainstemC", "MainstemSignals"],
      swiftSettings: strict),
    .target(
      name: "MainstemTesting", dependencies: ["Mainstem", "MainstemSignals"], swiftSettings: strict),
    .testTarget(
      name: "MainstemTests", dependencies: ["Mainstem", "MainstemSignals", "MainstemTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "MainstemSignalsTests", dependencies: ["MainstemSignals", "MainstemTesting"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The bridge to NATS needs NATS' client, so it is there on request only: see docs/beyond.md.
if Context.environment["MAINSTEM_BUILD_NATS"] == "ON" {
  package.products.append(.library(name: "MainstemNATS", targets: ["MainstemNATS"]))
  package.targets += [
    .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .target(
      name: "CMainstemNATS", dependencies: ["CMainstem", "CNATS"], path: "Sources/MainstemNATS",
      exclude: ["Swift"],
      cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("../../include")]),
    .target(
      name: "MainstemNATS", dependencies: ["CMainstem", "CMainstemNATS", "Mainstem"],
      path: "Sources/MainstemNATS/Swift", swiftSettings: strict),
    .testTarget(
      name: "MainstemNATSTests",
      dependencies: ["CMainstem", "CMainstemNATS", "Mainstem", "MainstemNATS"],
      swiftSettings: strict),
  ]
}
