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
      let clock = input.clock
      var pending: Pending?
      clock.leave {
        guard input.isOpen else { return }
        do throws(StreamError) {
          pending = try ask(context, input)
        } catch {
          input.failed(Failure(error))
        }
      }
      return { clock.leave { pending?.cancel() } }
    }
  }
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

/// What becomes of a request: any number of steps, then its answer.
public enum RequestStep<Progress: Notice, Answer: Response>: Equatable, Sendable {
  /// A step on the way.
  case progress(Progress)
  /// The answer: nothing comes after it.
  case answer(Answer)
}

// MARK: - Answering with a signal

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

// MARK: - Sending what a signal gives

extension Signal where Value: Event, Failure == Mainstem.Failure {
  /// Starts it, and sends each of its values.
  ///
  ///     let run = typed.debounce(.milliseconds(300)).send(through: context, on: clock)
  ///
  /// - Parameters:
  ///   - context: The context or scope to send through.
  ///   - clock: The clock, usually of the same context.
  ///   - ended: Gets how it ended: its own end, or the first refusal.
  /// - Returns: The run, which ends when it is released.
  public func send(
    through context: Context, on clock: SignalClock,
    ended: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) -> SignalRun {
    let context = context.borrowed
    return conclude(on: clock, ended) { event throws(StreamError) in try context.send(event) }
  }

  /// Starts it, and sets each of its values: what is there already is not sent.
  ///
  /// - Parameters:
  ///   - context: The scope that owns the value.
  ///   - clock: The clock, usually of the same context.
  ///   - ended: Gets how it ended: its own end, or the first refusal.
  /// - Returns: The run, which ends when it is released.
  public func set(
    in context: Context, on clock: SignalClock,
    ended: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) -> SignalRun {
    let context = context.borrowed
    return conclude(on: clock, ended) { event throws(StreamError) in try context.set(event) }
  }

  private func conclude(
    on clock: SignalClock, _ ended: @escaping (Result<Void, Failure>) -> Void,
    _ pass: @escaping (Value) throws(StreamError) -> Void
  ) -> SignalRun {
    give { (value) throws(Failure) in
      do throws(StreamError) { try pass(value) } catch { throw Failure(error) }
    }.start(on: clock) { (event: SignalEvent<Never, Failure>) in
      switch event {
      case .completed: ended(.success(()))
      case .failed(let failure): ended(.failure(failure))
      }
    }
  }
}
