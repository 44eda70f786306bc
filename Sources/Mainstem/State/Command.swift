// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A command of a view model, by name and by what it is run with: written once, and then checked by the compiler.
///
///     struct Mixer: ViewModel {
///       var volume = 0.5
///       static let louder = Command<Double, Void>("louder")
///
///       static func handlers(_ on: inout Handlers<Self>) {
///         on.writable("volume", \.volume)
///         on.command(louder) { $0.volume += $1 }
///       }
///     }
///
///     try view.run(\.louder, 0.1)
public struct Command<Value, Answer>: Sendable {
  /// The part of the command's name behind the owner's.
  public let name: String

  /// Names a command.
  ///
  /// - Parameter name: The part of the command's name behind the owner's: `louder` is the request type `Mixer.louder`.
  public init(_ name: String) { self.name = name }
}

extension Handlers where S: ViewModel {
  /// Adds a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model.
  public mutating func command(
    _ command: Command<Void, Void>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S) throws -> Void
  ) {
    self.command(command.name, enabled: enabled, policy: policy, body)
  }

  /// Adds a command that may ask and go on.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - asked: The types that its runs ask.
  ///   - body: Gets the view model and the run, which asks.
  public mutating func command(
    _ command: Command<Void, Void>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil,
    asks asked: [any Request.Type] = [],
    _ body: @escaping (inout S, Run<S>) throws -> Void
  ) {
    self.command(
      command.name, enabled: enabled, policy: policy, cancelledBy: cancelledBy, asks: asked, body)
  }

  /// Adds a command that is run with something.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model and what the view gave.
  public mutating func command<Value: Decodable>(
    _ command: Command<Value, Void>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S, Value) throws -> Void
  ) {
    self.command(command.name, with: Value.self, enabled: enabled, policy: policy, body)
  }

  /// Adds a command that is run with something, and may ask and go on.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - asked: The types that its runs ask.
  ///   - body: Gets the view model, what the view gave, and the run, which asks.
  public mutating func command<Value: Decodable>(
    _ command: Command<Value, Void>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil,
    asks asked: [any Request.Type] = [],
    _ body: @escaping (inout S, Value, Run<S>) throws -> Void
  ) {
    self.command(
      command.name, with: Value.self, enabled: enabled, policy: policy, cancelledBy: cancelledBy,
      asks: asked,
      body)
  }

  /// Adds a command that asks somebody, and goes on with the answer.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - question: Gets the view model, and returns what it asks.
  ///   - then: Gets the view model and the answer.
  ///   - failed: Gets the failure, if that is the answer. Without it, the command fails with it.
  public mutating func command<Q: Request>(
    _ command: Command<Void, Void>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil, timeout: Duration? = nil,
    asking question: @escaping (inout S) throws -> Q,
    then: @escaping (inout S, Q.Answer) throws -> Void,
    failed: @escaping (inout S, Failure) throws -> Void = { throw $1 }
  ) {
    self.command(
      command.name, enabled: enabled, policy: policy, cancelledBy: cancelledBy, timeout: timeout,
      asking: question, then: then, failed: failed)
  }

  /// Adds a command that answers.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model and what the view gave, and returns the answer.
  public mutating func command<Value: Decodable, Answer: Encodable>(
    _ command: Command<Value, Answer>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S, Value) throws -> Answer
  ) {
    self.command(command.name, with: Value.self, enabled: enabled, policy: policy, body)
  }

  /// Adds a command that is run with nothing, and answers.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model, and returns the answer.
  public mutating func command<Answer: Encodable>(
    _ command: Command<Void, Answer>, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S) throws -> Answer
  ) {
    self.command(command.name, enabled: enabled, policy: policy, body)
  }
}

extension Shown {
  /// Adds an action.
  ///
  /// - Parameters:
  ///   - command: The command that a view runs it by.
  ///   - action: The action.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of an action that ends the runs of this one.
  ///   - asked: The types that its mutations ask.
  @inlinable
  public mutating func action(
    _ command: Command<Void, Void>, _ action: R.Action, enabled: KeyPath<R.State, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil, asks asked: [any Request.Type] = []
  ) {
    self.action(
      command.name, action, enabled: enabled, policy: policy, cancelledBy: cancelledBy, asks: asked)
  }

