// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
import TodoModel
public import TodoViewModel

extension ViewModelServer {
  /// The places that move a todo; none if it is there already.
  ///
  /// A todo that is not in the list any more is refused, and so is one to go in front of. The places of the list are
  /// those that the model last had, or was asked to keep since. While a query is shown, rows are not where their places
  /// put them, and a move is refused.
  public mutating func move(_ request: RequestMoveTodoViewModel) throws(Failure)
    -> RequestPlaceTodos
  {
    let id = request.row.id
    try checkIsKept(id, subject: id)
    let list = current(request.row.todo).list
    if list == shown, query != nil { throw Failure(.notInOrder, subject: id) }
    let todos = (lists[list]?.todos ?? []).map { $0.placed(moving[$0.id] ?? $0.place) }.inListOrder
    for id in [id, request.before?.id ?? id] {
      guard todos.contains(where: { $0.id == id && !$0.isDeleted }) else {
        throw Failure(.notInList, subject: id)
      }
    }
    let newest = OrderKey.derived(from: nextCreated.microseconds)
    let places = todos.places(moving: id, before: request.before?.id, behind: newest)
    for place in places { moving[place.id] = place.place }
    return RequestPlaceTodos(list: list, places: places)
  }

  /// Shows todos in their places.
  public mutating func show(
    _ kept: RequestPlaceTodos, for row: TodoViewModel
  ) -> ResponseTodoViewModel {
    forget(kept)
    for place in kept.places {
      // Not if it was purged meanwhile.
      guard let old = known[place.id] else { continue }
      known[place.id] = old.placed(place.place)
      lists[kept.list]?.merge(old.placed(place.place), replacing: old)
    }
    return ResponseTodoViewModel(list: kept.list, row: TodoViewModel(self.kept(row.todo)))
  }

  /// The model has kept the places, or could not.
  mutating func forget(_ asked: RequestPlaceTodos) {
    for place in asked.places where moving[place.id] == place.place { moving[place.id] = nil }
  }

  static func moveHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestMoveTodoViewModel.self, asks: [RequestPlaceTodos.self]) { server, request in
      let row = request.row
      let asked = try server.move(request)
      if asked.places.isEmpty { return .done(server.show(asked, for: row)) }
      return .ask(asked, goesOn: true) { server, _ in
        .done(server.show(asked, for: row))
      } failed: { server, failure in
        server.forget(asked)
        throw failure.forUser
      }
    }
  }
}
