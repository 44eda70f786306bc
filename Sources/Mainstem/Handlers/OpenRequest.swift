// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A request for an owner, with what it is to be made of.
///
///     struct OpenCell: OpenRequest {
///       static let owner = "Cell"
///       var title: String
///     }
///     let number = try view.request(OpenCell(title: "milk")).get().number
///
/// Use it where an owner is opened by name, too: ``Context/open(_:_:timeout:)``. A handler can ask for it like for
/// everything else.
public protocol OpenRequest: Request where Answer == OpenResponse<Self> {
  /// The name of the factory, and of the owner's scope.
  static var owner: String { get }
}

extension OpenRequest {
  /// The request of the factory: `RequestOpen.Cell`.
  public static var name: String { "RequestOpen.\(owner)" }
}

/// The answer to an ``OpenRequest``: an owner has been made.
public struct OpenResponse<Request: OpenRequest>: Response {
  /// The number of its scope, for ``Context/scope(number:)``.
  public var number: UInt64

  /// The answer of the factory: `ResponseOpen.Cell`.
  public static var name: String { "ResponseOpen.\(Request.owner)" }
  /// The layer of the request.
  public static var layer: Layer { Request.layer }
  /// The number alone.
  public static var payload: Payload { .integer }

  /// Makes an answer to compare with.
  ///
  /// - Parameter number: The number of the owner's scope.
  public init(number: UInt64) { self.number = number }

  /// Returns the bytes of the number.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] { number.payload }

  /// Makes the answer from the bytes of its number.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    Self(number: try UInt64(payload: bytes))
  }
}
