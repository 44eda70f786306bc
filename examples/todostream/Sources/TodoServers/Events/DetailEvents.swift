// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// Asks for the detail of a new todo. Nothing is kept before it is saved.
public struct RequestNewTodoDetailViewModel: Request {
  public typealias Answer = ResponseTodoDetailViewModel
  public static var layer: Layer { .viewModel }

  /// The list that the todo goes to.
  public var list: String

  /// Asks for a new todo.
  public init(list: String) { self.list = list }
}

/// Asks for the detail of a row, to look at it or to edit it.
public struct RequestTodoDetailViewModel: Request {
  public typealias Answer = ResponseTodoDetailViewModel
  public static var layer: Layer { .viewModel }

  /// The row, as the view received it.
  public var row: TodoViewModel

  /// Asks for a detail.
  public init(row: TodoViewModel) { self.row = row }
}

/// The detail of a todo, which opens an edit session until it is saved or cancelled.
///
/// It is sent again, with the error's text in it, when a save could not be kept.
public struct ResponseTodoDetailViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// The detail; it names its session.
  public var detail: TodoDetailViewModel

  /// The detail of a todo.
  public init(detail: TodoDetailViewModel) { self.detail = detail }
}

/// Asks to save an edit.
public struct RequestUpdateDetailViewModel: Request {
  public typealias Answer = ResponseUpdateDetailViewModel
  public static var layer: Layer { .viewModel }

  /// The detail, as edited.
  public var detail: TodoDetailViewModel

  /// Asks to save an edit.
  public init(detail: TodoDetailViewModel) { self.detail = detail }
}

/// Asks the host's validator whether an edit may be saved. A failure is what the user is told.
public struct RequestValidateDetailViewModel: Request {
  public typealias Answer = ResponseValidateDetailViewModel
  public static var layer: Layer { .viewModel }

  /// The detail, as edited.
  public var detail: TodoDetailViewModel

  /// Asks whether an edit may be saved.
  public init(detail: TodoDetailViewModel) { self.detail = detail }
}

/// An edit may be saved.
public struct ResponseValidateDetailViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// An edit may be saved.
  public init() {}
}

/// Asks to end an edit session without saving.
public struct RequestCancelDetailViewModel: Request {
  public typealias Answer = ResponseUpdateDetailViewModel
  public static var layer: Layer { .viewModel }

  /// The detail, edited or not.
  public var detail: TodoDetailViewModel

  /// Asks to end an edit session.
  public init(detail: TodoDetailViewModel) { self.detail = detail }
}

/// An edit is over. If an edit is not accepted, the error's subject is the session.
public struct ResponseUpdateDetailViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// How an edit ends.
  public enum Outcome: String, Sendable, Codable {
    /// Accepted, and about to be kept.
    case saved
    /// Given up.
    case cancelled
  }

  /// The detail, as it was accepted or given up.
  public var detail: TodoDetailViewModel
  /// How the edit ended.
  public var outcome: Outcome

  /// An edit is over.
  public init(detail: TodoDetailViewModel, outcome: Outcome) {
    self.detail = detail
    self.outcome = outcome
  }
}
