// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Promising: a queue that refuses what is too much has a place for all that it let in.
extension Scheduler {
  /// Whether there is room for one more.
  package enum Promise {
    case place(HandOver.Pointer)
    case full
    case noMemory
  }

  /// Promises room to an event that is about to be accepted.
  package mutating func promise(
    _ size: Int, in backlog: Backlog.Pointer, isPost: Bool
  ) -> Promise {
    guard backlog.pointee.fits(size) else { return .full }
    guard let place = takeSpare() ?? Memory.allocate(HandOver.self) else { return .noMemory }
    place.initialize(to: HandOver(promisedBy: backlog, size, isPosted: isPost))
    backlog.pointee.promise(place)
    return .place(place)
  }

  /// Takes a promised place back: its event does not come.
  package mutating func takeBack(_ place: HandOver.Pointer) {
    if let backlog = place.pointee.promisedBy {
      backlog.pointee.redeem(place)
      if backlog.pointee.isLeftOver { Memory.free(backlog) }
    }
    putSpare(place)
    wakeSleepers()
  }

  /// The end of a backlog whose subscription has ended.
  package static func end(_ backlog: Backlog.Pointer) {
    let lock = backlog.pointee.scheduler.pointee.lock
    lock.acquire()
    let isFree = backlog.pointee.end()
    lock.release()
    if isFree { Memory.free(backlog) }
  }
}
