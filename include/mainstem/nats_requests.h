// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Requests across machines: forward and serve.
 */

#ifndef MAINSTEM_NATS_REQUESTS_H
#define MAINSTEM_NATS_REQUESTS_H

#include "requests.h"
#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One program forwards a request type, and another one serves it:
 *
 *     mainstem_nats_forward(context, "RequestTotal", &options, &forward);    here is no server for it
 *     mainstem_nats_serve(context, "RequestTotal", &options, &serving);      there is one
 *
 * Who asks sees no difference: each request gets one answer (law 8), after its progress. Both sides register the
 * request type and its response; `prefix` must be the same on both. These are plain requests of NATS: no stream has
 * them, and JetStream is not needed. A request is sent at most once, and never again by itself.
 *
 *     request    subject $MAINSTEM.request.PREFIX.type    data: its payload
 *                reply   _INBOX.ID.number.terms           what both sides must agree on, and the time limit in ms, in
 *                                                         hexadecimal digits: request-response-limit
 *     answer     data: its payload
 *     failure    header Mainstem-Status: the code         data: message, text, subject, each ended by a zero byte
 *     progress   header Mainstem-Progress: the type       data: its payload
 *     cancel     subject $MAINSTEM.cancel.PREFIX.type     data: the reply subject of the request
 *
 * So a program without Mainstem can ask, with any reply subject, and answer. In subjects and headers, names are written
 * as a mirror writes them.
 *
 * The request is answered
 *
 * - as who serves has answered: also UNHANDLED if its context has no server for the type, DENIED if its scope may not
 *   ask, FULL if it has no room;
 * - UNHANDLED: no bridge serves the type at this prefix;
 * - TIMEOUT: no answer came within `timeout_ms`. NATS does not tell that a program or a connection has ended, so this
 *   is also the answer when who serves it is killed. The message says whether the request was sent;
 * - TOO_BIG: request or answer is larger than the server takes (max_payload, 1 MiB by default);
 * - INVALID: the payloads of the request or its response, or whether they are secrets, differ on the two sides; or what
 *   came as its answer breaks the contract. Layers and how a journal keeps the types are each side's own;
 * - FULL: `window` requests are open, or 64 MiB of their payloads;
 * - CANCELLED: the bridge of either side was closed, its context or its scope has ended.
 *
 * What settles a request here, such as its requester's time limit, a cancel, or mainstem_context_close, is told to the
 * other side, which cancels its request: see mainstem_event_on_settled. Answers that come twice, too late or to no
 * request are ignored and counted (mainstem_nats_stats.refused).
 *
 * No call and no callback waits for the server. Requests that are made while there is none are sent when there is one.
 * Those that were sent stay open when the connection breaks: an answer may still come over the next one. Who serves and
 * has no connection when it answers loses that answer (mainstem_nats_stats.lost).
 *
 * In a replay nothing is asked and nothing is answered: answers are in the journal. Begin the bridges in the same order
 * as in the session; they need no server, and wait until the replay is closed.
 *
 * mainstem_nats_flush returns when the server has everything that the bridge had to send. After that it knows that the
 * bridge serves.
 */

/**
 * Lets requests of a type be answered elsewhere: adds a server "Forward TYPE" to the context, on a scheduler.
 *
 * The context must drain (mainstem_wait, mainstem_drain), as `options->scheduler` is MAINSTEM_SCHEDULER_HOST by default,
 * and as answers come from another thread. In a MAINSTEM_THREADS_ANY context, observers of an answer may be called on
 * that thread. In a guarded one they are called on the thread that is in, as all callbacks are.
 *
 * Progress passes if its type is registered here: with a serial scheduler in a context that belongs to one thread, before
 * this call; else before the request is taken. Other steps are ignored and counted. Events of the type that were only
 * sent are passed on, too; if they are answered, the answer is a plain event.
 *
 * It stops by itself (STALE) when the scope or context ends. Close it on the context's thread: its requests are
 * answered CANCELLED, unless another server here has them, too. To replace one without a gap, begin the next before you
 * close it; meanwhile both ask. Its handler is one of several (MAINSTEM_HANDLER_SEVERAL).
 *
 * Owner: options are copied. Thread: context. Null: options NULL takes the defaults.
 * Errors: INVALID (NULL; no such type; another handler of the type that is not one of several; no request, or one whose
 * response is not registered; options that conflict or are for other calls; no such scheduler), UNSUPPORTED (options of a
 * newer version, unknown flags), IO (a file of the options cannot be read), TOO_BIG (a type whose name has more than 247
 * bytes), DENIED (a scope that may not observe the type, or not send its response), STALE, WRONG_KIND, WRONG_THREAD,
 * LIMIT, NO_MEMORY, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_forward(mainstem_context *context, const char *type,
                                                   const mainstem_nats_options *options,
                                                   mainstem_nats **forward);

/**
 * Lets others elsewhere ask for a type that this context answers. Adds a scope "Serve TYPE".
 *
 * Of all that serve the type with the same `queue`, one gets a request: they share the load, and each more is a
 * reserve. With different queues each queue gets it, and the first answer counts.
 *
 * What comes in is posted as an event "Asked.TYPE" (layer system), and an observer of the scope then asks in this context
 * (mainstem_request_with), so the journal has it, and a verification asks again. The request ends with TIMEOUT after
 * `options->timeout_ms`, or sooner if the asker says so. "Cancelled.TYPE" says that the answer is no longer wanted. The
 * first one is as secret, and is kept by a journal as the request is. Its payload is a uint32_t with the limit in ms, a
 * uint32_t with the length of the reply subject, that subject, and what is asked.
 *
 * The context must drain, as posts wait for that. Through a scope, others may ask what that may ask: it needs the
 * rights to send on the layer of the type, and to send and observe on the layer *system*.
 *
 * It stops by itself (STALE) when the scope or context ends. Close it on the context's thread: who waits for an answer
 * gets CANCELLED.
 *
 * Owner: options are copied. Thread: context. Null: options NULL takes the defaults.
 * Errors: as mainstem_nats_forward; TOO_BIG: more than 245 bytes.
 */
MAINSTEM_API mainstem_status mainstem_nats_serve(mainstem_context *context, const char *type,
                                                 const mainstem_nats_options *options,
                                                 mainstem_nats **serving);

#ifdef __cplusplus
}
#endif

#endif
