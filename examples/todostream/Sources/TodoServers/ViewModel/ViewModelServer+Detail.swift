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
    lastCreated = nextCreated
    let todo = Todo(id: makeId(), list: request.list, createdAt: lastCreated)
    return open(TodoDetailViewModel(todo, session: makeId()))
  }

  /// An edit session for a row.
  public mutating func detail(_ request: RequestTodoDetailViewModel)
    -> ResponseTodoDetailViewModel
  {
    open(TodoDetailViewModel(kept(request.row.todo), session: makeId()))
  }

  /// Accepts an edit or says what is wrong with it; in that case the session stays open.
  public mutating func update(_ request: RequestUpdateDetailViewModel) throws(Failure)
    -> ResponseUpdateDetailViewModel
  {
    var detail = request.detail
    try check(detail)
    details.remove(at: try place(of: detail))
    saving[detail.session] = detail.todo
    detail.error = nil
    return ResponseUpdateDetailViewModel(detail: detail, outcome: .saved)
  }

  /// Accepts an edit when the host's validator agrees, if there is one. Meanwhile the session is open.
  public mutating func validated(
    _ request: RequestUpdateDetailViewModel
  ) throws(Failure) -> Next<Self, ResponseUpdateDetailViewModel> {
    guard validates else { return .done(try update(request)) }
    try check(request.detail)
    return .ask(RequestValidateDetailViewModel(detail: request.detail), timeout: .seconds(10)) {
      server, _ in
      .done(try server.update(request))
    } failed: { _, failure in
      throw failure.ofValidator(subject: request.detail.session)
    }
  }

  /// Refuses an edit that is over or wrong.
  private func check(_ detail: TodoDetailViewModel) throws(Failure) {
    _ = try place(of: detail)
    try checkIsKept(detail.id, subject: detail.session)
    if let problem = detail.problem { throw Failure(problem, subject: detail.session) }
  }

  /// Ends an edit session without saving.
  public mutating func cancel(_ request: RequestCancelDetailViewModel) throws(Failure)
    -> ResponseUpdateDetailViewModel
  {
    details.remove(at: try place(of: request.detail))
    return ResponseUpdateDetailViewModel(detail: request.detail, outcome: .cancelled)
  }

  /// Asks the model to keep an accepted edit. Only this server accepts edits.
  public mutating func save(_ response: ResponseUpdateDetailViewModel) -> RequestWriteTodo? {
    let detail = response.detail
    guard response.outcome == .saved, saving[detail.session] != nil else { return nil }
    let todo = detail.edited(current(detail.todo), at: now())
    saving[detail.session] = todo
    writing[todo.id] = todo
    return RequestWriteTodo(todo: todo)
  }

  /// Ends the session of an edit that was kept.
  public mutating func saved(
    _ response: ResponseUpdateDetailViewModel, _ kept: ResponseTodo
  ) -> ResponseTodoViewModel {
    answered(response.detail)
    return show(kept)
  }

  /// Reopens the session of an edit that could not be kept. Nothing of the edit is lost.
  public mutating func reopen(_ detail: TodoDetailViewModel, after failure: Failure)
    -> ResponseTodoDetailViewModel
  {
    var detail = detail
    detail.error = failure.forUser.userMessage
    answered(detail)
    return open(detail)
  }

  /// The model has kept an edit, or could not.
  private mutating func answered(_ detail: TodoDetailViewModel) {
    if let asked = saving.removeValue(forKey: detail.session) { forget(asked) }
  }

  private mutating func open(_ detail: TodoDetailViewModel) -> ResponseTodoDetailViewModel {
    details.append(detail)
    return ResponseTodoDetailViewModel(detail: detail)
  }

  private func place(of detail: TodoDetailViewModel) throws(Failure) -> Int {
    guard let place = details.firstIndex(where: { $0.session == detail.session }) else {
      throw Failure(.closedSession, subject: detail.session)
    }
    return place
  }

  static func detailHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestNewTodoDetailViewModel.self) { $0.new($1) }
    on.answer(RequestTodoDetailViewModel.self) { $0.detail($1) }
    on.answer(
      RequestUpdateDetailViewModel.self, asks: [RequestValidateDetailViewModel.self]
    ) { try $0.validated($1) }
    on.answer(RequestCancelDetailViewModel.self) { try $0.cancel($1) }
    on.event(
      ResponseUpdateDetailViewModel.self, asking: { $0.save($1) }, then: { [$0.saved($1, $2)] },
      failed: { [$0.reopen($1.detail, after: $2)] })
  }
}
