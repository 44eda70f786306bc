// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// Makes one call from C: runs its body and turns a refusal into a status and a message.
///
/// - Parameters:
///   - function: The entry point's name, for the message.
///   - context: The context or scope that the call is made for. The refusal may be its first error.
@inline(__always)
func call(
  _ function: Phrase, _ context: OpaquePointer?, _ body: () throws(Refusal) -> Void
) -> mainstem_status {
  do throws(Refusal) {
    try body()
    return Status.ok.rawValue
  } catch {
    return refuse(error, function, context)
  }
}

/// Makes a call that answers a request, reports its progress, or sets a list. That it comes too late is no failure of the
/// context: nobody can know in time that somebody else settles the request or sets the list.
@inline(__always)
func callOfAnswer(
  _ function: Phrase, _ context: OpaquePointer?, _ body: () throws(Refusal) -> Void
) -> mainstem_status {
  do throws(Refusal) {
    try body()
    return Status.ok.rawValue
  } catch {
    return refuse(error, function, error.status == .stale ? nil : context)
  }
}

/// Makes a call that does nothing in a replay: where it finds the context closing, no replay will.
@inline(__always)
func callOfView(_ function: Phrase, _ body: () throws(Refusal) -> Void) -> mainstem_status {
  do throws(Refusal) {
    try body()
    return Status.ok.rawValue
  } catch {
    return explain(error, function, nil)
  }
}

/// Records why a call was refused, for its thread and, if it is the first refusal, for its context, unless the status
/// is what the call was asked to find out.
@inline(never)
private func refuse(
  _ refusal: Refusal, _ function: Phrase, _ context: OpaquePointer?
) -> mainstem_status {
  if refusal.status == .stale { Stream.noteClosing() }
  return explain(refusal, function, context)
}

@inline(never)
private func explain(
  _ refusal: Refusal, _ function: Phrase, _ context: OpaquePointer?
) -> mainstem_status {
  let message = write(refusal, function)
  if refusal.status.isAnAnswer { return refusal.status.rawValue }
  // What a replay leaves out is no failure of the program.
  if let resolved = try? ResolvedHandle(Handle(context), .context),
    refusal.status != .cancelled || !resolved.stream.isFed
  {
    resolved.stream.noteFirstError(refusal.status.rawValue, Bytes(zeroEnded: message))
  }
  return refusal.status.rawValue
}

private func write(_ refusal: Refusal, _ function: Phrase) -> UnsafePointer<CChar> {
  switch refusal.subject {
  case .none: write(refusal, function, Bytes(""))
  case .kept(let name): write(refusal, function, name.bytes)
  case .row(let index): write(refusal, function, digitsOf: index, after: "row ")
  case .number(let number): write(refusal, function, digitsOf: number, after: "")
  }
}

private func write(
  _ refusal: Refusal, _ function: Phrase, digitsOf number: UInt64, after word: Phrase
) -> UnsafePointer<CChar> {
  withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { digits in
    var rest = number
    var start = 32
    repeat {
      start &-= 1
      digits[start] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
      rest /= 10
    } while rest > 0
    let before = word.bytes
    start &-= before.count
    digits.baseAddress!.advanced(by: start).copyMemory(
      from: before.start, byteCount: before.count)
    return write(
      refusal, function, Bytes(UnsafeRawPointer(digits.baseAddress! + start), 32 &- start))
  }
}

/// Writes the message. The subject is the host's and may hold anything, but the message stays one readable line.
private func write(
  _ refusal: Refusal, _ function: Phrase, _ subject: Bytes
) -> UnsafePointer<CChar> {
  withUnsafeTemporaryAllocation(
    byteCount: Int(MAINSTEM_P_SUBJECT_CAPACITY), alignment: 1
  ) { buffer in
    var shown = ShownText(buffer)
    shown.add(subject)
    return mainstem_p_write_message(
      function.text, refusal.argument.text,
      shown.bytes.start.assumingMemoryBound(to: CChar.self), shown.bytes.count, refusal.reason.text)
  }
}

extension Handle {
  /// The handle behind a host's pointer.
  @inline(__always)
  init(_ pointer: OpaquePointer?) {
    self.init(bits: UInt64(UInt(bitPattern: pointer)))
  }
}

/// Checks a struct that begins with its size, which tells the version that the caller was compiled with.
///
/// - Parameters:
///   - size: The caller's size.
///   - known: Our size. A smaller one has never shipped.
func checkSize(_ size: UInt32, _ known: Int, _ argument: Phrase) throws(Refusal) {
  guard size != UInt32(known) else { return }
  var subject = SubjectWriter()
  subject.add("its size is ")
  subject.add(UInt64(size))
  guard size > UInt32(known) else {
    subject.add(": set .size = sizeof ")
    subject.add(argument.bytes)
    throw Refusal(.invalid, argument, "before the call", .name(subject.bytes))
  }
  subject.add(", more than the ")
  subject.add(UInt64(known))
  throw Refusal(
    .unsupported, argument,
    "that this library knows: set .size to sizeof the struct, or update the library",
    .name(subject.bytes))
}
