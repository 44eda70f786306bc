// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// The name and the password of a request, as one secret text: `name\npassword`.
public protocol Credentials: SecretTextEvent {}

extension Credentials {
  public init(name: String, password: SecretText) {
    self.init(text: SecretText(name + "\n") + password)
  }

  /// What comes before the line's end.
  public var name: String {
    text.withBytes {
      String(decoding: $0.prefix { byte in byte != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
}

public struct ResponseDone: Response {
  public static let layer = Layer.model
}

/// Signs in. The answer comes when the session is signed.
public struct RequestPerformSignIn: Request, Credentials {
  public typealias Answer = ResponseDone
  public static let layer = Layer.model
  public var text: SecretText
  public init(text: SecretText) { self.text = text }
}

/// Signs out.
public struct RequestPerformSignOut: Request {
  public typealias Answer = ResponseDone
  public static let layer = Layer.model
}

public struct ResponseSignState: Response {
  public static let layer = Layer.model
  public var state: SignState
}

/// What the state is; makes the session, if there is none yet.
public struct RequestFetchSignState: Request {
  public typealias Answer = ResponseSignState
  public static let layer = Layer.model
}
