// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel
import TodoViewModel

/// Turns the view's requests into requests to the model, and the model's answers into what is shown.
///
/// It knows neither store nor view. Time and ids come from outside, so that a test can choose them.
public struct ViewModelServer: Server {
  let now: @Sendable () -> Moment
  let makeId: @Sendable () -> String

  /// The lists being shown, by id.
  var lists: [String: TodoListViewModel] = [:]
  /// The todos as the model last had them: an old row never overwrites a newer change.
  var known: [Todo.ID: Todo] = [:]
  /// The open edit sessions.
  var sessions: [String: Session] = [:]
  /// When the last new todo was created; the next one is later, whatever the clock says.
  var lastCreated = Moment(microseconds: .min)

  /// The state of an edit session.
  enum Session { case open, saving }

  /// Creates a server of view models.
  ///
  /// - Parameters:
  ///   - now: Returns the time.
  ///   - makeId: Returns a new id at each call.
  public init(
    now: @escaping @Sendable () -> Moment, makeId: @escaping @Sendable () -> String
  ) {
    self.now = now
    self.makeId = makeId
  }

  public static func handlers(_ on: inout Handlers<Self>) {
    listHandlers(&on)
    rowHandlers(&on)
    detailHandlers(&on)
  }
}
