// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Flows: components that decide where to go. */

#include "stage.h"

/* A flow and what it does. */
typedef struct tour {
  app app;
  mainstem_context *flows[8];
  int flow_count;
  const char *first;              /* What a flow opens when it is made; NULL: nothing. */
  uint64_t speaker, made, parent; /* The flow that was made last, and what it stands on. */
  mainstem_event_type picked;
} tour;

static tour *the_tour;

static void heard(void *user_data, const mainstem_event *event) {
  tour *self = (tour *)user_data;
  const char word = event->size > 0 ? *(const char *)event->data : 0;
  transcript_add(&self->app.seen, "!%.*s", (int)event->size, (const char *)event->data);
  if (mainstem_event_component(event, &self->speaker) != MAINSTEM_OK) self->speaker = 0;
  if (word == 'o') {
    EXPECT_OK(mainstem_navigator_open(event->context, "page/7", NULL, NULL, NULL));
    EXPECT_OK(mainstem_navigator_open(event->context, "page/8", NULL, NULL, NULL));
  } else if (word == 'e') {
    mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "users", self->speaker);
    EXPECT_OK(mainstem_navigator_move(event->context, &move, NULL, NULL, NULL));
  } else if (word == 'd') {
    mainstem_move move = move_of(MAINSTEM_MOVE_DISMISS, NULL, 0);
    EXPECT_OK(mainstem_navigator_move(event->context, &move, NULL, NULL, NULL));
    EXPECT_OK(mainstem_navigator_open(event->context, "sheet", NULL, NULL, NULL));
    EXPECT_OK(mainstem_navigator_open(event->context, "page/2", NULL, NULL, NULL));
  } else if (word == 'f') {
    EXPECT_OK(mainstem_component_finish(event->context, self->app.said, "bye", 3));
  }
}

/* Notes the component that is being made. */
static void note_made(tour *self, const mainstem_event *event) {
  char text[64];
  mainstem_component_info show = {.size = sizeof show};
  EXPECT_OK(mainstem_event_component(event, &self->made));
  EXPECT_OK(mainstem_component_read(event->context, self->made, &show, text, sizeof text));
  EXPECT_TEXT(show.url, "flow");
  self->parent = show.parent;
}

static mainstem_status make_flow(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  static const mainstem_intent_row rows[] = {{"Picked", "Page", heard, 0, 0},
                                             {"Queued", NULL, heard, MAINSTEM_INTENT_QUEUED, 0},
                                             {"Allowed", NULL, heard, MAINSTEM_INTENT_ALLOWED, 0},
                                             {"MainstemLink", NULL, heard, 0, 0}};
  tour *self = the_tour;
  note_made(self, event);
  self->flows[self->flow_count++] = scope;
  EXPECT_OK(mainstem_intents_add(scope, rows, sizeof rows[0], COUNT(rows), self, NULL));
  if (self->first != NULL) {
    EXPECT_OK(mainstem_navigator_open(scope, self->first, NULL, NULL, NULL));
  }
  return MAINSTEM_OK;
}

static void tour_open(tour *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  the_tour = self;
  app_open_with(&self->app, threads, make_flow);
  self->picked = type_open(self->app.context, "Picked", MAINSTEM_PAYLOAD_TEXT, NULL);
  (void)type_open(self->app.context, "Queued", MAINSTEM_PAYLOAD_TEXT, NULL);
  (void)type_open(self->app.context, "Allowed", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->first = "page/1";
}

static void say(tour *self, mainstem_context *scope, const char *type, const char *word) {
  mainstem_event_type number;
  EXPECT_OK(mainstem_type_find(self->app.context, type, &number));
  EXPECT_OK(send_text(scope, number, word));
  app_drain(&self->app);
}

/* Catches: a flow that is ready before anything is shown, or that stays where its first component fails. */
CASE(a_flow_is_ready_with_its_first, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "home");
  self.app.shows = WAITS;
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_TREE(&self.app, "~home");
  EXPECT_OK(mainstem_component_shown(self.app.context, stage_shown[stage_count - 1].component));
  app_drain(&self.app);
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  EXPECT_TREE(&self.app, "~home(flow(page/1))");
  self.app.shows = FAILS;
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_TREE(&self.app, "~home(flow(page/1))");
  self.app.shows = ANSWERS;
  self.first = "nowhere";
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_TREE(&self.app, "~home(flow(page/1))");
  self.first = NULL;
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_SEEN(&self.app, "+home +page/1 +page/1 flow=APP -page/1 flow=NO_ROUTE");
  EXPECT_TREE(&self.app, "~home(flow(page/1(flow)))");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* What is there by what was told. */
typedef struct told_tree {
  uint64_t components[16];
  size_t count;
} told_tree;

static void tell_tree(void *user_data, const mainstem_event *event) {
  told_tree *self = (told_tree *)user_data;
  char text[512];
  mainstem_component_info show = {.size = sizeof show};
  if (mainstem_show_read(event, &show, text, sizeof text) != MAINSTEM_OK) return;
  EXPECT(self->count < COUNT(self->components));
  self->components[self->count++] = show.component;
}

/* Asks for a flow and a page, at a time. */
static void ask_both(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_navigator_open(event->context, "flow", NULL, NULL, NULL));
  EXPECT_OK(mainstem_navigator_open(event->context, "page/7", NULL, NULL, NULL));
}

