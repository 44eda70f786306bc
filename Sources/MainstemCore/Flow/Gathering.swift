// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Many events of one call, where each would be written down by itself: accepted together under the claim,
/// then delivered, so that the tap sees them all at once.
package struct Gathering {
  private let entrance: Entrance
  private let most: Int
  /// How many wait for `end`; the claim is ours while that is not 0.
  private var count = 0
  /// The last position before them.
  private var before: UInt64 = 0
  /// When they were: one time for all that are accepted together.
  private var time: Int64 = 0
  /// Something was delivered of which the call has not promised yet that it is safe.
  private var isOwed = false

  private var stream: Stream { entrance.stream }

  /// Nil where nothing is written down, or a callback sends: what that sends waits anyway.
  package init?(_ entrance: Entrance) {
    let stream = entrance.stream
    guard stream.tap != nil, !stream.isFed, Frame.of(stream) == nil else { return nil }
    self.entrance = entrance
    most = min(256, stream.state.pointee.limits.waiting.events)
  }

  /// Accepts one more.
  package mutating func send(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    var draft = try entrance.draft(type, data, size)
    guard isPlain(type), count > 0 || begin(), stream.hasRoom(for: size) else {
      deliver()
      return try stream.accept(draft, entrance.slot, entrance.key)
    }
    count &+= 1
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    stream.enqueue(draft, kept, at: time)
    if count >= most { deliver() }
  }

  /// Delivers what was accepted. All of it is on the disk then where that is promised: asked once for a call.
  package mutating func end() throws(Refusal) {
    deliver()
    guard isOwed else { return }
    isOwed = false
    try stream.acknowledge()
  }

  private mutating func deliver() {
    guard count > 0 else { return }
    count = 0
    isOwed = true
    stream.settle(after: before)
  }

  /// No queue has to promise room to it.
  private func isPlain(_ type: UInt32) -> Bool {
    guard let lane = stream.state.pointee.lanes.find(type) else { return false }
    return lane.pointee.refusers.load(ordering: .relaxed) == 0
  }

  /// Takes the claim, if nobody has it.
  private mutating func begin() -> Bool {
    stream.endLeftovers()
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard entrance.isLive, !stream.isClosed, !stream.isHeld, stream.claimOrMark() else {
      return false
    }
    before = stream.position
    time = stream.now
    return true
  }
}
