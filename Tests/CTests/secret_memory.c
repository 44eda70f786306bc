// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What a secret leaves in memory once its events are gone: nothing. Each case lets a password take one way
 * through a context, with all the copies that this way needs, and then looks for it in all of the process's
 * own memory; once more with a journal, in which it must not be either; and in a core dump.
 */

#include <inttypes.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "journal.h"
#include "secret.h"

static char window[1 << 16];

/* How often the password is in one region. Read through the kernel: a page may go meanwhile. */
static int count_in(int memory, uint64_t from, uint64_t to) {
  const uint64_t step = sizeof window - PASSWORD_SIZE;
  int count = 0;
  for (uint64_t at = from; at < to; at += step) {
    size_t size = to - at < sizeof window ? (size_t)(to - at) : sizeof window;
    ssize_t got = pread(memory, window, size, (off_t)at);
    const char *rest = window;
    long found;
    while (got > 0 && (found = password_find(rest, (size_t)got)) >= 0) {
      count++;
      rest += found + 1;
      got -= found + 1;
    }
  }
  password_forget(window, sizeof window);
  return count;
}

/* How often the password is in memory that may be written: heap, stacks, data. */
static int copies(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC), count = 0;
  char line[512];
  EXPECT(maps != NULL && memory >= 0);
  while (fgets(line, sizeof line, maps) != NULL) {
    uint64_t from, to;
    char rights[5];
    EXPECT_EQUAL(sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights), 3);
    if (rights[0] != 'r' || rights[1] != 'w') continue;
    /* The window itself is looked through on the way. */
    if ((uintptr_t)window >= from && (uintptr_t)window < to) {
      count += count_in(memory, from, (uintptr_t)window);
      from = (uintptr_t)window + sizeof window;
    }
    count += count_in(memory, from, to);
  }
  EXPECT_EQUAL(close(memory), 0);
  EXPECT_EQUAL(fclose(maps), 0);
  return count;
}

/* The search itself: it sees a copy on the heap, and no longer when that is overwritten. */
static void the_search_finds_a_copy(uint32_t threads) {
  char *copy = (char *)malloc(1000);
  (void)threads;
  EXPECT(copy != NULL);
  EXPECT_EQUAL(copies(), 0);
  password_write(copy + 123);
  EXPECT_EQUAL(copies(), 1);
  password_forget(copy, 1000);
  EXPECT_EQUAL(copies(), 0);
  free(copy);
}

static const char *journal;

/* Secrets, recorded where that is wanted. */
static stream secrets(uint32_t threads) {
  stream opened = secrets_open(threads);
  if (journal == NULL) return opened;
  unlink(journal);
  EXPECT_OK(mainstem_journal_record(opened.context, journal, NULL));
  return opened;
}

static void look(void *user_data, const mainstem_event *event) {
  (void)event;
  ++*(int *)user_data;
}

static void observe(mainstem_context *context, mainstem_event_type type, mainstem_event_fn fn,
                    void *user_data) {
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe(context, type, fn, user_data, NULL, &subscription));
}

static mainstem_subscription *observe_on(stream *on, mainstem_event_type type, uint32_t policy,
                                         mainstem_event_fn fn, void *user_data) {
  mainstem_observe_options options;
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = &type;
  options.type_count = 1;
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.policy = policy;
  options.limit_events = 2;
  EXPECT_OK(mainstem_observe_with(on->context, &options, fn, user_data, NULL, &subscription));
  return subscription;
}

/* Nothing is left while the context lives, and nothing when it is closed. */
static void gone(stream *on) {
  EXPECT_EQUAL(copies(), 0);
  EXPECT_OK(mainstem_context_close(on->context));
  EXPECT_EQUAL(copies(), 0);
}

static void a_send_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  int calls = 0;
  observe(on.context, MAINSTEM_TYPE_ANY, look, &calls);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(secret_send(on.context, on.other));
  EXPECT_EQUAL(calls, 2);
  gone(&on);
}

