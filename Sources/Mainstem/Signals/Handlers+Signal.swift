// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import MainstemSignals

extension Handlers {
  /// Answers requests of a type with signals: the last value is the answer.
  ///
  ///     on.answer(RequestSearch.self, signal: { _, search, context in
  ///       context.signal(asking: RequestPage(about: search.text))
  ///         .retry(2)
  ///         .map { page in ResponseSearch(titles: page.titles) }
  ///     })
  ///
  /// When somebody else settles the request (it is cancelled, or its time is up), the signal's run is cancelled.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - body: Gets the server, the request, and the server's scope to ask and observe through. It returns the signal,
  ///     which runs by the context's time. If it throws, or the signal fails or completes without a value, the
  ///     response fails.
  public mutating func answer<R: Request>(
    _ type: R.Type,
    signal body: @escaping (inout S, R, Context) throws -> Signal<R.Answer, Failure>
  ) {
    run(type, body) { reply, last, event throws(StreamError) in
      switch event {
      case .next(let answer): last.value = answer
      case .completed:
        if let answer = last.value { try reply.respond(answer) } else { try reply.failEmpty() }
      case .failed(let failure): try reply.fail(failure)
      }
    }
  }

  /// Answers requests of a type with signals that report progress, too.
  ///
  ///     on.answer(RequestLoad.self, progress: Loaded.self, signal: { _, load, context in
  ///       Signal.every(.seconds(1)).failing(as: Failure.self).take(10)
  ///         .map { .progress(Loaded(percent: $0 * 10)) }
  ///         .concat(.just(.answer(ResponseLoad())))
  ///     })
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - progress: The type of progress.
  ///   - body: Gets the server, the request, and the server's scope. It returns a signal of steps; the first
  ///     answer ends it.
  public mutating func answer<R: Request, N: Notice>(
    _ type: R.Type, progress: N.Type,
    signal body:
      @escaping (inout S, R, Context) throws -> Signal<RequestStep<N, R.Answer>, Failure>
  ) {
    run(type, body) { reply, _, event throws(StreamError) in
      switch event {
      case .next(.progress(let step)): try reply.progress(step)
      case .next(.answer(let answer)): try reply.respond(answer)
      case .completed: try reply.failEmpty()
      case .failed(let failure): try reply.fail(failure)
      }
    }
  }

  private mutating func run<R: Request, Value>(
    _ type: R.Type, _ body: @escaping (inout S, R, Context) throws -> Signal<Value, Failure>,
    _ settle:
      @escaping (Reply<R>, Last<Value>, SignalEvent<Value, Failure>) throws(StreamError) -> Void
  ) {
    event(type) { server, request, delivery in
      let context = delivery.context
      let signal = try body(&server, request, context)
      let reply = try delivery.reply(to: type)
      let last = Last<Value>()
      // Refused: it has its answer.
      let pass = { (event: SignalEvent<Value, Failure>) in try? settle(reply, last, event) }
      let run = signal.give { pass(.next($0)) }.start(on: context.signalClock(R.name)) { pass($0) }
      if !run.isEnded { try delivery.onSettled { run.cancel() } }
      return []
    }
  }
}

/// The last value of a run. Its own callbacks may be called while it is looked at.
private final class Last<Value> { var value: Value? }

extension Reply {
  /// Fails: there was no answer among what a signal sent.
  fileprivate func failEmpty() throws(StreamError) {
    try fail(Failure("\(R.name): the signal completed without an answer", code: .cancelled))
  }
}
