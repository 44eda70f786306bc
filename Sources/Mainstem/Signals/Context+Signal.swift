// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

extension Context {
  /// The events of a type as a signal: each start observes it.
  ///
  ///     let paid = context.signal(of: Paid.self).map(\.cents).scan(0, +)
  ///
  /// If the type is a value, the present one comes first, then each change. The signal fails if the observer is
  /// refused, and does not end otherwise. It does not keep the context.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  /// - Returns: The signal.
  public func signal<E: Event>(
    of type: E.Type, of scope: Context? = nil, history: Bool = true
  ) -> Signal<E, Failure> {
    let (context, scope) = (borrowed, scope?.borrowed)
    return .create { input in
      do throws(StreamError) {
        let subscription = try context.observe(type, of: scope, history: history) { event, _ in
          input.next(event)
        }
        return { subscription.cancel() }
      } catch {
        input.failed(Failure(error))
        return nil
      }
    }
  }

  /// A request as a signal: each start asks. It sends the answer and completes, or fails.
  ///
  ///     let found = typed.flatMap(.latest) { context.signal(asking: RequestSearch(text: $0)) }
  ///
  /// When its run is cancelled before the answer, the request is.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  /// - Returns: The signal.
  public func signal<R: Request>(
    asking request: R, timeout: Duration? = nil, shared: Bool = false
  ) -> Signal<R.Answer, Failure> {
    asking { context, input throws(StreamError) in
      try context.request(request, timeout: timeout, shared: shared) { result, _ in
        input.conclude(result) { $0 }
      }
    }
  }

  /// A request with its progress as a signal: each start asks. It sends each step, then the answer, and completes, or
  /// fails.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - type: The type of progress wanted.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - shared: Whether all who ask the same at a time wait for one answer.
  /// - Returns: The signal.
  public func signal<R: Request, N: Notice>(
    asking request: R, progress type: N.Type, timeout: Duration? = nil, shared: Bool = false
  ) -> Signal<RequestStep<N, R.Answer>, Failure> {
    asking { context, input throws(StreamError) in
      try context.request(request, timeout: timeout, shared: shared, progress: type) { step, _ in
        input.next(.progress(step))
      } answer: { result, _ in
        input.conclude(result) { .answer($0) }
      }
    }
  }

  private func asking<Value>(
    _ ask: @escaping (Context, SignalInput<Value, Failure>) throws(StreamError) -> Pending
  ) -> Signal<Value, Failure> {
    let context = borrowed
    return .create { input in
      let (asked, clock) = (Asked(), input.clock)
      clock.leave {
        guard input.isOpen else { return }
        do throws(StreamError) {
          asked.pending = try ask(context, input)
        } catch {
          input.failed(Failure(error))
        }
      }
      return { clock.leave { asked.pending?.cancel() } }
    }
  }
}

/// What a run has asked, if it has.
private final class Asked {
  var pending: Pending?
}

extension SignalInput where Failure == Mainstem.Failure {
  fileprivate func conclude<Answer>(
    _ result: Result<Answer, Failure>, _ value: (Answer) -> Value
  ) {
    switch result {
    case .success(let answer):
      next(value(answer))
      completed()
    case .failure(let failure): failed(failure)
    }
  }
}
