// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that asks.
///
/// Made with `Context.request(_:timeout:)`, it gets exactly one ``Answer``. A request that is
/// only sent is owed no answer.
public protocol Request: Event {
  /// The type of its response.
  associatedtype Answer: Response
}

extension Request {
  /// It asks.
  public static var role: Role { .request }

  /// ``Answer``.
  public static var answer: (any Response.Type)? { Answer.self }
}