typedef struct sender {
  stream on;
  int calls;
} sender;

static void send_inside(void *user_data, const mainstem_event *event) {
  sender *self = (sender *)user_data;
  (void)event;
  EXPECT_OK(secret_send(self->on.context, self->on.notice));
  EXPECT(copies() > 0);
}

static void what_waits_its_turn_leaves_nothing(uint32_t threads) {
  sender self = {secrets(threads), 0};
  observe(self.on.context, self.on.other, send_inside, &self);
  observe(self.on.context, self.on.notice, look, &self.calls);
  EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
  EXPECT_EQUAL(self.calls, 1);
  gone(&self.on);
}

static void *post_it(void *user_data) {
  stream *on = (stream *)user_data;
  char password[PASSWORD_SIZE];
  password_write(password);
  EXPECT_OK(mainstem_post(on->context, on->notice, password, sizeof password));
  password_forget(password, sizeof password);
  return NULL;
}

static void a_post_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  pthread_t thread;
  int calls = 0;
  observe(on.context, on.notice, look, &calls);
  EXPECT_EQUAL(pthread_create(&thread, NULL, post_it, &on), 0);
  EXPECT_EQUAL(pthread_join(thread, NULL), 0);
  EXPECT(copies() > 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 1);
  EXPECT_EQUAL(copies(), 0);
  post_it(&on);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(copies(), 0);
}

static void a_signal_handlers_post_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  char password[PASSWORD_SIZE];
  int calls = 0;
  observe(on.context, on.notice, look, &calls);
  EXPECT_OK(mainstem_interrupt_prepare(on.context));
  for (int i = 0; i < 2; i++) {
    password_write(password);
    EXPECT_OK(mainstem_post_from_interrupt(on.context, on.notice, password, sizeof password));
    password_forget(password, sizeof password);
    EXPECT(copies() > 0);
    if (i == 0) EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_EQUAL(calls, 1);
  }
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(copies(), 0);
}

static void what_is_handed_over_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  int calls = 0;
  observe_on(&on, on.notice, MAINSTEM_QUEUE_REJECT, look, &calls);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT(copies() > 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(copies(), 0);
  observe_on(&on, on.notice, MAINSTEM_QUEUE_REJECT, look, &calls);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_STATUS(secret_send(on.context, on.notice), MAINSTEM_FULL);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 5);
  gone(&on);
}

static void what_is_lost_or_cancelled_leaves_nothing(uint32_t threads) {
  static const uint32_t policies[] = {MAINSTEM_QUEUE_DROP_OLDEST, MAINSTEM_QUEUE_DROP_NEWEST,
                                      MAINSTEM_QUEUE_LATEST};
  /* One is left to the close. */
  for (size_t i = 0; i < COUNT(policies); i++) {
    stream on = secrets(threads);
    int calls = 0;
    mainstem_subscription *subscription = observe_on(&on, on.notice, policies[i], look, &calls);
    for (int n = 0; n < 5; n++) EXPECT_OK(secret_send(on.context, on.notice));
    EXPECT(copies() > 0);
    if (i != 1) EXPECT_OK(mainstem_cancel(subscription));
    if (i != 1) EXPECT_EQUAL(copies(), 0);
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(copies(), 0);
  }
}

static void a_mailbox_leaves_nothing_but_what_it_gave(uint32_t threads) {
  stream on = secrets(threads);
  static char records[512];
  size_t count = 0;
  mainstem_subscription *mailbox = observe_on(&on, on.notice, MAINSTEM_QUEUE_REJECT, NULL, NULL);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(mainstem_drain_records(mailbox, records, sizeof records, &count, NULL));
  EXPECT_EQUAL(count, 1);
  EXPECT_EQUAL(((mainstem_header *)records)->flags & MAINSTEM_EVENT_SECRET, MAINSTEM_EVENT_SECRET);
  EXPECT_EQUAL(copies(), 1);
  password_forget(records, sizeof records);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(copies(), 0);
}

