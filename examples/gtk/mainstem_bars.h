// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Bars of a window, for errors, recording and replay: one file to copy, beside mainstem_gtk.h.
 *
 *     mainstem_bars *bars = mainstem_bars_new(window);      puts them around what the window has
 *     mainstem_bars_show(bars, form);                       what the window has from now on
 *     mainstem_bars_say(bars, "Not saved.", "Try again.", button, "clicked");   an error, and a button Retry
 *     mainstem_bars_record(bars, context, path);            says that the context is recorded
 *     mainstem_bars_replay(bars, path, open, close, data);  plays a session; `open` shows the app
 *     mainstem_bars_end(bars);                              before the program ends
 *
 * What writes and runs are refused with (mainstem_gtk_refused) is shown in the newest window. Needs GTK 4. Call all of
 * it on the thread of the main loop. The bars end with their window.
 */

#ifndef MAINSTEM_BARS_H
#define MAINSTEM_BARS_H

#include <gtk/gtk.h>
#include <mainstem_gtk.h>

/** Opens the app on a context that replays: adds its types and views, and shows them with mainstem_bars_show. */
typedef mainstem_status (*mainstem_bars_open_fn)(void *data, mainstem_context *context);

/** Ends what was opened, before its context closes. */
typedef void (*mainstem_bars_close_fn)(void *data);

typedef struct mainstem_bars {
  GtkWindow *window;
  GtkBox *slot, *below;
  /* The error. */
  GtkWidget *alert, *text, *hint, *retry, *focused;
  GObject *failed; /* `signal` tries it again; NULL: nothing does */
  const char *signal;
  /* The recording. */
  mainstem_context *recorded;
  GtkWidget *sign;
  char *journal;
  uint64_t events;
  gboolean is_full;
  guint timer;
  /* The replay. */
  char *path;
  mainstem_bars_open_fn open;
  mainstem_bars_close_fn close;
  void *data;
  GArray *times; /* of events, in nanoseconds; a secret counts as the one before it */
  mainstem_context *context;
  mainstem_replay *replay;
  GtkWidget *slider, *toggle, *place, *speed;
  GArray *speeds;
  gboolean is_playing, is_ticking;
  gint64 moved;        /* when the last event was fed while it plays */
  guint source;        /* of the context */
  guint follow;        /* waits to go to `wanted` */
  guint wanted, drawn; /* positions: how many events were fed */
} mainstem_bars;

static mainstem_bars *mainstem_bars_newest;

static inline GtkWidget *mainstem_bars_label(void) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  return label;
}

static inline void mainstem_bars_margins(GtkWidget *widget, int size) {
  g_object_set(widget, "margin-top", size, "margin-bottom", size, "margin-start", size,
               "margin-end", size, NULL);
}

static inline GtkWidget *mainstem_bars_button(const char *icon, const char *tooltip) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_tooltip_text(button, tooltip);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  return button;
}

/* Errors ------------------------------------------------------------------------------------------------- */

/** Takes the error away; what had the keys before gets them again. */
static inline void mainstem_bars_unsay(mainstem_bars *bars) {
  GtkWidget *focus = gtk_window_get_focus(bars->window);
  if (bars->focused && (!focus || gtk_widget_is_ancestor(focus, bars->alert)))
    gtk_widget_grab_focus(bars->focused);
  g_clear_weak_pointer(&bars->focused);
  gtk_widget_set_visible(bars->alert, FALSE);
}

