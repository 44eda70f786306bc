// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The navigator of a context of any thread: four threads open and close, another one drains and shows. */

#include "elsewhere.h"
#include "stage.h"

enum { OPENERS = 4, ROUNDS = 200 };

static mainstem_context *context;
static int accepted, told; /* Atomic. */

static mainstem_status make(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  (void)user_data, (void)scope, (void)event;
  return MAINSTEM_OK;
}

static void hear(void *user_data, const mainstem_event *event) { (void)user_data, (void)event; }

static mainstem_status make_flow(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  static const mainstem_intent_row row = {"Said", NULL, hear, MAINSTEM_INTENT_QUEUED, 0};
  (void)user_data, (void)event;
  mainstem_status status = mainstem_intents_add(scope, &row, sizeof row, 1, NULL, NULL);
  if (status == MAINSTEM_OK) status = mainstem_navigator_open(scope, "page", NULL, NULL, NULL);
  return status;
}

static void count_answer(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
  __atomic_add_fetch(&told, 1, __ATOMIC_SEQ_CST);
}

/* It is shown: it says something, and closes. */
static void show(void *user_data, const mainstem_event *event) {
  char text[256];
  mainstem_component_info shown = {.size = sizeof shown};
  EXPECT_OK(mainstem_show_read(event, &shown, text, sizeof text));
  mainstem_status status = shown.component % 3 == 0
                               ? mainstem_respond(event, NULL, 0)
                               : mainstem_component_shown(context, shown.component);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* Its opener has given it up. */
  if (shown.component % 2 == 0) EXPECT_OK(mainstem_component_gone(context, shown.component));
}

static void hide(void *user_data, const mainstem_event *event) {
  mainstem_status status = mainstem_respond(event, NULL, 0);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
}

static const char *const urls[] = {"page", "dialog", "slot", "group", "flow"};

static void move(mainstem_context *scope, uint32_t verb, const char *url,
                 mainstem_pending **pending) {
  const mainstem_move given = move_of(verb, url, 0);
  EXPECT_OK(mainstem_navigator_move(scope, &given, count_answer, NULL, pending));
  __atomic_add_fetch(&accepted, 1, __ATOMIC_SEQ_CST);
}

/* Looks at the tree, and says that something is shown that may not be about to be. */
static void look(void) {
  uint64_t components[4096];
  size_t count;
  char text[256];
  mainstem_component_info shown = {.size = sizeof shown};
  EXPECT_OK(mainstem_navigator_tree(context, components, COUNT(components), &count));
  if (count == 0) return;
  mainstem_status status =
      mainstem_component_read(context, components[count - 1], &shown, text, sizeof text);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  status = mainstem_component_shown(context, components[count - 1] + 1);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
}

static void *open_and_close(void *data) {
  const int number = (int)(intptr_t)data;
  mainstem_pending *pending;
  mainstem_context *scope = scope_open(context, "Opener");
  for (int i = 0; i < ROUNDS; i++) {
    move(scope, MAINSTEM_MOVE_OPEN, urls[(i + number) % (int)COUNT(urls)], &pending);
    if (i % 7 == 0) (void)mainstem_pending_cancel(pending);
    if (i % 3 == 0) move(scope, MAINSTEM_MOVE_DISMISS, NULL, NULL);
    if (i % 5 == 0) move(scope, MAINSTEM_MOVE_POP, NULL, NULL);
    if (i % 40 == 39) move(scope, MAINSTEM_MOVE_REPLACE_ROOT, "page", NULL);
    look();
  }
  EXPECT_OK(mainstem_scope_end(scope));
  return NULL;
}

/* Catches: what several threads read or write at once, a move that is lost. */
CASE(threads_open_and_close, IN_ANY) {
  static const mainstem_route_row rows[] = {{"page", "Page", MAINSTEM_SCREEN, 0, NULL},
                                            {"dialog", "Page", MAINSTEM_DIALOG, 0, NULL},
                                            {"slot", "Page", MAINSTEM_EMBED, 0, "left"},
                                            {"group", NULL, MAINSTEM_GROUP, 0, "page dialog"},
                                            {"flow", "Flow", MAINSTEM_FLOW, 0, NULL}};
  static const mainstem_handler_row stage[] = {{"MainstemShow", show, 0},
                                               {"MainstemHide", hide, 0}};
  pthread_t openers[OPENERS];
  context = context_open(threads);
  accepted = told = 0;
  (void)type_open(context, "Said", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_factory_add(context, "Page", MAINSTEM_PAYLOAD_TEXT, make, NULL, NULL));
  EXPECT_OK(mainstem_factory_add(context, "Flow", MAINSTEM_PAYLOAD_TEXT, make_flow, NULL, NULL));
  EXPECT_OK(mainstem_routes_add(context, rows, sizeof rows[0], COUNT(rows)));
  EXPECT_OK(mainstem_stage_add(context, stage, sizeof stage[0], COUNT(stage), NULL, NULL, NULL));
  for (int i = 0; i < OPENERS; i++) openers[i] = beside(open_and_close, (void *)(intptr_t)i);
  while (__atomic_load_n(&accepted, __ATOMIC_SEQ_CST) < OPENERS * ROUNDS)
    EXPECT_OK(mainstem_drain(context, 0, NULL));
  for (int i = 0; i < OPENERS; i++) join(openers[i]);
  for (size_t ran = 1; ran > 0;) EXPECT_OK(mainstem_drain(context, 0, &ran));
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_EQUAL(told, accepted);
}

int main(void) { return expect_all(); }
