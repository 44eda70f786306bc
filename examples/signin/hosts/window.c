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

const screen *window_open(mainstem_context *view, mainstem_context *form, GMainLoop *loop) {
  static const screen window = {type, press, show};
  if (!gtk_init_check()) return NULL;
  ui = gtk_builder_new_from_file(SIGNIN_UI);
  tie(view, form);
  g_signal_connect_swapped(at("window"), "close-request", G_CALLBACK(g_main_loop_quit), loop);
  gtk_window_present(at("window"));
  return &window;
}
