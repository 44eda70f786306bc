// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where the last events near the limit of a cascade came from, so that the report can name them. Used by the deliverer
/// only. If memory runs out it stays empty.
package struct CascadeLog {
  private struct Step {
    var position: UInt64 = 0
    var cause: UInt64 = 0
    var type: UInt32 = 0
  }

  private var steps: UnsafeMutablePointer<Step>?
  private var next = 0

  private static var capacity: Int { 64 }
  /// How many types a report names.
  package static var shown: UInt64 { 8 }

  package init() {}

  package mutating func add(_ position: UInt64, cause: UInt64, type: UInt32) {
    if steps == nil {
      steps = Memory.allocate(Step.self, count: CascadeLog.capacity)
      steps?.initialize(repeating: Step(), count: CascadeLog.capacity)
    }
    steps?[next] = Step(position: position, cause: cause, type: type)
    next = (next &+ 1) % CascadeLog.capacity
  }

  /// The type and the cause of an event; nil if it was not noted or has been overwritten.
  package func find(_ position: UInt64) -> (type: UInt32, cause: UInt64)? {
    guard let steps, position != 0 else { return nil }
    var index = 0
    while index < CascadeLog.capacity {
      if steps[index].position == position { return (steps[index].type, steps[index].cause) }
      index &+= 1
    }
    return nil
  }

  package mutating func free() {
    Memory.free(steps)
    self = CascadeLog()
  }
}
