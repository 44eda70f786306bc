// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Removal: what was opened last first.
extension Navigator {
  /// How components close.
  struct Removal {
    /// The position of what closes them.
    let cause: UInt64
    /// The one whose opener gets `answer`; the openers of the others get CANCELLED.
    var finished: Component.Pointer?
    var answer = Requests.Answer.error(.closed)
    /// The one that is not there any more, and need not be hidden.
    var gone: Component.Pointer?
    /// The move that is done when they are closed. It is answered before its asker may end.
    var done: Move.Pointer?
  }

  /// Closes a component, and what stands on it.
  func close(_ component: Component.Pointer, _ closing: Removal) {
    close(closing) { visit in visit(component) }
  }

  /// Closes some components, and what stands on them; false: there were none.
  @discardableResult
  @inline(never)
  func close(_ closing: Removal, _ eachMeant: ((Component.Pointer) -> Void) -> Void) -> Bool {
    var marked = ClosingComponents()
    eachMeant { marked.mark($0) }
    guard !marked.isEmpty else { return false }
    marked.markWhole(closing.finished)
    marked.sort()
    closeMarked(closing, marked)
    return true
  }

  /// Closes all that are marked: has them hidden, tells the tree, answers their openers, ends their scopes.
  @inline(never)
  private func closeMarked(_ closing: Removal, _ marked: ClosingComponents) {
    var closed = takeMarked(closing, marked)
    hide(closed, at: closing.cause)
    tellClosed(closed, at: closing.cause)
    closed.eachBackwards { component in
      guard let opener = component.pointee.opener else { return }
      component.pointee.opener = nil
      conclude(
        opener, component == closing.finished ? closing.answer : .error(.closed))
    }
    if let done = closing.done { conclude(done, .payload(nil, 0)) }
    closed.eachBackwards { component in
      try? Stream.endScope(component.pointee.scope)
    }
    while let component = closed.first {
      closed.remove(component)
      moving.pointee.owing.append(component)
    }
    moving.pointee.owedSince = closing.cause
    freePaid()
  }

  /// Takes what is marked out of the tree, and notes what of it is to be hidden and to be told of.
  @inline(never)
  private func takeMarked(
    _ closing: Removal, _ marked: ClosingComponents
  ) -> List<Component, Component.InTree> {
    var closed = List<Component, Component.InTree>()
    stream.locked {
      marked.each { component in
        component.pointee.owesNotice = component.pointee.isShown
        component.pointee.owesHide = component.pointee.asked != nil && component != closing.gone
        components.pointee.remove(component)
        closed.append(component)
      }
    }
    return closed
  }

  /// Has the stage hide what closes, and what has closed when there was no memory for that.
  @inline(never)
  private func hide(_ closed: List<Component, Component.InTree>, at cause: UInt64) {
    let owing = moving.pointee.owing
    guard !closed.all({ !$0.pointee.owesHide }) || !owing.all({ !$0.pointee.owesHide }) else {
      return
    }
    try? write { writer in
      writer.open()
      writer.member("move", unsigned: cause)
      writer.openList("closed")
      closed.eachBackwards { if $0.pointee.owesHide { writer.element($0.pointee.number) } }
      owing.eachBackwards { if $0.pointee.owesHide { writer.element($0.pointee.number) } }
      writer.closeList()
      writer.close()
    } then: { data, size throws(Refusal) in
      var completion = Request.Completion(hideAnswered, userData)
      completion.timeout = state.pointee.showTimeout
      try Requests.request(home, types.hide, data, size, completion, nil)
      moving.pointee.hides &+= 1
      hold()
      closed.each { $0.pointee.owesHide = false }
      owing.each { $0.pointee.owesHide = false }
    }
  }

  /// Has hidden and tells what has closed when there was no memory for that.
  func payOwed() {
    guard !moving.pointee.owing.isEmpty else { return }
    hide(List(), at: moving.pointee.owedSince)
    tellClosed(List(), at: moving.pointee.owedSince)
    freePaid()
  }

  /// Frees what has closed, and is hidden and told.
  private func freePaid() {
    moving.pointee.owing.each { component in
      guard !component.pointee.owesHide, !component.pointee.owesNotice else { return }
      moving.pointee.owing.remove(component)
      Component.free(component)
    }
  }
}

/// Why something closes.
extension Navigator {
  /// A move closes what it means.
  func close(by move: Move.Pointer) {
    let closing = Removal(cause: move.pointee.position, done: move)
    if !close(closing, { eachClosed(by: move, $0) }) { conclude(move, .payload(nil, 0)) }
  }

  /// The user went back by a gesture.
  func close(gone event: UnsafePointer<mainstem_event>) {
    let number = event.pointee.data.loadUnaligned(as: UInt64.self)
    guard let component = tree[number], component.pointee.number == number else { return }
    close(component, Removal(cause: event.pointee.position, gone: component))
  }

  /// The scope of a component has ended, or its owner has.
  func close(endedBy event: UnsafePointer<mainstem_event>) {
    let number = stream.locked {
      stream.state.pointee.scopes.origins.scope(of: event.pointee.origin).number
    }
    guard let component = tree[number] else { return }
    close(component, Removal(cause: event.pointee.position))
  }

  /// A component has finished.
  func finish(_ event: UnsafePointer<mainstem_event>) {
    guard var component = component(ofOrigin: event.pointee.origin) else { return }
    while component.pointee.isOfGroup, let parent = component.pointee.parent {
      component = parent
    }
    close(
      component,
      Removal(
        cause: event.pointee.position, finished: component,
        answer: .payload(event.pointee.data, Int(event.pointee.size))))
  }
}

/// A hide is answered. What closes is gone, whatever the stage says.
private func hideAnswered(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let navigator = Navigator(userData) else { return }
  navigator.moving.pointee.hides &-= 1
  if navigator.goesOn { navigator.advance() }
  navigator.drop()
}

extension ErrorValue {
  /// What the opener of a component gets that closes without a result.
  static var closed: ErrorValue {
    ErrorValue(.cancelled, "the component was closed without a result")
  }
}
