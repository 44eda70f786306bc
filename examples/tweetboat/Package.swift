// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
let headers = ["include", "../../include", "../lines", "../playing"].map {
  "-I\(Context.packageDirectory)/\($0)"
}
let c99: [CSetting] = [
  .define("_GNU_SOURCE"), .unsafeFlags(["-std=c99", "-Wall", "-Wextra"] + headers),
]
let python = ["boat.py", "boat_window.py", "boat.ui", "tweetboat.py", "boat_verify.py"]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mainstem") }

let package = Package(
  name: "tweetboat",
  products: [
    // The app core, the provider in C and the library in one, for Python. Programs in C are linked with all three.
    .library(
      name: "TweetboatCore", type: .dynamic, targets: ["Tweetboat", "HttpProvider", "Pictures"]),
    .executable(name: "boat", targets: ["boat"]),
  ],
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .target(name: "Tweetboat", dependencies: [product("Mainstem")], swiftSettings: strict),
    .target(
      name: "HttpProvider", cSettings: c99,
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("jansson")]),
    .target(name: "Pictures", dependencies: ["HttpProvider"], cSettings: c99),
    .executableTarget(
      name: "boat", dependencies: ["HttpProvider", "Pictures", "Tweetboat"], path: "hosts",
      exclude: python + ["verifier.swift", "verify.swift"], publicHeadersPath: ".", cSettings: c99,
      linkerSettings: [.linkedLibrary("ncursesw")]),
    .executableTarget(
      name: "boat-verify", dependencies: ["Tweetboat", product("Mainstem")], path: "hosts",
      exclude: python + ["boat.c", "screen.c", "terminal.c"], swiftSettings: strict),
    .executableTarget(
      name: "a63", dependencies: ["HttpProvider", "Pictures", "Tweetboat"], path: "Tests/CTests",
      exclude: ["screens.c"], publicHeadersPath: ".", cSettings: c99),
    .executableTarget(
      name: "screens", dependencies: ["HttpProvider", "Pictures", "Tweetboat"],
      path: "Tests/CTests",
      exclude: ["a63.c"], publicHeadersPath: ".", cSettings: c99),
    .testTarget(
      name: "TweetboatTests",
      dependencies: ["Tweetboat", product("Mainstem"), product("MainstemTesting")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
