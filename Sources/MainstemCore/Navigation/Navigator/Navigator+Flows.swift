// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Flows, which are ready when the first component that they open is shown.
extension Navigator {
  /// Whether a flow has asked for something that is not answered yet.
  func isStarting(_ flow: Component.Pointer) -> Bool { flow.pointee.asking > 0 }

  /// Something is shown on a flow that waits for that, or that a flow has asked for.
  func start(_ flow: Component.Pointer?) throws(Refusal) {
    guard let flow, let move = flow.pointee.opener, move.pointee.step == .starting,
      move.pointee.component == flow
    else { return }
    do throws(Refusal) {
      try becomeShown(flow, by: move)
    } catch {
      // It closes with all that stands on it.
      fail(move, ErrorValue(of: error))
      throw error
    }
  }

  /// What a flow has asked for is over. If nothing else can make it ready, it fails where that has failed; after a
  /// result, it is ready.
  func settleStart(askedBy number: UInt64, _ answer: Stream.Answer) {
    guard let flow = tree[number], flow.pointee.kind == .flow, let move = flow.pointee.opener,
      move.pointee.component == flow, !flow.pointee.isClosing, !isStarting(flow)
    else { return }
    guard case .error(let error) = answer else {
      try? start(flow)
      return
    }
    guard move.pointee.step == .starting || move.pointee.step == .making,
      flow.pointee.openChildren == 0
    else { return }
    fail(move, error)
  }
}
