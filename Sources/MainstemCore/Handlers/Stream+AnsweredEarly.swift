// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Requests whose answer is given before it is on the stream: in a context of one thread and in a guarded one, answers from
/// elsewhere wait in the inbox.
///
/// The request is settled at once (law 8), but it counts as open until the answer is taken in, as it does in a replay.
/// Where a callback finds it settled before that, the journal says so, and a replay settles it there, too.
extension Stream {
  /// Runs what is refused if a request is settled.
  static func findingAnswered<Result>(
    _ body: () throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let stream = Frame.innermost?.pointee.stream
    stream?.settleAsRecorded()
    do throws(Refusal) {
      return try body()
    } catch {
      stream?.noteAnswersWaiting()
      throw error
    }
  }

  /// Settles a request by an answer that goes to the inbox. Under the lock.
  ///
  /// - Parameter how: What the slot says until the answer is taken in.
  func handOver(
    _ slot: Slot.Pointer, _ handle: Handle, _ how: UInt32
  ) -> Request.Pointer? {
    guard let request = close(slot, handle) else { return nil }
    slot.pointee.origin.store(how, ordering: .relaxed)
    return request
  }

  /// The answer to a request that was settled early is taken in. Under the lock.
  func noteTakenIn(_ handle: Handle) {
    if let (slot, key) = Slot.find(handle), let request = request(in: slot, key) {
      countSettled(request)
    }
  }

  /// Whether a settled request is to get its answer yet.
  func isAwaited(_ handle: Handle) -> Bool {
    guard let (slot, key) = Slot.find(handle) else { return false }
    return locked {
      slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8
        && slot.pointee.origin.load(ordering: .relaxed) != 0
    }
  }
}

/// The same in a fed stream. For the deliverer, with no lock held.
extension Stream {
  /// Settles the request at a position, ahead of the answer that the source will feed.
  func settleAhead(at position: UInt64) {
    guard let request = openRequest(at: position),
      close(request.pointee.slot, request.pointee.handle) != nil
    else { return }
    request.pointee.slot.pointee.origin.store(Slot.answerIsFed, ordering: .relaxed)
  }

  /// Settles a request by an answer that has come; false: it has another one.
  func settleFed(_ request: Request.Pointer) -> Bool {
    let slot = request.pointee.slot
    if settle(slot, request.pointee.handle) != nil {
      passProgress(request)
      return true
    }
    guard isSettledAhead(slot) else { return false }
    slot.pointee.origin.store(0, ordering: .relaxed)
    countSettled(request)
    return true
  }

  /// Whether the answer that settles a request is yet to be fed. Its slot must be the request's.
  func isSettledAhead(_ slot: Slot.Pointer) -> Bool {
    slot.pointee.origin.load(ordering: .relaxed) == Slot.answerIsFed
  }
}
