// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
let headers = ["include", "../../include"].map { "-I\(Context.packageDirectory)/\($0)" }
let c99: [CSetting] = [
  .define("_GNU_SOURCE"), .unsafeFlags(["-std=c99", "-Wall", "-Wextra"] + headers),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mainstem") }

let inC = ["dashboard.c", "flow.c", "view.c"]
let inPython = ["dashboard.py", "dashboard_core.py", "dashboard_verify.py", "flow.py", "lines.py"]
let windows = ["dashboard.ui", "users.ui"]

let package = Package(
  name: "dashboard",
  products: [
    // The app core, the provider in C and the library in one, for Python. Programs in C are linked with all three.
    .library(name: "DashboardCore", type: .dynamic, targets: ["Dashboard", "HttpProvider"])
  ],
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .target(name: "Dashboard", dependencies: [product("Mainstem")], swiftSettings: strict),
    .target(
      name: "HttpProvider", cSettings: c99,
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("jansson")]),
    .executableTarget(
      name: "dashboard-host", dependencies: ["HttpProvider", "Dashboard"], path: "hosts",
      exclude: inPython + windows + ["verify.swift"], publicHeadersPath: ".", cSettings: c99),
    .executableTarget(
      name: "dashboard-verify", dependencies: ["Dashboard", product("Mainstem")], path: "hosts",
      exclude: inC + inPython + windows, swiftSettings: strict),
    .executableTarget(
      name: "a51", dependencies: ["HttpProvider", "Dashboard"], path: "Tests/CTests",
      publicHeadersPath: ".", cSettings: c99),
    .testTarget(
      name: "DashboardTests",
      dependencies: [
        "Dashboard", product("Mainstem"), product("MainstemSignals"), product("MainstemTesting"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