/* Catches: a flow that is asked for in another order than it was told in: it is there with its first component. */
CASE(the_tree_is_as_told, IN_BOTH) {
  tour self;
  told_tree told = {0};
  uint64_t components[16];
  size_t count;
  tour_open(&self, threads);
  mainstem_context *context = self.app.context;
  mainstem_event_type tree = type_named(context, "MainstemTree");
  EXPECT_OK(mainstem_observe(context, tree, tell_tree, &told, NULL, NULL));
  app_show(&self.app, context, "home");
  EXPECT_OK(mainstem_observe(context, self.picked, ask_both, NULL, NULL, NULL));
  say(&self, self.app.pages[0], "Picked", "both");
  EXPECT_TREE(&self.app, "~home(page/7 ~flow(page/1))");
  EXPECT_OK(mainstem_navigator_tree(context, components, COUNT(components), &count));
  EXPECT_EQUAL(count, told.count);
  EXPECT(memcmp(components, told.components, count * sizeof components[0]) == 0);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: an intent of somebody else's component, of another factory's, of one that is covered or gone. */
CASE(a_flow_hears_its_components, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "home");
  app_show(&self.app, self.app.pages[0], "flow");
  mainstem_context *page = self.app.pages[1];
  transcript_clear(&self.app.seen);
  say(&self, self.app.pages[0], "Picked", "outside");
  say(&self, self.app.context, "Picked", "outside");
  say(&self, self.flows[0], "Picked", "itself");
  say(&self, page, "Picked", "embed");
  EXPECT_SEEN(&self.app, "!embed +users");
  EXPECT_EQUAL(self.speaker, app_component(&self.app, "page/1"));
  say(&self, self.app.pages[2], "Picked", "open");
  EXPECT_SEEN(&self.app, "!open +page/7 +page/8");
  EXPECT_TREE(&self.app, "~home(flow(~page/1(~users ~page/7(page/8))))");
  say(&self, page, "Picked", "covered");
  say(&self, page, "Allowed", "allowed");
  say(&self, page, "Queued", "queued");
  EXPECT_SEEN(&self.app, "!allowed");
  app_move(&self.app, page, MAINSTEM_MOVE_POP_TO, NULL, app_component(&self.app, "page/1"), "to");
  EXPECT_SEEN(&self.app, "!queued to=ok -page/8 -page/7");
  say(&self, page, "Picked", "finish");
  EXPECT_SEEN(&self.app, "!finish flow=bye -users -page/1");
  EXPECT_TREE(&self.app, "home");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: a flow that stays alone, or that ends because its dialog has a result. */
CASE(a_flow_ends_with_its_last, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "flow");
  EXPECT_TREE(&self.app, "flow(page/1)");
  EXPECT_OK(mainstem_component_finish(self.app.pages[0], self.app.said, "next", 4));
  app_drain(&self.app);
  EXPECT_TREE(&self.app, "flow");
  app_show(&self.app, self.flows[0], "page/2");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "page/2")));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+page/1 -page/1 +page/2 page/2=CANCELLED flow=CANCELLED");
  EXPECT_TREE(&self.app, "");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: a widget that is opened on what is gone, a call for it, something that is left. */
CASE(a_host_closes_before_anything_is_loaded, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "flow");
  mainstem_context *page = self.app.pages[0];
  say(&self, page, "Picked", "embed");
  EXPECT_SEEN(&self.app, "+page/1 !embed +users");
  EXPECT_TREE(&self.app, "flow(page/1(users))");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "page/1")));
  EXPECT_STATUS(send_text(page, self.picked, "embed"), MAINSTEM_STALE);
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "flow=CANCELLED -users");
  EXPECT_TREE(&self.app, "");

  /* What was said before the host closed it leads nowhere. */
  app_show(&self.app, self.app.context, "flow");
  page = self.app.pages[self.app.made - 1];
  self.app.shows = WAITS;
  say(&self, page, "Picked", "embed");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "page/1")));
  app_drain(&self.app);
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  EXPECT_SEEN(&self.app, "+page/1 !embed +users flow=CANCELLED -users");
  EXPECT_TREE(&self.app, "");
  EXPECT_EQUAL(stats_of(self.app.context).requests, 0);
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: a link that opens something although it is for all, or reaches one flow only; an intent that reaches all. */
CASE(a_link_reaches_all_flows, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  for (int i = 0; i < 3; i++) app_show(&self.app, self.app.context, "flow");
  transcript_clear(&self.app.seen);
  say(&self, self.app.pages[2], "Picked", "mine");
  say(&self, self.app.pages[0], "Allowed", "yours");
  EXPECT_SEEN(&self.app, "!mine !yours");
  mainstem_move link = move_of(MAINSTEM_MOVE_LINK, "hello", 0);
  link.flags = MAINSTEM_MOVE_ALL;
  app_ask(&self.app, self.app.context, &link, "link");
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "");
  EXPECT_OK(mainstem_navigator_ready(self.app.context));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "!hello !hello !hello link=ok");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: what is added although the call fails; a hook that is called for it. */