  /// Adds an action that is run with something.
  ///
  /// - Parameters:
  ///   - command: The command that a view runs it by.
  ///   - make: Gets what the view gave, and makes the action.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of an action that ends the runs of this one.
  ///   - asked: The types that its mutations ask.
  @inlinable
  public mutating func action<Value: Decodable>(
    _ command: Command<Value, Void>, _ make: @escaping (Value) -> R.Action,
    enabled: KeyPath<R.State, Bool>? = nil, policy: CommandPolicy = .refuse,
    cancelledBy: String? = nil,
    asks asked: [any Request.Type] = []
  ) {
    self.action(
      command.name, make, enabled: enabled, policy: policy, cancelledBy: cancelledBy, asks: asked)
  }
}

/// What a view model can be told to do.
extension Handlers where S: ViewModel {
  /// Adds a command.
  ///
  ///     on.command("undo", enabled: \.canUndo) { $0.undo() }
  ///
  /// A view runs it: `Binding.run(_:_:timeout:_:)`. A failure that it throws is its answer.
  ///
  /// - Parameters:
  ///   - name: The command's name: `undo` is the request type `Editor.undo`.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model.
  public mutating func command(
    _ name: String, enabled: KeyPath<S, Bool>? = nil, policy: CommandPolicy = .refuse,
    _ body: @escaping (inout S) throws -> Void
  ) {
    add(name, nil, enabled, policy) { _, _ in { model, _ in try body(&model) } }
  }

  /// Adds a command that may ask and go on.
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - asked: The types that its runs ask: they are known when the view model is opened. Others are known when
  ///     they are first asked.
  ///   - body: Gets the view model and the run, which asks.
  public mutating func command(
    _ name: String, enabled: KeyPath<S, Bool>? = nil, policy: CommandPolicy = .refuse,
    cancelledBy: String? = nil, asks asked: [any Request.Type] = [],
    _ body: @escaping (inout S, Run<S>) throws -> Void
  ) {
    self.asked += asked
    add(name, nil, enabled, policy, cancelledBy) { _, _ in body }
  }

