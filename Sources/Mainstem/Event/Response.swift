// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that answers.
///
/// Its fields are the answer on success. A failed response carries a ``Failure`` instead.
public protocol Response: Event {}

extension Response {
  /// It answers.
  public static var role: Role { .response }
}
