// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One run of a command. Its call is kept with the request, so it hears when the answer has been delivered. For the
/// deliverer.
struct Run {
  /// First, so that a pointer to it is a pointer to the run.
  var call: SettledCall
  /// Nil: the model has ended.
  var command: Command.Pointer?
  /// The request.
  let handle: Handle
  var state = State.begun
  /// The request, retained until the run begins.
  var request = Handle.none
  private var links = Links<Run>()

  typealias Pointer = UnsafeMutablePointer<Run>

  enum State {
    /// It has not begun.
    case waits
    /// It was refused or replaced before it began.
    case dropped
    /// The function was called, and nothing has been shown since.
    case begun
    case executes
    /// It was answered before anything was shown.
    case answered
  }
}

extension Run: Listed {
  enum OfCommand: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<Run> { node.pointee.links }

  static func set(_ links: Links<Run>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

extension Run {
  /// The run that a request is; nil without memory.
  static func make(_ event: UnsafePointer<mainstem_event>, _ slot: Slot.Pointer) -> Pointer? {
    guard let run = Memory.allocate(Run.self) else { return nil }
    run.initialize(
      to: Run(
        call: .last({ Run.end($0) }, run, slot), command: nil,
        handle: Handle(bits: event.pointee.reply)))
    return run
  }

  /// Its call, which goes to its request.
  static func call(of run: Pointer) -> SettledCall.Pointer {
    UnsafeMutableRawPointer(run).assumingMemoryBound(to: SettledCall.self)
  }

  /// The function of its call.
  private static func end(_ run: UnsafeMutableRawPointer?) {
    guard let run = run?.assumingMemoryBound(to: Run.self), let frame = Frame.innermost else {
      return
    }
    frame.pointee.stream.end(run, in: frame)
  }

  /// Whether it keeps others from running.
  var isBusy: Bool { state == .begun || state == .executes }

  /// Gives the retained request back.
  mutating func release() {
    if request != .none { try? Stream.endRetained(request) }
    request = .none
  }
}
