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

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mainstem") }

let inC = ["dashboard.c", "stage.c", "view.c"]
let inPython = [
  "dashboard.py", "dashboard_core.py", "dashboard_lines.py", "dashboard_script.py",
  "dashboard_stage.py", "dashboard_verify.py", "dashboard_window.py",
]
let windows = ["dashboard.ui", "users.ui"]

/// A test in C, in one file.
func program(_ name: String, of sources: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: ["HttpProvider", "Dashboard"], path: "Tests/CTests", sources: sources,
    publicHeadersPath: ".", cSettings: c99)
}

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
      exclude: inPython + windows + ["verifier.swift", "verify.swift"], publicHeadersPath: ".",
      cSettings: c99),
    .executableTarget(
      name: "dashboard-verify", dependencies: ["Dashboard", product("Mainstem")], path: "hosts",
      exclude: inC + inPython + windows, swiftSettings: strict),
    program("a49_a50_a52", of: ["a49_a50_a52.c"]),
    program("a51", of: ["a51.c"]),
    .testTarget(
      name: "DashboardTests",
      dependencies: [
        "Dashboard", product("Mainstem"), product("MainstemSignals"), product("MainstemTesting"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
