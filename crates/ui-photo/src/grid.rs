//! The photos by day or by event, in a grid of which only what is near is in the page. To the Tab key it is one stop; arrows move in it,
//! the space bar chooses (see [`crate::choice`] for where keys lead).

use std::collections::HashMap;
use std::ops::Range;

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{Icon, dates, memo};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget};

use crate::choice::{Spot, Way, below, of_head, of_photo, photo_at, place_of, spot_at};
use crate::library::{COLUMNS, Cell, Line, Shown, lines};
use crate::lost::nobody_has_focus;
use crate::pointer::Pointer;
use crate::view::View;
use crate::words;

/// How far beyond what is seen lines are kept in the page, and how high one is taken to be, in CSS pixels.
const MARGIN_PX: f64 = 600.0;
const LINE_PX: f64 = 96.0;

/// In so many frames a photo is found that is far away: each goes as far as it seems to be.
const SEEKS: u32 = 30;

/// What of the lines is in the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Drawn {
    range: Range<usize>,
    /// The place of each by its key.
    at: HashMap<String, usize>,
}

/// What the parts of the grid share. Copies are the same.
#[derive(Clone, Copy)]
struct Parts {
    view: View,
    lines: Memo<Vec<Line>>,
    /// The one spot that the Tab key stops at.
    stop: Memo<Option<Spot>>,
    scroller: NodeRef<html::Div>,
    drawn: RwSignal<Drawn>,
}

/// The photos.
#[component]
pub fn Grid(view: View, which: Memo<Shown>) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let scroll = Scroll::of(scroller);
    let lines = memo(move |_| {
        view.found.with(|found| match which.get() {
            Shown::Found => lines(found, &|_| "=".to_owned()),
            Shown::Events => view.events.with(|events| lines(found, &|cell| events.key(cell))),
            _ => lines(found, &Cell::day),
        })
    });
    let drawn = RwSignal::new(Drawn::default());
    // Where the one stood that keys went on from: what is gone leaves its place to the next one.
    let last_place = StoredValue::new(None::<(usize, usize)>);
    let stop = memo(move |_| {
        lines.with(|lines| {
            view.found.with(|found| {
                drawn.with(|drawn| {
                    let active = view.active.get();
                    let place = active.as_deref().and_then(|spot| place_of(lines, found, spot));
                    if place.is_some() {
                        last_place.set_value(place);
                    }
                    let last = last_place.get_value().filter(|_| active.is_some());
                    let first = || drawn.range.clone().find(|at| lines.get(*at).is_some_and(Line::is_photos));
                    let (line, column) = place
                        .or(last)
                        .filter(|(line, _)| drawn.range.contains(line))
                        .or_else(|| Some((first()?, 0)))?;
                    spot_at(lines, found, line, column)
                })
            })
        })
    });
    let parts = Parts { view, lines, stop, scroller, drawn };
    let slots = move |range: Range<usize>| {
        parts.keeps_focus(&range);
        let slots: Vec<Slot> = lines.with(|lines| {
            view.found.with(|found| {
                let slot = |at: usize| {
                    let key = match lines.get(at)? {
                        Line::Head(group, count) => {
                            format!("{group} {count} {}", view.events.with(|events| events.title(group)))
                        }
                        // A line is another one when any photo in it is, or looks otherwise or is called otherwise.
                        Line::Photos(range) => {
                            let photos = found.get(range.clone()).unwrap_or_default();
                            photos.iter().map(look_of).collect()
                        }
                    };
                    Some(Slot { key, at })
                };
                range.clone().filter_map(slot).collect()
            })
        });
        let now = Drawn { range, at: slots.iter().map(|slot| (slot.key.clone(), slot.at)).collect() };
        if drawn.with_untracked(|before| *before != now) {
            drawn.set(now);
        }
        slots
    };
    let draw = move |slot: Slot| {
        let line = lines.with_untracked(|lines| lines.get(slot.at).cloned());
        let row = memo(move |_| drawn.with(|drawn| drawn.at.get(&slot.key).map(|at| at + 1)));
        match line {
            Some(Line::Head(key, count)) => view! { <Head parts which key count row /> }.into_any(),
            Some(Line::Photos(range)) => {
                let cells =
                    view.found.with_untracked(|found| found.get(range.clone()).unwrap_or_default().to_vec());
                let cells = (1..).zip(cells).map(|(column, cell)| {
                    let spot = of_photo(&cell.id);
                    let is_stop = memo(move |_| stop.with(|stop| stop.as_ref() == Some(&spot)));
                    view! { <Thumb view cell column is_stop=is_stop /> }
                });
                view! { <div class="photo-line" role="row" aria-rowindex=row>{cells.collect_view()}</div> }
                    .into_any()
            }
            None => view! { <div></div> }.into_any(),
        }
    };
    let grid = windowed(Windowed {
        scroll,
        count: Signal::derive(move || lines.with(Vec::len)),
        at_end: Signal::stored(false),
        margin_px: MARGIN_PX,
        estimate_px: LINE_PX,
        slots: Box::new(slots),
        draw: Box::new(draw),
        list_class: "photo-lines",
        is_list: false,
    });
    // Whoever chose none by a button that is gone with it goes on in the grid.
    ui_kit::effect(move |before: Option<bool>| {
        let is_any = view.chosen.with(|chosen| !chosen.is_empty());
        if before == Some(true) && !is_any {
            request_animation_frame(move || parts.focus_stop());
        }
        is_any
    });
    // What was sought before there was this grid is not sought any more.
    ui_kit::effect(move |before: Option<()>| {
        if let Some(id) = view.sought.get() {
            view.sought.set(None);
            if before.is_some() {
                parts.seek(of_photo(&id), SEEKS);
            }
        }
    });
    let pointer = Pointer::new(view, scroller);
    let is_empty = memo(move |_| lines.with(Vec::is_empty));
    view! {
        <div
            node_ref=scroller
            class="row-list"
            data-testid="photo-grid"
            role=move || (!is_empty.get()).then_some("grid")
            aria-label=move || (!is_empty.get()).then_some(words::photos())
            aria-multiselectable=move || (!is_empty.get()).then_some("true")
            aria-rowcount=move || (!is_empty.get()).then(|| lines.with(Vec::len))
            aria-colcount=move || (!is_empty.get()).then_some(COLUMNS)
            tabindex="-1"
            on:scroll=move |_| scroll.moved()
            on:focusin=move |event: FocusEvent| parts.noted(&event)
            on:keydown=move |event: KeyboardEvent| parts.key(&event)
            on:pointerdown=move |event| pointer.down(&event)
            on:pointermove=move |event| pointer.moved(&event)
            on:pointerup=move |_| pointer.up()
            on:pointercancel=move |_| pointer.up()
            on:touchmove=move |event| pointer.holds_back(&event)
            on:contextmenu=move |event| pointer.holds_back(&event)
            on:dragstart=move |event| event.prevent_default()
        >
            <Show when=move || is_empty.get()>
                <p class="empty">{move || if which.get() == Shown::Bin { words::bin_empty() } else { words::nothing_fits() }}</p>
            </Show>
            {grid}
        </div>
    }
}

