// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that asks.
///
/// Made with ``Context/request(_:timeout:)``, it gets exactly one ``Answer``. If it is only sent, no
/// answer is owed.
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
