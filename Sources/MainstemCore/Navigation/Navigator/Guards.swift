// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Guards: requests of the app's, asked one after the other. They hold up no other move.
extension Navigator {
  /// Asks the next guard of a move; behind the last, the move waits for its turn.
  @inline(never)
  func askNext(for move: Move.Pointer) {
    do throws(Refusal) {
      while let left = move.pointee.leaves.next {
        guard let component = tree[left],
          let asked = try takeGuard(of: move, component.pointee.url, leaving: true)
        else {
          move.pointee.leaves.takeNext()
          move.pointee.guardian = guards
          continue
        }
        move.pointee.step = .leaving
        try ask(asked, component.pointee.url, for: move)
        return stream.locked { move.pointee.leaving = (move.pointee.asked ?? .none, left) }
      }
      if let url = move.pointee.url,
        let asked = try takeGuard(of: move, url, leaving: false)
      {
        move.pointee.step = .entering
        return try ask(asked, url, for: move)
      }
      move.pointee.step = .queued
      Move.hold(move)
      moving.pointee.queue.append(move)
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  /// Takes the next guard that a URL has.
  @inline(never)
  private func takeGuard(
    of move: Move.Pointer, _ url: Name, leaving isLeaving: Bool
  ) throws(Refusal) -> RouteGuard.Pointer? {
    guard move.pointee.guardian != nil else { return nil }
    let split = try stream.trying { _ throws(Refusal) in try SplitURL(url.text) }
    defer { split.free() }
    while let next = move.pointee.guardian {
      move.pointee.guardian = next.pointee.next
      if next.pointee.isLeaving == isLeaving, next.pointee.guards(split) { return next }
    }
    return nil
  }

  private func ask(
    _ asked: RouteGuard.Pointer, _ url: Name, for move: Move.Pointer
  ) throws(Refusal) {
    try ask(asked.pointee.type, through: home, url.bytes.start, url.count, for: move)
  }

  /// A guard has answered, or what another guard wanted first has.
  func guardAnswered(_ event: UnsafePointer<mainstem_event>, for move: Move.Pointer) {
    guard event.pointee.status == Status.ok.rawValue else {
      let isLimit = move.pointee.step == .after && event.pointee.status == Status.limit.rawValue
      return fail(move, isLimit ? ErrorValue(of: event) : .denied(event))
    }
    if move.pointee.step == .after {
      move.pointee.guardian = guards
      return askNext(for: move)
    }
    let answer = Bytes(event.pointee.data, Int(event.pointee.size))
    guard answer.count > 0 else { return askNext(for: move) }
    do throws(Refusal) {
      guard move.pointee.step == .entering else { throw .goOnly }
      try goElsewhere(move, GuardVerdict(answer))
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  private func goElsewhere(
    _ move: Move.Pointer, _ verdict: GuardVerdict
  ) throws(Refusal) {
    move.pointee.hops &+= 1
    guard move.pointee.hops <= Move.mostHops else {
      throw Refusal(.limit, "guards", "have sent this move elsewhere more than 16 times")
    }
    switch verdict {
    case .redirect(let url):
      let copy = try copy(url)
      move.pointee.url?.free()
      move.pointee.url = copy
      try match(move)
      move.pointee.guardian = guards
      askNext(for: move)
    case .after(let url):
      move.pointee.step = .after
      try write { writer in
        MoveGiven.write(
          MoveVerb.open.rawValue, url: url, component: move.pointee.base, slot: nil, how: 0,
          hops: move.pointee.hops, to: &writer)
      } then: { data, size throws(Refusal) in
        try ask(types.move, through: home, data, size, for: move)
      }
    }
  }
}

/// What a guard answers, if that is not just go.
package enum GuardVerdict {
  case redirect(Bytes)
  case after(Bytes)

  fileprivate init(_ answer: Bytes) throws(Refusal) {
    let space = answer.index(of: 0x20)
    let url = answer.part(min(space &+ 1, answer.count), answer.count)
    switch answer.part(0, space) {
    case Bytes("redirect"): self = .redirect(url)
    case Bytes("after"): self = .after(url)
    default: throw Refusal(.invalid, "answer", "of a guard is neither redirect nor after")
    }
  }

  /// The word before the URL; nil: no such verdict.
  package static func word(_ number: UInt32) -> StaticString? {
    if number == UInt32(MAINSTEM_GUARD_ALLOW) { return "" }
    if number == UInt32(MAINSTEM_GUARD_REDIRECT) { return "redirect " }
    return number == UInt32(MAINSTEM_GUARD_OPEN_FIRST) ? "after " : nil
  }
}

extension ErrorValue {
  /// What a guard's error makes of a move.
  fileprivate static func denied(_ event: UnsafePointer<mainstem_event>) -> ErrorValue {
    let error = ErrorValue(of: event)
    return ErrorValue(
      code: Status.denied.rawValue, message: error.message, text: error.text,
      subject: error.subject)
  }
}

/// What is asked before a URL of a pattern is opened, or closed.
struct RouteGuard {
  /// It has one route: the pattern. None: every URL is guarded.
  private var router: Router
  private let guardsAll: Bool
  /// The type of the request.
  let type: UInt32
  let isLeaving: Bool
  private(set) var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<RouteGuard>

  /// Adds one behind the others of a list.
  static func add(
    _ pattern: UnsafePointer<CChar>?, _ type: UInt32, isLeaving: Bool, types: Router,
    to first: inout Pointer?
  ) throws(Refusal) {
    var router = try Router(withTypesOf: types)
    let guardsAll = pattern.map { Bytes(zeroEnded: $0) == Bytes("*") } ?? false
    do throws(Refusal) {
      if !guardsAll { _ = try router.add(pattern) }
      guard let made = Memory.allocate(RouteGuard.self) else { throw .noMemory }
      made.initialize(
        to: RouteGuard(router: router, guardsAll: guardsAll, type: type, isLeaving: isLeaving))
      guard var last = first else { return first = made }
      while let next = last.pointee.next { last = next }
      last.pointee.next = made
    } catch {
      router.free()
      throw error
    }
  }

  func guards(_ url: SplitURL) -> Bool {
    guardsAll || RouteSearch.find(url, in: router) != nil
  }

  /// Whether any of a list is asked before a component is closed.
  static func hasLeaving(_ first: Pointer?) -> Bool {
    var rest = first
    while let each = rest, !each.pointee.isLeaving { rest = each.pointee.next }
    return rest != nil
  }

  static func free(_ first: Pointer?) {
    var rest = first
    while let each = rest {
      rest = each.pointee.next
      each.pointee.router.free()
      Memory.free(each)
    }
  }
}
