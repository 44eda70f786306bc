// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Replay.Pointer {
  /// Ends the scopes that the host of the session had ended before an event was delivered, and the one whose end the
  /// event tells. All that had been accepted by then is fed: the answers to requests of these scopes, what they will
  /// have shown. Called by the deliverer, with no lock held.
  func endScopes(before event: UnsafeMutablePointer<mainstem_event>) {
    let (position, stream) = (event.pointee.position, pointee.stream)
    while let ended = pointee.source.ended.next, ended.delivered <= position {
      if ended.delivered == position {
        if ended.unheardBy != 0 { stream.silence(ended.unheardBy) }
        break
      }
      pointee.source.ended.passNext()
      feedAhead { _ in ended.last }
      stream.endTold(ended.first, ended.last)
    }
    stream.endTold(event)
  }
}

extension Ended {
  init(_ record: JournalRecord) {
    self.init(
      first: record.word(at: 0), last: record.word(at: 8), delivered: record.word(at: 16),
      unheardBy: record.word(at: 24))
  }
}
