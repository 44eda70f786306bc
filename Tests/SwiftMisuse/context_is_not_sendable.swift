// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

func share<Value: Sendable>(_ value: Value) {}

func run(_ context: Context) {
  share(context)  // says: A context belongs to one thread or actor. Others use its poster.
}
