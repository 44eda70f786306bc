// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// How a station above writes down what is accepted before anybody sees it: law 10. Each function gets the
/// tap itself, and the stream's memory.
package struct Tap {
  package typealias Pointer = UnsafeMutablePointer<Tap>

  /// Whether there will be room to write down an event with so many bytes; below 0: only whether anything
  /// is still written. Any thread, no lock.
  package let admit: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int32
  /// Writes down an event that is about to be delivered; false: nobody may see it. For the holder.
  package let record:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> Bool
  /// A call that sent something is about to return: whether all is as it promises.
  package let acknowledge:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32

  package init(
    admit:
      @escaping @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) ->
      Int32,
    record:
      @escaping @convention(c) (
        UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
      ) -> Bool,
    acknowledge:
      @escaping @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
      Int32
  ) {
    self.admit = admit
    self.record = record
    self.acknowledge = acknowledge
  }
}
