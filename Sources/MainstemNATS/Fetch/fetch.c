// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A stream back to a journal. A call that waits: it has a connection of its own, and makes another where one breaks. */

#include "fetch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 512, BYTES_AT_ONCE = 8 << 20, WAIT_MS = 250 };

static const struct kind kind = {
    .function = "mainstem_nats_fetch", .noun = "fetch", .fields = FIELD_PREFIX | FIELD_STREAM};

struct fetch {
  struct settings settings;
  const char *subject; /* Which entries are looked at. */
  bool is_any;         /* No journal was named. */
  struct server server;
  struct gather gather;
  bool is_begun;
  uint64_t sequence, end; /* The entry looked at last, and the last one to look at. */
  int64_t heard_ms;       /* When the last one came. */
  struct failure failure;
};

/* What the stream has -------------------------------------------------------------------------------- */

static bool take_entry(struct fetch *fetch, natsMsg *message) {
  struct gather *gather = &fetch->gather;
  struct identity identity;
  if (!entry_identify(message, &identity)) return true;
  if (gather->id[0] == '\0') memcpy(gather->id, identity.id, sizeof gather->id);
  if (strcmp(gather->id, identity.id) == 0) {
    bool is_at_its_place = entry_is_at(message, fetch->sequence);
    bool is_taken = gather_take(gather, message, &identity, is_at_its_place, &fetch->failure);
    fetch->failure.is_final = !is_taken;
    return is_taken;
  }
  return !fetch->is_any || fail(&fetch->failure, MAINSTEM_INVALID,
                                "journal: the stream has several: %s, %s", gather->id, identity.id);
}

/* Takes what came; how much is left is noted. */
static bool take_message(struct fetch *fetch, natsMsg *message, uint64_t *left) {
  jsMsgMetaData *meta = NULL;
  if (natsMsg_GetMetaData(&meta, message) != NATS_OK || meta->Sequence.Stream <= fetch->sequence) {
    jsMsgMetaData_Destroy(meta);
    return fail(&fetch->failure, MAINSTEM_IO, "the server sends entries out of order");
  }
  fetch->sequence = meta->Sequence.Stream;
  fetch->heard_ms = now_ms();
  *left = fetch->sequence < fetch->end ? meta->NumPending : 0;
  jsMsgMetaData_Destroy(meta);
  return fetch->sequence > fetch->end || take_entry(fetch, message);
}

/* Takes the next entry. */
static bool read_next(struct fetch *fetch, uint64_t *left) {
  struct server *server = &fetch->server;
  int64_t bytes = 2 * (int64_t)server->most;
  natsMsg *message = NULL;
  natsStatus status = reader_next(server->reader, *left < AT_ONCE ? *left : AT_ONCE,
                                  bytes > BYTES_AT_ONCE ? bytes : BYTES_AT_ONCE, &message);
  if (status != NATS_OK) return fail_as(&fetch->failure, status, 0, "the entries of the stream");
  bool is_fine = take_message(fetch, message, left);
  natsMsg_Destroy(message);
  return is_fine;
}

/* Settles, once, which entry is the last one. The consumer does not know: where it is may be a server that has not got
   all entries yet. */
static bool find_end(struct fetch *fetch) {
  natsMsg *message = NULL;
  jsErrCode code = 0;
  if (fetch->is_begun) return true;
  natsStatus status = js_GetLastMsg(&message, fetch->server.js, fetch->settings.stream,
                                    fetch->subject, NULL, &code);
  fetch->end = status == NATS_OK ? natsMsg_GetSequence(message) : 0;
  fetch->is_begun = status == NATS_OK || status == NATS_NOT_FOUND;
  natsMsg_Destroy(message);
  return fetch->is_begun || fail_as(&fetch->failure, status, code, "the entries of the stream");
}