static void a_timer_leaves_nothing(uint32_t threads) {
  mainstem_context_options options;
  stream on;
  mainstem_timer *once, *often, *never;
  char password[PASSWORD_SIZE];
  int calls = 0;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  EXPECT_OK(mainstem_context_create(&options, &on.context));
  on.notice = type_open(on.context, "Typed", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  observe(on.context, on.notice, look, &calls);
  observe_on(&on, on.notice, MAINSTEM_QUEUE_REJECT, look, &calls);
  password_write(password);
  EXPECT_OK(mainstem_send_after(on.context, on.notice, password, sizeof password, 5, &once));
  EXPECT_OK(mainstem_send_every(on.context, on.notice, password, sizeof password, 7, &often));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, password, sizeof password, 900, &never));
  password_forget(password, sizeof password);
  EXPECT_OK(mainstem_context_advance(on.context, 20));
  EXPECT_OK(mainstem_timer_cancel(often));
  EXPECT(calls >= 3);
  EXPECT(copies() > 0);
  EXPECT_OK(mainstem_timer_cancel(never));
  gone(&on);
}

static void retain_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

static void what_was_retained_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  mainstem_retained *retained = NULL;
  observe(on.context, on.notice, retain_it, &retained);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT(copies() > 0);
  EXPECT_OK(mainstem_retained_release(retained));
  EXPECT_EQUAL(copies(), 0);
  EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(copies(), 0);
}

typedef struct answerer {
  mainstem_event_type progress;
  size_t filling;
  int isError, calls;
  mainstem_retained *kept;
} answerer;

/* Answers with the password behind as much filling as makes it short or long. */
static void answer_it(void *user_data, const mainstem_event *event) {
  answerer *self = (answerer *)user_data;
  static char text[1024];
  memset(text, 'x', sizeof text);
  password_write(text + self->filling);
  text[self->filling + PASSWORD_SIZE] = 0;
  EXPECT_OK(mainstem_respond_progress(event, self->progress, text, self->filling + PASSWORD_SIZE));
  if (self->isError) {
    EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, text));
  } else {
    EXPECT_OK(mainstem_respond(event, text, self->filling + PASSWORD_SIZE));
  }
  password_forget(text, sizeof text);
}

static void ask_it(stream *on, answerer *self, mainstem_scheduler scheduler) {
  mainstem_request_options options;
  char password[PASSWORD_SIZE];
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  options.scheduler = scheduler;
  options.progress = look;
  password_write(password);
  EXPECT_OK(mainstem_request_with(on->context, on->ask, password, sizeof password, &options, look,
                                  &self->calls, NULL, NULL));
  password_forget(password, sizeof password);
}

static void answers_leave_nothing(uint32_t threads) {
  static const size_t fillings[] = {0, 40, 500};
  for (size_t i = 0; i < COUNT(fillings) * 4; i++) {
    stream on = secrets(threads);
    mainstem_handler_row row = {"RequestSignIn", answer_it};
    mainstem_context *server;
    answerer self = {on.notice, fillings[i / 4], i % 2, 0, NULL};
    EXPECT_OK(
        mainstem_server_add(on.context, "Session", &row, sizeof row, 1, &self, NULL, &server));
    ask_it(&on, &self, i % 4 < 2 ? MAINSTEM_SCHEDULER_IMMEDIATE : MAINSTEM_SCHEDULER_HOST);
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_EQUAL(self.calls, 2);
    EXPECT_EQUAL(copies(), 0);
    ask_it(&on, &self, i % 4 < 2 ? MAINSTEM_SCHEDULER_IMMEDIATE : MAINSTEM_SCHEDULER_HOST);
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(copies(), 0);
  }
}

static void retain_request(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, &((answerer *)user_data)->kept));
}