  /// Adds a command that is run with something.
  ///
  ///     on.command("remove", with: Int.self) { list, id in list.remove(id) }
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - type: The type of what it is run with.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model and what the view gave.
  public mutating func command<Value: Decodable>(
    _ name: String, with type: Value.Type, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S, Value) throws -> Void
  ) {
    command(name, with: type, enabled: enabled, policy: policy) { model, value, _ in
      try body(&model, value)
    }
  }

  /// Adds a command that is run with something, and may ask and go on.
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - type: The type of what it is run with.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - asked: The types that its runs ask: they are known when the view model is opened. Others are known when
  ///     they are first asked.
  ///   - body: Gets the view model, what the view gave, and the run, which asks.
  public mutating func command<Value: Decodable>(
    _ name: String, with type: Value.Type, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, cancelledBy: String? = nil,
    asks asked: [any Request.Type] = [],
    _ body: @escaping (inout S, Value, Run<S>) throws -> Void
  ) {
    self.asked += asked
    let form = ValueForm(type)
    add(name, type, enabled, policy, cancelledBy) { types, event in
      let value = try form.value(type, of: event, types)
      return { model, run in try body(&model, value, run) }
    }
  }

  /// Adds a command that asks somebody, and goes on with the answer.
  ///
  ///     on.command("go", enabled: \.isUsernameValid, asking: { $0.go() }, then: { $0.went($1) })
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - cancelledBy: The name of a command that ends the runs of this one when it begins.
  ///   - timeout: How long to wait for the answer, by the context's clock.
  ///   - question: Gets the view model, and returns what it asks.
  ///   - then: Gets the view model and the answer.
  ///   - failed: Gets the failure, if that is the answer. Without it, the command fails with it.
  public mutating func command<Q: Request>(
    _ name: String, enabled: KeyPath<S, Bool>? = nil, policy: CommandPolicy = .refuse,
    cancelledBy: String? = nil, timeout: Duration? = nil,
    asking question: @escaping (inout S) throws -> Q,
    then: @escaping (inout S, Q.Answer) throws -> Void,
    failed: @escaping (inout S, Failure) throws -> Void = { throw $1 }
  ) {
    command(name, enabled: enabled, policy: policy, cancelledBy: cancelledBy, asks: [Q.self]) {
      model, run in
      run.ask(try question(&model), timeout: timeout, then: then, failed: failed)
    }
  }

  /// Adds a command that answers.
  ///
  ///     on.command("add", with: String.self) { shelf, title in shelf.add(title) }  // its id
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - type: The type of what it is run with.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model and what the view gave, and returns the answer.
  public mutating func command<Value: Decodable, Answer: Encodable>(
    _ name: String, with type: Value.Type, enabled: KeyPath<S, Bool>? = nil,
    policy: CommandPolicy = .refuse, _ body: @escaping (inout S, Value) throws -> Answer
  ) {
    let (form, answer) = (ValueForm(type), ValueForm(Answer.self))
    add(name, type, enabled, policy, answer: Answer.self) { types, event in
      let value = try form.value(type, of: event, types)
      return { model, run in run.answer = try answer.bytes(of: try body(&model, value), types) }
    }
  }

  /// Adds a command that is run with nothing, and answers.
  ///
  /// - Parameters:
  ///   - name: The command's name.
  ///   - enabled: A property that a value shows; while it is false, runs are refused.
  ///   - policy: What happens to a run while another executes.
  ///   - body: Gets the view model, and returns the answer.
  public mutating func command<Answer: Encodable>(
    _ name: String, enabled: KeyPath<S, Bool>? = nil, policy: CommandPolicy = .refuse,
    _ body: @escaping (inout S) throws -> Answer
  ) {
    let answer = ValueForm(Answer.self)
    add(name, nil, enabled, policy, answer: Answer.self) { types, _ in
      { model, run in run.answer = try answer.bytes(of: try body(&model), types) }
    }
  }

  /// Does something once, when the view model is opened.
  ///
  /// - Parameters:
  ///   - asked: The types that it asks: they are known when the view model is opened.
  ///   - body: Gets the view model, and a run that asks. If it throws, the view model is not opened.
  public mutating func opened(
    asks asked: [any Request.Type] = [], _ body: @escaping (inout S, Run<S>) throws -> Void
  ) {
    self.asked += asked
    opened.append(body)
  }

  private mutating func add(
    _ name: String, _ type: Any.Type?, _ enabled: KeyPath<S, Bool>?, _ policy: CommandPolicy,
    _ cancelledBy: String? = nil, answer: Any.Type? = nil,
    _ body:
      @escaping (EventTypes, mainstem_event) throws -> (inout S, Run<S>) throws -> Void
  ) {
    model.append(
      ModelRow(
        name: name, kind: .command, payload: type.map { ValueForm($0).payload } ?? .none,
        type: type,
        enabled: enabled, isEnabled: enabled.map { property in { $0[keyPath: property] } },
        policy: policy, cancelledBy: cancelledBy,
        answer: answer.map { ValueForm($0).payload } ?? .none,
        answerType: answer
      ) { house in
        LiveRow(call: { [unowned house] delivery in
          let run = Run(house)
          run.goOn { model in
            try body(delivery.types, delivery.event.pointee)(&model, run)
          }
          try run.answer(delivery)
        })
      })
  }
}

/// What happens to a run of a command while another run executes.
public enum CommandPolicy: UInt32, Sendable, Hashable {
  /// It is refused with ``Status/executing``.
  case refuse
  /// It waits its turn; when 64 wait, it is refused with ``Status/full``.
  case queue
  /// The old run is cancelled, then the new one begins.
  case latest
  /// Both run.
  case concurrent
}
