// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The seeds 1 to `count`, as arguments of a test: the same program runs in `count` interleavings.
///
///     @Test(arguments: seeds(20)) func `both get it`(seed: UInt64) {
///       let test = TestContext(seed: seed)
///
/// Schedulers run event by event, in an order that the seed decides. Swift Testing names the
/// argument that failed; `arguments: [7]` runs only that one.
///
/// - Parameter count: How many, at least 1.
/// - Returns: The seeds.
public func seeds(_ count: UInt64) -> ClosedRange<UInt64> {
  precondition(count > 0, "A test needs at least one seed.")
  return 1...count
}