/// The spot that an element belongs to.
fn spot_of(target: Option<EventTarget>) -> Option<Spot> {
    let element = target?.dyn_into::<Element>().ok()?;
    element.closest("[data-spot]").ok()??.get_attribute("data-spot")
}

impl Parts {
    /// What has the focus is where keys go on from.
    fn noted(self, event: &FocusEvent) {
        let spot = spot_of(event.target());
        if spot.is_some() && self.view.active.with_untracked(|active| *active != spot) {
            self.view.active.set(spot);
        }
    }

    /// A line that has the focus and is scrolled away, or drawn anew because of what came in, leaves it to the grid: keys go on from what is
    /// seen.
    fn keeps_focus(self, next: &Range<usize>) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let focused = web::page::focused().filter(|focused| scroller.contains(Some(focused)));
        let Some(spot) = focused.and_then(|focused| spot_of(Some(focused.into()))) else { return };
        let line = self.lines.with_untracked(|lines| {
            self.view.found.with_untracked(|found| place_of(lines, found, &spot).map(|(line, _)| line))
        });
        if line.is_some_and(|line| !next.contains(&line)) {
            let _ = scroller.focus();
            return;
        }
        request_animation_frame(move || self.focus_stop());
    }

    /// Where nothing has the focus, the grid's stop has it; nothing is scrolled for that.
    fn focus_stop(self) {
        let Some(spot) = self.stop.try_get_untracked().flatten() else { return };
        if let Some(element) = web::page::first(&selector(&spot)).filter(|_| nobody_has_focus()) {
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            let _ = element.focus_with_options(&options);
        }
    }

    /// Scrolls to where a photo is and focuses it, unless somebody has gone on meanwhile.
    fn seek(self, spot: Spot, tries: u32) {
        request_animation_frame(move || {
            if !self.has_found(&spot) && tries > 0 {
                self.seek(spot, tries - 1);
            } else {
                let _ = self.view.is_led.try_set_value(false);
            }
        });
    }

    /// True once there is nothing more to do for it.
    fn has_found(self, spot: &Spot) -> bool {
        let is_still = self.view.active.try_with_untracked(|active| active.as_ref() == Some(spot));
        let Some(Some(grid)) = self.scroller.try_get_untracked() else { return true };
        let in_grid = web::page::focused().is_some_and(|focused| grid.contains(Some(&focused)));
        if is_still != Some(true) || !(in_grid || nobody_has_focus()) {
            return true;
        }
        if web::page::focus(&selector(spot)) {
            return true;
        }
        // Meanwhile the grid has the focus, and nobody else takes it for lost.
        let _ = grid.focus();
        let place = self
            .lines
            .with_untracked(|lines| self.view.found.with_untracked(|found| place_of(lines, found, spot)));
        // It may be in no line yet: where something was deleted a moment ago, they are being read.
        if let Some((line, _)) = place {
            let count = self.lines.with_untracked(Vec::len).max(1);
            let by = self.drawn.with_untracked(|drawn| away(&drawn.range, line));
            let height = f64::from(grid.scroll_height()) / count as f64;
            grid.set_scroll_top(grid.scroll_top() + (by as f64 * height) as i32);
        }
        false
    }

    /// How many lines are seen at once, less one.
    fn page(self) -> isize {
        let lines =
            self.scroller.get_untracked().map_or(0.0, |grid| f64::from(grid.client_height()) / LINE_PX);
        (lines as isize - 1).max(1)
    }

    fn key(self, event: &KeyboardEvent) {
        let view = self.view;
        let (key, with_ctrl, with_shift) =
            (event.key(), event.ctrl_key() || event.meta_key(), event.shift_key());
        let spot = spot_of(event.target()).or_else(|| self.stop.get_untracked());
        let photo = spot.as_deref().and_then(photo_at);
        // The box of a photo has the space bar to itself, and a button its keys.
        let is_box =
            event.target().is_some_and(|target| target.dyn_ref::<web_sys::HtmlInputElement>().is_some());
        match (key.as_str(), photo) {
            ("Escape", _) if view.chosen.with_untracked(|chosen| !chosen.is_empty()) => view.choose_none(),
            ("a" | "A", _) if with_ctrl => view.choose_all(),
            (" ", Some(id)) if !is_box => view.choose(id, with_shift),
            _ => {
                let is_rtl = self
                    .scroller
                    .get_untracked()
                    .is_some_and(|grid| grid.matches(":dir(rtl)").unwrap_or(false));
                let Some(way) = Way::of(&key, with_ctrl, is_rtl, self.page()) else { return };
                if event.alt_key() || (with_ctrl && !matches!(way, Way::End(_))) {
                    return;
                }
                event.prevent_default();
                if let Some(spot) = spot {
                    self.go(way, &spot, with_shift);
                }
                return;
            }
        }
        event.prevent_default();
        event.stop_propagation();
    }

    /// Goes where a key leads; with Shift all from where it began are chosen.
    fn go(self, way: Way, from: &str, extends: bool) {
        let view = self.view;
        let column = match way {
            Way::Lines(_) => view.column.get_value(),
            _ => None,
        };
        let at = self
            .lines
            .with_untracked(|lines| view.found.with_untracked(|found| place_of(lines, found, from)));
        let column = column.or_else(|| at.map(|(_, column)| column)).unwrap_or_default();
        let to = self
            .lines
            .with_untracked(|lines| view.found.with_untracked(|found| way.from(lines, found, from, column)));
        let Some(to) = to else { return };
        // Up and down stay in their column, also over a heading or a short line.
        view.column.set_value(matches!(way, Way::Lines(_)).then_some(column));
        if extends {
            if let Some(id) = photo_at(from)
                && view.sweep.with_value(Option::is_none)
            {
                view.begin_sweep(id, false);
            }
            if let Some(id) = photo_at(&to) {
                view.sweep_to(id);
            }
        } else {
            view.sweep.set_value(None);
        }
        view.active.set(Some(to.clone()));
        if let Some(grid) = self.scroller.get_untracked() {
            match way {
                Way::End(is_last) => grid.set_scroll_top(if is_last { grid.scroll_height() } else { 0 }),
                Way::Lines(by) if by.abs() > 1 => {
                    grid.set_scroll_top(grid.scroll_top() + by as i32 * LINE_PX as i32);
                }
                _ => {}
            }
        }
        // Beyond what is in the page it is drawn first; whoever has gone on meanwhile is not called back.
        ui_kit::focus::when_there(move || {
            let is_still = view.active.try_with_untracked(|active| active.as_ref() == Some(&to))?;
            if is_still { web::page::first(&selector(&to)) } else { web::page::focused()?.dyn_into().ok() }
        });
    }
}

