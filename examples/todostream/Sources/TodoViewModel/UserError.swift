// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// What can go wrong in this app, each with its text for the user.
///
/// The raw values are the codes that todostream.h lists.
public enum UserError: Int32, Error, Sendable, CaseIterable {
  case emptyTitle = 1001
  case closedSession = 1002
  case notDeleted = 1003
  case nothingToUndo = 1004
  case purged = 1005
  case notInList = 1006
  case notInOrder = 1007
  case wrongQuery = 1008
  case notValidated = 1009
  case storeLocked = 1010
  case storeReadOnly = 1011
  case noSpace = 1012
  case storeUnavailable = 1013
  case storeUnreadable = 1014
  case other = 1099

  /// The text for the user.
  public var text: String {
    switch self {
    case .emptyTitle: "Please add a title."
    case .closedSession: "This todo is not being edited any more."
    case .notDeleted: "Only a deleted todo can be removed for good."
    case .nothingToUndo: "There is nothing to undo."
    case .purged: "This todo has been removed for good."
    case .notInList: "This todo is not in the list any more."
    case .notInOrder: "To move a todo, show the whole list in its own order."
    case .wrongQuery: "The list cannot be searched or sorted like this."
    case .notValidated: "The todo could not be checked. Please try again."
    case .storeLocked: "Another program is using the list. Please try again."
    case .storeReadOnly: "The list cannot be changed: its file is read-only."
    case .noSpace: "The list cannot be changed: the disk is full."
    case .storeUnavailable: "The list cannot be opened."
    case .storeUnreadable: "The file does not hold a list that this program can read."
    case .other: "An error occurred."
    }
  }

  /// What an error of the store means to the user.
  public init(_ reason: StoreError.Reason) {
    switch reason {
    case .locked: self = .storeLocked
    case .readOnly: self = .storeReadOnly
    case .noSpace: self = .noSpace
    case .unavailable: self = .storeUnavailable
    case .unreadable: self = .storeUnreadable
    case .notDeleted: self = .notDeleted
    case .failed: self = .other
    }
  }
}
