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
let python = ["app", "host", "lines", "stage", "verify", "window"].map { "diary_\($0).py" }

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mainstem") }

let package = Package(
  name: "diary",
  products: [
    // The app core and the library in one, for Python. Programs in C are linked with both.
    .library(name: "DiaryCore", type: .dynamic, targets: ["DiaryApp"])
  ],
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "DiaryApp", dependencies: ["CSQLite", product("Mainstem"), product("MainstemSignals")],
      swiftSettings: strict),
    .executableTarget(
      name: "diary", dependencies: ["DiaryApp"], path: "hosts",
      exclude: python + ["diary.ui", "verifier.swift", "verify.swift"],
      publicHeadersPath: ".", cSettings: c99, linkerSettings: [.linkedLibrary("jansson")]),
    .executableTarget(
      name: "diary-verify", dependencies: ["DiaryApp", product("Mainstem")], path: "hosts",
      exclude: python + ["diary.c", "diary.ui", "screens.c", "stage.c"], swiftSettings: strict),
    .testTarget(
      name: "DiaryTests",
      dependencies: ["DiaryApp", product("Mainstem"), product("MainstemTesting")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
