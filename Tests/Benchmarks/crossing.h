// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A way from one thread to another: what is sent is given to a function on the other's thread. */

#ifndef BENCHMARK_CROSSING_H
#define BENCHMARK_CROSSING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What all carry; the libraries that have no event of their own make 88 bytes of it. */
typedef struct parcel {
  int64_t sent; /* When, in nanoseconds. */
  uint8_t rest[56];
} parcel;

typedef struct plain_parcel {
  uint64_t type, correlation, position;
  parcel parcel;
} plain_parcel;

/* Called on the receiving thread, one parcel at a time. */
typedef void parcel_fn(void *user_data, const parcel *parcel);

/*
 * `open` starts the receiving thread, or lets the library start it. `send` may be called on any thread.
 * `close` is called when all that was sent has arrived.
 */
typedef struct crossing {
  const char *name;
  void *(*open)(parcel_fn *got, void *user_data);
  void (*send)(void *opened, const parcel *parcel);
  void (*close)(void *opened);
} crossing;

extern const crossing mainstem_serial;
extern const crossing mainstem_serial_parked;
extern const crossing mainstem_host;
extern const crossing mainstem_mailbox;
extern const crossing mutex_vector_eventfd;
extern const crossing libuv_async;
extern const crossing glib_async_queue;
extern const crossing moodycamel_blocking;

#ifdef __cplusplus
}
#endif

#endif
