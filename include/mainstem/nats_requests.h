// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Requests between machines: forward and serve.
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
 *     mainstem_nats_forward(context, "RequestTotal", &options, &forward);    without a server for the type
 *     mainstem_nats_serve(context, "RequestTotal", &options, &serving);      with a server for the type
 *
 * A requester cannot tell that a request is answered by another program: each request gets one answer (law 8), after
 * its progress. Both sides must register the request type and its response type, and must use the same `prefix`. The
 * requests are plain NATS requests: they are not in a stream, and JetStream is not needed. A request is sent at most
 * once; the bridge never repeats it.
 *
 *     request    subject $MAINSTEM.request.PREFIX.type    data: its payload
 *                reply   _INBOX.ID.number.terms           both contracts, and the time limit in ms, in hexadecimal
 *                                                         digits: request-response-limit
 *     answer     data: its payload
 *     failure    header Mainstem-Status: the code         data: message, text, subject, each ended by a zero byte
 *     progress   header Mainstem-Progress: the type       data: its payload
 *     cancel     subject $MAINSTEM.cancel.PREFIX.type     data: the reply subject of the request
 *
 * A program without Mainstem can therefore answer requests, and can send requests with any reply subject. In subjects
 * and headers, names are escaped as in the entries of a mirror.
 *
 * The request is answered
 *
 * - as the serving side has answered: also UNHANDLED if its context has no server for the type, DENIED if its scope has
 *   no right to send the request, FULL if that context has no room;
 * - UNHANDLED: no bridge serves the type at this prefix;
 * - TIMEOUT: no answer came within `timeout_ms`. NATS does not report that a program or a connection has ended, so this
 *   is also the answer when the serving program is killed. The error's message says whether the request was sent;
 * - TOO_BIG: the request or the answer is larger than the server accepts (max_payload, 1 MiB by default);
 * - INVALID: the contracts of the request or its response differ on the two sides, in payload or secrecy; or the
 *   message that came as the answer breaks the response's contract. The types' layers, and how much a journal keeps of
 *   their events, may differ;
 * - FULL: `window` requests are open, or requests with 64 MiB of payloads;
 * - CANCELLED: the bridge of either side was closed, or its context or its scope has ended.
 *
 * If a request is settled on the forwarding side, by the requester's time limit, a cancel, or mainstem_context_close,
 * the bridge notifies the serving side, which cancels its request: see mainstem_event_on_settled. Answers that are
 * repeated, late, or for no open request are ignored and counted (mainstem_nats_stats.refused).
 *
 * No call and no callback waits for the NATS server. A request that is made while there is no connection is sent as
 * soon as there is one. Requests that have been sent stay open when the connection breaks: an answer may still come
 * over the next connection. If the serving side answers while it has no connection, the answer is lost
 * (mainstem_nats_stats.lost).
 *
 * In a replay, the bridges send no requests and no answers: the answers are in the journal. Begin the bridges in the
 * same order as in the session. They need no NATS server during the replay, and do nothing until it is closed.
 *
 * mainstem_nats_flush returns when the NATS server has all messages that the bridge had to send. After the flush, the
 * NATS server also knows that the bridge serves the type.
 */

/**
 * Forwards requests of a type, to be answered elsewhere: adds a server "Forward TYPE" to the context, on a scheduler.
 *
 * Your program must drain the context (mainstem_wait, mainstem_drain): requests wait for a drain if
 * `options->scheduler` is MAINSTEM_SCHEDULER_HOST, the default, and answers are given on another thread. In a
 * MAINSTEM_THREADS_ANY context, observers of an answer may be called on that thread. In a guarded context they are
 * called on the admitted thread, like all callbacks.
 *
 * Progress is delivered if its type has been registered in this context in time: before this call if the scheduler is
 * serial and the context is single-threaded, otherwise before the server gets the request. Other steps of progress are
 * ignored and counted. Requests sent by mainstem_send are forwarded, too; if such a request is answered, the answer is
 * a plain event.
 *
 * The bridge stops on its own (STALE) when the scope or context ends. Close it on the context's thread: its requests
 * are answered CANCELLED, unless another server of the context also has these requests. To replace a bridge without a
 * gap, begin the new bridge before you close the old one; in the meantime, both forward requests. The bridge's handler
 * has MAINSTEM_HANDLER_SEVERAL.
 *
 * Owner: options are copied. Thread: context. Null: options NULL takes the defaults.
 * Errors: INVALID (NULL; no such type; another handler of the type, without MAINSTEM_HANDLER_SEVERAL; a type that is no
 * request, or whose response is not registered; options that conflict or are for other calls; no such scheduler),
 * UNSUPPORTED (options of a newer version, unknown flags), IO (a file of the options cannot be read), TOO_BIG (a type
 * whose name has more than 247 bytes), DENIED (a scope that may not observe the type, or not send its response), STALE,
 * WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_forward(mainstem_context *context, const char *type,
                                                   const mainstem_nats_options *options,
                                                   mainstem_nats **forward);

/**
 * Serves requests of a type that come from elsewhere: this context answers them. Adds a scope "Serve TYPE".
 *
 * Each request goes to only one of the bridges that serve the type with the same `queue`. So the bridges share the
 * load, and each additional bridge is a reserve. If bridges have different queues, each queue gets the request, and the
 * first answer counts.
 *
 * An incoming request is posted as an event "Asked.TYPE" (layer system). An observer of the scope then sends the
 * request in this context (mainstem_request_with), so the journal has "Asked.TYPE", and a verification sends the
 * request again. The request ends with TIMEOUT after `options->timeout_ms`, or sooner if the requester's time limit is
 * shorter. An event "Cancelled.TYPE" reports that the answer is no longer wanted. "Asked.TYPE" is a secret if the
 * request is one, and a journal keeps as much of it as of the request. The payload of "Asked.TYPE" is a uint32_t with
 * the limit in ms, a uint32_t with the length of the reply subject, that subject, and the request's payload.
 *
 * The context must drain, because posts wait for a drain. If `context` is a scope, incoming requests have the rights of
 * that scope. The scope needs the rights to send on the layer of the type, and to send and observe on the layer
 * *system*.
 *
 * The bridge stops on its own (STALE) when the scope or context ends. Close it on the context's thread: requesters that
 * are still waiting for an answer get CANCELLED.
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
