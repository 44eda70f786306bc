// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A stage in a muted replay: nobody asks it to show anything, so it draws what the navigator told of its tree. At once,
/// as then the scopes of what it draws are there, and they may end with the next event.
package struct MutedStage {
  typealias Pointer = UnsafeMutablePointer<MutedStage>

  private let show: mainstem_event_fn?
  private let hide: mainstem_event_fn?
  private let userData: UnsafeMutableRawPointer?
  private let stream: Stream
  private let types: NavigatorTypes
  /// The stage's scope.
  private let server: Handle
  /// Whether it observes the tree already.
  private var isDrawing = false
  /// Another stage of the navigator.
  private var next: Pointer?

  /// Notes a stage, for a muted replay, be that open already or not yet. Forgets those that have ended.
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
        stream: navigator.stream, types: navigator.types, server: server))
    do throws(Refusal) {
      if navigator.stream.isIn(.fedAll) {
        try stage.pointee.beginDrawing()
        stage.pointee.isDrawing = true
      }
    } catch {
      Memory.free(stage)
      throw error
    }
    navigator.stream.locked { append(stage, to: navigator) }
  }

  /// Under the lock.
  private static func append(_ stage: Pointer, to navigator: Navigator) {
    var (last, next) = (Pointer?.none, navigator.state.pointee.stages)
    func put(_ stage: Pointer?) {
      if let last { last.pointee.next = stage } else { navigator.state.pointee.stages = stage }
    }
    while let other = next {
      next = other.pointee.next
      if other.pointee.isThere {
        last = other
      } else {
        put(next)
        Memory.free(other)
      }
    }
    put(stage)
  }

  /// Has all stages draw: a muted replay is open. Others may come and go meanwhile.
  static func drawAll(of stream: Stream) throws(Refusal) {
    guard let navigator = try? Navigator.of(stream) else { return }
    func stage(_ isMeant: (MutedStage) -> Bool) -> Pointer? {
      var next = navigator.state.pointee.stages
      while let stage = next, !isMeant(stage.pointee) { next = stage.pointee.next }
      return next
    }
    while let idle = stream.locked({ stage { !$0.isDrawing && $0.isThere }?.pointee }) {
      try idle.beginDrawing()
      stream.locked { stage { $0.server == idle.server }?.pointee.isDrawing = true }
    }
  }

  /// Has the handlers called for changes of the tree.
  private func beginDrawing() throws(Refusal) {
    guard let stage = Memory.allocate(MutedStage.self) else { throw .noMemory }
    stage.initialize(to: self)
    let given = Subscription.Options(
      drawTree, UnsafeMutableRawPointer(stage), freeStage, .one(types.tree))
    do throws(Refusal) {
      try stream.observe(given, through: try ResolvedHandle(server, .context), server, nil)
    } catch {
      Memory.free(stage)
      throw error
    }
  }

  static func free(_ first: Pointer?) {
    var next = first
    while let stage = next {
      next = stage.pointee.next
      Memory.free(stage)
    }
  }

  private var isThere: Bool { (try? ResolvedHandle(server, .context)) != nil }

  /// Calls the handlers with an event of a muted replay, as if it were theirs. What comes when the program goes on after
  /// the replay is theirs already.
  fileprivate func draw(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard stream.isIn(.fedAll), isOfNavigator(event) else { return }
    let payload = Bytes(event.pointee.data, Int(event.pointee.size))
    var numbers = try? ClosedNumbers(payload)
    if let hide, numbers?.next() != nil { call(hide, event, as: types.hide) }
    if let show, case .text(let kind) = JSONMembers.value(of: "kind", in: payload),
      ComponentKind(name: kind)?.hasView == true
    {
      call(show, event, as: types.show)
    }
  }

  /// Whether the session's navigator sent it: that may have had another number there.
  private func isOfNavigator(_ event: UnsafePointer<mainstem_event>) -> Bool {
    stream.locked {
      stream.state.pointee.scopes.origins[event.pointee.origin] == Navigator.name
    }
  }

  /// The event itself has the type meanwhile: a handler asks the library about it, by its address.
  private func call(
    _ handler: mainstem_event_fn, _ event: UnsafeMutablePointer<mainstem_event>, as type: UInt32
  ) {
    (event.pointee.type, event.pointee.reply) = (type, DrawnMark.reply)
    handler(userData, event)
    (event.pointee.type, event.pointee.reply) = (types.tree, 0)
  }
}

private func drawTree(
  _ stage: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let stage = stage?.assumingMemoryBound(to: MutedStage.self), let event else { return }
  stage.pointee.draw(UnsafeMutablePointer(mutating: event))
}

private func freeStage(_ stage: UnsafeMutableRawPointer?) { Memory.free(stage) }