static void *answer_later(void *user_data) {
  answerer *self = (answerer *)user_data;
  const mainstem_event *event = NULL;
  EXPECT_OK(mainstem_retained_event(self->kept, &event));
  answer_it(self, event);
  EXPECT_OK(mainstem_retained_release(self->kept));
  return NULL;
}

static void an_answer_from_another_thread_leaves_nothing(uint32_t threads) {
  stream on = secrets(threads);
  mainstem_handler_row row = {"RequestSignIn", retain_request};
  mainstem_context *server;
  answerer self = {on.notice, 40, 0, 0, NULL};
  EXPECT_OK(mainstem_server_add(on.context, "Session", &row, sizeof row, 1, &self, NULL, &server));
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    ask_it(&on, &self, MAINSTEM_SCHEDULER_IMMEDIATE);
    EXPECT_EQUAL(pthread_create(&thread, NULL, answer_later, &self), 0);
    EXPECT_EQUAL(pthread_join(thread, NULL), 0);
    if (i == 1) break;
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_EQUAL(self.calls, 2);
    EXPECT_EQUAL(copies(), 0);
  }
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(copies(), 0);
}

static void in_no_journal(void *user_data, const mainstem_header *header, const void *data) {
  EXPECT_EQUAL(password_find((const char *)data, header->size), -1);
  if (header->flags & MAINSTEM_EVENT_WITHHELD) {
    ++*(int *)user_data;
    EXPECT_EQUAL(header->size, 0);
    EXPECT_EQUAL(header->status, 0);
  }
}

/* All ways again. What was an event of a secret type is in the journal as a mark. */
static void a_journal_leaves_nothing_and_has_nothing(uint32_t threads) {
  static void (*const ways[])(uint32_t) = {a_send_leaves_nothing,
                                           what_waits_its_turn_leaves_nothing,
                                           a_post_leaves_nothing,
                                           a_signal_handlers_post_leaves_nothing,
                                           what_is_handed_over_leaves_nothing,
                                           what_is_lost_or_cancelled_leaves_nothing,
                                           a_mailbox_leaves_nothing_but_what_it_gave,
                                           what_was_retained_leaves_nothing,
                                           answers_leave_nothing,
                                           an_answer_from_another_thread_leaves_nothing};
  journal = journal_path("secrets");
  for (size_t i = 0; i < COUNT(ways); i++) {
    int withheld = 0;
    ways[i](threads);
    journal_each(journal, in_no_journal, &withheld);
    EXPECT(withheld > 0);
  }
  journal = NULL;
  journal_sweep();
}

/* Twice: the last word counts. */
static void supply_it(void *user_data, const mainstem_event *event) {
  char password[PASSWORD_SIZE];
  (void)event;
  for (int i = 0; i < 2; i++) {
    password_write(password);
    EXPECT_OK(mainstem_replay_supply(*(mainstem_replay **)user_data, password, sizeof password));
    password_forget(password, sizeof password);
  }
}

static void what_a_replay_was_supplied_leaves_nothing(uint32_t threads) {
  mainstem_replay_options options;
  journal = journal_path("supplied");
  stream on = secrets(threads);
  for (int i = 0; i < 3; i++) EXPECT_OK(secret_send(on.context, on.notice));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_OK(mainstem_replay_options_init(&options, sizeof options));
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    mainstem_replay *replay;
    int calls = 0;
    options.mode = mode;
    on.context = context_open(threads);
    EXPECT_OK(mainstem_replay_open(on.context, journal, &options, &replay));
    on.notice = type_open(on.context, "Typed", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
    observe(on.context, on.notice, look, &calls);
    observe_on(&on, on.notice, MAINSTEM_QUEUE_REJECT, look, &calls);
    EXPECT_OK(mainstem_replay_on_secret(replay, supply_it, &replay, NULL));
    EXPECT_OK(mainstem_replay_step(replay, 2, NULL));
    EXPECT(copies() > 0); /* They wait for the host. */
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_EQUAL(copies(), 0);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(calls, 5); /* The last one was dropped. */
    EXPECT_EQUAL(copies(), 0);
  }
  journal = NULL;
  journal_sweep();
}

