// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A password that is nowhere in the program's memory until somebody asks for it, and a context with
 * secret types. */

#ifndef SECRET_H
#define SECRET_H

#include "stream.h"

enum { PASSWORD_SIZE = 40 };

/* The password's letter at a place: nothing that a compiler would write down as one text. */
static inline char password_letter(size_t index) {
  static const volatile unsigned char mixed[PASSWORD_SIZE] = {
      0x5a, 0x13, 0x77, 0x2e, 0x91, 0xc4, 0x08, 0x3d, 0xe6, 0x5f, 0x21, 0xb8, 0x4c, 0x99,
      0x70, 0x16, 0xad, 0x33, 0xfa, 0x62, 0x0b, 0xd5, 0x48, 0x87, 0x1f, 0xe0, 0x6c, 0x35,
      0xb2, 0x59, 0x04, 0xcb, 0x7e, 0x95, 0x2a, 0xd1, 0x46, 0xbf, 0x18, 0xe3};
  return (char)('!' + mixed[index] * 7u % 90u);
}

/* Byte by byte: a vector register would keep it, and a core dump has those. */
static inline void password_write(char *to) {
  volatile char *byte = to;
  for (size_t i = 0; i < PASSWORD_SIZE; i++) byte[i] = password_letter(i);
}

static inline void password_forget(char *from, size_t size) {
  volatile char *byte = from;
  while (size-- > 0) *byte++ = 0;
}

static inline mainstem_status supply(mainstem_replay *replay, const void *data, size_t size) {
  const mainstem_secret secret = {.size = sizeof secret, .data = data, .data_size = size};
  return mainstem_replay_supply(replay, &secret);
}

/* Where the password begins in bytes; -1: nowhere. */
static inline long password_find(const char *bytes, size_t size) {
  char first = password_letter(0);
  for (size_t at = 0; at + PASSWORD_SIZE <= size; at++) {
    size_t same = 0;
    if (bytes[at] != first) continue;
    while (same < PASSWORD_SIZE && bytes[at + same] == password_letter(same)) same++;
    if (same == PASSWORD_SIZE) return (long)at;
  }
  return -1;
}

/* As stream_open, with types that are all secrets. */
static inline stream secrets_open(uint32_t threads) {
  const mainstem_contract text = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET;
  stream opened;
  opened.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_INTERRUPTS);
  opened.ask = type_open(opened.context, "RequestSignIn", text, "ResponseSession");
  opened.answer = type_open(opened.context, "ResponseSession", text, NULL);
  opened.notice = type_open(opened.context, "Typed", text, NULL);
  opened.other = type_open(opened.context, "Key", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_SECRET, NULL);
  return opened;
}

/* Sends the password as an event; the status is the caller's to check. */
static inline mainstem_status secret_send(mainstem_context *context, mainstem_event_type type) {
  char password[PASSWORD_SIZE];
  password_write(password);
  mainstem_status status = mainstem_send(context, type, password, sizeof password);
  password_forget(password, sizeof password);
  return status;
}

#endif