/** Says what went wrong, and what to do (may be NULL). With an object, Retry emits its signal again. */
static inline void mainstem_bars_say(mainstem_bars *bars, const char *text, const char *hint,
                                     gpointer object, const char *signal) {
  char *said = g_strjoin(" ", text, hint, NULL);
  if (bars->path) object = NULL; /* a session is shown again: nothing can be tried again */
  if (!gtk_widget_get_visible(bars->alert))
    g_set_weak_pointer(&bars->focused, gtk_window_get_focus(bars->window));
  g_set_weak_pointer(&bars->failed, object ? G_OBJECT(object) : NULL);
  bars->signal = g_intern_string(signal);
  gtk_label_set_label(GTK_LABEL(bars->text), text);
  gtk_label_set_label(GTK_LABEL(bars->hint), hint ? hint : "");
  gtk_widget_set_visible(bars->hint, hint && *hint);
  gtk_widget_set_visible(bars->retry, object != NULL);
  gtk_widget_set_visible(bars->alert, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(bars->alert), GTK_ACCESSIBLE_PROPERTY_LABEL, said,
                                 -1);
#if GTK_CHECK_VERSION(4, 14, 0)
  gtk_accessible_announce(GTK_ACCESSIBLE(bars->alert), said,
                          GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
#endif
  g_free(said);
}

/* What a user can do about failures of the library, whose own messages are for developers; NULL: see the message. */
static inline const char *mainstem_bars_what_to_do(mainstem_status status, gboolean *passes) {
  static const struct {
    mainstem_status status;
    gboolean passes;
    const char *text;
  } known[] = {
      {MAINSTEM_BUSY, TRUE, "The program is busy. Try again."},
      {MAINSTEM_FULL, TRUE, "Too much is going on at once. Wait a moment, then try again."},
      {MAINSTEM_INTERRUPTED, TRUE, "It was interrupted. Try again."},
      {MAINSTEM_LOCKED, TRUE, "Another program is using the file. Close it, then try again."},
      {MAINSTEM_NO_MEMORY, TRUE, "The memory is full. Close something, then try again."},
      {MAINSTEM_NO_SPACE, TRUE, "The disk is full. Free some space, then try again."},
      {MAINSTEM_TIMEOUT, TRUE, "There was no answer in time. Try again."},
      {MAINSTEM_CORRUPT, FALSE, "The recording is damaged. End the program; record to a new file."},
      {MAINSTEM_IO, FALSE, "The recording cannot be written. End the program; use another disk."},
      {MAINSTEM_POISONED, FALSE, "The disk has failed. End the program; use another disk."}};
  *passes = status >= MAINSTEM_APP;
  for (size_t place = 0; place < G_N_ELEMENTS(known); place++) {
    if (known[place].status != status) continue;
    *passes = known[place].passes;
    return known[place].text;
  }
  return NULL;
}

/** Shows a failure; `text` is for users, or NULL. Retry is offered if it may pass. */
static inline void mainstem_bars_failed(mainstem_bars *bars, mainstem_status status,
                                        const char *text, gpointer object, const char *signal) {
  gboolean passes;
  const char *hint = mainstem_bars_what_to_do(status, &passes);
  if (!hint && !text) hint = mainstem_last_error();
  mainstem_bars_say(bars, text ? text : "That did not work.", hint, passes ? object : NULL, signal);
}

static inline void mainstem_bars_retry(mainstem_bars *bars) {
  GObject *failed = bars->failed ? G_OBJECT(g_object_ref(bars->failed)) : NULL;
  mainstem_bars_unsay(bars);
  if (!failed) return;
  if (g_str_has_prefix(bars->signal, "notify::")) g_object_notify(failed, bars->signal + 8);
  else g_signal_emit_by_name(failed, bars->signal);
  g_object_unref(failed);
}

/* Escape closes the error, before anything else has it. */
static inline gboolean mainstem_bars_escape(GtkEventControllerKey *keys, guint key, guint code,
                                            GdkModifierType modifiers, mainstem_bars *bars) {
  (void)keys, (void)code, (void)modifiers;
  if (key != GDK_KEY_Escape || !gtk_widget_get_visible(bars->alert)) return FALSE;
  mainstem_bars_unsay(bars);
  return TRUE;
}

static inline void mainstem_bars_add_keys(mainstem_bars *bars, GtkPropagationPhase phase,
                                          GCallback pressed) {
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, phase);
  g_signal_connect(keys, "key-pressed", pressed, bars);
  gtk_widget_add_controller(GTK_WIDGET(bars->window), keys);
}

/* Marks what gets the keys, also without Tab, but not what is clicked. */
static inline void mainstem_bars_mark_focus(GtkWindow *window) {
  GdkSeat *seat = gdk_display_get_default_seat(gtk_widget_get_display(GTK_WIDGET(window)));
  GdkDevice *mouse = seat ? gdk_seat_get_pointer(seat) : NULL;
  if (!mouse || !(gdk_device_get_modifier_state(mouse) & GDK_BUTTON1_MASK))
    gtk_window_set_focus_visible(window, TRUE);
}