/* How often the password is in a file, and whether what must be there is. */
static int count_in_file(const char *path, const char *sure, int *is_sure) {
  int file = open(path, O_RDONLY | O_CLOEXEC), count;
  uint64_t size = journal_size(path);
  EXPECT(file >= 0);
  count = count_in(file, 0, size);
  *is_sure = 0;
  for (uint64_t at = 0; at < size && !*is_sure; at += sizeof window - PASSWORD_SIZE) {
    ssize_t got = pread(file, window, sizeof window, (off_t)at);
    *is_sure = got > 0 && memmem(window, (size_t)got, sure, strlen(sure)) != NULL;
  }
  EXPECT_EQUAL(close(file), 0);
  return count;
}

/* What a debugger writes down of the process. Where there is none, that is said. */
static void a_core_dump_has_none(uint32_t threads) {
  stream on = secrets_open(threads);
  mainstem_handler_row row = {"RequestSignIn", answer_it};
  mainstem_context *server;
  answerer self = {on.notice, 40, 0, 0, NULL};
  const char *path = journal_path("core");
  char sure[60], command[400];
  int is_sure;
  EXPECT_OK(mainstem_server_add(on.context, "Session", &row, sizeof row, 1, &self, NULL, &server));
  ask_it(&on, &self, MAINSTEM_SCHEDULER_HOST);
  post_it(&on);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(self.calls, 2);
  snprintf(sure, sizeof sure, "the stack of process %d is here", (int)getpid());
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  snprintf(command, sizeof command, "gcore -o %s %d >%s.log 2>&1", path, (int)getpid(), path);
  if (system(command) == 0) {
    snprintf(command, sizeof command, "%s.%d", path, (int)getpid());
    EXPECT_EQUAL(count_in_file(command, sure, &is_sure), 0);
    EXPECT(is_sure);
  } else {
    fprintf(stderr,
            "NOT LOOKED AT: a core dump. There is no gcore, or it may not see this process.\n");
  }
  EXPECT_OK(mainstem_context_close(on.context));
  journal_sweep();
}

static const expect_case cases[] = {
    {"the search finds a copy", the_search_finds_a_copy, IN_ONE},
    {"a send leaves nothing", a_send_leaves_nothing, IN_BOTH},
    {"what waits its turn leaves nothing", what_waits_its_turn_leaves_nothing, IN_BOTH},
    {"a post leaves nothing", a_post_leaves_nothing, IN_BOTH},
    {"a signal handler's post leaves nothing", a_signal_handlers_post_leaves_nothing, IN_BOTH},
    {"what is handed over leaves nothing", what_is_handed_over_leaves_nothing, IN_BOTH},
    {"what is lost or cancelled leaves nothing", what_is_lost_or_cancelled_leaves_nothing, IN_BOTH},
    {"a mailbox leaves nothing but what it gave", a_mailbox_leaves_nothing_but_what_it_gave,
     IN_BOTH},
    {"a timer leaves nothing", a_timer_leaves_nothing, IN_BOTH},
    {"what was retained leaves nothing", what_was_retained_leaves_nothing, IN_BOTH},
    {"answers leave nothing", answers_leave_nothing, IN_BOTH},
    {"an answer from another thread leaves nothing", an_answer_from_another_thread_leaves_nothing,
     IN_BOTH},
    {"a journal leaves nothing and has nothing", a_journal_leaves_nothing_and_has_nothing, IN_BOTH},
    {"what a replay was supplied leaves nothing", what_a_replay_was_supplied_leaves_nothing,
     IN_BOTH},
    {"a core dump has none", a_core_dump_has_none, IN_ONE},
};

int main(void) {
  int result = EXPECT_RUN(cases);
  journal_remove_folder();
  return result;
}
