// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Requests remember in whose fetches they are asked, and so do their answers.
extension Stream {
  /// The fetches in whose handling a request was asked; of an answer, those of its request.
  func inherited(_ event: UnsafeMutablePointer<mainstem_event>) -> Fetches {
    if event.pointee.answers != 0 {
      let last = requests.pointee.answered
      if last.position == event.pointee.position { return last.fetches }
    }
    guard event.pointee.reply != EndMark.reply,
      let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
      let request = request(in: slot, key)
    else { return .none }
    return request.pointee.fetches
  }

  /// Notes in whose handling a request is asked.
  @inline(__always)
  func noteEffect(of request: Request.Pointer) {
    if hasFetches { inheritEffect(request) }
  }

  @inline(never)
  private func inheritEffect(_ request: Request.Pointer) {
    guard let frame = Frame.holding(self) else { return }
    request.pointee.fetches = fetches(in: frame)
  }

  /// Notes what the completion of a request inherits, and a show that comes after it.
  @inline(__always)
  func noteAnswer(_ event: UnsafeMutablePointer<mainstem_event>, of request: Request.Pointer) {
    guard !request.pointee.fetches.isEmpty else { return }
    requests.pointee.answered = AnsweredInFetch(
      position: event.pointee.position, fetches: request.pointee.fetches)
  }
}

/// The last answer that came for what a fetch had asked.
struct AnsweredInFetch {
  var position: UInt64 = 0
  var fetches = Fetches.none
}
