// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Flows, which are ready when the first component that they open is shown.
extension Navigator {
  /// Whether a flow has asked for something that is not answered yet.
  func isStarting(_ flow: Component.Pointer) -> Bool {
    !moving.pointee.moves.all { $0.pointee.asker != flow.pointee.number || !$0.pointee.verb.opens }
  }

  /// Something is shown on a flow that waits for that.
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

  /// What a flow has asked for cannot be done. If nothing else can make it ready, it fails itself.
  func failStart(askedBy number: UInt64, _ error: ErrorValue) {
    guard let flow = tree[number], flow.pointee.kind == .flow, let move = flow.pointee.opener,
      move.pointee.step == .starting || move.pointee.step == .making,
      move.pointee.component == flow, !flow.pointee.isClosing, !isStarting(flow),
      !tree.hasOpen(on: flow)
    else { return }
    fail(move, error)
  }
}
