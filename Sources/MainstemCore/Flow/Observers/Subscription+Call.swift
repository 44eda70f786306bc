// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Subscription {
  /// What each call tests or does besides calling. One word: the compiler would take a struct of `Bool`s apart bit by
  /// bit wherever it is copied. A property for each bit: what asks for one reads as English, unlike `contains`.
  package struct Call {
    private var bits: UInt32 = 0

    package init() {}

    package enum Outcome: UInt32 {
      case any = 0
      case failed = 1
      case succeeded = 2
    }

    /// Only failed responses, or only what succeeded.
    package var wants: Outcome {
      get { Outcome(rawValue: bits & 3) ?? .any }
      set { bits = bits & ~3 | newValue.rawValue }
    }
    package var counts: Bool {
      get { bits & 4 != 0 }
      set { set(4, newValue) }
    }
    package var confirms: Bool {
      get { bits & 8 != 0 }
      set { set(8, newValue) }
    }
    var isHandler: Bool {
      get { bits & 16 != 0 }
      set { set(16, newValue) }
    }
    /// An internal row: called behind all observers, and not counted as a delivery.
    var isInner: Bool {
      get { bits & 32 != 0 }
      set { set(32, newValue) }
    }
    /// It wants no late events.
    package var skipsHistory: Bool {
      get { bits & 64 != 0 }
      set { set(64, newValue) }
    }

    /// It is not called at once: its scheduler calls it.
    package var isScheduled: Bool {
      get { bits & 128 != 0 }
      set { set(128, newValue) }
    }

    /// Its calls are timed.
    var isTimed: Bool {
      get { bits & 256 != 0 }
      set { set(256, newValue) }
    }

    /// It gets only what is sent through one scope.
    package var isOfOneOrigin: Bool {
      get { bits & 512 != 0 }
      set { set(512, newValue) }
    }

    /// It gets only what views wrote.
    package var wantsWritten: Bool {
      get { bits & 4096 != 0 }
      set { set(4096, newValue) }
    }

    /// It is not made for gaps: what it lost counts as a failed call.
    package var failsForGaps: Bool {
      get { bits & (16 | 8192) != 0 }
      set { set(8192, newValue) }
    }

    /// It is a handler that changes no value of its server.
    var isFetch: Bool {
      get { bits & 16384 != 0 }
      set { set(16384, newValue) }
    }

    /// It is a handler that is not only for what its own server sends.
    var isForOthers: Bool {
      get { bits & 32768 != 0 }
      set { set(32768, newValue) }
    }

    /// Its server shows, and does so after each of its calls.
    var shows: Bool {
      get { bits & 1024 != 0 }
      set { set(1024, newValue) }
    }

    /// It is a server's show function.
    var isShow: Bool {
      get { bits & 2048 != 0 }
      set { set(2048, newValue) }
    }

    /// A view shows what others say: that is no step of its server.
    package var isOfView: Bool {
      get { bits & 65536 != 0 }
      set { set(65536, newValue) }
    }

    /// It is a handler that says that others handle its type, too.
    var isOneOfSeveral: Bool {
      get { bits & 131072 != 0 }
      set { set(131072, newValue) }
    }

    /// It is a handler of what is sent through its server's scope, and nothing else.
    var isOnlyOwn: Bool { bits & (16 | 512 | 32768) == 16 | 512 }

    /// What tells apart those that draw numbers: the same wherever the program registers it again, in whichever language.
    var kind: UInt64 { UInt64(bits & (16 | 32 | 128 | 512 | 2048 | 4096 | 65536)) }

    /// A handler of what is sent through its server's scope.
    var isOwnHandler: Bool { bits & (16 | 512) == 16 | 512 }
    var wantsHistory: Bool { bits & (32 | 64) == 0 }
    /// Its scheduler calls it for every event.
    var isPlainlyScheduled: Bool { bits & (7 | 16 | 32 | 128 | 4096) == 128 }
    var isConditional: Bool { bits & (15 | 128 | 256 | 4096) != 0 }

    private mutating func set(_ bit: UInt32, _ isOn: Bool) {
      bits = isOn ? bits | bit : bits & ~bit
    }
  }
}
