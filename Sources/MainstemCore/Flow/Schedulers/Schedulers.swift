// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The schedulers of one stream by number: 1 is the host's, the others were added. Under the stream's lock. What
/// waits on a scheduler is under the scheduler's own lock: see `Scheduler`.
package struct Schedulers {
  private var all: UnsafeMutablePointer<Scheduler.Pointer?>?
  /// The scheduler of mailboxes, that is, of observers without a function.
  private(set) var mailboxes: Scheduler.Pointer?
  private(set) var count: UInt32 = 1
  /// The type of gaps; 0 until there is a scheduled observer.
  var gapType: UInt32 = 0

  package init() {}

  /// What a look finds out about the callbacks that run on schedulers.
  package enum Callbacks {
    /// None runs.
    case none
    /// Those that run now began after the last look.
    case began
    /// One may have begun before the last look.
    case go
  }

  static var most: UInt32 { 64 }
  /// Not a scheduler: called at once.
  package static var immediate: UInt32 { 0 }
  package static var host: UInt32 { 1 }

  subscript(number: UInt32) -> Scheduler.Pointer? {
    guard number > 0, number <= count, let all else { return nil }
    return all[Int(number) &- 1]
  }

  /// The host's scheduler, made on first use; nil without memory.
  mutating func openHost(of stream: Stream) -> Scheduler.Pointer? {
    if let scheduler = self[Schedulers.host] { return scheduler }
    guard reserve(), let scheduler = Scheduler.make(.host, stream, nil) else { return nil }
    all?[0] = scheduler
    return scheduler
  }

  /// The mailboxes' scheduler; like `openHost`.
  mutating func openMailboxes(of stream: Stream) -> Scheduler.Pointer? {
    if mailboxes == nil { mailboxes = Scheduler.make(.mailbox, stream, nil) }
    return mailboxes
  }

  /// Adds a scheduler; `reserve` has made the room.
  mutating func add(_ scheduler: Scheduler.Pointer) -> UInt32 {
    all?[Int(count)] = scheduler
    count &+= 1
    return count
  }

  mutating func reserve() -> Bool {
    guard all == nil else { return true }
    let most = Int(Schedulers.most)
    guard let all = Memory.allocate(Scheduler.Pointer?.self, count: most) else { return false }
    all.initialize(repeating: nil, count: most)
    self.all = all
    return true
  }

  /// Visits all schedulers, including that of the mailboxes.
  func each(_ visit: (Scheduler.Pointer) -> Void) {
    var number: UInt32 = 1
    while number <= count {
      if let scheduler = self[number] { visit(scheduler) }
      number &+= 1
    }
    if let mailboxes { visit(mailboxes) }
  }

  /// Frees everything. Nobody delivers on any of them.
  package mutating func free() {
    each { Scheduler.free($0) }
    Memory.free(all)
    self = Schedulers()
  }
}
