// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Requests and answers as messages. Their data are the payloads, so that programs without Mainstem can ask and answer,
   too; what else there is to say is in headers. */

#include "requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Payloads -------------------------------------------------------------------------------------------- */

/* What came over a network, before a context gets it. A context would refuse it, too; but it would also note that a call
   failed, and a stranger must not bring that about. */

/* How many bytes follow the first one of a character; -1: none begins so. */
static int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

/* What the second byte may be is narrower after four first ones: no character has two forms, none is a surrogate. */
static bool is_second(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xe0:
    return second >= 0xa0 && second < 0xc0;
  case 0xed:
    return second >= 0x80 && second < 0xa0;
  case 0xf0:
    return second >= 0x90 && second < 0xc0;
  case 0xf4:
    return second >= 0x80 && second < 0x90;
  default:
    return second >= 0x80 && second < 0xc0;
  }
}

bool is_text(const char *bytes, size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  for (size_t i = 0; i < size;) {
    int count = following(at[i]);
    if (count < 0 || (size_t)count >= size - i) return false;
    if (count > 0 && !is_second(at[i], at[i + 1])) return false;
    for (int k = 2; k <= count; k++)
      if ((at[i + (size_t)k] & 0xc0) != 0x80) return false;
    i += (size_t)count + 1;
  }
  return true;
}

bool is_payload(mainstem_contract contract, const void *data, size_t size) {
  switch (contract & MAINSTEM_PAYLOAD_MASK) {
  case MAINSTEM_PAYLOAD_NONE:
    return size == 0;
  case MAINSTEM_PAYLOAD_BYTES:
    return true;
  case MAINSTEM_PAYLOAD_TEXT:
  case MAINSTEM_PAYLOAD_JSON:
    return is_text(data, size);
  case MAINSTEM_PAYLOAD_STRUCT:
    return size == (uint32_t)contract;
  case MAINSTEM_PAYLOAD_BOOL:
    return size == 1 && *(const unsigned char *)data <= 1;
  default:
    return size == sizeof(int64_t);
  }
}

/* Messages -------------------------------------------------------------------------------------------- */

/* Headers begin with "NATS/1.0" and end with an empty line. */
enum { AROUND_HEADERS = 12, AROUND_HEADER = 4 };

#define AGREED (MAINSTEM_PAYLOAD_MASK | 0xffffffffULL | MAINSTEM_SECRET)

static const char status_key[] = "Mainstem-Status", progress_key[] = "Mainstem-Progress";

struct terms terms_of(mainstem_contract request, mainstem_contract response) {
  return (struct terms){request & AGREED, response & AGREED};
}

natsStatus post_keep(struct post *post) {
  if (post->message != NULL) return NATS_OK;
  return natsMsg_Create(&post->message, post->subject, post->reply, post->data, (int)post->size);
}

void post_end(struct post *post) {
  natsMsg_Destroy(post->message);
  post->message = NULL;
}

/* Requests ----------------------------------------------------------------------------------------------- */

void write_reply(char *reply, const char *inbox, uint64_t id, const struct question *question) {
  snprintf(reply, OWN_REPLY, "%s%llu.%llx-%llx-%x", inbox, (unsigned long long)id,
           (unsigned long long)question->terms.request,
           (unsigned long long)question->terms.response, question->timeout_ms);
}

/* A number in hexadecimal digits, up to that character. */
static bool read_hexadecimal(const char **text, size_t digits, char end, uint64_t *number) {
  size_t count = strspn(*text, "0123456789abcdef");
  if (count == 0 || count > digits || (*text)[count] != end) return false;
  *number = strtoull(*text, NULL, 16);
  *text += count + 1;
  return true;
}

void read_reply(const char *reply, struct question *question) {
  const char *dot = strrchr(reply, '.'), *text = dot != NULL ? dot + 1 : reply;
  uint64_t timeout = 0;
  memset(question, 0, sizeof *question);
  question->is_told = read_hexadecimal(&text, 16, '-', &question->terms.request) &&
                      read_hexadecimal(&text, 16, '-', &question->terms.response) &&
                      read_hexadecimal(&text, 8, '\0', &timeout);
  question->timeout_ms = (uint32_t)timeout;
}

uint64_t id_of(const char *subject, const char *inbox, size_t inbox_length) {
  if (strncmp(subject, inbox, inbox_length) != 0) return 0;
  const char *digits = subject + inbox_length;
  size_t count = strspn(digits, "0123456789");
  return count > 0 && count < 20 && digits[count] == '.' ? strtoull(digits, NULL, 10) : 0;
}

