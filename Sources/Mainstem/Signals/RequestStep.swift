// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a request: any number of steps, then its answer.
public enum RequestStep<Progress: Notice, Answer: Response>: Equatable, Sendable {
  /// A step on the way.
  case progress(Progress)
  /// The answer: nothing comes after it.
  case answer(Answer)
}
