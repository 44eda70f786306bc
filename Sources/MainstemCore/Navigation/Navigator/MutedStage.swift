// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A stage in a muted replay: nobody asks it to show anything, so it draws what the tree says.
package struct MutedStage {
  typealias Pointer = UnsafeMutablePointer<MutedStage>

  private let show: mainstem_event_fn?
  private let hide: mainstem_event_fn?
  private let userData: UnsafeMutableRawPointer?
  private let types: NavigatorTypes
  /// The stage's scope.
  private let server: Handle
  /// Whether its handlers are called already.
  private var isDrawing = false
  /// Another stage of the navigator.
  private var next: Pointer?

  /// Notes a stage, for a muted replay, be that open already or not yet.
  package static func add(
    to navigator: Navigator, in server: Handle, _ userData: UnsafeMutableRawPointer?, _ count: Int,
    _ row: (Int) -> mainstem_handler_row
  ) throws(Refusal) {
    guard let stage = Memory.allocate(MutedStage.self) else { throw .noMemory }
    func handler(_ name: StaticString) -> mainstem_event_fn? {
      var index = 0
      while index < count {
        if let type = row(index).type, Bytes(zeroEnded: type) == Bytes(name) {
          return row(index).fn
        }
        index &+= 1
      }
      return nil
    }
    stage.initialize(
      to: MutedStage(
        show: handler("MainstemShow"), hide: handler("MainstemHide"), userData: userData,
        types: navigator.types, server: server))
    do throws(Refusal) {
      if navigator.stream.isIn(.fedAll) { try draw(stage, on: navigator.stream) }
    } catch {
      Memory.free(stage)
      throw error
    }
    navigator.stream.locked {
      stage.pointee.next = navigator.state.pointee.stages
      navigator.state.pointee.stages = stage
    }
  }

  /// Has the handlers of all stages called for changes of the tree: a muted replay is open.
  static func drawAll(of stream: Stream) throws(Refusal) {
    guard let navigator = try? Navigator.of(stream) else { return }
    var next = navigator.state.pointee.stages
    while let stage = next {
      if (try? ResolvedHandle(stage.pointee.server, .context)) != nil {
        try draw(stage, on: stream)
      }
      next = stage.pointee.next
    }
  }

  private static func draw(_ stage: Pointer, on stream: Stream) throws(Refusal) {
    guard !stage.pointee.isDrawing else { return }
    guard let copy = Memory.allocate(MutedStage.self) else { throw .noMemory }
    copy.initialize(to: stage.pointee)
    var given = Subscription.Options(
      drawTree, UnsafeMutableRawPointer(copy), freeStage, .one(stage.pointee.types.tree))
    given.scheduler = Schedulers.host
    given.bounds = SubscriptionQueue.Bounds(events: 65536, bytes: 64 << 20, policy: .reject)
    do throws(Refusal) {
      let resolved = try ResolvedHandle(stage.pointee.server, .context)
      try stream.observe(given, through: resolved, stage.pointee.server, nil)
    } catch {
      Memory.free(copy)
      throw error
    }
    stage.pointee.isDrawing = true
  }

  static func free(_ first: Pointer?) {
    var next = first
    while let stage = next {
      next = stage.pointee.next
      Memory.free(stage)
    }
  }

  /// Calls the handlers with the event, as if it were theirs.
  fileprivate func draw(_ event: UnsafePointer<mainstem_event>) {
    let payload = Bytes(event.pointee.data, Int(event.pointee.size))
    var numbers = try? ClosedNumbers(payload)
    if let hide, numbers?.next() != nil { call(hide, event, as: types.hide) }
    if let show, case .text(let kind) = JSONMembers.value(of: "kind", in: payload),
      ComponentKind(name: kind)?.hasView == true
    {
      call(show, event, as: types.show)
    }
  }

  private func call(
    _ handler: mainstem_event_fn, _ event: UnsafePointer<mainstem_event>, as type: UInt32
  ) {
    var shown = event.pointee
    shown.type = type
    withUnsafePointer(to: &shown) { handler(userData, $0) }
  }
}

private func drawTree(
  _ stage: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let stage = stage?.assumingMemoryBound(to: MutedStage.self), let event else { return }
  stage.pointee.draw(event)
}

private func freeStage(_ stage: UnsafeMutableRawPointer?) { Memory.free(stage) }
