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
  /// Whether a server of the host checks each edit.
  let validates: Bool

  /// The lists that were read, by id.
  var lists: [String: TodoListViewModel] = [:] { didSet { selected.forget() } }
  /// The list on the screen: the one that was read last.
  var shown = ""
  /// What is selected from its rows; nil: all.
  var query: Query? { didSet { selected.forget() } }
  /// What the query has selected.
  private let selected = SelectedRows()
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
  /// What the edit sessions that are accepted ask the model to keep, until it has answered.
  var saving: [String: Todo] = [:]
  /// The todos that the model is asked to keep: the next gesture goes on from there.
  var writing: [Todo.ID: Todo] = [:]
  /// When the last new todo was created; the next one is later, whatever the clock says.
  var lastCreated = Moment(microseconds: .min)

  /// Creates a server of view models.
  ///
  /// - Parameters:
  ///   - now: Returns the time.
  ///   - makeId: Returns a new id at each call.
  ///   - validates: Whether a server of the host answers ``RequestValidateDetailViewModel``.
  public init(
    now: @escaping () -> Moment, makeId: @escaping () -> String, validates: Bool = false
  ) {
    self.now = now
    self.makeId = makeId
    self.validates = validates
  }

  /// Creates a server whose time and ids are those of a context, which a replay repeats.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - now: Returns the time; `nil`: the context does.
  ///   - validates: Whether a server of the host answers ``RequestValidateDetailViewModel``.
  public init(in context: Context, now: (() -> Moment)? = nil, validates: Bool = false) {
    let context = Context(borrowing: context.handle)
    self.init(
      now: now ?? { Moment(microseconds: ((try? context.now()) ?? 0) / 1000) },
      makeId: { (try? context.id()) ?? "" }, validates: validates)
  }

  /// When a todo is created that is new now.
  var nextCreated: Moment { max(now(), lastCreated.next) }

  /// The list on the screen; nil: none was read.
  private var list: TodoListViewModel? { lists[shown] }

  /// What is shown of it.
  private var selection: SelectedRows.Both? { list.map { selected.of($0, by: query) } }

  private var summary: TodoListSummary? {
    guard query != nil, let selection else { return list?.summary }
    return list?.summary(
      found: selection.rows.found, deletedFound: selection.deleted.found)
  }

  public static func handlers(_ on: inout Handlers<Self>) {
    on.list("rows") { $0.selection?.rows ?? [].selection }
    on.list("deletedRows") { $0.selection?.deleted ?? [].selection }
    on.shows("list") { $0.summary }
    on.shows("detail", \.details.last)
    listHandlers(&on)
    rowHandlers(&on)
    detailHandlers(&on)
    purgeHandlers(&on)
    undoHandlers(&on)
    moveHandlers(&on)
  }
}
