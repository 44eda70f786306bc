// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that answers.
///
/// Its fields are what it says when all went well. A response that failed carries a ``Failure`` in
/// their place.
public protocol Response: Event {}

extension Response {
  /// It answers.
  public static var role: Role { .response }
}
