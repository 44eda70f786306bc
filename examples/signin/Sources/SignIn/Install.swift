// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// Adds the app to a context: the session, and a factory for screens. Before the first event; in a replay, too.
public func install(in context: Context) throws {
  try context.addService(Session.self) { Session() }
  try context.addFactory(SignIn.self, layer: .view) { SignIn() }
}