/* Reads on, with a connection of its own. */
static bool read_on(struct fetch *fetch) {
  jsErrCode code = 0;
  if (!find_end(fetch)) return false;
  if (fetch->sequence >= fetch->end) return true;
  const struct range range = {.subject = fetch->subject, .begin = fetch->sequence + 1};
  natsStatus status = reader_open(&fetch->server, &fetch->settings, &range, &code);
  uint64_t left = fetch->server.reader->left;
  bool is_fine =
      status == NATS_OK || fail_as(&fetch->failure, status, code, "the entries of the stream");
  while (is_fine && left > 0) is_fine = read_next(fetch, &left);
  return is_fine &&
         (fetch->sequence >= fetch->end ||
          fail(&fetch->failure, MAINSTEM_IO, "the server does not have all entries yet"));
}

/* Errors of the connection end what waits for it. */
static void hear_error(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                       void *user_data) {
  (void)connection, (void)subscription, (void)error, (void)user_data;
}

static bool connect_and_read(struct fetch *fetch) {
  const struct answers answers = {.error = hear_error};
  memset(&fetch->failure, 0, sizeof fetch->failure);
  bool is_read = server_open(&fetch->server, &fetch->settings, &answers, &fetch->failure) &&
                 server_find_stream(&fetch->server, &fetch->settings, false, &fetch->failure) &&
                 read_on(fetch);
  server_close(&fetch->server);
  return is_read;
}

/* Reads all, with as many connections as it takes. */
static bool read_all(struct fetch *fetch, int64_t timeout_ms) {
  const struct timespec wait = {.tv_nsec = WAIT_MS * 1000000};
  fetch->heard_ms = now_ms();
  while (!connect_and_read(fetch)) {
    bool is_over = timeout_ms >= 0 && now_ms() - fetch->heard_ms >= timeout_ms;
    if (fetch->failure.status != MAINSTEM_IO || fetch->failure.is_final || is_over) return false;
    nanosleep(&wait, NULL);
  }
  if (fetch->gather.copy.files > 0) return copy_finish(&fetch->gather.copy, &fetch->failure);
  return fail(&fetch->failure, MAINSTEM_INVALID, "journal: the stream has nothing of %s",
              fetch->is_any ? "any" : fetch->gather.id);
}

/* The journal ---------------------------------------------------------------------------------------- */

static bool fail_by_journal(struct fetch *fetch, mainstem_status status) {
  return status == MAINSTEM_OK || fail(&fetch->failure, status, "%s", mainstem_last_error());
}

/* Reads the copy as anyone would: what a server makes up is no journal. */
static bool check_copy(struct fetch *fetch, mainstem_nats_fetch_report *report) {
  const mainstem_event *record = NULL;
  mainstem_journal_info info = {.size = sizeof info};
  mainstem_journal *journal;
  uint64_t records = 0;
  mainstem_status status = mainstem_journal_open(fetch->gather.copy.base, &journal);
  if (status != MAINSTEM_OK) return fail_by_journal(fetch, status);
  while ((status = mainstem_journal_next(journal, MAINSTEM_JOURNAL_EVERY_RECORD, &record)) ==
             MAINSTEM_OK &&
         record != NULL)
    records += record->type == 0;
  if (status == MAINSTEM_OK) status = mainstem_journal_info_read(journal, &info);
  mainstem_journal_close(journal);
  fetch->gather.is_whole =
      status == MAINSTEM_OK && info.torn_bytes == 0 && info.files == fetch->gather.copy.files;
  report->records = records - info.files;
  report->events = info.events;
  report->first = info.first;
  report->last = info.last;
  return status == MAINSTEM_CORRUPT || fail_by_journal(fetch, status);
}

static bool salvage(struct fetch *fetch, const char *path, mainstem_nats_fetch_report *report) {
  mainstem_salvage_report salvaged = {.size = sizeof salvaged};
  mainstem_status status = mainstem_journal_salvage(fetch->gather.copy.base, path, &salvaged);
  report->records = 0;
  report->events = salvaged.events;
  report->first = salvaged.first;
  report->last = salvaged.last;
  report->missing = salvaged.lost_positions;
  return fail_by_journal(fetch, status);
}

