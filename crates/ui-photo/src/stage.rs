//! The picture in the large view, under the hand: a swipe goes to the next one, two fingers, the wheel with Ctrl and a double tap make it larger,
//! and what is larger is moved about. Keys and buttons do the same (see [`crate::lightbox`]).

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::html;
use leptos::prelude::*;
use ui_kit::{Icon, memo};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

use crate::folders::Full;
use crate::library::Cell;
use crate::people::{Frame, Frames};
use crate::view::View;
use crate::words;
use crate::zoom::{Sizes, Zoom};

/// So far a finger goes to the side for the next photo, in CSS pixels.
const SWIPE_PX: f64 = 60.0;

/// So far a tap may slip, in CSS pixels; two are as near as three times that.
const TAP_PX: f64 = 10.0;

/// So soon after each other two taps are one double tap, in milliseconds.
const TAP_MS: f64 = 320.0;

/// As large as a double tap makes it.
const TAP_TIMES: f64 = 2.5;

/// By how much keys, buttons and a turn of the wheel make it larger.
const STEP: f64 = 1.4;

/// What is down on the picture.
#[derive(Clone, Debug, Default)]
struct Hand {
    /// The pointers and where they are.
    down: Vec<(i32, [f64; 2])>,
    /// Where the first went down.
    from: [f64; 2],
    /// There were two at once: what ends is no swipe and no tap.
    were_two: bool,
    is_mouse: bool,
    /// When and where the last tap was.
    tap: Option<(f64, [f64; 2])>,
}

/// The picture as it lies. Copies are the same.
#[derive(Clone, Copy)]
pub struct Lying {
    /// How.
    pub zoom: RwSignal<Zoom>,
    /// So far a finger has pulled it to the side.
    pulled: RwSignal<f64>,
    frame: NodeRef<html::Div>,
    picture: NodeRef<html::Div>,
    hand: StoredValue<Hand>,
}

impl Lying {
    /// The whole picture.
    pub fn new() -> Self {
        Self {
            zoom: RwSignal::new(Zoom::WHOLE),
            pulled: RwSignal::new(0.0),
            frame: NodeRef::new(),
            picture: NodeRef::new(),
            hand: StoredValue::new(Hand::default()),
        }
    }

    /// Another photo is seen: the whole of it.
    pub fn lie_flat(self) {
        if self.zoom.get_untracked() != Zoom::WHOLE {
            self.zoom.set(Zoom::WHOLE);
        }
        if self.pulled.get_untracked() != 0.0 {
            self.pulled.set(0.0);
        }
        // What was down was on the one before: no swipe goes on, and no second tap comes.
        self.hand.set_value(Hand::default());
    }

    /// A step larger, or smaller.
    pub fn step(self, larger: bool) {
        self.by(if larger { STEP } else { 1.0 / STEP }, [0.0, 0.0]);
    }

    /// Moves what is larger than its frame; false where all of it is seen.
    pub fn moved(self, by: [f64; 2]) -> bool {
        let zoom = self.zoom.get_untracked();
        if !zoom.is_whole() {
            self.zoom.set(zoom.moved(by, self.sizes()));
        }
        !zoom.is_whole()
    }

    fn by(self, factor: f64, at: [f64; 2]) {
        self.zoom.set(self.zoom.get_untracked().by(factor, at, self.sizes()));
    }

    fn sizes(self) -> Sizes {
        let (Some(frame), Some(picture)) = (self.frame.get_untracked(), self.picture.get_untracked()) else {
            return Sizes::default();
        };
        Sizes {
            // As it is laid out: what makes it larger is drawn and not laid out.
            picture: [f64::from(picture.offset_width()), f64::from(picture.offset_height())],
            frame: [f64::from(frame.client_width()), f64::from(frame.client_height())],
        }
    }

    /// A point of the page, from the middle of the frame.
    fn off_middle(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Some(frame) = self.frame.get_untracked() else { return [0.0, 0.0] };
        let edges = frame.get_bounding_client_rect();
        [x - edges.left() - edges.width() / 2.0, y - edges.top() - edges.height() / 2.0]
    }