/* Answers ------------------------------------------------------------------------------------------------ */

static natsStatus begin(struct post *post) {
  return natsMsg_Create(&post->message, post->subject, NULL, post->data, (int)post->size);
}

static natsStatus put(struct post *post, const char *key, const char *value) {
  post->size += strlen(key) + strlen(value) + AROUND_HEADER;
  return natsMsgHeader_Set(post->message, key, value);
}

static natsStatus end(struct post *post, natsStatus status) {
  post->size += AROUND_HEADERS;
  if (status != NATS_OK) post_end(post);
  return status;
}

/* NULL: there is none. What cannot be read is empty. */
static const char *header(natsMsg *message, const char *key) {
  const char *value = NULL;
  natsStatus status = natsMsgHeader_Get(message, key, &value);
  if (status == NATS_NOT_FOUND) return NULL;
  return status == NATS_OK && value != NULL ? value : "";
}

/* A number without a sign, of at most so many digits. */
static bool read_number(const char *text, size_t digits, uint64_t *number) {
  size_t count = strspn(text, "0123456789");
  if (count == 0 || count > digits || text[count] != '\0') return false;
  *number = strtoull(text, NULL, 10);
  return true;
}

natsStatus answer_make(struct post *post, const char *reply, const struct answer *answer) {
  char value[LONGEST_VALUE];
  *post = (struct post){.subject = reply, .data = answer->data, .size = answer->size};
  if (answer->status == MAINSTEM_OK && answer->type[0] == '\0') return NATS_OK;
  natsStatus status = begin(post);
  if (status != NATS_OK) return status;
  if (answer->type[0] != '\0') {
    write_value(value, answer->type);
    return end(post, put(post, progress_key, value));
  }
  snprintf(value, sizeof value, "%d", answer->status);
  return end(post, put(post, status_key, value));
}

bool answer_read(natsMsg *message, struct answer *answer) {
  uint64_t status = 0;
  memset(answer, 0, sizeof *answer);
  answer->data = natsMsg_GetData(message);
  answer->size = (size_t)natsMsg_GetDataLength(message);
  const char *text = header(message, progress_key);
  if (text != NULL) {
    read_value(answer->type, text);
    return answer->type[0] != '\0';
  }
  text = header(message, status_key);
  if (text == NULL) return true;
  if (!read_number(text, 10, &status) || status == 0 || status > INT32_MAX) return false;
  answer->status = (mainstem_status)status;
  return true;
}

/* The next of several texts that each end with a zero byte; NULL: there is none. */
static const char *next_text(const char **at, const char *end) {
  const char *text = *at, *zero = memchr(text, '\0', (size_t)(end - text));
  if (zero == NULL || !is_text(text, (size_t)(zero - text))) return NULL;
  *at = zero + 1;
  return text;
}

bool failure_read(const struct answer *answer, mainstem_error *error) {
  const char *at = answer->data, *end = at + answer->size;
  *error = (mainstem_error){.size = sizeof *error, .code = answer->status};
  if (answer->size == 0) return true;
  error->message = next_text(&at, end);
  if (error->message != NULL) error->user_message = next_text(&at, end);
  if (error->user_message != NULL) error->subject = next_text(&at, end);
  return error->subject != NULL && at == end;
}

/* Types ----------------------------------------------------------------------------------------------- */

/* A request type of a context. It must name its answer, because both sides agree on both. */

static mainstem_status sorry(const struct kind *kind, mainstem_status status) {
  return refuse(status, "%s: %s", kind->function, mainstem_last_error());
}

mainstem_status request_type_find(const struct kind *kind, mainstem_context *context,
                                  const char *name, struct request_type *type) {
  mainstem_type_info info = {.size = sizeof info};
  if (name == NULL) return refuse(MAINSTEM_INVALID, "%s: type: is NULL", kind->function);
  mainstem_status status = mainstem_type_find(context, name, &type->type);
  if (status == MAINSTEM_OK) status = mainstem_type_read(context, type->type, &info);
  if (status != MAINSTEM_OK) return sorry(kind, status);
  type->request = info.contract;
  if ((info.contract & MAINSTEM_ROLE_MASK) != MAINSTEM_ROLE_REQUEST || info.response == 0)
    return refuse(MAINSTEM_INVALID,
                  "%s: type: is no request, or names no response type that is registered",
                  kind->function);
  status = mainstem_type_read(context, info.response, &info);
  type->response = info.contract;
  return status == MAINSTEM_OK ? status : sorry(kind, status);
}