static inline GtkWidget *mainstem_bars_add_error(mainstem_bars *bars) {
  GtkWidget *says = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *close = mainstem_bars_button("window-close-symbolic", "Close");
  bars->text = mainstem_bars_label();
  bars->hint = mainstem_bars_label();
  bars->retry = gtk_button_new_with_label("Retry");
  bars->alert = GTK_WIDGET(
      g_object_new(GTK_TYPE_BOX, "spacing", 8, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL));
  gtk_widget_add_css_class(bars->text, "heading");
  gtk_widget_set_size_request(bars->alert, -1, 56); /* other baselines may make it 1 higher */
  gtk_widget_set_hexpand(says, TRUE);
  gtk_widget_set_valign(says, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(bars->retry, GTK_ALIGN_CENTER);
  mainstem_bars_margins(bars->alert, 8);
  gtk_box_append(GTK_BOX(says), bars->text);
  gtk_box_append(GTK_BOX(says), bars->hint);
  gtk_box_append(GTK_BOX(bars->alert), says);
  gtk_box_append(GTK_BOX(bars->alert), bars->retry);
  gtk_box_append(GTK_BOX(bars->alert), close);
  gtk_widget_set_visible(bars->alert, FALSE);
  g_signal_connect_swapped(bars->retry, "clicked", G_CALLBACK(mainstem_bars_retry), bars);
  g_signal_connect_swapped(close, "clicked", G_CALLBACK(mainstem_bars_unsay), bars);
  mainstem_bars_add_keys(bars, GTK_PHASE_CAPTURE, G_CALLBACK(mainstem_bars_escape));
  return bars->alert;
}

/* Recording ---------------------------------------------------------------------------------------------- */

static inline gboolean mainstem_bars_look(gpointer data) {
  mainstem_bars *bars = (mainstem_bars *)data;
  mainstem_journal_stats stats = {.size = sizeof stats};
  if (mainstem_journal_stats_read(bars->recorded, &stats)) { /* the context has closed */
    bars->timer = 0;
    return G_SOURCE_REMOVE;
  }
  if (stats.events > bars->events) bars->is_full = FALSE;
  bars->events = stats.events;
  gboolean is_full = bars->is_full || stats.status == MAINSTEM_NO_SPACE;
  const char *form = is_full        ? "Not recording: the disk is full"
                     : stats.status ? "Not recording: %s cannot be written"
                                    : "● Recording %s";
  char *text = g_strdup_printf(form, bars->journal);
  if (strcmp(text, gtk_label_get_label(GTK_LABEL(bars->sign)))) {
    gtk_label_set_label(GTK_LABEL(bars->sign), text);
    if (is_full || stats.status) gtk_widget_add_css_class(bars->sign, "heading");
    else gtk_widget_remove_css_class(bars->sign, "heading");
  }
  g_free(text);
  return G_SOURCE_CONTINUE;
}

/** Says that a context is recorded to `path`, and when it is not recorded any more. */
static inline void mainstem_bars_record(mainstem_bars *bars, mainstem_context *context,
                                        const char *path) {
  bars->recorded = context;
  bars->journal = g_filename_display_basename(path);
  bars->sign = gtk_label_new("");
  gtk_label_set_xalign(GTK_LABEL(bars->sign), 0);
  gtk_label_set_ellipsize(GTK_LABEL(bars->sign), PANGO_ELLIPSIZE_MIDDLE);
  mainstem_bars_margins(bars->sign, 4);
  gtk_box_append(bars->below, bars->sign);
  bars->timer = g_timeout_add(500, mainstem_bars_look, bars);
  mainstem_bars_look(bars);
}

/* Replay ------------------------------------------------------------------------------------------------- */

/* How many events were fed. */
static inline guint mainstem_bars_position(mainstem_bars *bars) {
  mainstem_replay_info info = {.size = sizeof info};
  if (!bars->context || mainstem_replay_info_read(bars->replay, &info)) return 0;
  return (guint)info.fed;
}

static inline int64_t mainstem_bars_time(mainstem_bars *bars, guint position) {
  if (!position) return 0;
  return g_array_index(bars->times, int64_t, position - 1) - g_array_index(bars->times, int64_t, 0);
}

/* 0:04, 1:10 or 1:02:03. */
static inline char *mainstem_bars_clock(int64_t nanoseconds) {
  long long seconds = nanoseconds / G_GINT64_CONSTANT(1000000000);
  if (seconds < 3600) return g_strdup_printf("%lld:%02lld", seconds / 60, seconds % 60);
  return g_strdup_printf("%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static inline void mainstem_bars_draw(mainstem_bars *bars) {
  guint position = mainstem_bars_position(bars), count = bars->times->len;
  char *passed = mainstem_bars_clock(mainstem_bars_time(bars, position));
  char *whole = mainstem_bars_clock(mainstem_bars_time(bars, count));
  char *text = g_strdup_printf("event %u of %u, %s of %s", position, count, passed, whole);
  gtk_button_set_icon_name(GTK_BUTTON(bars->toggle), bars->is_playing
                                                         ? "media-playback-pause-symbolic"
                                                         : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text(bars->toggle, bars->is_playing ? "Pause" : "Play");
  if (!bars->follow) gtk_range_set_value(GTK_RANGE(bars->slider), position);
  gtk_label_set_label(GTK_LABEL(bars->place), text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(bars->slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Position", GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
  bars->drawn = position;
  g_free(text), g_free(whole), g_free(passed);
}

static inline void mainstem_bars_check(mainstem_bars *bars, mainstem_status status) {
  if (!status) return;
  bars->is_playing = FALSE;
  mainstem_bars_failed(bars, status, NULL, NULL, NULL);
}

/** Ends what a replay shows, and its context. */
static inline void mainstem_bars_end(mainstem_bars *bars) {
  if (bars->timer) g_source_remove(bars->timer);
  bars->timer = 0;
  if (!bars->context) return;
  g_source_remove(bars->source);
  bars->close(bars->data);
  mainstem_context_close(bars->context);
  bars->context = NULL;
}

/* Begins the session in a new context. */
static inline mainstem_status mainstem_bars_begin(mainstem_bars *bars) {
  mainstem_context *context;
  mainstem_bars_end(bars);
  mainstem_bars_unsay(bars);
  mainstem_status status = mainstem_context_create(NULL, &context);
  if (status) return status;
  status = mainstem_replay_open(context, bars->path, NULL, &bars->replay);
  if (!status) status = bars->open(bars->data, context);
  if (status) {
    mainstem_context_close(context);
    return status;
  }
  bars->context = context;
  bars->source = mainstem_gtk_attach(context);
  return MAINSTEM_OK;
}

static inline mainstem_status mainstem_bars_feed(mainstem_bars *bars, guint position) {
  guint now = mainstem_bars_position(bars);
  size_t count = 1;
  mainstem_status status = position < now ? mainstem_bars_begin(bars) : MAINSTEM_OK;
  now = mainstem_bars_position(bars);
  if (!status) status = mainstem_replay_pause(bars->replay);
  if (!status && position > now) status = mainstem_replay_step(bars->replay, position - now, NULL);
  while (!status && count) status = mainstem_drain(bars->context, 0, &count);
  return status;
}

static inline gboolean mainstem_bars_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer bars);

static inline void mainstem_bars_run(mainstem_bars *bars) {
  guint chosen = gtk_drop_down_get_selected(GTK_DROP_DOWN(bars->speed));
  bars->moved = g_get_monotonic_time();
  if (!bars->is_ticking) gtk_widget_add_tick_callback(bars->slider, mainstem_bars_tick, bars, NULL);
  bars->is_ticking = TRUE;
  mainstem_bars_check(
      bars, mainstem_replay_run(bars->replay, g_array_index(bars->speeds, double, chosen)));
  mainstem_bars_draw(bars);
}

/** Shows what was shown after so many events. */
static inline void mainstem_bars_go(mainstem_bars *bars, guint position) {
  mainstem_bars_check(bars, mainstem_bars_feed(bars, MIN(position, bars->times->len)));
  if (bars->is_playing) mainstem_bars_run(bars);
  mainstem_bars_draw(bars);
}

static inline void mainstem_bars_pause(mainstem_bars *bars) {
  bars->is_playing = FALSE;
  mainstem_bars_check(bars, mainstem_replay_pause(bars->replay));
  mainstem_bars_draw(bars);
}

/* Before each frame that is drawn while it plays. A pause of the session takes the user no more than five seconds. */
static inline gboolean mainstem_bars_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  mainstem_bars *bars = (mainstem_bars *)data;
  guint position = mainstem_bars_position(bars);
  (void)widget, (void)clock;
  bars->is_ticking = bars->is_playing;
  if (!bars->is_playing || !bars->context) return G_SOURCE_REMOVE;
  if (position >= bars->times->len) mainstem_bars_pause(bars);
  else if (position != bars->drawn) bars->moved = g_get_monotonic_time();
  else if (g_get_monotonic_time() - bars->moved > 5 * G_USEC_PER_SEC)
    mainstem_bars_go(bars, position + 1);
  if (position != bars->drawn) mainstem_bars_draw(bars);
  return G_SOURCE_CONTINUE;
}

/** Plays from where it is; from the beginning if it is at the end. */
static inline void mainstem_bars_play(mainstem_bars *bars) {
  if (mainstem_bars_position(bars) >= bars->times->len) mainstem_bars_go(bars, 0);
  bars->is_playing = TRUE;
  mainstem_bars_run(bars);
}

static inline void mainstem_bars_toggle(mainstem_bars *bars) {
  if (bars->is_playing) mainstem_bars_pause(bars);
  else mainstem_bars_play(bars);
}

static inline void mainstem_bars_step(mainstem_bars *bars, int count) {
  int64_t to = (int64_t)mainstem_bars_position(bars) + count;
  mainstem_bars_pause(bars);
  mainstem_bars_go(bars, to < 0 ? 0 : (guint)to);
}

static inline void mainstem_bars_step_one(mainstem_bars *bars) { mainstem_bars_step(bars, 1); }

/** Chooses the speed: 1 is as it was, 0 as fast as it can. */
static inline void mainstem_bars_set_speed(mainstem_bars *bars, double speed) {
  GtkStringList *names = GTK_STRING_LIST(gtk_drop_down_get_model(GTK_DROP_DOWN(bars->speed)));
  guint place = 0;
  while (place < bars->speeds->len && g_array_index(bars->speeds, double, place) != speed) place++;
  if (place == bars->speeds->len) {
    char *name = speed > 0 ? g_strdup_printf("%g×", speed) : g_strdup("Fast");
    g_array_append_val(bars->speeds, speed);
    gtk_string_list_append(names, name);
    g_free(name);
  }
  gtk_drop_down_set_selected(GTK_DROP_DOWN(bars->speed), place);
}

static inline void mainstem_bars_speed_chosen(mainstem_bars *bars) {
  if (bars->is_playing) mainstem_bars_run(bars);
}

/* Of many moves of the slider, the last one counts. */
static inline gboolean mainstem_bars_follow(gpointer data) {
  mainstem_bars *bars = (mainstem_bars *)data;
  bars->follow = 0;
  if (bars->context) mainstem_bars_go(bars, bars->wanted);
  return G_SOURCE_REMOVE;
}

static inline gboolean mainstem_bars_slide(GtkRange *range, GtkScrollType scroll, double value,
                                           mainstem_bars *bars) {
  (void)range, (void)scroll;
  bars->wanted = value < 0 ? 0 : (guint)(value + 0.5);
  if (!bars->follow) bars->follow = g_idle_add(mainstem_bars_follow, bars);
  return FALSE;
}

/* A key that nothing else has taken. */
static inline gboolean mainstem_bars_press(GtkEventControllerKey *keys, guint key, guint code,
                                           GdkModifierType modifiers, mainstem_bars *bars) {
  int right = gtk_widget_get_direction(bars->slider) == GTK_TEXT_DIR_RTL ? -1 : 1;
  GtkWidget *focus = gtk_window_get_focus(bars->window);
  (void)keys, (void)code, (void)modifiers;
  if (focus && gtk_widget_get_native(focus) != GTK_NATIVE(bars->window))
    return FALSE; /* the list of speeds has its own keys */
  if (key == GDK_KEY_space) mainstem_bars_toggle(bars);
  else if (key == GDK_KEY_Right) mainstem_bars_step(bars, right);
  else if (key == GDK_KEY_Left) mainstem_bars_step(bars, -right);
  else if (key == GDK_KEY_Home) mainstem_bars_go(bars, 0);
  else if (key == GDK_KEY_End) mainstem_bars_go(bars, bars->times->len);
  else return FALSE;
  return TRUE;
}

static inline mainstem_status mainstem_bars_read_times(mainstem_bars *bars) {
  mainstem_journal *journal;
  const mainstem_event *event = NULL;
  int64_t last = 0;
  mainstem_status status = mainstem_journal_open(bars->path, &journal);
  if (status) return status;
  while (!(status = mainstem_journal_next(journal, 0, &event)) && event) {
    last = MAX(last, event->time);
    g_array_append_val(bars->times, last);
  }
  mainstem_journal_close(journal);
  return status;
}

static inline void mainstem_bars_add_replay(mainstem_bars *bars) {
  const char *const names[] = {"½×", "1×", "2×", "4×", "Fast", NULL};
  const double speeds[] = {0.5, 1, 2, 4, 0};
  GtkWidget *controls = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *one = mainstem_bars_button("media-seek-forward-symbolic", "One event forward");
  bars->toggle = mainstem_bars_button("media-playback-start-symbolic", "Play");
  bars->slider =
      gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, MAX(1, bars->times->len), 1);
  bars->speed = gtk_drop_down_new_from_strings(names);
  bars->place = gtk_label_new("");
  gtk_label_set_ellipsize(GTK_LABEL(bars->place), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(bars->place, "numeric");
  g_array_append_vals(bars->speeds, speeds, 5);
  gtk_widget_set_tooltip_text(bars->speed, "Speed");
  gtk_drop_down_set_selected(GTK_DROP_DOWN(bars->speed), 1);
  gtk_widget_set_hexpand(bars->slider, TRUE);
  mainstem_bars_margins(bar, 8);
  GtkWidget *all[] = {bars->toggle, one, bars->slider, bars->speed};
  for (int place = 0; place < 4; place++) gtk_box_append(GTK_BOX(controls), all[place]);
  gtk_box_append(GTK_BOX(bar), controls);
  gtk_box_append(GTK_BOX(bar), bars->place);
  gtk_box_append(bars->below, bar);
  g_signal_connect_swapped(bars->toggle, "clicked", G_CALLBACK(mainstem_bars_toggle), bars);
  g_signal_connect_swapped(one, "clicked", G_CALLBACK(mainstem_bars_step_one), bars);
  g_signal_connect(bars->slider, "change-value", G_CALLBACK(mainstem_bars_slide), bars);
  g_signal_connect_swapped(bars->speed, "notify::selected", G_CALLBACK(mainstem_bars_speed_chosen),
                           bars);
  mainstem_bars_add_keys(bars, GTK_PHASE_BUBBLE, G_CALLBACK(mainstem_bars_press));
}

/**
 * Adds the bar that plays a session: a slider over its events, play and pause, one step, the speed. Its keys are Space,
 * Left, Right, Home and End. Nothing else in the window gets keys and clicks.
 *
 * A replay only goes forward. To go back, the bar closes its context, and replays the session from its beginning in a
 * new one. So `open` is called each time, with a context that is muted: no handler is called, and what is sent is
 * ignored.
 */
static inline mainstem_status mainstem_bars_replay(mainstem_bars *bars, const char *path,
                                                   mainstem_bars_open_fn open,
                                                   mainstem_bars_close_fn close, void *data) {
  bars->path = g_strdup(path);
  bars->open = open;
  bars->close = close;
  bars->data = data;
  bars->times = g_array_new(FALSE, FALSE, sizeof(int64_t));
  bars->speeds = g_array_new(FALSE, FALSE, sizeof(double));
  gtk_widget_set_can_target(GTK_WIDGET(bars->slot), FALSE);
  gtk_widget_set_can_focus(GTK_WIDGET(bars->slot), FALSE);
  mainstem_status status = mainstem_bars_read_times(bars);
  if (!status) status = mainstem_bars_begin(bars);
  if (status) return status;
  mainstem_bars_add_replay(bars);
  int width, height; /* what is shown comes and goes */
  gtk_window_get_default_size(bars->window, &width, &height);
  gtk_window_set_default_size(bars->window, MAX(width, 400), MAX(height, 400));
  gtk_widget_grab_focus(bars->slider);
  mainstem_bars_draw(bars);
  return MAINSTEM_OK;
}

/* All of it ---------------------------------------------------------------------------------------------- */

static inline void mainstem_bars_free(gpointer data) {
  mainstem_bars *bars = (mainstem_bars *)data;
  mainstem_bars_end(bars);
  if (bars->follow) g_source_remove(bars->follow);
  if (mainstem_bars_newest == bars) mainstem_bars_newest = NULL;
  g_clear_weak_pointer(&bars->failed);
  g_clear_weak_pointer(&bars->focused);
  if (bars->times) g_array_unref(bars->times);
  if (bars->speeds) g_array_unref(bars->speeds);
  g_free(bars->path), g_free(bars->journal), g_free(bars);
}

/** What was refused is shown in the newest window. */
static inline void mainstem_bars_refused(GObject *object, const char *signal,
                                         mainstem_status status) {
  mainstem_bars *bars = mainstem_bars_newest;
  if (!bars) {
    mainstem_gtk_warn(object, signal, status);
    return;
  }
  if (bars->path && object)
    return; /* it wrote what it was made to show: nobody has done anything */
  mainstem_bars_failed(bars, status, NULL, object, signal);
  if (!bars->sign) return;
  mainstem_bars_look(bars); /* what was recorded before does not count */
  bars->is_full |= status == MAINSTEM_NO_SPACE;
  mainstem_bars_look(bars);
}

/** Takes this as the content of the window, instead of what it had; NULL: nothing. */
static inline void mainstem_bars_show(mainstem_bars *bars, GtkWidget *content) {
  GtkWidget *old = gtk_widget_get_first_child(GTK_WIDGET(bars->slot));
  gtk_window_set_default_widget(bars->window, NULL); /* it goes with what it was in */
  if (old) gtk_box_remove(bars->slot, old);
  if (!content) return;
  gtk_widget_set_hexpand(content, TRUE);
  gtk_box_append(bars->slot, content);
}

static inline void mainstem_bars_add_closing_keys(GtkWindow *window) {
  const char *const triggers[] = {"<Control>w", "<Control>q"};
  GtkEventController *keys = gtk_shortcut_controller_new();
  for (int place = 0; place < 2; place++)
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string(triggers[place]),
                         gtk_named_action_new("window.close")));
  gtk_widget_add_controller(GTK_WIDGET(window), keys);
}

/** Puts bars around the content of a window: errors above it, recording and replay below. They end with the window. */
static inline mainstem_bars *mainstem_bars_new(GtkWindow *window) {
  mainstem_bars *bars = g_new0(mainstem_bars, 1);
  GtkWidget *content = gtk_window_get_child(window);
  GtkWidget *all = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  if (content) g_object_ref(content);
  bars->window = window;
  bars->slot = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0));
  bars->below = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_set_vexpand(GTK_WIDGET(bars->slot), TRUE);
  gtk_window_set_child(window, all);
  gtk_box_append(GTK_BOX(all), mainstem_bars_add_error(bars));
  gtk_box_append(GTK_BOX(all), GTK_WIDGET(bars->slot));
  gtk_box_append(GTK_BOX(all), GTK_WIDGET(bars->below));
  g_signal_connect(window, "notify::focus-widget", G_CALLBACK(mainstem_bars_mark_focus), NULL);
  mainstem_bars_add_closing_keys(window);
  if (content) mainstem_bars_show(bars, content);
  if (content) g_object_unref(content);
  g_object_set_data_full(G_OBJECT(window), "mainstem-bars", bars, mainstem_bars_free);
  mainstem_bars_newest = bars;
  mainstem_gtk_refused = mainstem_bars_refused;
  return bars;
}

#endif
