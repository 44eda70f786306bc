// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A row of one view model that lives.
///
/// It knows its view model, so that rows of all types are alike: what is generic costs a look-up at each use.
final class LiveRow {
  /// Says what is to be seen now.
  let show: ((ValueSetter) throws -> Void)?
  /// Takes the pulses that wait.
  let pulses: ((EventTypes) throws -> [[UInt8]])?
  /// Gets what views wrote, or a run.
  let call: ((borrowing Delivery) throws -> Void)?

  init(
    show: ((ValueSetter) throws -> Void)? = nil,
    pulses: ((EventTypes) throws -> [[UInt8]])? = nil,
    call: ((borrowing Delivery) throws -> Void)? = nil
  ) {
    self.show = show
    self.pulses = pulses
    self.call = call
  }
}
