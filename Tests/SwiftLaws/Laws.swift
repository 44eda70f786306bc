// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The laws as a program of their own, on whichever libmainstem.so the loader finds.
@main struct Laws {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
