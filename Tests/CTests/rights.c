// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Acceptance A-13: what a scope with rights may do, and that it can do no more. */

#include "asking.h"
#include "transcript.h"

#define MODEL MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL)
#define VIEW MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW)
#define SYSTEM MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_SYSTEM)

typedef struct layers {
  mainstem_context *context;
  mainstem_event_type ask, answer, wrote, shown, denied;
  size_t told;
  char last[300];
} layers;

static void note_denial(void *user_data, const mainstem_event *event) {
  layers *self = (layers *)user_data;
  EXPECT(event->size < sizeof self->last && event->origin == 0);
  memcpy(self->last, event->data, event->size);
  self->last[event->size] = 0;
  self->told++;
}

static void layers_open(layers *self, uint32_t threads) {
  const mainstem_contract model = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_MODEL;
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->ask = type_open(self->context, "RequestWrite", model, "ResponseWrite");
  self->answer = type_open(self->context, "ResponseWrite", model, NULL);
  self->wrote = type_open(self->context, "Wrote", model, NULL);
  self->shown =
      type_open(self->context, "Shown", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL);
  self->denied = type_named(self->context, "MainstemDenied");
  EXPECT_OK(mainstem_observe(self->context, self->denied, note_denial, self, NULL, NULL));
}

static mainstem_context *limited(mainstem_context *parent, const char *name, uint64_t sends,
                                 uint64_t observes) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(
      parent, name, OPTIONS(scope, .send_layers = sends, .observe_layers = observes), &scope));
  EXPECT(scope != NULL);
  return scope;
}

static void ignore(void *user_data, const mainstem_event *event) {}

