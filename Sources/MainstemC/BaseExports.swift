// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/core.h

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_status_name")
public func mainstem_status_name(_ status: mainstem_status) -> UnsafePointer<CChar>! {
  if status >= Status.firstOfApp { return ("APP" as Phrase).text }
  return (Status(rawValue: status)?.name ?? "UNKNOWN").text
}

@implementation @_cdecl("mainstem_last_error")
public func mainstem_last_error() -> UnsafePointer<CChar>! {
  guard let message = mainstem_p_thread().pointee.message else { return ("" as Phrase).text }
  return UnsafePointer(message)
}

@implementation @_cdecl("mainstem_version")
public func mainstem_version() -> UInt32 {
  UInt32(MAINSTEM_VERSION_MAJOR << 16 | MAINSTEM_VERSION_MINOR << 8 | MAINSTEM_VERSION_PATCH)
}
