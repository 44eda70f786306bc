// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Running a command: what a view asks of the owner that it is bound to.
extension Binding {
  /// Requests a command of the owner. Like what a view writes, it is an input with the owner as its origin. It ends with
  /// the owner.
  package static func run(
    _ handle: Handle, _ name: Bytes, _ data: UnsafeRawPointer?, _ size: Int,
    _ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .binding, "binding")
    let stream = resolved.stream
    let (view, owner, _) = try resolved.ends(name)
    var draft = try view.draft(ofRun: name, data, size, owner)
    guard try stream.goesAhead(isInput: true) else {
      release?(userData)
      return
    }
    stream.endLeftovers()
    if let refused = owner.refusal(ofRun: draft.type) {
      throw Refusal(refused, "name", refused.ofRefusedRun, .name(name))
    }
    guard let hold = RunHold.make(stream, function, userData, release) else { throw .noMemory }
    var completion = RunHold.completion(of: hold)
    completion.through = view.handle.pointer
    completion.origin = view.origin
    do throws(Refusal) {
      try owner.ask(&draft, &completion, given, for: hold, of: resolved)
    } catch {
      given?.pointee = nil
      RunHold.giveUp(hold)
      throw error
    }
  }
}

extension ResolvedHandle {
  /// A checked draft of a run, with the rights of the view that this handle names.
  fileprivate func draft(
    ofRun name: Bytes, _ data: UnsafeRawPointer?, _ size: Int, _ owner: ResolvedHandle
  ) throws(Refusal) -> Draft {
    let type = try stream.locked { () throws(Refusal) in
      try owner.typeOfValue(name, "name")
    }
    guard stream.contract(of: type).role == .request else {
      throw Refusal(.invalid, "name", "is not a command of the owner", .name(name))
    }
    var draft = try draft(type, data, size, to: .request)
    draft.origin = owner.origin
    draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
    return draft
  }
}

/// The owner that runs a command.
extension ResolvedHandle {
  /// Why its model refuses a run; nil also if something waits that may change that.
  fileprivate func refusal(ofRun type: UInt32) -> Status? {
    guard Frame.holding(stream) == nil else { return nil }
    stream.state.pointee.lock.acquire()
    let duty = stream.claimDelivery()
    let isIdle = duty.isDeliverer && !stream.hasDeferred && !stream.owesShows && isLive
    let show = isIdle ? scope?.pointee.show : nil
    stream.state.pointee.lock.release()
    // It stays while nobody else delivers.
    let command = show.flatMap { Model.of($0) }?.pointee.row(of: type)?.command
    let refused = command?.pointee.refusal
    stream.fulfill(duty)
    return refused
  }

  fileprivate func ask(
    _ draft: inout Draft, _ completion: inout Request.Completion,
    _ given: UnsafeMutablePointer<OpaquePointer?>?, for hold: RunHold.Pointer,
    of binding: ResolvedHandle
  ) throws(Refusal) {
    let observers = try stream.requests.checkRequest(&draft)
    try stream.letInSeldom(&draft, .program, .unnoted) { _ throws(Refusal) in
      guard isLive, !stream.isClosed else { throw .ended }
      guard let known = binding.liveBinding, known.pointee.owner == handle else {
        throw Refusal(.stale, "binding", "has ended, or points elsewhere by now")
      }
    } then: { draft, arrival throws(Refusal) in
      let placed = try stream.requests.place(
        &draft, &arrival, observers, &completion, self, given)
      if let known = binding.liveBinding { RunHold.join(hold, known) }
      return placed
    }
    let asked = Handle(bits: draft.reply)
    if Frame.holding(stream) == nil { try stream.requests.acknowledge(asked) }
  }
}

extension ResolvedHandle {
  /// The binding that the handle names, if it has not ended. Under the lock.
  fileprivate var liveBinding: Binding.Pointer? {
    isLive ? liveSubscription?.pointee.userData?.assumingMemoryBound(to: Binding.self) : nil
  }
}

extension Model {
  /// The model that a show belongs to; nil: it is of another server.
  fileprivate static func of(_ show: Show.Pointer) -> Pointer? {
    guard show.pointee.isOfModel else { return nil }
    return show.pointee.userData?.assumingMemoryBound(to: Model.self)
  }
}

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
    guard let function else { return hold.pointee.stream.state.pointee.delivery.add(calls: ~0) }
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
