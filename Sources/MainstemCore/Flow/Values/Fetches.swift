// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The fetches that something is part of, the innermost first: a fetch that another one asks for hides none of the
/// servers whose values must not change. Each server is there once.
package struct Fetches {
  private var first = Effect.none
  private var second = Effect.none
  private var third = Effect.none
  private var fourth = Effect.none

  /// How many are remembered: of more, the outermost is forgotten.
  private static var most: Int { 4 }

  package static var none: Fetches { Fetches() }

  package var isEmpty: Bool { !first.isFetch }

  /// What is asked in a fetch that is itself part of these.
  package func entering(_ fetch: Effect) -> Fetches {
    var (fetches, carried, place) = (self, fetch, 0)
    while place < Fetches.most, carried.isFetch {
      swap(&fetches[place], &carried)
      // The fetch of this server that was there before.
      if carried.origin == fetch.origin { break }
      place &+= 1
    }
    return fetches
  }

  /// The fetch of a server.
  package func fetch(of origin: UInt32) -> Effect {
    var place = 0
    while place < Fetches.most, self[place].isFetch {
      if self[place].origin == origin { return self[place] }
      place &+= 1
    }
    return .none
  }

  private subscript(place: Int) -> Effect {
    get {
      switch place {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch place {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }
}
