// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that asks.
///
/// Requested (``Context/request(_:)``) it gets exactly one ``Answer``; sent, it is a broadcast that
/// owes nobody an answer.
public protocol Request: Event {
  /// The type of event that answers it.
  associatedtype Answer: Response
}

extension Request {
  /// It asks.
  public static var role: Role { .request }

  /// The type of ``Answer``.
  public static var answer: (any Response.Type)? { Answer.self }
}
