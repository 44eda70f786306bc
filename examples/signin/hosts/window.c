// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The window: which value is which property, and nothing else. */

#include "lines.h"
#include "screen.h"

#include <gtk/gtk.h>
#include <mainstem_gtk.h>

static GtkBuilder *ui;

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
  for (int place = 0; place < 4 && !gtk_window_get_focus(at("window")); place++)
    if (next[place] && gtk_widget_is_sensitive(next[place])) gtk_widget_grab_focus(next[place]);
  return G_SOURCE_REMOVE;
}

/* When all that is turned on or off has been, and before the next key. */
static void give_focus_later(void) { g_idle_add_full(G_PRIORITY_HIGH, give_focus, NULL, NULL); }

/* Before the form waits: a field that has the keys while it is turned off keeps its cursor blinking, and warns. */
static void take_focus(void) {
  GtkWidget *focus = gtk_window_get_focus(at("window"));
  had_focus = focus && GTK_IS_TEXT(focus) ? focus : NULL;
  gtk_window_set_focus(at("window"), NULL);
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

void window_rest(void) {
  GtkWidget *form = gtk_window_get_child(at("window"));
  gtk_window_set_title(at("window"), "Sign in, shown again");
  gtk_widget_set_can_target(form, FALSE);
  gtk_widget_set_can_focus(form, FALSE);
}

const screen *window_open(mainstem_context *view, mainstem_context *form, GMainLoop *loop) {
  static const screen window = {type, press, show};
  static const char *const turned[] = {"username", "password", "submit"};
  if (!window_is_possible()) return NULL;
  ui = gtk_builder_new_from_file(SIGNIN_UI);
  g_signal_connect(at("submit"), "clicked", G_CALLBACK(take_focus), NULL);
  tie(view, form);
  for (int place = 0; place < 3; place++)
    g_signal_connect(at(turned[place]), "notify::sensitive", G_CALLBACK(give_focus_later), NULL);
  g_signal_connect_swapped(at("window"), "close-request", G_CALLBACK(g_main_loop_quit), loop);
  gtk_window_present(at("window"));
  return &window;
}
