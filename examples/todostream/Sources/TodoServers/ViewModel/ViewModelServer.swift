// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel
import TodoViewModel

/// Turns what the view asks into requests of the model, and what the model says into what is shown.
///
/// It knows no store and no view. Time and ids come from outside, so that a test decides them.
public struct ViewModelServer: Server {
  let now: @Sendable () -> Moment
  let makeId: @Sendable () -> String

  /// The lists that are shown, by their ids.
  var lists: [String: TodoListViewModel] = [:]
  /// The todos as the model said last: an old row never overwrites a newer change.
  var known: [Todo.ID: Todo] = [:]
  /// The edit sessions that are not over.
  var sessions: [String: Session] = [:]
  /// When the last new todo was made; the next one is later, whatever the clock says.
  var lastCreated = Moment(microseconds: .min)
  /// Which requests for rows wait for the model.
  var rowsAsked = Waiting<Reply<RequestTodoViewModels>>()
  /// What waits for a todo to be kept.
  var writesAsked = Waiting<Write>()

  /// Where an edit session stands.
  enum Session { case open, saving }

  /// Who waits for a todo to be kept: a view that asked, or an edit that is being saved.
  enum Write {
    case row(any RowReply)
    case edit(TodoDetailViewModel)
  }

  /// A server of view models.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - makeId: A new id at each call.
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
    modelHandlers(&on)
  }
}