CASE(intents_are_checked, IN_BOTH) {
  mainstem_intent_row rows[] = {{"Picked", NULL, heard, 0, 0}, {"Nothing", NULL, heard, 0, 0}};
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "flow");
  mainstem_context *flow = self.flows[0];
  const uint64_t before = stats_of(self.app.context).subscriptions;
  EXPECT_STATUS(mainstem_intents_add(flow, rows, sizeof rows[0], 2, NULL, NULL), MAINSTEM_INVALID);
  rows[1].type = "Picked";
  rows[1].flags = MAINSTEM_INTENT_QUEUED | MAINSTEM_INTENT_ALLOWED;
  EXPECT_STATUS(mainstem_intents_add(flow, rows, sizeof rows[0], 2, NULL, NULL), MAINSTEM_INVALID);
  rows[1].flags = 8;
  EXPECT_STATUS(mainstem_intents_add(flow, rows, sizeof rows[0], 2, NULL, NULL),
                MAINSTEM_UNSUPPORTED);
  rows[1].flags = 0;
  rows[1].fn = NULL;
  EXPECT_STATUS(mainstem_intents_add(flow, rows, sizeof rows[0], 2, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(self.app.context).subscriptions, before);
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: a component that cannot be read before it is shown, or can be when it has gone. */
CASE(a_component_is_read_while_it_is_made, IN_BOTH) {
  tour self;
  char text[64];
  mainstem_component_info show = {.size = sizeof show};
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "home");
  self.app.shows = FAILS;
  app_show(&self.app, self.app.context, "flow");
  EXPECT(self.parent == app_component(&self.app, "home"));
  EXPECT_STATUS(mainstem_component_read(self.app.context, self.made, &show, text, sizeof text),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* Catches: a dismissal that takes what is presented after it, or what is pushed. */
CASE(a_38_dismissed_then_presented, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "flow");
  app_show(&self.app, self.app.pages[0], "confirm");
  transcript_clear(&self.app.seen);
  say(&self, self.app.pages[1], "Picked", "dismiss");
  EXPECT_SEEN(&self.app, "!dismiss confirm=CANCELLED -confirm +sheet +page/2");
  EXPECT_TREE(&self.app, "flow(~page/1(~sheet page/2))");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

/* The scope of the component with a URL, that was opened last. */
static mainstem_context *scope_of(tour *self, const char *url) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_find(self->app.context, app_component(&self->app, url), &scope, NULL));
  return scope;
}

/* Catches: an overlay whose flow does not hear it, or hears it when it is another's, or when the flow has ended. */
CASE(an_overlay_is_of_the_flow_that_opened_it, IN_BOTH) {
  tour self;
  tour_open(&self, threads);
  app_show(&self.app, self.app.context, "home");
  app_show(&self.app, self.app.pages[0], "flow");
  app_show(&self.app, self.app.pages[0], "drawer");
  transcript_clear(&self.app.seen);
  say(&self, scope_of(&self, "drawer"), "Queued", "home");
  EXPECT_SEEN(&self.app, "");

  app_show(&self.app, self.app.pages[1], "drawer");
  app_show(&self.app, scope_of(&self, "drawer"), "confirm");
  transcript_clear(&self.app.seen);
  say(&self, scope_of(&self, "drawer"), "Queued", "menu");
  EXPECT_EQUAL(self.speaker, app_component(&self.app, "drawer"));
  say(&self, self.app.pages[2], "Queued", "sure");
  EXPECT_SEEN(&self.app, "!menu !sure");

  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "page/1")));
  app_drain(&self.app);
  EXPECT_TREE(&self.app, "home drawer drawer(confirm)");
  transcript_clear(&self.app.seen);
  say(&self, scope_of(&self, "drawer"), "Queued", "late");
  EXPECT_SEEN(&self.app, "");
  EXPECT_OK(mainstem_context_close(self.app.context));
}

int main(void) { return expect_all(); }