static bool make_journal(struct fetch *fetch, const char *path,
                         mainstem_nats_fetch_report *report) {
  struct gather *gather = &fetch->gather;
  /* A file begins with a session; a mirror that sends chosen types sends none. */
  gather->is_whole = gather->is_whole && !gather->is_at_begin;
  if (gather->is_whole && !check_copy(fetch, report)) return false;
  for (int i = 0; i < ID_DIGITS / 2; i++) sscanf(gather->id + 2 * i, "%2hhx", &report->id[i]);
  report->is_whole = gather->is_whole;
  report->entries = gather->entries;
  report->left_out = gather->left_out;
  return gather->is_whole ? copy_install(&gather->copy, path, gather->is_numbered, &fetch->failure)
                          : salvage(fetch, path, report);
}

/* The call ------------------------------------------------------------------------------------------- */

static mainstem_status wrong(mainstem_status status, const char *what) {
  return refuse(status, "%s: %s", kind.function, what);
}

/* Whether there is anything at a path, or at one with a number behind it. */
static bool is_taken(const char *path) {
  mainstem_journal *journal;
  mainstem_status status = mainstem_journal_open(path, &journal);
  if (status == MAINSTEM_OK) mainstem_journal_close(journal);
  return status == MAINSTEM_OK || status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION ||
         access(path, F_OK) == 0;
}

static mainstem_status check(const char *path, const char *journal,
                             const mainstem_nats_fetch_report *report) {
  if (path == NULL || *path == '\0') return wrong(MAINSTEM_INVALID, "path: is NULL or empty");
  if (journal != NULL &&
      (strlen(journal) != ID_DIGITS || strspn(journal, "0123456789abcdef") != ID_DIGITS))
    return wrong(MAINSTEM_INVALID, "journal: an id has 32 digits, 0 to 9 and a to f");
  if (report != NULL && report->size != sizeof *report)
    return wrong(report->size > sizeof *report ? MAINSTEM_UNSUPPORTED : MAINSTEM_INVALID,
                 "report.size: is not this library's");
  if (is_taken(path)) return wrong(MAINSTEM_INVALID, "path: a file exists there");
  return MAINSTEM_OK;
}

static mainstem_status run(struct fetch *fetch, const char *path, int64_t timeout_ms,
                           mainstem_nats_fetch_report *report) {
  struct gather *gather = &fetch->gather;
  mainstem_nats_fetch_report made = {.size = sizeof made};
  gather->is_whole = true;
  bool is_made = copy_begin(&gather->copy, path, &fetch->failure) && read_all(fetch, timeout_ms) &&
                 make_journal(fetch, path, &made);
  if (is_made && report != NULL) *report = made;
  copy_free(&gather->copy);
  described_free(&gather->described);
  return is_made ? MAINSTEM_OK : wrong(fetch->failure.status, fetch->failure.message);
}

mainstem_status mainstem_nats_fetch(const char *path, const mainstem_nats_options *options,
                                    const char *journal, int64_t timeout_ms,
                                    mainstem_nats_fetch_report *report) {
  char subject[LONGEST_PREFIX + 4] = ">";
  struct fetch fetch = {.subject = subject, .is_any = journal == NULL};
  mainstem_status status = check(path, journal, report);
  if (status == MAINSTEM_OK) status = table_enter(&kind);
  if (status == MAINSTEM_OK) status = settings_copy(&fetch.settings, &kind, path, options);
  if (status != MAINSTEM_OK) return status;
  if (options != NULL && options->prefix != NULL)
    snprintf(subject, sizeof subject, "%s.>", options->prefix);
  if (journal != NULL) memcpy(fetch.gather.id, journal, sizeof fetch.gather.id);
  status = run(&fetch, path, timeout_ms, report);
  settings_free(&fetch.settings);
  return status;
}
