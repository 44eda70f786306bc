// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Something that a drain of the host's calls once, when what waited before it has had its turn.
package struct DrainTask {
  /// Keeps the owner's memory until `run` has returned. Under the lock.
  fileprivate let hold: Function
  /// No lock held.
  fileprivate let run: Function
  fileprivate let owner: UnsafeMutableRawPointer
  fileprivate(set) var isWaiting = false
  /// The origin that it watches; 0: none. Whether the scope of the last one has ended, and whether it then waits.
  var watched: UInt32 = 0
  package var hasEnded = false
  package var wantsEnd = false
  private var inStream = Links<DrainTask>()
  private var ofOrigin = Links<DrainTask>()

  package typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Void
  package typealias Pointer = UnsafeMutablePointer<DrainTask>

  /// The tasks of a stream, in the order in which they came.
  package enum InStream: ListName { package static var number: Int { 0 } }
  /// Those that watch an origin.
  enum OfOrigin: ListName { static var number: Int { 1 } }

  package init(of owner: UnsafeMutableRawPointer, hold: Function, run: Function) {
    self.owner = owner
    self.hold = hold
    self.run = run
  }
}

extension DrainTask: Listed {
  package static func links(of node: Pointer, in list: Int) -> Links<DrainTask> {
    list == InStream.number ? node.pointee.inStream : node.pointee.ofOrigin
  }

  package static func set(_ links: Links<DrainTask>, of node: Pointer, in list: Int) {
    if list == InStream.number {
      node.pointee.inStream = links
    } else {
      node.pointee.ofOrigin = links
    }
  }
}

/// What drains call.
struct DrainTasks {
  private var list = List<DrainTask, DrainTask.InStream>()
  private(set) var count = 0

  mutating func append(_ task: DrainTask.Pointer) {
    task.pointee.isWaiting = true
    list.append(task)
    count &+= 1
  }

  mutating func remove(_ task: DrainTask.Pointer) {
    task.pointee.isWaiting = false
    list.remove(task)
    count &-= 1
  }

  /// Drops all: nobody drains any more.
  mutating func drop() { while takeFirst() != nil {} }

  mutating func takeFirst() -> DrainTask.Pointer? {
    guard let first = list.first else { return nil }
    remove(first)
    return first
  }
}

extension Stream {
  /// Lets a task wait for the next drain, unless it waits already. Under the lock.
  ///
  /// - Returns: Whether `signal` must be called after unlocking.
  package func leave(_ task: DrainTask.Pointer) -> Bool {
    guard !task.pointee.isWaiting else { return false }
    state.pointee.loop.tasks.append(task)
    return state.pointee.loop.wake.arrive()
  }

  /// Drops a task, if it waits. Under the lock.
  package func drop(_ task: DrainTask.Pointer) {
    guard task.pointee.isWaiting else { return }
    state.pointee.loop.tasks.remove(task)
    state.pointee.loop.wake.take()
  }

  /// Calls tasks, at most `limit`, and no more than wait now.
  func runTasks(_ limit: Int) -> Int {
    let count = min(limit, locked { state.pointee.loop.tasks.count })
    var run = 0
    while run < count, !isForked, runFirstTask() { run &+= 1 }
    return run
  }

  private func runFirstTask() -> Bool {
    let called = locked { () -> (DrainTask.Function, UnsafeMutableRawPointer)? in
      guard let task = state.pointee.loop.tasks.takeFirst() else { return nil }
      state.pointee.loop.wake.take()
      task.pointee.hold(task.pointee.owner)
      return (task.pointee.run, task.pointee.owner)
    }
    guard let (run, owner) = called else { return false }
    run(owner)
    return true
  }
}