/* Catches: a scope that may do what nobody has given it, here or below one that may. */
CASE(a_scope_has_only_what_it_is_given_e_096, IN_BOTH) {
  const mainstem_contract view = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW;
  mainstem_context *context =
      CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DENY_BY_DEFAULT);
  mainstem_event_type shown = type_open(context, "Shown", view, NULL);
  mainstem_event_type wrote =
      type_open(context, "Wrote", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_MODEL, NULL);
  mainstem_context *plain = NULL, *child = NULL;
  mainstem_subscription *subscription = NULL;
  EXPECT_OK(mainstem_scope_add(context, "Plain", NULL, &plain));
  EXPECT_STATUS(send_text(plain, shown, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(plain, shown, ignore, NULL, NULL, &subscription), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_scope_add(plain, "Child", OPTIONS(scope, .send_layers = VIEW), &child));
  EXPECT_STATUS(send_text(child, shown, "x"), MAINSTEM_DENIED);

  mainstem_context *sends = limited(context, "Sends", VIEW, 0);
  EXPECT_OK(send_text(sends, shown, "x"));
  EXPECT_STATUS(send_text(sends, wrote, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(sends, shown, ignore, NULL, NULL, NULL), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_scope_add(sends, "Below", NULL, &child));
  EXPECT_STATUS(send_text(child, shown, "x"), MAINSTEM_DENIED);

  mainstem_context *observes = limited(context, "Observes", 0, VIEW);
  EXPECT_OK(mainstem_observe(observes, shown, ignore, NULL, NULL, NULL));
  EXPECT_STATUS(send_text(observes, shown, "x"), MAINSTEM_DENIED);
  EXPECT_OK(send_text(context, wrote, "x")); /* The context itself may do everything. */
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a right that is not asked, a refused call that changed something, one that is not told. */
CASE(what_is_beyond_the_rights_is_refused_counted_and_told, IN_BOTH) {
  layers on;
  mainstem_pending *pending = NULL;
  mainstem_subscription *subscription = NULL;
  layers_open(&on, threads);
  mainstem_context *view = limited(on.context, "View", VIEW, VIEW);
  EXPECT_STATUS(send_text(view, on.wrote, "x"), MAINSTEM_DENIED);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: context: scope View may not send Wrote: "
              "layer model is outside its rights; allow it where the scope is added");
  EXPECT_EQUAL(on.told, 1);
  EXPECT_TEXT(on.last, "{\"origin\":\"View\",\"what\":\"send\",\"type\":\"Wrote\","
                       "\"layer\":\"model\",\"count\":1}");
  EXPECT_STATUS(mainstem_request(view, on.ask, "x", 1, ignore, NULL, &pending), MAINSTEM_DENIED);
  EXPECT(pending == NULL && strstr(on.last, "\"what\":\"request\"") != NULL);
  EXPECT_STATUS(mainstem_post(view, on.wrote, "x", 1), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(view, on.answer, ignore, NULL, NULL, &subscription),
                MAINSTEM_DENIED);
  EXPECT(subscription == NULL && strstr(on.last, "\"what\":\"observe\"") != NULL);
  EXPECT_EQUAL(on.told, 3); /* The 1st, 2nd and 4th. */
  EXPECT_EQUAL(stats_of(on.context).denied, 4);
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_OK(send_text(view, on.shown, "x"));
  EXPECT_OK(send_text(on.context, on.wrote, "x"));
  EXPECT_STATUS(send_text(view, 99, "x"), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a list with a type beyond the rights that is observed without it, and in silence. */
CASE(a_list_of_types_is_refused_as_a_whole, IN_BOTH) {
  layers on;
  mainstem_event_type both[2];
  layers_open(&on, threads);
  mainstem_context *view = limited(on.context, "View", VIEW, VIEW);
  both[0] = on.shown;
  both[1] = on.wrote;
  mainstem_observe_options options = {.size = sizeof options, .types = both, .type_count = 2};
  EXPECT_STATUS(mainstem_observe_with(view, &options, ignore, NULL, NULL, NULL), MAINSTEM_DENIED);
  options.layers = VIEW;
  EXPECT_OK(mainstem_observe_with(view, &options, ignore, NULL, NULL, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void note_line(void *user_data, const char *line) {
  transcript_add((transcript *)user_data, "[%s]", line);
}

/* Catches: an observer of all, of a layer or of a role, or a trace, that sees beyond its scope; now, and
 * when the type is registered later. */
CASE(who_looks_at_all_sees_what_its_scope_may, IN_BOTH) {
  layers on;
  transcript seen = {0, ""}, lines = {0, ""};
  witness all = {&seen, "all", NULL, NULL}, of = {&seen, "of", NULL, NULL};
  mainstem_event_type later[2];
  layers_open(&on, threads);
  mainstem_context *view = limited(on.context, "View", VIEW, VIEW);
  witness_observe(&all, view, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_observe_with(view, OPTIONS(observe, .layers = MODEL | VIEW), witness_event,
                                  &of, NULL, NULL));
  EXPECT_OK(mainstem_trace(view, note_line, &lines));
  later[0] = type_open(on.context, "Written", MAINSTEM_LAYER_MODEL, NULL);
  later[1] = type_open(on.context, "Seen", MAINSTEM_LAYER_VIEW, NULL);
  EXPECT_OK(send_text(on.context, on.wrote, "1"));
  EXPECT_OK(send_text(on.context, on.shown, "2"));
  EXPECT_OK(mainstem_send(on.context, later[0], NULL, 0));
  EXPECT_OK(mainstem_send(on.context, later[1], NULL, 0));
  EXPECT_STATUS(send_text(view, on.wrote, "x"),
                MAINSTEM_DENIED); /* Its report is of layer system. */
  EXPECT_TEXT(seen.text, "all2 of2 all4 of4");
  EXPECT_TEXT(lines.text, "[#2 Shown 2] [#4 Seen]");
  EXPECT_EQUAL(stats_of(on.context).denied, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a child wider than its parent, by its own wish, by none, or as a server. */
CASE(rights_only_narrow, IN_BOTH) {
  layers on;
  mainstem_context *view, *wide, *plain, *server;
  layers_open(&on, threads);
  view = limited(on.context, "View", VIEW, VIEW | MODEL);
  wide = limited(view, "Wide", ~0ull, ~0ull);
  plain = scope_open(view, "Plain");
  EXPECT_OK(mainstem_server_add(view, "Server", NULL, sizeof(mainstem_handler_row), 0, NULL, NULL,
                                &server));
  EXPECT_STATUS(send_text(wide, on.wrote, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(send_text(plain, on.wrote, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(send_text(server, on.wrote, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(wide, on.denied, ignore, NULL, NULL, NULL), MAINSTEM_DENIED);
  EXPECT_OK(
      mainstem_observe(limited(view, "Narrow", 0, MODEL), on.wrote, ignore, NULL, NULL, NULL));
  EXPECT_STATUS(send_text(limited(wide, "None", MODEL, 0), on.shown, "x"), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_scope_end(view));
  EXPECT_STATUS(send_text(wide, on.shown, "x"), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: rights that an option of a scope does not take away entirely. */
CASE(a_scope_may_do_nothing, IN_BOTH) {
  layers on;
  mainstem_context *mute, *blind;
  transcript seen = {0, ""};
  witness all = {&seen, "all", NULL, NULL};
  layers_open(&on, threads);
  mainstem_scope_options options = {.size = sizeof options, .flags = MAINSTEM_SCOPE_SENDS_NOTHING};
  EXPECT_OK(mainstem_scope_add(on.context, "Mute", &options, &mute));
  options.flags = MAINSTEM_SCOPE_OBSERVES_NOTHING;
  EXPECT_OK(mainstem_scope_add(on.context, "Blind", &options, &blind));
  witness_observe(&all, blind, MAINSTEM_TYPE_ANY);
  EXPECT_STATUS(send_text(mute, on.shown, "x"), MAINSTEM_DENIED);
  EXPECT_OK(send_text(blind, on.shown, "x"));
  EXPECT_TEXT(seen.text, "");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a type, a response or a layer that a limited scope adds; one that it cannot find any more. */
CASE(it_registers_nothing_beyond_its_rights, IN_BOTH) {
  layers on;
  mainstem_event_type type = 0;
  mainstem_contract layer = 0;
  uint64_t types;
  layers_open(&on, threads);
  mainstem_context *view = limited(on.context, "View", VIEW, VIEW);
  EXPECT_STATUS(mainstem_type_add(view, "New", MAINSTEM_LAYER_MODEL, NULL, &type), MAINSTEM_DENIED);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_type_add: context: scope View may not register New: "
              "layer model is outside its rights; allow it where the scope is added");
  EXPECT_STATUS(mainstem_type_add(view, "Wrote", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_MODEL,
                                  "ResponseWrite", &type),
                MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_layer_add(view, "billing", &layer), MAINSTEM_DENIED);
  EXPECT_TEXT(on.last, "{\"origin\":\"View\",\"what\":\"register\",\"type\":\"Wrote\","
                       "\"layer\":\"model\",\"count\":2}");
  EXPECT_TEXT(mainstem_last_error(), "mainstem_layer_add: context: scope View may not add: layer "
                                     "billing is outside its rights; add it through the context");
  EXPECT_OK(
      mainstem_type_add(view, "Wrote", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_MODEL, NULL, &type));
  EXPECT_EQUAL(type, on.wrote);
  type = type_named(view, "RequestWrite");
  EXPECT_OK(mainstem_layer_add(view, "model", &layer));
  types = stats_of(on.context).types;
  EXPECT_OK(mainstem_type_add(view, "Fresh", MAINSTEM_LAYER_VIEW, NULL, &type));
  EXPECT_EQUAL(stats_of(on.context).types, types + 1);
  EXPECT_STATUS(mainstem_context_close(view), MAINSTEM_WRONG_KIND);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a server that takes requests it may not see, or could not answer. */
CASE(it_serves_what_it_may_observe_and_answer, IN_BOTH) {
  layers on;
  mainstem_context *server = NULL;
  const mainstem_handler_row row = {"RequestWrite", keep_for_ever, 0};
  asking one = {0};
  layers_open(&on, threads);
  EXPECT_STATUS(mainstem_server_add(limited(on.context, "Blind", MODEL, VIEW), "S", &row,
                                    sizeof row, 1, NULL, NULL, &server),
                MAINSTEM_DENIED);
  EXPECT(strstr(on.last, "\"what\":\"handle\"") != NULL);
  EXPECT_STATUS(mainstem_server_add(limited(on.context, "Mute", VIEW, MODEL), "S", &row, sizeof row,
                                    1, NULL, NULL, &server),
                MAINSTEM_DENIED);
  EXPECT(strstr(on.last, "\"what\":\"respond\"") != NULL && server == NULL);
  EXPECT_OK(mainstem_server_add(limited(on.context, "Model", MODEL, MODEL), "S", &row, sizeof row,
                                1, NULL, NULL, &server));
  /* Who may ask gets the answer, whatever its layer. */
  EXPECT_OK(mainstem_request(limited(on.context, "Asker", MODEL, VIEW), on.ask, "?", 1,
                             asking_answered, &one, NULL));
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an answer given by who may only look; then, or later by a kept event. */
static void one_only_looks(uint32_t threads, int all_are_limited) {
  layers on;
  keeper asked = {0, {NULL}}, looked = {0, {NULL}};
  const mainstem_handler_row row = {"RequestWrite", keeper_keep, 0};
  asking one = {0};
  layers_open(&on, threads);
  mainstem_context *look = limited(on.context, "Look", VIEW, MODEL);
  EXPECT_OK(mainstem_observe(look, on.ask, keeper_keep, &looked, NULL, NULL));
  EXPECT_OK(
      mainstem_server_add(all_are_limited ? limited(on.context, "Model", MODEL, MODEL) : on.context,
                          "S", &row, sizeof row, 1, &asked, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, asking_answered, &one, NULL));
  EXPECT_STATUS(mainstem_respond(keeper_event(&looked, 0), "no", 2), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_scope_end(look));
  EXPECT_STATUS(mainstem_respond(keeper_event(&looked, 0), "no", 2), MAINSTEM_DENIED);
  /* Nor does a kept event carry a handle that may do more. */
  EXPECT_STATUS(
      send_text((mainstem_context *)(uintptr_t)keeper_event(&looked, 0)->home, on.wrote, "x"),
      MAINSTEM_WRONG_KIND);
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_respond(keeper_event(&asked, 0), "yes", 3));
  EXPECT_TEXT(one.text, "yes");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(who_may_only_look_cannot_answer, IN_BOTH) {
  one_only_looks(threads, 0);
  one_only_looks(threads, 1);
}

static void send_through(void *user_data, const mainstem_event *event) {
  layers *on = (layers *)user_data;
  EXPECT_STATUS(send_text(event->context, on->wrote, "x"), MAINSTEM_DENIED);
}

/* Catches: a callback that gets more rights than its observer's scope; a report that is no effect. */
CASE(a_callback_has_the_rights_of_its_scope, IN_BOTH) {
  layers on;
  transcript seen = {0, ""};
  witness all = {&seen, "all", NULL, NULL};
  layers_open(&on, threads);
  EXPECT_OK(mainstem_observe(limited(on.context, "View", VIEW, VIEW), on.shown, send_through, &on,
                             NULL, NULL));
  witness_observe(&all, on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(send_text(on.context, on.shown, "1"));
  EXPECT_TEXT(seen.text, "all1 all2");
  EXPECT_EQUAL(on.told, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a denial that reports itself without end. */
CASE(a_denial_in_a_report_is_only_counted, IN_BOTH) {
  layers on;
  layers_open(&on, threads);
  EXPECT_OK(mainstem_observe(limited(on.context, "Watch", VIEW, SYSTEM), on.denied, send_through,
                             &on, NULL, NULL));
  EXPECT_STATUS(send_text(limited(on.context, "View", VIEW, VIEW), on.wrote, "x"), MAINSTEM_DENIED);
  EXPECT_EQUAL(on.told, 1);
  EXPECT_EQUAL(stats_of(on.context).denied, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a detour around the rights: an event sent later, a type kept otherwise. */
CASE(there_is_no_way_around, IN_BOTH) {
  layers on;
  mainstem_timer *timer = NULL;
  layers_open(&on, threads);
  mainstem_context *view = limited(on.context, "View", VIEW, VIEW);
  EXPECT_STATUS(mainstem_send_after(view, on.wrote, "x", 1, 0, 0, &timer), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_send_after(view, on.wrote, "x", 1, 1, 1, &timer), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_history_keep(view, on.wrote, 10, 0), MAINSTEM_DENIED);
  EXPECT(timer == NULL);
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  EXPECT_OK(mainstem_history_keep(on.context, on.wrote, 10, 0));
  EXPECT_OK(mainstem_history_keep(on.context, on.shown, 10, 0));
  EXPECT_OK(send_text(on.context, on.wrote, "1"));
  EXPECT_OK(send_text(on.context, on.shown, "2"));
  {
    transcript seen = {0, ""};
    witness all = {&seen, "late", NULL, NULL};
    witness_observe(&all, view, MAINSTEM_TYPE_ANY);
    EXPECT_TEXT(seen.text, "late4");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

int main(void) { return expect_all(); }
