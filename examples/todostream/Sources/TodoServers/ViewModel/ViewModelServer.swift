// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel
import TodoViewModel

/// Turns the view's requests into requests to the model, and the model's answers into what is shown.
///
/// It knows neither store nor view. Time and ids come from outside, so that a test can choose them. What is there to be
/// seen are its values: a view that is bound to it needs no copies.
public struct ViewModelServer: ViewModel {
  let now: () -> Moment
  let makeId: () -> String

  /// The lists that were read, by id.
  var lists: [String: TodoListViewModel] = [:]
  /// The list on the screen: the one that was read last.
  var shown = ""
  /// The todos as the model last had them: an old row never overwrites a newer change.
  var known: [Todo.ID: Todo] = [:]
  /// The deletions that can be undone.
  var deletions = Deletions()
  /// The todos that were purged, or are about to be: a view that still has an old row brings none of them back.
  var purged: Set<Todo.ID> = []
  /// The places that the model is asked to keep: the next move goes on from there.
  var moving: [Todo.ID: String] = [:]
  /// The open edit sessions. The last one is on the screen.
  var details: [TodoDetailViewModel] = []
  /// The edit sessions that are accepted, until the model has kept them.
  var saving: Set<String> = []
  /// When the last new todo was created; the next one is later, whatever the clock says.
  var lastCreated = Moment(microseconds: .min)

  /// Creates a server of view models.
  ///
  /// - Parameters:
  ///   - now: Returns the time.
  ///   - makeId: Returns a new id at each call.
  public init(now: @escaping () -> Moment, makeId: @escaping () -> String) {
    self.now = now
    self.makeId = makeId
  }

  /// Creates a server whose time and ids are those of a context, which a replay repeats.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - now: Returns the time; `nil`: the context does.
  public init(in context: Context, now: (() -> Moment)? = nil) {
    let context = Context(borrowing: context.handle)
    self.init(
      now: now ?? { Moment(microseconds: ((try? context.now()) ?? 0) / 1000) },
      makeId: { (try? context.id()) ?? "" })
  }

  /// When a todo is created that is new now.
  var nextCreated: Moment { max(now(), lastCreated.next) }

  /// The list on the screen; nil: none was read.
  private var list: TodoListViewModel? { lists[shown] }

  public static func handlers(_ on: inout Handlers<Self>) {
    on.list("rows") { $0.list?.rows ?? [] }
    on.list("deletedRows") { $0.list?.deletedRows ?? [] }
    on.shows("list") { $0.list?.summary }
    on.shows("detail", \.details.last)
    listHandlers(&on)
    rowHandlers(&on)
    detailHandlers(&on)
    purgeHandlers(&on)
    undoHandlers(&on)
    moveHandlers(&on)
  }
}