    fn down(self, event: &PointerEvent) {
        // A frame around a face is a button of its own.
        let on_button = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if on_button.is_some_and(|element| element.closest("button").is_ok_and(|found| found.is_some())) {
            return;
        }
        if let Some(frame) = self.frame.get_untracked() {
            let _ = frame.set_pointer_capture(event.pointer_id());
        }
        self.hand.update_value(|hand| {
            let at = point(event);
            if hand.down.is_empty() {
                (hand.from, hand.were_two, hand.is_mouse) = (at, false, event.pointer_type() == "mouse");
            }
            hand.down.push((event.pointer_id(), at));
            hand.were_two |= hand.down.len() > 1;
        });
        self.pulled.set(0.0);
    }

    fn drag(self, event: &PointerEvent) {
        let before = self.hand.with_value(|hand| hand.down.clone());
        let Some(place) = before.iter().position(|(id, _)| *id == event.pointer_id()) else { return };
        let (was, now) = (before[place].1, point(event));
        self.hand.update_value(|hand| hand.down[place].1 = now);
        let other = before.iter().find(|(id, _)| *id != event.pointer_id()).map(|(_, at)| *at);
        match other {
            Some(other) => {
                let (apart, before) = (distance(now, other), distance(was, other));
                if before > 0.0 {
                    let middle = [(now[0] + other[0]) / 2.0, (now[1] + other[1]) / 2.0];
                    self.by(apart / before, self.off_middle(middle));
                }
                self.moved([(now[0] - was[0]) / 2.0, (now[1] - was[1]) / 2.0]);
            }
            None if self.moved([now[0] - was[0], now[1] - was[1]]) => {}
            None => {
                let (from, is_swipe) =
                    self.hand.with_value(|hand| (hand.from, !hand.is_mouse && !hand.were_two));
                // It follows the finger; whoever wants nothing to move sees the next one when the finger is lifted.
                if is_swipe && !web::page::matches("(prefers-reduced-motion: reduce)") {
                    self.pulled.set(now[0] - from[0]);
                }
            }
        }
    }

    /// Lifted: where that was a swipe, by how many photos it goes on.
    fn up(self, event: &PointerEvent) -> isize {
        let at = point(event);
        let mut hand = self.hand.get_value();
        if !hand.down.iter().any(|(id, _)| *id == event.pointer_id()) {
            return 0;
        }
        hand.down.retain(|(id, _)| *id != event.pointer_id());
        self.pulled.set(0.0);
        let (mut goes, mut tapped_twice) = (0, false);
        if hand.down.is_empty() && !hand.were_two && event.type_() == "pointerup" {
            let [x, y] = [at[0] - hand.from[0], at[1] - hand.from[1]];
            if x.hypot(y) < TAP_PX {
                let now = event.time_stamp();
                tapped_twice = hand
                    .tap
                    .is_some_and(|(when, before)| now - when < TAP_MS && distance(before, at) < 3.0 * TAP_PX);
                hand.tap = (!tapped_twice).then_some((now, at));
            } else if !hand.is_mouse
                && self.zoom.get_untracked().is_whole()
                && x.abs() > SWIPE_PX
                && x.abs() > 2.0 * y.abs()
            {
                let is_rtl = self
                    .frame
                    .get_untracked()
                    .is_some_and(|frame| frame.matches(":dir(rtl)").unwrap_or(false));
                goes = swiped(x, is_rtl);
            }
        }
        self.hand.set_value(hand);
        if tapped_twice {
            if self.zoom.get_untracked().is_whole() {
                self.by(TAP_TIMES, self.off_middle(at));
            } else {
                self.zoom.set(Zoom::WHOLE);
            }
        }
        goes
    }

    fn wheel(self, event: &WheelEvent) {
        if event.ctrl_key() {
            let factor = (-event.delta_y() / 100.0).exp().clamp(1.0 / STEP, STEP);
            self.by(factor, self.off_middle([f64::from(event.client_x()), f64::from(event.client_y())]));
        } else if !self.moved([-event.delta_x(), -event.delta_y()]) {
            return;
        }
        event.prevent_default();
    }

