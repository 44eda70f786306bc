// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Shows components, and hides them: the host's side of navigation.
///
///     final class Window: Stage {
///       func show(_ component: Component) throws { … }
///       func hide(_ components: [UInt64]) throws { … }
///     }
///
///     try context.addStage(Window())
///     try context.navigator.ready()
///
/// It is called when the context drains; to return is to answer. What it does is no part of the session: a replay calls it
/// for what has changed, verify does not. What it throws in a replay answers nobody: it counts as a failed callback
/// (``Stats/failures``).
public protocol Stage {
  /// Shows a component.
  ///
  /// - Parameter component: What is to be shown, and where.
  /// - Throws: Why not: the component is closed, and whoever opened it gets that as the answer.
  func show(_ component: Component) throws

  /// Hides components that close together.
  ///
  /// - Parameter components: Their numbers, the last opened first.
  /// - Throws: What went wrong, which is reported. They are closed all the same.
  func hide(_ components: [UInt64]) throws
}

/// A stage that may await: an animation, another process. Its methods run on no actor, unless it says so.
///
///     @MainActor final class Window: AsyncStage { … }
///
/// In a replay nobody waits for them: what they throw there is for `failed` of ``Context/addStage(_:failed:)``.
public protocol AsyncStage: Sendable {
  /// Shows a component; it is shown when this returns.
  ///
  /// - Parameter component: What is to be shown, and where.
  /// - Throws: Why not: the component is closed, and whoever opened it gets that as the answer.
  func show(_ component: Component) async throws

  /// Hides components that close together.
  ///
  /// - Parameter components: Their numbers, the last opened first.
  /// - Throws: What went wrong, which is reported. They are closed all the same.
  func hide(_ components: [UInt64]) async throws
}
