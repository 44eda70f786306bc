// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where todos are kept.
///
/// It keeps what it is given and returns it; what a todo means is not its concern. A call that throws has changed
/// nothing.
public protocol TodoStore: AnyObject, Sendable {
  /// Returns all todos of a list, deleted ones included, in no particular order.
  func todos(in list: String) throws(StoreError) -> [Todo]

  /// Keeps a todo: a new id adds it, a known id replaces the todo kept under it, but not its place.
  func write(_ todo: Todo) throws(StoreError)

  /// Gives todos their places, all or none of them. Nothing else of a todo changes; one that is not there is left out.
  func place(_ places: [TodoPlace]) throws(StoreError)

  /// Removes a deleted todo for good. A todo that is not deleted is refused; one that is not there is no error.
  func purge(_ id: Todo.ID) throws(StoreError)
}
