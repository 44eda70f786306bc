// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

extension Priority {
  /// The text to show.
  public var text: String { self == .high ? "HIGH" : "NORMAL" }
}
