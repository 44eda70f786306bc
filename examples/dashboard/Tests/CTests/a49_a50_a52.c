// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-49: started, the coordinator shows the dashboard; when its view is there, the widget in its slot.
 * the host closes the dashboard before the load, before its answer, and while the widget is on its way.
 * opened and closed a thousand times, nothing grows. The network is a server of this test.
 */

#include "stage.h"

#include <sys/resource.h>

enum { CYCLES = 1000 };

/* The network: it answers at once, or keeps the last question. */
typedef struct network {
  int asked, is_slow;
  mainstem_retained *kept;
} network;

static const char two[] = "{\"body\":\"[{\\\"id\\\":1},{\\\"id\\\":2}]\"}";

static void on_http(void *user_data, const mainstem_event *event) {
  network *self = user_data;
  self->asked++;
  if (self->is_slow) CHECK(!mainstem_event_retain(event, &self->kept));
  else CHECK(!mainstem_respond(event, two, strlen(two)));
}

/* Answers what was kept, and says how that went. */
static mainstem_status answer(network *self) {
  const mainstem_event *event = NULL;
  CHECK(!mainstem_retained_event(self->kept, &event));
  mainstem_status status = mainstem_respond(event, two, strlen(two));
  CHECK(!mainstem_retained_release(self->kept));
  return status;
}

static void world_open(stage *self, network *network) {
  static const mainstem_type_row types[] = {{"RequestHttp", MAINSTEM_PAYLOAD_JSON, "ResponseHttp"},
                                            {"ResponseHttp", MAINSTEM_PAYLOAD_JSON, NULL}};
  static const mainstem_handler_row row = {"RequestHttp", on_http, 0};
  mainstem_context *app;
  mainstem_event_type numbers[2];
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  CHECK(!mainstem_context_create(NULL, &app));
  CHECK(!dashboard_install(app, 10000));
  CHECK(!mainstem_types_add(app, MAINSTEM_ROWS(types), numbers));
  CHECK(!mainstem_server_add_with(app, "Http", &row, sizeof row, 1, &options, network, NULL, NULL));
  stage_add(self, app);
}

/* Closes the app as a user does, by its screen. */
static void back(stage *self) {
  CHECK(!mainstem_component_gone(self->app, self->dashboard.component));
  drain(self);
}

/* Each component's URL and what it stands on. */
static void expect_tree(stage *self, const char *root) {
  uint64_t numbers[4];
  size_t count = 0;
  char text[4000];
  mainstem_component_info show = {.size = sizeof show};
  CHECK(!mainstem_navigator_tree(self->app, numbers, 4, &count) && count == 3);
  CHECK(!mainstem_component_read(self->app, numbers[0], &show, text, sizeof text));
  CHECK(!strcmp(show.url, root) && show.kind == MAINSTEM_FLOW && show.parent == 0);
  CHECK(numbers[1] == self->dashboard.component && self->dashboard.parent == numbers[0]);
  CHECK(numbers[2] == self->users.component && self->users.parent == numbers[1]);
}

static void a49(void) {
  static stage on;
  network network = {0};
  world_open(&on, &network);
  open_app(&on, "s");
  CHECK(was_noted(&on, "show screen dashboard\n"));
  load(&on);
  CHECK(was_noted(&on, "show embed users in users\n"));
  expect_tree(&on, "app?site=s");
  load(&on); /* The view is made anew: its slot has its widget. */
  CHECK(was_noted(&on, "") && components(&on) == 3 && network.asked == 1);

  /* Started again, it is another one. */
  uint64_t first = on.dashboard.component;
  open_app(&on, "other");
  load(&on);
  CHECK(was_noted(&on, "show screen dashboard\nshow embed users in users\n"));
  CHECK(components(&on) == 6 && on.dashboard.component != first && network.asked == 2);
  CHECK(!mainstem_context_close(on.app));
}

static void count_call(void *calls, const mainstem_event *event) {
  (void)event;
  ++*(int *)calls;
}