    /// Two fingers, and one on what is larger, scroll nothing.
    fn holds_back(self, event: &Event) {
        let holds = self.hand.with_value(|hand| hand.down.len() > 1) || !self.zoom.get_untracked().is_whole();
        if holds && event.cancelable() {
            event.prevent_default();
        }
    }
}

/// By how many photos a swipe goes on: the next one comes from where people read on to.
fn swiped(x: f64, is_rtl: bool) -> isize {
    if (x < 0.0) == is_rtl { -1 } else { 1 }
}

fn point(event: &PointerEvent) -> [f64; 2] {
    [f64::from(event.client_x()), f64::from(event.client_y())]
}

fn distance([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> f64 {
    (x - to_x).hypot(y - to_y)
}

/// What is drawn of a photo.
#[derive(Clone, Debug, Default, PartialEq)]
struct Picture {
    id: String,
    width: u32,
    height: u32,
    /// There is none to be drawn.
    no_file: bool,
}

/// The picture, with the frames around its faces.
#[component]
pub fn Stage(
    view: View,
    cell: Memo<Option<Cell>>,
    full: Full,
    lying: Lying,
    named: RwSignal<Option<Frame>>,
    /// Goes so many photos on.
    #[prop(into)]
    go: Callback<isize>,
) -> impl IntoView {
    // Stars and tags draw no picture anew: a photo that is the same keeps its frames, and who has the focus there keeps it.
    let picture = memo(move |_| {
        cell.with(|cell| {
            let cell = cell.as_ref()?;
            Some(Picture {
                id: cell.id.clone(),
                width: cell.width,
                height: cell.height,
                no_file: cell.no_file,
            })
        })
    });
    // By itself: where the file in a folder takes a while, the small picture is seen first, and the frames stay.
    let source = memo(move |_| {
        cell.with(|cell| {
            let cell = cell.as_ref()?;
            if let Some(address) = full.address_of(&cell.id) {
                return Some(address);
            }
            let source = if cell.large.is_empty() { &cell.thumb } else { &cell.large };
            Some(Cell::address(if cell.trouble.is_empty() { source } else { &cell.thumb }))
        })
    });
    let spoken = memo(move |_| {
        cell.with(|cell| {
            let day = |cell| words::day(cell, &view.page.wall.now.get_untracked());
            cell.as_ref().map(|cell| words::spoken(cell, &day(cell)))
        })
    });
    let transform = move || {
        let Zoom { times, x, y } = lying.zoom.get();
        format!("translate({:.1}px, {y:.1}px) scale({times:.3})", x + lying.pulled.get())
    };
    view! {
        <div
            node_ref=lying.frame
            class="photo-stage"
            class:photo-zoomed=move || !lying.zoom.get().is_whole()
            data-testid="photo-stage"
            on:pointerdown=move |event| lying.down(&event)
            on:pointermove=move |event| lying.drag(&event)
            on:pointerup=move |event| {
                let goes = lying.up(&event);
                if goes != 0 {
                    go.run(goes);
                }
            }
            on:pointercancel=move |event| {
                lying.up(&event);
            }
            on:wheel=move |event| lying.wheel(&event)
            on:touchmove=move |event| lying.holds_back(&event)
            on:dragstart=move |event| event.prevent_default()
        >
            <div node_ref=lying.picture class="photo-framed" style:transform=transform>
                {move || {
                    picture
                        .get()
                        .map(|Picture { id, width, height, no_file }| {
                            if no_file {
                                return view! {
                                    <div class="photo-no-file photo-no-file-large" data-testid="photo-no-file-large">
                                        {Icon::Picture.draw()}
                                        <strong>{words::no_file()}</strong>
                                        <span>{words::no_file_hint()}</span>
                                    </div>
                                }
                                    .into_any();
                            }
                            view! {
                                <img src=source alt=spoken width=width height=height draggable="false" />
                                <Frames people=view.people photo=id named />
                            }
                                .into_any()
                        })
                }}
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swipe_goes_on_to_where_people_read_on() {
        assert_eq!([swiped(-80.0, false), swiped(80.0, false)], [1, -1]);
        assert_eq!([swiped(-80.0, true), swiped(80.0, true)], [-1, 1]);
    }
}
