// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A provider: a server that asks the network with libcurl, for services that know only its requests.
 *
 *     RequestHttp    {"url":"http://…"}, with "form":{"field":"value" …} it is a POST
 *       ResponseHttp {"body":"…"}
 *
 * It is on the host's scheduler, so what it answers are inputs: a replay does not call it, and verifies without a network.
 * All transfers run on the host's thread, in http_provider_wait. If nobody waits for an answer any more, the transfer
 * ends. Copy the two files into your program.
 */

#ifndef HTTP_PROVIDER_H
#define HTTP_PROVIDER_H

#include <mainstem.h>

/** The codes of its failures. The subject of a refusal is the status of HTTP: "404". */
enum {
  HTTP_UNREACHED = 1100, /**< No answer came. */
  HTTP_REFUSED = 1101    /**< The server has answered with an error. */
};

typedef struct http_provider http_provider;

/**
 * Adds the provider to a context or scope, before the first event of a recorded session. It ends with that.
 *
 * Thread: context. Errors: MAINSTEM_NO_MEMORY, and those of mainstem_types_add and mainstem_server_add.
 */
mainstem_status http_provider_add(mainstem_context *context, http_provider **http);

/**
 * Adds a server that gets the bytes of resources. It handles `type`, the request behind them: its payload is an address,
 * as a text. A failure has the codes above. It ends with `context`, which may be a scope.
 *
 * Thread: context. Null: no argument may be NULL. Errors: MAINSTEM_NO_MEMORY, and those of mainstem_server_add.
 */
mainstem_status http_provider_load(http_provider *http, mainstem_context *context, const char *name,
                                   const char *type, mainstem_resources *resources);

/**
 * Waits until something happens on the network or in the context, until `input` can be read, or until the time is up;
 * then drains. It takes the place of mainstem_wait. `timeout_ms` below 0 waits forever, `input` below 0 is none.
 *
 * Thread: context. Errors: those of mainstem_drain and mainstem_context_fd.
 */
mainstem_status http_provider_wait(http_provider *http, int64_t timeout_ms, int input);

/** How many transfers are under way. */
size_t http_provider_transfers(const http_provider *http);

#endif