static void a50(void) {
  static stage on;
  network network = {.is_slow = 1};
  mainstem_binding *dashboard, *users;
  const mainstem_binding_row load_row = {"load", count_call, 0};
  int calls = 0;
  world_open(&on, &network);

  /* Before its view is there: then that it is changes nothing. */
  open_app(&on, "s");
  dashboard = bind_dashboard(&on, count_call, &calls);
  CHECK(calls == 1);
  back(&on);
  CHECK(components(&on) == 0 && on.closes == 1 && on.closed == MAINSTEM_CANCELLED);
  CHECK(mainstem_binding_run(dashboard, "didLoad", NULL, 0, NULL, NULL, NULL, NULL) ==
        MAINSTEM_STALE);
  drain(&on);
  CHECK(was_noted(&on, "show screen dashboard\n"));
  CHECK(components(&on) == 0 && calls == 1 && network.asked == 0);
  CHECK(!mainstem_binding_end(dashboard));

  /* While the stage is asked for the widget: it is told to hide what it shows too late. */
  open_app(&on, "s");
  dashboard = bind_dashboard(&on, ignore, NULL);
  CHECK(!mainstem_binding_run(dashboard, "didLoad", NULL, 0, NULL, NULL, NULL, NULL));
  back(&on);
  CHECK(components(&on) == 0 && on.closes == 2);
  CHECK(was_noted(&on, "show screen dashboard\nshow embed users in users\nhide 1\n"));
  CHECK(!mainstem_binding_end(dashboard));

  /* Before the data comes: nobody waits for it. */
  network.asked = 0;
  open_app(&on, "later");
  load(&on);
  CHECK(network.asked == 1);
  CHECK(!mainstem_binding_add(on.app, owner_of(&on, &on.users), &load_row, sizeof load_row, 1,
                              &calls, NULL, &users));
  CHECK(calls == 2);
  back(&on);
  CHECK(was_noted(&on, "show screen dashboard\nshow embed users in users\nhide 1\n"));
  CHECK(components(&on) == 0 && on.closes == 3);
  mainstem_status late = answer(&network);
  CHECK(!late || late == MAINSTEM_STALE);
  drain(&on);
  CHECK(calls == 2 && components(&on) == 0 && was_noted(&on, ""));
  CHECK(owner_of(&on, &on.users) == NULL && owner_of(&on, &on.dashboard) == NULL);
  CHECK(!mainstem_context_close(on.app));
}

static mainstem_context_stats stats(stage *self) {
  mainstem_context_stats stats = {.size = sizeof stats};
  CHECK(!mainstem_context_stats_read(self->app, &stats));
  return stats;
}

/* The most memory that this process has had, in KiB. */
static long resident(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void cycle(stage *self) {
  open_app(self, "s");
  load(self);
  back(self);
  *self->noted = 0;
}

static void a52(void) {
  static stage on;
  network network = {0};
  world_open(&on, &network);
  /* What is made once is there then, and the heap has settled. */
  for (int i = 0; i < 300; i++) cycle(&on);
  mainstem_context_stats before = stats(&on);
  long memory = resident();
  for (int i = 0; i < CYCLES; i++) cycle(&on);
  mainstem_context_stats after = stats(&on);
  CHECK(after.scopes == before.scopes && after.subscriptions == before.subscriptions);
  CHECK(after.types == before.types && after.requests == before.requests);
  CHECK(after.retained == before.retained && after.timers == before.timers);
  CHECK(after.waiting == before.waiting && after.failures == before.failures);
  CHECK(components(&on) == 0 && on.closes == 300 + CYCLES && network.asked == 1);
  fprintf(stderr, "%d cycles: %ld KiB more\n", CYCLES, resident() - memory);
  CHECK(resident() - memory < 1024);
  CHECK(!mainstem_context_close(on.app));
}

int main(void) {
  a49();
  a50();
  a52();
  puts("A-49, A-50, A-52 passed");
  return 0;
}
