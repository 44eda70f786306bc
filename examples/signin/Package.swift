// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let mainstem = Target.Dependency.product(name: "Mainstem", package: "mainstem")

let package = Package(
  name: "signin",
  dependencies: [.package(name: "mainstem", path: "../..")],
  targets: [
    .target(name: "CSignin"),
    .target(name: "SignIn", dependencies: [mainstem], swiftSettings: strict),
    .target(
      name: "SigninC", dependencies: ["CSignin", "SignIn", mainstem], swiftSettings: strict),
    .executableTarget(
      name: "signin-verify", dependencies: ["SignIn", mainstem], path: "hosts",
      sources: ["verifier.swift", "verify.swift"], swiftSettings: strict),
    .testTarget(
      name: "SignInTests",
      dependencies: [
        "SignIn", mainstem, .product(name: "MainstemTesting", package: "mainstem"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
