// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Where todos are kept.
///
/// It keeps what it is given and gives it back; what a todo means is not its business. A call that
/// throws has changed nothing.
public protocol TodoStore: AnyObject, Sendable {
  /// All todos of a list, also the deleted ones, in no order in particular.
  func todos(in list: String) throws(StoreError) -> [Todo]

  /// Keeps a todo: a new id adds it, a known one replaces what was kept under it.
  func write(_ todo: Todo) throws(StoreError)
}
