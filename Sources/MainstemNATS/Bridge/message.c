// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Messages: of calls that are refused, by thread; of mirrors that wait or stop. */

#include "bridge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last[512];

const char *mainstem_nats_last_error(void) { return last; }

void make_plain(char *text) {
  for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++)
    if (*at < 0x20 || *at >= 0x7f) *at = '?';
}

mainstem_status refuse(mainstem_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  return status;
}

bool fail(struct failure *failure, mainstem_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  make_plain(failure->message);
  failure->status = status;
  failure->is_final = false;
  return false;
}

/* The numbers are JetStream's: https://github.com/nats-io/nats-server, errors.json. */
static mainstem_status status_of(natsStatus reason, jsErrCode code) {
  switch (code) {
  case 10023: /* insufficient resources */
  case 10047: /* no storage */
  case 10076: /* memory */
  case 10077: /* the stream is full */
    return MAINSTEM_NO_SPACE;
  case 10054: /* the entry is larger than the stream takes */
    return MAINSTEM_TOO_BIG;
  case 10039: /* JetStream is not for this account */
    return MAINSTEM_DENIED;
  case 10059: /* there is no such stream */
  case 10060: /* the subject is of another stream */
  case 10065: /* another stream has the subjects */
    return MAINSTEM_INVALID;
  default:
    break;
  }
  switch (reason) {
  case NATS_NOT_PERMITTED:
  case NATS_CONNECTION_AUTH_FAILED:
    return MAINSTEM_DENIED;
  case NATS_NO_MEMORY:
    return MAINSTEM_NO_MEMORY;
  case NATS_MAX_PAYLOAD:
    return MAINSTEM_TOO_BIG;
  default:
    return MAINSTEM_IO;
  }
}

bool fail_for(struct failure *failure, natsStatus reason, jsErrCode code, const char *what,
              const char *text) {
  if (text == NULL || *text == '\0') text = natsStatus_GetText(reason);
  return fail(failure, status_of(reason, code), "%s: %s", what, text);
}

bool fail_as(struct failure *failure, natsStatus reason, jsErrCode code, const char *what) {
  const char *text = nats_GetLastError(NULL);
  /* It begins with a place in the code of NATS. */
  const char *end = text != NULL && *text == '(' ? strstr(text, "): ") : NULL;
  return fail_for(failure, reason, code, what, end != NULL ? end + 3 : text);
}
