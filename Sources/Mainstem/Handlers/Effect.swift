// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a handler does to the values of its server.
///
/// The name of a request may not say another effect: `RequestFetchEntries` is a fetch. A view model shows as its commands
/// execute, so there only the names are checked: let a service fetch.
public enum Effect: Sendable {
  /// Gets something, and changes no value of its server: neither in its handler, nor in what that asks for, nor when
  /// the answer comes. A change is refused, and is a failure.
  case fetch
  /// Gets a list anew.
  case reload
  /// Gets the next part of a list.
  case loadMore
  /// Gets one thing anew, or changes it.
  case update
  /// Does something, such as signing in.
  case perform

  /// The flag of a row in C.
  var flag: UInt32 {
    let flag =
      switch self {
      case .fetch: MAINSTEM_HANDLER_FETCH
      case .reload: MAINSTEM_HANDLER_RELOAD
      case .loadMore: MAINSTEM_HANDLER_LOAD_MORE
      case .update: MAINSTEM_HANDLER_UPDATE
      case .perform: MAINSTEM_HANDLER_PERFORM
      }
    return UInt32(flag)
  }
}