/// How many lines a line is away from the middle of those that are in the page.
fn away(drawn: &Range<usize>, line: usize) -> isize {
    let middle = usize::midpoint(drawn.start, drawn.end);
    isize::try_from(line).unwrap_or_default() - isize::try_from(middle).unwrap_or_default()
}

/// What of a spot is focused.
pub fn selector(spot: &str) -> String {
    let spot = spot.replace(['"', '\\'], "");
    format!(r#".photo-line [data-spot="{spot}"] .photo-open, .photo-head button[data-spot="{spot}"]"#)
}

/// The heading of a day or an event: an event's title shows its photos alone; all of them are chosen by one press.
#[component]
fn Head(
    parts: Parts,
    which: Memo<Shown>,
    key: String,
    count: usize,
    row: Memo<Option<usize>>,
) -> impl IntoView {
    let view = parts.view;
    let is_event = key.starts_with('@');
    let now = view.page.wall.now.get_untracked();
    let name = match (which.get_untracked(), key.as_str()) {
        (Shown::Events, _) => view.events.with_untracked(|events| events.title(&key)),
        (_, "") => words::no_date().to_owned(),
        (_, "=") => words::count(count),
        (_, day) => dates::due_label(day, &now),
    };
    let key = StoredValue::new(key);
    let ids = move || -> Vec<String> {
        let range = parts.lines.with(|lines| key.with_value(|key| below(lines, key)));
        view.found
            .with(|found| found.get(range).unwrap_or_default().iter().map(|cell| cell.id.clone()).collect())
    };
    let are_chosen = memo(move |_| {
        let range = parts.lines.with(|lines| key.with_value(|key| below(lines, key)));
        view.found.with(|found| {
            let these = found.get(range).unwrap_or_default();
            view.chosen.with(|chosen| !these.is_empty() && these.iter().all(|cell| chosen.contains(&cell.id)))
        })
    });
    let spot = move |button: usize| key.with_value(|key| of_head(key, button));
    let is_stop = move |button: usize| {
        let spot = spot(button);
        memo(move |_| parts.stop.with(|stop| stop.as_ref() == Some(&spot)))
    };
    let stops = move |button: usize| {
        let is_stop = is_stop(button);
        move || if is_stop.get() { "0" } else { "-1" }
    };
    let open = {
        let name = name.clone();
        move |_| {
            let ids = view.events.with_untracked(|events| {
                key.with_value(|key| events.of_key(key).map(|event| event.ids.clone()))
            });
            if let Some(ids) = ids {
                view.focus.show_titled(name.clone(), ids);
                ui_kit::focus::when_there(|| web::page::first(".photo-filters button"));
            }
        }
    };
    let choose = if which.get_untracked() == Shown::Events && is_event {
        words::choose_event()
    } else if key.with_value(|key| key == "=") {
        words::choose_all()
    } else {
        words::choose_day()
    };
    let label = words::choose_group(choose, &name, count);
    let last = usize::from(is_event);
    view! {
        <div class="photo-head" role="row" aria-rowindex=row>
            <div class="photo-head-cell" role="gridcell" aria-colspan=COLUMNS>
                <h3 class="photo-day">
                    {if is_event {
                        view! {
                            <button
                                type="button"
                                class="text-button photo-event"
                                data-testid="photo-event"
                                data-spot=spot(0)
                                tabindex=stops(0)
                                on:click=open
                            >
                                {name}
                            </button>
                            " "
                            <span class="hint">{words::count(count)}</span>
                        }
                            .into_any()
                    } else {
                        name.into_any()
                    }}
                </h3>
                <button
                    type="button"
                    class="text-button photo-choose-day"
                    data-testid="photo-choose-day"
                    data-spot=spot(last)
                    tabindex=stops(last)
                    aria-label=label
                    aria-pressed=move || are_chosen.get().to_string()
                    on:click=move |_| view.choose_these(untrack(ids))
                >
                    {choose}
                </button>
            </div>
        </div>
    }
}

/// A photo of the grid: a press opens it, one with a key held chooses it.
#[component]
pub fn Thumb(
    view: View,
    cell: Cell,
    /// Its place in the line, from 1.
    column: usize,
    /// Whether the Tab key stops here.
    #[prop(into)]
    is_stop: Signal<bool>,
    /// Whether it is a cell of the grid.
    #[prop(default = true)]
    in_grid: bool,
) -> impl IntoView {
    let id = StoredValue::new(cell.id.clone());
    let is_chosen = memo(move |_| view.chosen.with(|chosen| id.with_value(|id| chosen.contains(id))));
    let day = words::day(&cell, &view.page.wall.now.get_untracked());
    let spoken = words::spoken(&cell, &day);
    let spoken_for_choice = words::choose_this(&spoken);
    let picture = if cell.no_file {
        view! { <NoFile name=cell.name.clone() /> }.into_any()
    } else if cell.thumb.is_empty() {
        view! { <span class="photo-none" dir="auto">{cell.name.clone()}</span> }.into_any()
    } else {
        view! { <img src=Cell::address(&cell.thumb) alt="" loading="lazy" decoding="async" draggable="false" /> }.into_any()
    };
    // Of a press that ended a sweep nothing more comes.
    let press = move |event: MouseEvent| {
        if view.swept.get_value() {
            view.swept.set_value(false);
            event.prevent_default();
            return;
        }
        if event.shift_key() || event.ctrl_key() || event.meta_key() {
            id.with_value(|id| view.choose(id, event.shift_key()));
        } else {
            view.large.set(Some(id.get_value()));
        }
    };
    let check = move |event: MouseEvent| {
        if view.swept.get_value() {
            view.swept.set_value(false);
            event.prevent_default();
            return;
        }
        id.with_value(|id| view.choose(id, event.shift_key()));
        // The browser has turned it by itself: of a range it stays chosen.
        let is_chosen = view.chosen.with_untracked(|chosen| id.with_value(|id| chosen.contains(id)));
        if let Some(field) = event.target().and_then(|at| at.dyn_into::<web_sys::HtmlInputElement>().ok()) {
            field.set_checked(is_chosen);
        }
    };
    view! {
        <div
            class="photo-cell"
            class:photo-is-chosen=is_chosen
            data-testid="photo-cell"
            data-spot=of_photo(&cell.id)
            role=in_grid.then_some("gridcell")
            aria-colindex=in_grid.then_some(column)
            aria-selected=move || in_grid.then(|| is_chosen.get().to_string())
        >
            <button
                type="button"
                class="photo-open"
                aria-label=spoken
                tabindex=move || if is_stop.get() { "0" } else { "-1" }
                on:click=press
            >
                {picture}
            </button>
            <input
                type="checkbox"
                class="photo-check"
                data-testid="photo-check"
                aria-label=spoken_for_choice
                // In the grid the space bar chooses.
                tabindex=in_grid.then_some("-1")
                prop:checked=is_chosen
                on:click=check
            />
        </div>
    }
}

/// What stands in the place of a picture whose file is not on this device.
#[component]
fn NoFile(name: String) -> impl IntoView {
    view! {
        <span class="photo-no-file" data-testid="photo-no-file">
            {Icon::Picture.draw()}
            <span class="photo-no-file-name" dir="auto">{name}</span>
            <span>{words::no_file()}</span>
        </span>
    }
}

/// What a cell shows and is called by, without its words: another one is drawn anew.
fn look_of(cell: &Cell) -> String {
    let Cell { id, thumb, looked_at, no_file, faces, stars, .. } = cell;
    let mut look = format!("{id} {thumb} {looked_at} {no_file} {} {stars}", faces.unwrap_or_default());
    for part in [&cell.place].into_iter().chain(&cell.people).chain(&cell.tags) {
        look.push('\n');
        look += part;
    }
    look
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_away_from_what_is_drawn_by_so_many_lines() {
        assert_eq!(
            [away(&(0..20), 5_000), away(&(4_990..5_010), 5_000), away(&(100..120), 0)],
            [4_990, 0, -110]
        );
    }
}
