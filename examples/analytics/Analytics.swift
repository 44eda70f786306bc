// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Analytics, as in analytics.py: the same events, batches and rules, for app cores in Swift. A file to copy or to link
// to.

public import Mainstem

extension Layer {
  /// What analytics sends, and nothing else does.
  public static let analytics = Layer("analytics")
}

/// A part of a record.
public enum Fact: Sendable, Hashable, Codable {
  /// Yes or no.
  case flag(Bool)
  /// A number.
  case number(Int)
  /// A word of the program. What a user has typed does not belong here.
  case word(String)

  /// Decodes a fact.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else {
      self = .word(try value.decode(String.self))
    }
  }

  /// Encodes the fact as what it is.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .flag(let flag): try value.encode(flag)
    case .number(let number): try value.encode(number)
    case .word(let word): try value.encode(word)
    }
  }
}

/// Asks the host to upload a batch. Asked again, it is the same batch: its name says so.
public struct RequestUpload: Request {
  public typealias Answer = ResponseUploaded
  public static var layer: Layer { .analytics }

  /// The name of the batch, which no other has.
  public var batch: String
  /// One record for each event that was told, in order: `{"event":"RequestDelete","at":7}` and its facts. If some were
  /// dropped, the last one says how many: `{"event":"lost","count":3}`.
  public var records: [[String: Fact]]

  /// Asks to upload a batch.
  public init(batch: String, records: [[String: Fact]]) {
    self.batch = batch
    self.records = records
  }
}

/// A batch was uploaded.
public struct ResponseUploaded: Response {
  public static var layer: Layer { .analytics }

  /// The name of the batch.
  public var batch: String

  /// A batch was uploaded.
  public init(batch: String) { self.batch = batch }
}

/// What waits is to be uploaded now. The host sends it before it ends.
public struct NoticeUploadDue: Notice {
  public static var layer: Layer { .analytics }
  public static var record: RecordMode { .none }

  /// What waits is to be uploaded.
  public init() {}
}

/// What is told about the events of a type.
public struct AnalyticsRule {
  let layer: Layer
  let observe:
    (
      Context, Queue, @escaping (Gap) -> Void,
      @escaping (borrowing Delivery, [String: Fact]) throws -> Void
    )
      throws(StreamError) -> Subscription

  /// Tells about events; failed responses are left out.
  ///
  /// - Parameters:
  ///   - type: The type. Of a secret one, only that it happened is told.
  ///   - facts: Returns what to tell about an event; `nil`: nothing.
  public init<E: Event>(_ type: E.Type, _ facts: @escaping (E) -> [String: Fact]? = { _ in [:] }) {
    layer = type.layer
    observe = { scope, queue, lose, tell throws(StreamError) in
      try scope.observe(type, history: false, on: .host, queue: queue, onGap: lose) {
        if let facts = $1.isSecret ? [:] : facts($0) { try tell($1, facts) }
      }
    }
  }

  /// Tells about responses, failed or not.
  ///
  /// - Parameters:
  ///   - type: The type. Of a secret one, only that it happened is told.
  ///   - facts: Returns what to tell about an answer; `nil`: nothing.
  public init<R: Response>(
    results type: R.Type, _ facts: @escaping (Result<R, Failure>) -> [String: Fact]?
  ) {
    layer = type.layer
    observe = { scope, queue, lose, tell throws(StreamError) in
      try scope.observe(results: type, history: false, on: .host, queue: queue, onGap: lose) {
        if let facts = $1.isSecret ? [:] : facts($0) { try tell($1, facts) }
      }
    }
  }
}

/// Maps events by rules, collects the records, and has the host upload them in batches, one at a time.
///
/// It is a scope that observes, and may send events of its own layer only: it cannot change what the program does, and
/// the program is the same without it. All it does, it does on the host scheduler: a replay does not need it. Events
/// wait for it in queues that drop the oldest first, so the program never waits. It ends with its context, and what was
/// not uploaded is lost.
public final class Analytics {
  /// Its scope. It ends when this is closed.
  public let scope: Context
  private let options: Options
  private var subscriptions: [Subscription] = []
  private var waiting: [[String: Fact]] = []
  private var lost = 0
  /// The batch being uploaded, until it has arrived, and whether a request for it is open.
  private var batch: RequestUpload?
  private var isAsked = false
  private var attempts = 0
  private var timer: EventTimer?
  /// Whether all that waits is to be uploaded, and not only full batches.
  private var isDue = false

