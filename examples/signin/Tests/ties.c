// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* mainstem_gtk.h, tried on objects that need no display: what is tied goes both ways, and ends on either side. */

#include <gtk/gtk.h>
#include <mainstem_bars.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
  ((condition) ? (void)0 : (fprintf(stderr, "line %d: " #condition "\n", __LINE__), exit(1)))

/* A form: what is written is shown; a command counts. */
static struct form {
  char name[32], key[32];
  double volume;
  int64_t runs;
} form;
enum { NAME, KEY, VOLUME, IS_LOUD, RUNS, FORGET, GO, ROWS };

static void keep(char *text, const mainstem_event *event) {
  snprintf(text, sizeof form.name, "%.*s", (int)event->size, (const char *)event->data);
}
static void write_name(void *self, const mainstem_event *event) {
  (void)self, keep(form.name, event);
}
static void write_key(void *self, const mainstem_event *event) {
  (void)self, keep(form.key, event);
}
static void write_volume(void *self, const mainstem_event *event) {
  (void)self, form.volume = mainstem_event_number(event);
}
static void go(void *self, const mainstem_event *event) {
  mainstem_event_type forget;
  (void)self, form.runs++;
  strcpy(form.name, "gone");
  mainstem_type_find(event->context, "Form.forget", &forget);
  mainstem_send(event->context, forget, NULL, 0);
}

static const mainstem_viewmodel_row model[ROWS] = {
    {"name", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_TEXT, write_name, NULL, 0, 0, NULL},
    {"key", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, write_key, NULL,
     0, 0, NULL},
    {"volume", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_NUMBER, write_volume, NULL, 0, 0,
     NULL},
    {"isLoud", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"runs", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"forget", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_NONE, NULL, NULL, 0, 0, NULL},
    {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, go, NULL, 0, 0, NULL}};

static mainstem_status show(void *self, mainstem_context *server,
                            const mainstem_event_type *types) {
  (void)self;
  mainstem_value_set_text(server, types[NAME], form.name);
  mainstem_value_set_number(server, types[VOLUME], form.volume);
  mainstem_value_set_bool(server, types[IS_LOUD], form.volume > 5);
  return mainstem_value_set_integer(server, types[RUNS], form.runs);
}

static size_t subscriptions(mainstem_context *context) {
  mainstem_context_stats stats = {.size = sizeof stats};
  mainstem_context_stats_read(context, &stats);
  return stats.subscriptions;
}

static void turn(void) { /* the main loop delivers what waits */
  while (g_main_context_iteration(NULL, FALSE)) continue;
}

int main(void) {
  mainstem_context *context, *owner, *view, *other;
  GtkEntryBuffer *name = gtk_entry_buffer_new(NULL, -1), *key = gtk_entry_buffer_new(NULL, -1);
  GtkAdjustment *volume = g_object_ref_sink(gtk_adjustment_new(0, 0, 10, 1, 1, 0));
  GtkAdjustment *runs = g_object_ref_sink(gtk_adjustment_new(0, 0, 10, 1, 1, 0));
  GSimpleAction *quiet = g_simple_action_new("go", NULL);
  mainstem_context_create(NULL, &context);
  mainstem_viewmodel_add(context, "Form", MAINSTEM_ROWS(model), show, NULL, NULL, &owner);
  mainstem_scope_add(context, "View", NULL, &view);
  mainstem_scope_add(context, "Other", NULL, &other);
  guint source = mainstem_gtk_attach(context);
  size_t before = subscriptions(context);

  EXPECT(!mainstem_gtk_edit(view, owner, "name", name, "text"));
  EXPECT(!mainstem_gtk_write(other, owner, "key", key, "text", "forget"));
  EXPECT(!mainstem_gtk_edit(view, owner, "volume", volume, "value"));
  EXPECT(!mainstem_gtk_bind(view, owner, "runs", runs, "value"));
  EXPECT(!mainstem_gtk_bind(view, owner, "isLoud", quiet, "!enabled"));
  EXPECT(!mainstem_gtk_run(view, owner, "go", quiet, "activate"));
  EXPECT(g_action_get_enabled(G_ACTION(quiet)));

  gtk_entry_buffer_set_text(name, "Ada", -1);
  gtk_entry_buffer_set_text(key, "secret", -1);
  gtk_adjustment_set_value(volume, 7);
  turn();
  EXPECT(!strcmp(form.name, "Ada") && !strcmp(form.key, "secret") && form.volume == 7);
  EXPECT(!g_action_get_enabled(G_ACTION(quiet)));

  gtk_adjustment_set_value(volume, 3);
  g_action_activate(G_ACTION(quiet), NULL); /* which empties the key's field, and tells nobody */
  turn();
  EXPECT(gtk_adjustment_get_value(runs) == 1);
  EXPECT(!strcmp(gtk_entry_buffer_get_text(name), "gone"));
  EXPECT(gtk_entry_buffer_get_length(key) == 0 && !strcmp(form.key, "secret"));

  g_object_unref(name); /* an object ends before its view */
  g_object_unref(quiet);
  mainstem_scope_end(other); /* and a view before its object */
  gtk_entry_buffer_set_text(key, "late", -1);
  EXPECT(!strcmp(form.key, "secret"));
  char path[] =
      "session.journal"; /* where a session is shown again, it is no news: there is no bar to say it */
  mainstem_bars bars = {.path = path};
  mainstem_bars_newest = &bars;
  mainstem_bars_refused(G_OBJECT(key), "notify::text", MAINSTEM_STALE);
  mainstem_scope_end(view);
  turn();
  EXPECT(subscriptions(context) == before);
  EXPECT(!mainstem_context_first_error(context, NULL));
  g_source_remove(source);
  mainstem_context_close(context);
  gtk_adjustment_set_value(volume, 9);
  g_object_unref(key), g_object_unref(volume), g_object_unref(runs);
  puts("tied");
  return 0;
}
