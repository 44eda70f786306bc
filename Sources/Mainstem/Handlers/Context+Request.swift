// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Asks, and waits for the answer.
  ///
  /// Outside callbacks only. The answer is on the stream too, and its observers were first. While
  /// it waits, the context drains.
  ///
  /// - Parameter request: What is asked.
  /// - Returns: The answer, or the failure of the server or of the call: ``Status/unhandled`` where
  ///   no server handles it, ``Status/busy`` inside a callback.
  public func request<R: Request>(_ request: R) -> Result<R.Answer, Failure> {
    var answer: Result<R.Answer, Failure>?
    do throws(StreamError) {
      try flush()
      let pending = try self.request(request) { result, _ in answer = result }
      while true {
        if let answer { return answer }
        do throws(StreamError) { try wait() } catch {
          pending.cancel()
          throw error
        }
      }
    } catch {
      return .failure(Failure(error))
    }
  }

  /// Asks, and gets exactly one answer, later; also inside a callback.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - body: Gets the answer or the failure, once, after the observers of the response.
  /// - Returns: The request, to give it up.
  /// - Throws: Why it was not accepted; then there is no answer.
  @discardableResult
  public func request<R: Request>(
    _ request: R, _ body: @escaping (Result<R.Answer, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    let number = try types.number(of: R.self)
    let bytes = try types.encode(request)
    let types = types
    // C holds it until the one call that it is for.
    let completion = Unmanaged.passRetained(
      Callback { event in
        let delivery = Delivery(event, types: types)
        body(delivery.result(R.Answer.self), delivery)
      })
    var pending: OpaquePointer?
    let status = mainstem_request(
      handle, number, bytes, bytes.count, Callback.callOnce, completion.toOpaque(), &pending)
    if status != 0 { completion.release() }
    try StreamError.check(status)
    return Pending(pending)
  }
}
