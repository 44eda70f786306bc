// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
import TodoModel
public import TodoViewModel

extension ViewModelServer {
  /// A new todo and an edit session for it. Nothing is kept until it is saved.
  public mutating func new(_ request: RequestNewTodoDetailViewModel)
    -> ResponseTodoDetailViewModel
  {
    lastCreated = max(now(), lastCreated.next)
    return open(Todo(id: makeId(), list: request.list, createdAt: lastCreated))
  }

  /// An edit session for a row.
  public mutating func detail(_ request: RequestTodoDetailViewModel)
    -> ResponseTodoDetailViewModel
  {
    open(current(request.row.todo))
  }

  /// Accepts an edit or says what is wrong with it; in that case the session stays open.
  public mutating func update(_ request: RequestUpdateDetailViewModel) throws(Failure)
    -> ResponseUpdateDetailViewModel
  {
    var detail = request.detail
    guard sessions[detail.session] == .open else {
      throw Failure(.closedSession, subject: detail.session)
    }
    if let problem = detail.problem { throw Failure(problem, subject: detail.session) }
    sessions[detail.session] = .saving
    detail.error = nil
    return ResponseUpdateDetailViewModel(detail: detail, outcome: .saved)
  }

  /// Ends an edit session without saving.
  public mutating func cancel(_ request: RequestCancelDetailViewModel) throws(Failure)
    -> ResponseUpdateDetailViewModel
  {
    let detail = request.detail
    guard sessions.removeValue(forKey: detail.session) != nil else {
      throw Failure(.closedSession, subject: detail.session)
    }
    return ResponseUpdateDetailViewModel(detail: detail, outcome: .cancelled)
  }

  /// Asks the model to keep an accepted edit. Only this server accepts edits.
  public func save(_ response: ResponseUpdateDetailViewModel) -> RequestWriteTodo? {
    let detail = response.detail
    guard response.outcome == .saved, sessions[detail.session] == .saving else { return nil }
    return RequestWriteTodo(todo: detail.edited(current(detail.todo), at: now()))
  }

  /// Ends the session of an edit that was kept.
  public mutating func saved(
    _ response: ResponseUpdateDetailViewModel, _ kept: ResponseTodo
  ) -> ResponseTodoViewModel {
    sessions[response.detail.session] = nil
    return show(kept)
  }

  /// Reopens the session of an edit that could not be kept. Nothing of the edit is lost.
  public mutating func reopen(_ detail: TodoDetailViewModel, after failure: Failure)
    -> ResponseTodoDetailViewModel
  {
    var detail = detail
    detail.error = failure.forUser.userText
    sessions[detail.session] = .open
    return ResponseTodoDetailViewModel(detail: detail)
  }

  private mutating func open(_ todo: Todo) -> ResponseTodoDetailViewModel {
    let session = makeId()
    sessions[session] = .open
    return ResponseTodoDetailViewModel(detail: TodoDetailViewModel(todo, session: session))
  }

  static func detailHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestNewTodoDetailViewModel.self) { $0.new($1) }
    on.answer(RequestTodoDetailViewModel.self) { $0.detail($1) }
    on.answer(RequestUpdateDetailViewModel.self) { try $0.update($1) }
    on.answer(RequestCancelDetailViewModel.self) { try $0.cancel($1) }
    on.event(
      ResponseUpdateDetailViewModel.self, asking: { $0.save($1) }, then: { [$0.saved($1, $2)] },
      failed: { [$0.reopen($1.detail, after: $2)] })
  }
}
