// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Values to come: any number of them, then one end.
///
/// A signal is a description, and does nothing until it is started. Each start runs it anew, from
/// its sources on.
///
///     let names = Signal<String, Never>.values(["ada", "bob"]).map { $0.uppercased() }
///     let run = names.start { event in print(event) }   // next ADA, next BOB, completed
///
/// The grammar holds whatever the source does: values, then `completed` or `failed`, then nothing.
/// A signal, its closures and its runs belong to one thread, the one of the ``SignalClock`` they
/// are started on. Values from other threads come in through a ``SignalPort``.
public struct Signal<Value, Failure: Error> {
  /// Gets the events of a run.
  public typealias Observer = (SignalEvent<Value, Failure>) -> Void

  /// Starts it for a part of a run that lives as long as the life.
  @usableFromInline let begin: (Life, @escaping Observer) -> Void
  /// How many operators lie between here and the nearest cut.
  @usableFromInline let depth: Int
  /// The nearest cuts upstream.
  @usableFromInline let cuts: [Cut]
  /// Gives all values, one after the other, and throws the failure; nil: they have to be waited for.
  @usableFromInline var supply: Supply?

  @usableFromInline package typealias Supply =
    (_ consumer: (Value) throws(Failure) -> Void) throws(Failure) -> Void

  /// A source.
  @inlinable init(_ begin: @escaping (Life, @escaping Observer) -> Void) {
    self.init(depth: 0, cuts: [], begin)
  }

  @inlinable init(
    depth: Int, cuts: [Cut], _ begin: @escaping (Life, @escaping Observer) -> Void
  ) {
    if depth < Cut.distance {
      (self.begin, self.depth, self.cuts) = (begin, depth, cuts)
    } else {
      let cut = CutSignal(begin, above: cuts)
      (self.begin, self.depth, self.cuts) = ({ cut.start($0, $1) }, 1, [cut])
    }
  }

  /// An operator that handles each event, and ends nothing upstream.
  @inlinable func lift<NewValue, NewFailure>(
    _ make: @escaping (@escaping Signal<NewValue, NewFailure>.Observer) -> Observer
  ) -> Signal<NewValue, NewFailure> {
    Signal<NewValue, NewFailure>(depth: depth + 1, cuts: cuts) { [begin] life, observer in
      begin(life, make(observer))
    }
  }

  /// An operator that may end what is upstream, or has a deadline: its upstream has a life of its
  /// own. `make` gets the operator's life, then that of its upstream.
  @inlinable func fence<NewValue, NewFailure>(
    _ make: @escaping (Life, Life, @escaping Signal<NewValue, NewFailure>.Observer) -> Observer
  ) -> Signal<NewValue, NewFailure> {
    Signal<NewValue, NewFailure>(depth: depth + 1, cuts: cuts) { [begin] life, observer in
      let upstream = Life(in: life)
      begin(upstream, make(life, upstream, observer))
    }
  }

  /// What a run on this clock would say before `start` returns, for who can do without the run.
  /// Nil: there may be more.
  @usableFromInline package func supply(on clock: SignalClock) -> Supply? {
    clock.isIdle ? supply : nil
  }

  /// Starts it as a branch of an operator, when what runs now has been done. After the end of its
  /// life nothing is heard, also when the end comes between two events of one step.
  @inlinable func branch(_ life: Life, _ observer: @escaping Observer) {
    life.clock.push(
      Work(life) { [begin] in
        begin(life) { event in
          if !life.isEnded { observer(event) }
        }
        return false
      })
  }
}
