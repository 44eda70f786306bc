// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An event that tells what happened, and expects no answer.
public protocol Notice: Event {}