  /// How much, and when.
  public struct Options {
    /// How many records a full batch has. It is uploaded at once.
    public var size = 20
    /// How long a record waits for its batch to be full.
    public var period = Duration.seconds(30)
    /// How long an upload may take.
    public var timeout = Duration.seconds(60)
    /// How long to wait after the first, the second … and every further failure.
    public var retry: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]
    /// How many records may wait. Above that, the oldest are lost, and counted.
    public var keep = 1000
    /// The facts that never leave the program, whatever a rule tells.
    public var hidden: Set<String> = ["password", "token"]

    /// The default.
    public init() {}
  }

  /// Observes from now on, until the context or scope ends.
  ///
  /// - Parameters:
  ///   - context: The context or scope.
  ///   - rules: What is told.
  ///   - options: How much, and when.
  /// - Throws: The reason it was refused; then it observes nothing.
  @discardableResult
  public init(
    in context: Context, _ rules: [AnalyticsRule], _ options: Options = Options()
  ) throws(StreamError) {
    self.options = options
    let observes = Set(rules.map(\.layer)).union([.analytics])
    scope = try context.scope(
      "Analytics", rights: Rights(sends: [.analytics], observes: observes))
    try scope.register(RequestUpload.self, ResponseUploaded.self)
    // Its observers keep it as long as the scope lives.
    do throws(StreamError) {
      for rule in rules {
        let queue = Queue.dropOldest(limit: options.keep)
        subscriptions.append(
          try rule.observe(scope, queue, { self.lost += Int($0.count) }, { try self.tell($0, $1) }))
      }
      subscriptions.append(
        try scope.observe(NoticeUploadDue.self, on: .host) { _, _ in try self.comeDue() })
    } catch {
      try? scope.close()
      throw error
    }
  }

  private func tell(_ delivery: borrowing Delivery, _ facts: [String: Fact]) throws {
    var record = facts.filter { !options.hidden.contains($0.key) }
    record["event"] = .word(delivery.name)
    record["at"] = .number(Int(delivery.position))
    waiting.append(record)
    if waiting.count > options.keep {
      waiting.removeFirst()
      lost += 1
    }
    try goOn()
  }

  private func comeDue() throws(StreamError) {
    isDue = true
    timer?.cancel()
    timer = nil
    guard !isAsked else { return }
    if let batch { try upload(batch) } else { try goOn() }
  }

  /// Uploads a full batch at once, and any other when its time has come.
  private func goOn() throws(StreamError) {
    guard batch == nil else { return }
    if waiting.isEmpty {
      isDue = false
    } else if isDue || waiting.count >= max(1, options.size) {
      try upload(nextBatch())
    } else if timer == nil {
      timer = try scope.send(NoticeUploadDue(), after: options.period)
    }
  }

  private func nextBatch() throws(StreamError) -> RequestUpload {
    var records = Array(waiting.prefix(max(1, options.size)))
    let batch = try scope.id()
    waiting.removeFirst(records.count)
    if lost > 0 { records.append(["event": .word("lost"), "count": .number(lost)]) }
    lost = 0
    return RequestUpload(batch: batch, records: records)
  }

  private func upload(_ batch: RequestUpload) throws(StreamError) {
    timer?.cancel()
    timer = nil
    self.batch = batch
    do throws(StreamError) {
      try scope.request(batch, timeout: options.timeout, on: .host) { [self] result, delivery in
        do throws(StreamError) { try answered(result) } catch {
          if error.status != .stale { delivery.fail(Failure(error)) }
        }
      }
      isAsked = true
    } catch {
      try wait()
      throw error
    }
  }

  private func answered(_ result: Result<ResponseUploaded, Failure>) throws(StreamError) {
    isAsked = false
    if case .success = result {
      (batch, attempts) = (nil, 0)
      try goOn()
    } else {
      try wait()
    }
  }

  /// The same batch again before any other, so that each comes once and in order.
  private func wait() throws(StreamError) {
    isDue = false
    let delay = options.retry.dropFirst(attempts).first ?? options.retry.last ?? options.period
    attempts += 1
    timer = try scope.send(NoticeUploadDue(), after: delay)
  }
}
