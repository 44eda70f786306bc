// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "terminal.h"

#include "lines.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>

/* Leaving ----------------------------------------------------------------------------------------- */

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static struct termios modes;          /* as they were before */
static char goodbye[256];             /* what gives the terminal back */
static volatile sig_atomic_t is_used; /* the terminal, by us */
static volatile sig_atomic_t asked;   /* how often we were asked to end */
static int told[2];                   /* a pipe, with a byte for each signal */

static void write_now(const char *text) {
  ssize_t written = write(STDOUT_FILENO, text, strlen(text));
  (void)written; /* a terminal that is gone needs no farewell */
}

void terminal_end(void) {
  if (!is_used) return;
  write_now(paste_off);
  endwin();
  is_used = 0;
}

/* Of a signal that ends the program: calls nothing that a signal handler may not call. */
static void end_now(int number) {
  if (is_used) {
    is_used = 0;
    write_now(goodbye);
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
  }
  signal(number, SIG_DFL);
  raise(number);
}

static bool asks_to_end(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

static void tell(int number) {
  int error = errno;
  char byte = (char)number;
  if (asks_to_end(number) && asked++) end_now(number);
  ssize_t written = write(told[1], &byte, 1);
  (void)written; /* a full pipe has told already */
  errno = error;
}

/* A capability of the terminal, without what it says about waiting: "$<5>". */
static void add_goodbye(const char *text) {
  size_t size = strlen(goodbye);
  while (text && text != (char *)-1 && *text && size < sizeof goodbye - 1) {
    const char *end = strncmp(text, "$<", 2) ? NULL : strchr(text, '>');
    if (end) text = end + 1;
    else goodbye[size++] = *text++;
  }
  goodbye[size] = 0;
}

/* Signals ----------------------------------------------------------------------------------------- */

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
  sigaction(number, NULL, &before);
  if (before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

static void handle_signals(void) {
  static const int telling[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
  static const int ending[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
                               SIGSEGV, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
  for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
    handle(telling[i], tell, SA_RESTART);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    handle(ending[i], end_now, (int)SA_RESETHAND);
}

static void fit(void) {
  struct winsize size = {0};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col) return;
  if (size.ws_row != LINES || size.ws_col != COLS) resizeterm(size.ws_row, size.ws_col);
  clearok(curscr, TRUE); /* terminals differ in what they leave where, even if the size is back */
}

/* Draws everything anew, as the shell has drawn meanwhile. */
static void go_on(void) {
  endwin();
  is_used = 1;
  fit();
  refresh();
  write_now(paste_on);
}

/* Gives the terminal back, and stops until the shell continues the program. */
static void stop(void) {
  terminal_end();
  signal(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  handle(SIGTSTP, tell, SA_RESTART);
  go_on();
}

int terminal_signals(void) { return told[0]; }

int terminal_signal(void) {
  int ends = 0;
  char byte;
  while (read(told[0], &byte, 1) == 1) {
    if (byte == SIGTSTP) stop();
    if (byte == SIGCONT) go_on();
    if (byte == SIGWINCH) fit();
    if (asks_to_end(byte)) ends = byte;
  }
  return ends;
}

/* Beginning --------------------------------------------------------------------------------------- */

static int attributes[RECORDING + 1] = {0, A_BOLD, A_DIM, A_REVERSE, A_BOLD, A_BOLD, A_BOLD};

static void begin_colors(void) {
  const char *none = getenv("NO_COLOR");
  if ((none && *none) || !has_colors()) return;
  start_color();
  use_default_colors();
  init_pair(FAILED, COLOR_RED, -1);
  init_pair(WAITING, COLOR_YELLOW, -1);
  init_pair(RECORDING, COLOR_RED, -1);
  for (int i = FAILED; i <= RECORDING; i++) attributes[i] |= COLOR_PAIR(i);
}

/* Ctrl+Z is a key here; `kill -TSTP` still stops the program. */
static void begin_keys(void) {
  struct termios now;
  cbreak();
  noecho();
  tcgetattr(STDIN_FILENO, &now);
  now.c_cc[VSUSP] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSANOW, &now);
  def_prog_mode();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  define_key("\033[1;3A", ALT_UP & 0xffff);
  define_key("\033[1;3B", ALT_DOWN & 0xffff);
  define_key("\033\033[A", ALT_UP & 0xffff);
  define_key("\033\033[B", ALT_DOWN & 0xffff);
  define_key("\033[200~", PASTE_BEGINS & 0xffff);
  define_key("\033[201~", PASTE_ENDS & 0xffff);
  write_now(paste_on);
}

bool terminal_begin(void) {
  SCREEN *screen;
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8"); /* what is shown is UTF-8 */
  if (tcgetattr(STDIN_FILENO, &modes) || pipe2(told, O_NONBLOCK | O_CLOEXEC)) return false;
  handle_signals(); /* before curses, which would add its own */
  if (!(screen = newterm(NULL, stdout, stdin))) return false;
  const char *place = tigetstr("cup");
  if (!place || place == (char *)-1) {
    endwin();
    delscreen(screen);
    return false;
  }
  add_goodbye(paste_off);
  add_goodbye(tigetstr("sgr0"));
  add_goodbye(tigetstr("cnorm"));
  add_goodbye(tigetstr("rmkx"));
  add_goodbye(tigetstr("rmcup"));
  is_used = 1;
  atexit(terminal_end);
  begin_colors();
  begin_keys();
  fit();
  return true;
}

/* Keys -------------------------------------------------------------------------------------------- */

/* Nothing is done with the rest of a sequence that is not known. */
static int32_t end_sequence(void) {
  wint_t next;
  if (get_wch(&next) != OK) return ESCAPE;
  if (next != '[' && next != 'O') {
    unget_wch((wchar_t)next);
    return ESCAPE;
  }
  while (get_wch(&next) == OK && (next < 0x40 || next > 0x7e)) continue;
  return UNKNOWN_KEY;
}

int32_t terminal_key(void) {
  wint_t key;
  int kind;
  do kind = get_wch(&key);
  while (kind == KEY_CODE_YES && key == KEY_RESIZE);
  if (kind == ERR) return NO_KEY;
  if (kind == KEY_CODE_YES) return KEY_OF((int32_t)key);
  return key == ESCAPE ? end_sequence() : (int32_t)key;
}

/* Text -------------------------------------------------------------------------------------------- */

size_t terminal_glyph(const char *text, glyph *out) {
  const unsigned char *at = (const unsigned char *)text;
  int size = lines_size(at);
  unsigned long code = lines_code(at, size);
  out->text[0] = (wchar_t)code;
  out->text[1] = 0;
  out->width = size && !lines_is_control(code) ? wcwidth((wchar_t)code) : -1;
  if (out->width < 0) {
    char shown[12] = "";
    FILE *to = fmemopen(shown, sizeof shown, "w");
    lines_escape(to, code);
    fclose(to);
    out->width = (int)mbstowcs(out->text, shown, 12);
  }
  return size ? (size_t)size : 1;
}

int terminal_measure(const char *text, size_t size, int room, size_t *bytes) {
  glyph next;
  int width = 0;
  *bytes = 0;
  while (*bytes < size) {
    size_t more = terminal_glyph(text + *bytes, &next);
    if (width + next.width > room) break;
    width += next.width;
    *bytes += more;
  }
  return width;
}

int terminal_put(int line, int column, int room, style style, const char *text, size_t size) {
  glyph next;
  size_t bytes;
  if (room > COLS - column) room = COLS - column;
  if (!text || room <= 0 || line < 0 || line >= LINES) return 0;
  int width = terminal_measure(text, size, room, &bytes);
  bool is_cut = bytes < size;
  if (is_cut) width = terminal_measure(text, size, room - 1, &bytes);
  attrset(attributes[style]);
  move(line, column);
  for (size_t at = 0; at < bytes;) {
    at += terminal_glyph(text + at, &next);
    addwstr(next.text);
  }
  if (is_cut) mvaddwstr(line, column + width, L"…");
  attrset(0);
  return width + is_cut;
}

void terminal_fill(int line, style style) {
  attrset(attributes[style]);
  mvhline(line, 0, ' ', COLS);
  attrset(0);
}

void terminal_clear(void) { erase(); }

void terminal_show(int line, int column) {
  curs_set(line >= 0);
  if (line >= 0) move(line < LINES ? line : LINES - 1, column < COLS ? column : COLS - 1);
  refresh();
}
