// swift-tools-version: 6.2
// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackageDescription

// A peer from the network: MAINSTEM_PEERS=ON measures it, too.
let hasPeers = ProcessInfo.processInfo.environment["MAINSTEM_PEERS"] == "ON"
let openCombine = Package.Dependency.package(
  url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0")

let package = Package(
  name: "figures",
  dependencies: [.package(name: "mainstem", path: "../../..")] + (hasPeers ? [openCombine] : []),
  targets: [
    .executableTarget(
      name: "figures",
      dependencies: [
        .product(name: "Mainstem", package: "mainstem"),
        .product(name: "MainstemSignals", package: "mainstem"),
      ]
        + (hasPeers ? [.product(name: "OpenCombine", package: "OpenCombine")] : []),
      swiftSettings: hasPeers ? [.define("PEERS")] : [])
  ],
  swiftLanguageModes: [.v6]
)
