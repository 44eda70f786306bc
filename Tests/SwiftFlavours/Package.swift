// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The Swift face and its tests against a built library instead of the package's own core: see
// Tests/steps/swift-flavours, which puts this beside links to Sources and Tests, and says where the library is.

import Foundation
import PackageDescription

let folder = ProcessInfo.processInfo.environment["MAINSTEM_LIBRARY_FOLDER"] ?? "."
let library: [LinkerSetting] = [
  .unsafeFlags(["-L", folder, "-lmainstem", "-Xlinker", "-rpath", "-Xlinker", folder])
]
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "flavours",
  targets: [
    .systemLibrary(name: "CMainstem", path: "CMainstem"),
    .target(name: "MainstemSignals", swiftSettings: strict),
    .target(
      name: "Mainstem", dependencies: ["CMainstem", "MainstemSignals"], swiftSettings: strict,
      linkerSettings: library),
    .target(
      name: "MainstemTesting", dependencies: ["Mainstem", "MainstemSignals"], swiftSettings: strict),
    .testTarget(
      name: "MainstemTests", dependencies: ["Mainstem", "MainstemSignals", "MainstemTesting"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
