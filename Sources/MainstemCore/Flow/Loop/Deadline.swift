// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Something that happens at a given time: a timer fires, a request times out.
///
/// It is part of its owner's struct, which must not move or end while it is armed. `Stream.arm` may fail for lack of
/// memory; after that nothing can fail. When the time comes, a drain removes the deadline and calls its function, on
/// the thread that drains. The function decides which event, if any, is now due; the drain puts it on the stream.
/// `Stream.disarm` ends it earlier. All under the lock.
package struct Deadline {
  package typealias Pointer = UnsafeMutablePointer<Deadline>
  /// Gets the stream's state, the deadline's owner, and a `KeptEvent?` to set. It may free the owner.
  package typealias Function =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
    Void

  let owner: UnsafeMutableRawPointer
  let function: Function
  /// When it was last due, on the stream's clock.
  fileprivate(set) var due: Int64 = 0
  /// Its index in the heap; below 0: not armed.
  fileprivate var place = -1

  package init(of owner: UnsafeMutableRawPointer, _ function: @escaping Function) {
    self.owner = owner
    self.function = function
  }

  var isArmed: Bool { place >= 0 }

  /// Calls the function of a deadline that was removed: nil if no event is due.
  static func fire(_ deadline: Pointer, on stream: Stream) -> KeptEvent? {
    let (function, owner) = (deadline.pointee.function, deadline.pointee.owner)
    var due: KeptEvent?
    withUnsafeMutablePointer(to: &due) { due in
      function(UnsafeMutableRawPointer(stream.state), owner, UnsafeMutableRawPointer(due))
    }
    return due
  }
}

extension KeptEvent {
  /// Sets the result of a deadline's function.
  package static func set(_ result: UnsafeMutableRawPointer, to due: KeptEvent?) {
    result.assumingMemoryBound(to: KeptEvent?.self).pointee = due
  }
}

/// The armed deadlines of a stream: a 4-ary heap, ordered by time, then by arming. Under the stream's lock.
struct Deadlines {
  private var entries: UnsafeMutablePointer<Entry>?
  private(set) var count = 0
  private var capacity = 0
  /// Counts arming.
  private(set) var serial: UInt64 = 0

  init() {}

  /// Everything that is compared is here, next to the pointer, so that the deadlines themselves stay out of the cache.
  private struct Entry {
    let due: Int64
    let serial: UInt64
    let deadline: Deadline.Pointer

    func isBefore(_ other: Entry) -> Bool {
      due == other.due ? serial < other.serial : due < other.due
    }
  }
}

extension Deadlines {
  /// When the first one is due; the end of time if there is none.
  var firstDue: Int64 {
    guard count > 0, let entries else { return .max }
    return entries[0].due
  }

  /// Makes room for one more; `add` then cannot fail.
  mutating func reserve() -> Bool {
    guard count == capacity else { return true }
    let wider = max(16, capacity &* 2)
    guard let fresh = Memory.allocate(Entry.self, count: wider) else { return false }
    if let entries { fresh.moveInitialize(from: entries, count: count) }
    Memory.free(entries)
    entries = fresh
    capacity = wider
    return true
  }

  /// Arms a deadline, after `reserve` or after one was removed.
  mutating func add(_ deadline: Deadline.Pointer, due: Int64) {
    serial &+= 1
    deadline.pointee.due = due
    count &+= 1
    rise(Entry(due: due, serial: serial, deadline: deadline), from: count &- 1)
  }

  /// Removes the first one, if it is due and was armed no later than `last`.
  mutating func takeFirst(due time: Int64, armedBefore last: UInt64) -> Deadline.Pointer? {
    guard count > 0, let first = entries?[0], first.due <= time, first.serial <= last else {
      return nil
    }
    remove(first.deadline)
    return first.deadline
  }

  mutating func remove(_ deadline: Deadline.Pointer) {
    let place = deadline.pointee.place
    guard place >= 0, let entries else { return }
    deadline.pointee.place = -1
    count &-= 1
    guard place < count else { return }
    let last = entries[count]
    if place > 0, last.isBefore(entries[(place &- 1) / 4]) {
      rise(last, from: place)
    } else {
      sink(last, from: place)
    }
  }

  /// Moves all of them by the same time, except those at the end of time. Their order stays.
  mutating func move(by nanoseconds: Int64) {
    guard let entries else { return }
    var place = 0
    while place < count {
      let entry = entries[place]
      let (due, isBeyond) = entry.due.addingReportingOverflow(nanoseconds)
      let isNever = entry.due == .max || isBeyond && nanoseconds > 0
      let moved = isNever ? .max : isBeyond ? .min : due
      entries[place] = Entry(due: moved, serial: entry.serial, deadline: entry.deadline)
      entry.deadline.pointee.due = moved
      place &+= 1
    }
  }

  mutating func free() {
    Memory.free(entries)
    self = Deadlines()
  }

  /// Puts an entry at an empty index or above it.
  private func rise(_ entry: Entry, from place: Int) {
    guard let entries else { return }
    var place = place
    while place > 0 {
      let above = (place &- 1) / 4
      guard entry.isBefore(entries[above]) else { break }
      put(entries[above], in: entries, at: place)
      place = above
    }
    put(entry, in: entries, at: place)
  }

  /// Puts an entry at an empty index or below it.
  private func sink(_ entry: Entry, from place: Int) {
    guard let entries else { return }
    var place = place
    while let below = firstBelow(place, in: entries), entries[below].isBefore(entry) {
      put(entries[below], in: entries, at: place)
      place = below
    }
    put(entry, in: entries, at: place)
  }

  /// The first in order of the four children of an index.
  private func firstBelow(_ place: Int, in entries: UnsafeMutablePointer<Entry>) -> Int? {
    var first = place &* 4 &+ 1
    guard first < count else { return nil }
    let end = min(first &+ 4, count)
    var other = first &+ 1
    while other < end {
      if entries[other].isBefore(entries[first]) { first = other }
      other &+= 1
    }
    return first
  }

  private func put(_ entry: Entry, in entries: UnsafeMutablePointer<Entry>, at place: Int) {
    (entries + place).initialize(to: entry)
    entry.deadline.pointee.place = place
  }
}
