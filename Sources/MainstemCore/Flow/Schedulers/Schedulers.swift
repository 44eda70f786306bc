// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The schedulers of one stream by number: 1 is the host's, the others were added. Under the stream's lock.
package struct Schedulers {
  private var all: UnsafeMutablePointer<Scheduler.Pointer?>?
  /// The scheduler of mailboxes, that is, of observers without a function.
  package private(set) var mailboxes: Scheduler.Pointer?
  package private(set) var count: UInt32 = 1

  package init() {}

  package static var most: UInt32 { 64 }
  /// Not a scheduler: called at once.
  package static var immediate: UInt32 { 0 }
  package static var host: UInt32 { 1 }

  package subscript(number: UInt32) -> Scheduler.Pointer? {
    guard number > 0, number <= count, let all else { return nil }
    return all[Int(number) &- 1]
  }

  /// The host's scheduler, made on first use; nil without memory.
  package mutating func openHost(of stream: Stream) -> Scheduler.Pointer? {
    if let scheduler = self[Schedulers.host] { return scheduler }
    guard reserve(), let scheduler = Scheduler.make(.host, stream, nil) else { return nil }
    all?[0] = scheduler
    return scheduler
  }

  /// The mailboxes' scheduler; like `openHost`.
  package mutating func openMailboxes(of stream: Stream) -> Scheduler.Pointer? {
    if mailboxes == nil { mailboxes = Scheduler.make(.mailbox, stream, nil) }
    return mailboxes
  }

  /// Adds a scheduler; `reserve` has made the room.
  package mutating func add(_ scheduler: Scheduler.Pointer) -> UInt32 {
    all?[Int(count)] = scheduler
    count &+= 1
    return count
  }

  package mutating func reserve() -> Bool {
    guard all == nil else { return true }
    let most = Int(Schedulers.most)
    guard let all = Memory.allocate(Scheduler.Pointer?.self, count: most) else { return false }
    all.initialize(repeating: nil, count: most)
    self.all = all
    return true
  }

  /// Frees everything. Nobody delivers on any of them.
  package mutating func free() {
    var number: UInt32 = 1
    while number <= count {
      if let scheduler = self[number] { Scheduler.free(scheduler) }
      number &+= 1
    }
    if let mailboxes { Scheduler.free(mailboxes) }
    Memory.free(all)
    self = Schedulers()
  }
}
