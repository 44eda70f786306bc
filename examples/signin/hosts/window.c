// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The window: which value is which property, and nothing else. */

#include "lines.h"
#include "screen.h"

#include <gtk/gtk.h>
#include <mainstem_bars.h>
#include <mainstem_follow.h>
#include <mainstem_gtk.h>

static GtkWindow *window;
static mainstem_bars *bars;
static GtkBuilder *ui; /* of the form */

static GtkBuilder *build(const char *name) {
  const char *const names[] = {name, NULL};
  GtkBuilder *built = gtk_builder_new();
  gtk_builder_add_objects_from_file(built, SIGNIN_UI, (const char **)names, NULL);
  return built;
}

static gpointer at(const char *id) { return gtk_builder_get_object(ui, id); }

static void tie(mainstem_context *view, mainstem_context *form) {
  mainstem_gtk_edit(view, form, "username", at("username"), "text");
  mainstem_gtk_write(view, form, "password", at("password"), "text", "forget");
  mainstem_gtk_bind(view, form, "usernameInputEnable", at("username"), "sensitive");
  mainstem_gtk_bind(view, form, "passwordInputEnable", at("password"), "sensitive");
  mainstem_gtk_bind(view, form, "submitEnable", at("submit"), "sensitive");
  mainstem_gtk_bind(view, form, "submitTitle", at("submit"), "label");
  mainstem_gtk_bind(view, form, "cancel.enabled", at("cancel"), "sensitive");
  mainstem_gtk_bind(view, form, "indicatorHidden", at("indicator"), "!visible");
  mainstem_gtk_bind(view, form, "indicatorAnimating", at("indicator"), "spinning");
  mainstem_gtk_bind(view, form, "state", at("state"), "label");
  mainstem_gtk_bind(view, form, "stateHidden", at("state"), "!visible");
  mainstem_gtk_run(view, form, "submit", at("submit"), "clicked");
  mainstem_gtk_run(view, form, "cancel", at("cancel"), "clicked");
}

/* Who waits takes no keys. Then they go to what had them, or to what is to be typed next. */
static GtkWidget *had_focus;

static gboolean give_focus(gpointer data) {
  GtkWidget *next[] = {had_focus, at("password"), at("username"), at("submit")};
  (void)data;
  for (int place = 0; place < 4 && !gtk_window_get_focus(window); place++)
    if (next[place] && gtk_widget_is_sensitive(next[place])) gtk_widget_grab_focus(next[place]);
  return G_SOURCE_REMOVE;
}

/* When all that is turned on or off has been, and before the next key. */
static void give_focus_later(void) { g_idle_add_full(G_PRIORITY_HIGH, give_focus, NULL, NULL); }

/* Before the form waits: a field that has the keys while it is turned off keeps its cursor blinking, and warns. */
static void take_focus(void) {
  GtkWidget *focus = gtk_window_get_focus(window);
  had_focus = focus && GTK_IS_TEXT(focus) ? focus : NULL;
  gtk_window_set_focus(window, NULL);
  give_focus_later();
}

static void type(const char *field, const char *text) {
  GtkEditable *entry = at(field);
  int place = 0;
  gtk_editable_delete_text(entry, 0, -1);
  if (!gtk_widget_is_sensitive(GTK_WIDGET(entry))) return;
  for (; *text; text++) gtk_editable_insert_text(entry, text, 1, &place);
}

static void press(const char *button) {
  if (gtk_widget_is_sensitive(at(button))) g_signal_emit_by_name(at(button), "clicked");
}

static void show(void) {
  const char *const on[] = {"off", "on"};
  gboolean busy =
      gtk_widget_get_visible(at("indicator")) && gtk_spinner_get_spinning(at("indicator"));
  const char *says = gtk_widget_get_visible(at("state")) ? gtk_label_get_text(at("state")) : "";
  lines_say("name %s, password %s, [%s] %s, %s%s%s", on[gtk_widget_get_sensitive(at("username"))],
            on[gtk_widget_get_sensitive(at("password"))], gtk_button_get_label(at("submit")),
            on[gtk_widget_get_sensitive(at("submit"))], busy ? "busy" : "idle", *says ? ": " : "",
            says);
}

bool window_is_possible(void) { return gtk_init_check(); }

/* The window stays until window_end. */
static gboolean leave(GMainLoop *loop) {
  g_main_loop_quit(loop);
  return TRUE;
}

void window_open(GMainLoop *loop) {
  GtkBuilder *built = build("window");
  window = GTK_WINDOW(gtk_builder_get_object(built, "window"));
  bars = mainstem_bars_new(window);
  g_signal_connect_swapped(window, "close-request", G_CALLBACK(leave), loop);
  g_object_unref(built);
}

const screen *window_show(mainstem_context *view, mainstem_context *form) {
  static const screen shown = {type, press, show};
  static const char *const turned[] = {"username", "password", "submit"};
  g_clear_object(&ui);
  ui = build("form");
  g_signal_connect(at("submit"), "clicked", G_CALLBACK(take_focus), NULL);
  tie(view, form);
  for (int place = 0; place < 3; place++)
    g_signal_connect(at(turned[place]), "notify::sensitive", G_CALLBACK(give_focus_later), NULL);
  mainstem_bars_show(bars, at("form"));
  gtk_window_set_default_widget(window, at("submit"));
  if (!gtk_widget_get_visible(GTK_WIDGET(window))) gtk_window_present(window);
  return &shown;
}

void window_empty(void) {
  had_focus = NULL;
  mainstem_bars_show(bars, NULL);
}

void window_record(mainstem_context *context, const char *path) {
  mainstem_bars_record(bars, context, path);
}

mainstem_status window_play(playing *session, GMainLoop *loop,
                            mainstem_status (*open)(void *data, mainstem_context *context),
                            void (*close)(void *data), void *data) {
  mainstem_status status = mainstem_bars_replay(bars, session->path, open, close, data);
  gtk_window_set_title(window, "Sign in, shown again");
  if (status) return status;
  gtk_window_present(window);
  mainstem_follow_start(bars, session, loop);
  return MAINSTEM_OK;
}

void window_end(void) {
  mainstem_bars_end(bars);
  g_clear_object(&ui);
  gtk_window_destroy(window);
}
