# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
"""Bars of a window, for errors, recording and replay: one file to copy, beside mainstem_gtk.py
and playing.py.

bars = Bars(window)                          # puts them around what the window has
bars.show(form)                              # what the window has from now on
bars.error.failed(failure, retry=view.load)  # what went wrong, what to do, and a button Retry
bars.record(context, path)                   # records, and says so
bars.replay(path, open)                      # plays a session; open(context) shows the app
clamped(form)                                # not too wide in a large window
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional

import mainstem
import mainstem_gtk
import playing
from gi.repository import Gdk, GLib, Gtk, Pango  # type: ignore

#: Ends what `open` has opened, before its context closes.
End = Callable[[], None]
Open = Callable[[mainstem.Context], End]
Status = mainstem.Status

#: What a user can do about failures of the library, whose own messages are for developers.
WHAT_TO_DO = {
    Status.BUSY: "The program is busy. Try again.",
    Status.FULL: "Too much is going on at once. Wait a moment, then try again.",
    Status.INTERRUPTED: "It was interrupted. Try again.",
    Status.LOCKED: "Another program is using the file. Close it, then try again.",
    Status.NO_MEMORY: "The memory is full. Close something, then try again.",
    Status.NO_SPACE: "The disk is full. Free some space, then try again.",
    Status.TIMEOUT: "There was no answer in time. Try again.",
    Status.CORRUPT: "The recording is damaged. End the program; record to a new file.",
    Status.IO: "The recording cannot be written. End the program; use another disk.",
    Status.POISONED: "The disk has failed. End the program; use another disk.",
}
#: Of these, the ones that may pass. An app says itself which of its own failures do.
PASSING = (
    Status.BUSY,
    Status.FULL,
    Status.INTERRUPTED,
    Status.LOCKED,
    Status.NO_MEMORY,
    Status.NO_SPACE,
    Status.TIMEOUT,
)
#: As wide as a line is easy to read.
WIDEST = 640


def row(*widgets: Any, **properties: Any) -> Any:
    """A box with widgets in it."""
    box = Gtk.Box(**properties)
    for widget in widgets:
        box.append(widget)
    return box


def margins(size: int) -> "dict[str, int]":
    return {f"margin_{side}": size for side in ("top", "bottom", "start", "end")}


def mark_focus(window: Any, *_: object) -> None:
    """Marks what gets the keys, also without Tab, but not what is clicked."""
    mouse = window.get_display().get_default_seat().get_pointer()
    if not mouse or not mouse.get_modifier_state() & Gdk.ModifierType.BUTTON1_MASK:
        window.set_focus_visible(True)


class Clamp(Gtk.LayoutManager):  # type: ignore[misc]
    """Has the child of a box in the middle, and not too wide."""

    def do_get_request_mode(self, box: Any) -> Any:
        return Gtk.SizeRequestMode.HEIGHT_FOR_WIDTH

    def do_measure(self, box: Any, orientation: Any, size: int) -> Any:
        child = box.get_first_child()
        if orientation == Gtk.Orientation.VERTICAL and size > WIDEST:
            size = max(WIDEST, child.measure(Gtk.Orientation.HORIZONTAL, -1)[0])
        return (*child.measure(orientation, size)[:2], -1, -1)

    def do_allocate(self, box: Any, width: int, height: int, baseline: int) -> None:
        child, place = box.get_first_child(), Gdk.Rectangle()
        least = child.measure(Gtk.Orientation.HORIZONTAL, -1)[0]
        place.width, place.height = max(least, min(width, WIDEST)), height
        place.x = (width - place.width) // 2
        child.size_allocate(place, baseline)


def clamped(child: Any) -> Any:
    """A box with a widget in it, which is as wide as is easy to read in a window of any size."""
    box = Gtk.Box()
    box.set_layout_manager(Clamp())
    box.append(child)
    return box


class ErrorBar:
    """Says what went wrong and what to do. Escape and its button close it."""

    def __init__(self, window: Any) -> None:
        self.window: Any = window
        self.focus: Any = None
        self.retry: Optional[Callable[[], Any]] = None
        #: Whether a session is shown again: nothing can be tried again.
        self.is_muted = False
        wrapped = {"wrap": True, "wrap_mode": Pango.WrapMode.WORD_CHAR, "xalign": 0}
        self.text, self.hint = Gtk.Label(**wrapped), Gtk.Label(**wrapped)
        self.text.add_css_class("heading")
        self.button = Gtk.Button(label="Retry", valign=Gtk.Align.CENTER)
        close = Gtk.Button(icon_name="window-close-symbolic", tooltip_text="Close")
        close.set_valign(Gtk.Align.CENTER)
        column = {"orientation": Gtk.Orientation.VERTICAL, "valign": Gtk.Align.CENTER}
        self.says = row(self.text, self.hint, hexpand=True, **column)
        role = {"accessible_role": Gtk.AccessibleRole.ALERT}
        self.widget = row(self.says, self.button, close, spacing=8, **margins(8), **role)
        # Text and buttons have other baselines, which may make it higher than GTK has measured.
        self.widget.set_size_request(-1, 56)
        self.widget.set_visible(False)
        self.button.connect("clicked", self._retry)
        close.connect("clicked", lambda _: self.close())
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self._press)
        window.add_controller(keys)

    def show(self, text: str, hint: str = "", retry: Optional[Callable[[], Any]] = None) -> None:
        """`retry` does it again; without it, there is no button for it."""
        self.retry = retry = None if self.is_muted else retry
        self.text.set_label(text)
        self.hint.set_label(hint)
        self.hint.set_visible(bool(hint))
        self.button.set_visible(retry is not None)
        self.focus = self.focus if self.is_open else self.window.get_focus()
        self.widget.set_visible(True)
        said = f"{text} {hint}".strip()
        self.widget.update_property([Gtk.AccessibleProperty.LABEL], [said])
        if hasattr(self.widget, "announce"):  # GTK 4.14
            self.widget.announce(said, Gtk.AccessibleAnnouncementPriority.MEDIUM)

    def failed(
        self, failure: mainstem.MainstemError, retry: Optional[Callable[[], Any]] = None
    ) -> None:
        """Shows a failure in its words for users. Retry is offered if it may pass."""
        hint = WHAT_TO_DO.get(failure.status, "")
        text = failure.text if isinstance(failure, mainstem.Failure) else ""
        if not text and not hint:
            hint = str(failure)
        may_pass = failure.status in PASSING or failure.status >= Status.APP
        self.show(text or "That did not work.", hint, retry if may_pass else None)

    def close(self) -> None:
        """Takes the text away; what had the keys before gets them again."""
        focus = self.window.get_focus()
        if self.focus and (not focus or focus.is_ancestor(self.widget)):
            self.focus.grab_focus()
        self.widget.set_visible(False)

    @property
    def is_open(self) -> bool:
        return bool(self.widget.get_visible())

    def _retry(self, _button: Any) -> None:
        retry, self.retry = self.retry, None
        self.close()
        if retry:
            mainstem_gtk.attempt(self.button, retry)

    def _press(self, _keys: Any, key: int, *_: Any) -> bool:
        if key != Gdk.KEY_Escape or not self.is_open:
            return False
        self.close()
        return True


class RecordingSign:
    """Says that a session is recorded, and when it is not recorded any more."""

    def __init__(self, context: mainstem.Context, path: Any) -> None:
        self.context, self.name = context, os.path.basename(os.fspath(path))
        self.is_refused = False
        self.recorded = 0
        self.label = Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.MIDDLE, hexpand=True)
        self.widget = row(self.label, **margins(4))
        self.timer = GLib.timeout_add(500, self.look)
        self.widget.connect("destroy", lambda _: self.end())
        self.look()

    def look(self) -> bool:
        """Looks at the counters of the journal."""
        if self.context.closed:
            self.timer = 0
            return False
        stats = self.context.journal_stats()
        if stats.events > self.recorded:
            self.is_refused = False
        self.recorded = stats.events
        status = mainstem.Status(stats.status) or self.is_refused and Status.NO_SPACE
        self._say(status or Status.OK)
        return True

    def refused(self, error: mainstem.MainstemError) -> None:
        """Something was not recorded, and so did not happen."""
        self.look()
        self.is_refused = self.is_refused or error.status == Status.NO_SPACE
        self.look()

    def end(self) -> None:
        if self.timer:
            GLib.source_remove(self.timer)
        self.timer = 0

    def _say(self, status: mainstem.Status) -> None:
        is_full, name = status == Status.NO_SPACE, self.name
        why = "the disk is full" if is_full else f"{name} cannot be written"
        text = f"Not recording: {why}" if status else f"● Recording {name}"
        if text != self.label.get_label():
            self.label.set_label(text)
            (self.label.add_css_class if status else self.label.remove_css_class)("heading")


class ReplayBar:
    """Plays a session: a slider over its events, play and pause, one step, the speed.

    A replay only goes forward. To go back, the bar closes its context, and replays the session from
    its beginning in a new one. `open` shows the app on a context that is muted: no handler is
    called, and what is sent is ignored. Keys: Space, Left, Right, Home, End.
    """

    SPEEDS = ((0.5, "½×"), (1.0, "1×"), (2.0, "2×"), (4.0, "4×"), (0.0, "Fast"))
    #: A pause of the session is no longer than this, in seconds of the user.
    LONGEST_PAUSE = 5.0

    def __init__(self, path: Any, open: Open, failed: Callable[[mainstem.MainstemError], None]):
        self.path, self.open, self.failed = path, open, failed
        self.times = times_of(path)
        self.context: Optional[mainstem.Context] = None
        self.is_playing = self.is_ticking = False
        self.wanted: Optional[int] = None
        self.following = 0  # the source of positions
        self.speeds = list(self.SPEEDS)
        self._make()
        self._begin()
        self._draw()

    # What it is told

    def start(self, speed: Optional[float], follow: Optional[int], ended: End) -> None:
        """Plays; or follows another process that writes positions to a descriptor, to their end."""
        if follow is None:
            self.play(1 if speed is None else speed)
        else:
            self.follow(playing.Positions(follow), ended)

    def follow(self, positions: playing.Positions, ended: End) -> None:
        """Goes where another process wants it; when that has nothing more to say, it has ended."""

        def read(*_: object) -> bool:
            positions.read()
            position, positions.position = positions.position, None
            if position is not None:
                self.seek(position)
            if positions.has_ended:
                self.following = 0
                ended()
            return not positions.has_ended

        ready = GLib.IOCondition.IN | GLib.IOCondition.HUP
        self.following = GLib.unix_fd_add_full(
            GLib.PRIORITY_DEFAULT, positions.descriptor, ready, read
        )

    def play(self, speed: Optional[float] = None) -> None:
        """Plays from where it is; from the beginning if it is at the end. 0: as fast as it can."""
        if speed is not None:
            self._choose(speed)
        if self.position >= len(self.times):
            self.go(0)
        self.is_playing = True
        self._run()

    def pause(self) -> None:
        self.is_playing = False
        self._attempt(self.replay.pause)

    def step(self, count: int = 1) -> None:
        """Pauses, and goes so many events forward; less than 0: back."""
        self.pause()
        self.go(self.position + count)

    def go(self, position: int) -> None:
        """Shows what was shown after so many events."""
        position = max(0, min(position, len(self.times)))
        self._attempt(lambda: self._go(position))
        if self.is_playing:
            self._run()
        self._draw()

    def seek(self, position: int) -> None:
        """Pauses, and shows what was shown after the event at a position of the journal."""
        self.pause()
        self._attempt(lambda: self._seek(position))
        self._draw()

    def close(self) -> None:
        """Ends what is shown, and its context; it follows nobody any more."""
        if self.following:
            GLib.source_remove(self.following)
        self.following = 0
        self._end()

    def _end(self) -> None:
        context, self.context = self.context, None
        self.is_playing = False
        if context:
            GLib.source_remove(self.source)
            self.end()
            context.close()

    @property
    def position(self) -> int:
        """How many events were fed."""
        return self.replay.info.fed if self.context else 0

    # How it does it

    def _begin(self) -> None:
        self._end()
        context = mainstem.Context()
        try:
            self.replay = context.replay(self.path)
            self.end = self.open(context)
        except BaseException:
            context.close()
            raise
        self.context, self.source = context, mainstem_gtk.attach(context)

    def _go(self, position: int) -> None:
        if position < self.position:
            is_playing = self.is_playing
            self._begin()
            self.is_playing = is_playing
        self.replay.pause()
        self.replay.step(position - self.position)
        self._settle()

    def _seek(self, position: int) -> None:
        if playing.is_behind(self.replay, position):
            self._begin()
        playing.seek(self.replay, position)
        self._settle()

    def _settle(self) -> None:
        while self.context and self.context.drain():
            pass

    def _run(self) -> None:
        self.moved = GLib.get_monotonic_time()
        if not self.is_ticking:
            self.is_ticking = True
            self.widget.add_tick_callback(self._tick)
        self._attempt(lambda: self.replay.run(self.speeds[self.speed.get_selected()][0]))
        self._draw()

    def _attempt(self, call: Callable[[], object]) -> None:
        try:
            call()
        except mainstem.MainstemError as error:
            self.is_playing = False
            self.failed(error)

    def _tick(self, *_: object) -> bool:
        """Before each frame that is drawn while it plays."""
        if self.is_playing and self.context:
            now, position = GLib.get_monotonic_time(), self.position
            if position >= len(self.times):
                self.pause()
            elif position != self.drawn:
                self.moved = now
            elif now - self.moved > self.LONGEST_PAUSE * 1e6:
                self.go(position + 1)
            self._draw()
        self.is_ticking = self.is_playing
        return self.is_ticking

    # What it shows

    def _make(self) -> None:
        self.slider = Gtk.Scale.new_with_range(
            Gtk.Orientation.HORIZONTAL, 0, max(1, len(self.times)), 1
        )
        self.slider.set_hexpand(True)
        self.slider.connect("change-value", self._slide)
        self.toggle = Gtk.Button()
        self.toggle.connect("clicked", lambda _: self._toggle())
        one = Gtk.Button(icon_name="media-seek-forward-symbolic", tooltip_text="One event forward")
        one.connect("clicked", lambda _: self.step())
        self.label = Gtk.Label(hexpand=True, ellipsize=Pango.EllipsizeMode.END)
        self.label.add_css_class("numeric")
        self.speed = Gtk.DropDown.new_from_strings([name for _, name in self.speeds])
        self.speed.set_tooltip_text("Speed")
        self.speed.set_selected(1)
        self.speed.connect("notify::selected", self._speed_chosen)
        controls = row(self.toggle, one, self.slider, self.speed, spacing=8)
        column = {"orientation": Gtk.Orientation.VERTICAL, "spacing": 4}
        self.widget = row(controls, self.label, **column, **margins(8))
        self.drawn = -1

    def _draw(self) -> None:
        name = "pause" if self.is_playing else "start"
        self.toggle.set_icon_name(f"media-playback-{name}-symbolic")
        self.toggle.set_tooltip_text("Pause" if self.is_playing else "Play")
        self.drawn = position = self.position
        if self.wanted is None:
            self.slider.set_value(position)
        first, at = (self.times or [0])[0], self.times[position - 1] if position else 0
        passed = at - first if position else 0
        whole = self.times[-1] - first if self.times else 0
        text = f"event {position} of {len(self.times)}, {clock(passed)} of {clock(whole)}"
        self.label.set_label(text)
        self.slider.update_property(
            [Gtk.AccessibleProperty.LABEL, Gtk.AccessibleProperty.VALUE_TEXT], ["Position", text]
        )

    def _choose(self, speed: float) -> None:
        if speed not in [each for each, _ in self.speeds]:
            self.speeds.append((speed, f"{speed:g}×"))
            self.speed.set_model(Gtk.StringList.new([name for _, name in self.speeds]))
        self.speed.set_selected([each for each, _ in self.speeds].index(speed))

    # What the user does

    def press(self, key: int) -> bool:
        """A key that nothing else has taken."""
        is_mirrored = self.widget.get_direction() == Gtk.TextDirection.RTL
        calls: Dict[int, Callable[[], None]] = {
            Gdk.KEY_space: self._toggle,
            Gdk.KEY_Right: lambda: self.step(-1 if is_mirrored else 1),
            Gdk.KEY_Left: lambda: self.step(1 if is_mirrored else -1),
            Gdk.KEY_Home: lambda: self.go(0),
            Gdk.KEY_End: lambda: self.go(len(self.times)),
        }
        if key not in calls:
            return False
        calls[key]()
        return True

    def _toggle(self) -> None:
        if self.is_playing:
            self.pause()
        else:
            self.play()
        self._draw()

    def _speed_chosen(self, *_: object) -> None:
        if self.is_playing:
            self._run()

    def _slide(self, _slider: Any, _scroll: Any, value: float) -> bool:
        """Of many moves of the slider, the last one counts."""
        if self.wanted is None:
            GLib.idle_add(self._follow)
        self.wanted = round(value)
        return False

    def _follow(self) -> bool:
        wanted, self.wanted = self.wanted, None
        if wanted is not None and self.context:
            self.go(wanted)
        return False


def clock(nanoseconds: int) -> str:
    """0:04, 1:10 or 1:02:03."""
    seconds = nanoseconds // 10**9
    minutes = f"{seconds // 60 % 60}:{seconds % 60:02}"
    return minutes if seconds < 3600 else f"{seconds // 3600}:{minutes:0>5}"


def times_of(path: Any) -> List[int]:
    """When each event of a journal was, in nanoseconds; a secret counts as the one before it."""
    times: List[int] = []
    with mainstem.Journal(path) as journal:
        for batch in journal.batches():
            for header in batch.headers():
                if header[7]:  # an event has a type
                    times.append(max(header[4], times[-1] if times else 0))
    return times


class Bars:
    """What a window has around its content: errors above it, recording and replay below."""

    def __init__(self, window: Any) -> None:
        self.window, content = window, window.get_child()
        window.set_child(None)
        self.error = ErrorBar(window)
        self.slot = Gtk.Box(hexpand=True, vexpand=True)
        self.below = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        column = {"orientation": Gtk.Orientation.VERTICAL}
        window.set_child(row(self.error.widget, self.slot, self.below, **column))
        self.sign: Optional[RecordingSign] = None
        self.player: Optional[ReplayBar] = None
        mainstem_gtk.on_refused = self.refused
        window.connect("notify::focus-widget", mark_focus)
        keys = Gtk.ShortcutController()
        for trigger in map(Gtk.ShortcutTrigger.parse_string, ("<Control>w", "<Control>q")):
            keys.add_shortcut(Gtk.Shortcut.new(trigger, Gtk.NamedAction.new("window.close")))
        window.add_controller(keys)
        if content:
            self.show(content)

    def show(self, content: Any) -> None:
        """Takes this as the content of the window, instead of what it had; None: nothing."""
        self.window.set_default_widget(None)  # it goes with what it was in
        if old := self.slot.get_first_child():
            self.slot.remove(old)
        if content:
            content.set_hexpand(True)
            self.slot.append(content)

    def record(self, context: mainstem.Context, path: Any) -> RecordingSign:
        """Says that a context is recorded."""
        self.sign = RecordingSign(context, path)
        self.below.append(self.sign.widget)
        return self.sign

    def replay(self, path: Any, open: Open) -> ReplayBar:
        """Adds the bar that plays a session; nothing else in the window gets keys and clicks."""

        def open_again(context: mainstem.Context) -> End:
            self.error.close()
            return open(context)

        self.error.is_muted = True
        self.slot.set_can_target(False)
        self.slot.set_can_focus(False)
        self.player = ReplayBar(path, open_again, self.error.failed)
        self.below.append(self.player.widget)
        width, height = self.window.get_default_size()  # what is shown comes and goes
        self.window.set_default_size(max(width, 400), max(height, 400))
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", self._press)
        self.window.add_controller(keys)
        self.player.slider.grab_focus()
        return self.player

    def _press(self, _keys: Any, key: int, *_: Any) -> bool:
        focus = self.window.get_focus()  # the list of speeds has its own keys
        is_inside = not focus or focus.get_native() is self.window
        return is_inside and self.player is not None and self.player.press(key)

    def refused(
        self, widget: Any, error: mainstem.MainstemError, again: mainstem_gtk.Again
    ) -> None:
        if self.player and widget:
            return  # a widget has written what it was made to show: nobody has done anything
        if self.sign:
            self.sign.refused(error)
        self.error.failed(error, again)
