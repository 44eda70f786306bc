// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A view's hold on a run: the function that gets its answer, until the binding drops it. Under the stream's lock. It
/// ends with the request.
struct RunHold {
  let stream: Stream
  /// Nil: it has not joined, or was dropped.
  private var binding: Binding.Pointer?
  private var function: mainstem_event_fn?
  private let userData: UnsafeMutableRawPointer?
  private var release: mainstem_release_fn?
  private var isCalling = false
  private var links = Links<RunHold>()

  typealias Pointer = UnsafeMutablePointer<RunHold>
}

extension RunHold: Listed {
  enum OfBinding: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<RunHold> { node.pointee.links }

  static func set(_ links: Links<RunHold>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

extension RunHold {
  /// Nil without memory.
  static func make(
    _ stream: Stream, _ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?
  ) -> Pointer? {
    guard let hold = Memory.allocate(RunHold.self) else { return nil }
    hold.initialize(
      to: RunHold(
        stream: stream, function: function, userData: userData, release: release))
    return hold
  }

  /// The completion of the run's request.
  static func completion(of hold: Pointer) -> Request.Completion {
    var completion = Request.Completion({ RunHold.call($0, $1) }, hold)
    completion.release = { RunHold.end($0) }
    return completion
  }

  /// Its request has come in: from here on the binding may drop it. Under the lock.
  static func join(_ hold: Pointer, _ binding: Binding.Pointer) {
    hold.pointee.binding = binding
    binding.pointee.runs.append(hold)
  }

  /// Under the lock.
  private static func leave(_ hold: Pointer) {
    hold.pointee.binding?.pointee.runs.remove(hold)
  }

  /// Frees one whose request has not come in, or was withdrawn.
  static func giveUp(_ hold: Pointer) {
    hold.pointee.stream.locked { leave(hold) }
    Memory.free(hold)
  }

  /// Calls the function, unless it was dropped.
  private static func call(
    _ address: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let hold = address?.assumingMemoryBound(to: RunHold.self) else { return }
    let function = hold.pointee.stream.locked { () -> mainstem_event_fn? in
      hold.pointee.isCalling = hold.pointee.function != nil
      return hold.pointee.function
    }
    // Not a delivery: nobody was called.
    guard let function else { return hold.pointee.stream.add(calls: ~0) }
    function(hold.pointee.userData, event)
  }

  /// The request has ended.
  private static func end(_ address: UnsafeMutableRawPointer?) {
    guard let hold = address?.assumingMemoryBound(to: RunHold.self) else { return }
    let (release, userData) = hold.pointee.stream.locked {
      leave(hold)
      return (hold.pointee.release, hold.pointee.userData)
    }
    Memory.free(hold)
    release?(userData)
  }

  /// Drops the function. Field by field: its call reads the others on another thread.
  ///
  /// - Returns: The hook that is to be called now.
  fileprivate static func drop(_ hold: Pointer) -> Hook? {
    hold.pointee.binding = nil
    hold.pointee.function = nil
    guard !hold.pointee.isCalling, let release = hold.pointee.release else { return nil }
    hold.pointee.release = nil
    return Hook(release: release, userData: hold.pointee.userData)
  }

  fileprivate struct Hook {
    let release: mainstem_release_fn
    let userData: UnsafeMutableRawPointer?
  }
}

extension Binding {
  /// Drops the functions of all runs; the runs go on. No lock held.
  static func dropRuns(of binding: Pointer) {
    let stream = binding.pointee.stream
    var isLeft = true
    while isLeft, !stream.isForked {
      let hook = stream.locked { () -> RunHold.Hook? in
        guard let hold = binding.pointee.runs.first else {
          isLeft = false
          return nil
        }
        binding.pointee.runs.remove(hold)
        return RunHold.drop(hold)
      }
      if let hook { Frame.enterScheduled(stream, nil, nil) { _ in hook.release(hook.userData) } }
    }
  }

}
