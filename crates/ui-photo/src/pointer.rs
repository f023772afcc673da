//! A pointer drawn over the grid chooses what it is drawn over: a mouse at once, a finger once it has rested, because a finger that moves at
//! once scrolls.

use leptos::ev::PointerEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

use crate::choice::photo_at;
use crate::view::View;

/// So far a mouse moves before it draws, in CSS pixels.
const MOUSE_PX: f64 = 8.0;

/// So far a finger may slip while it rests.
const FINGER_PX: f64 = 10.0;

/// So long a finger rests, in milliseconds.
const REST_MS: u64 = 450;

/// So soon after it the browser tells of a press, in milliseconds.
const AFTER_MS: u64 = 60;

/// So near an edge the grid scrolls, and so far a frame, in CSS pixels.
const EDGE_PX: f64 = 48.0;
const STEP_PX: i32 = 10;

/// A pointer that is down.
#[derive(Clone, Debug, Default)]
struct Press {
    /// Which press since the grid was drawn.
    number: u32,
    pointer: i32,
    /// The photo it began at.
    id: String,
    x: f64,
    y: f64,
    is_mouse: bool,
    /// It draws.
    draws: bool,
}

/// The pointer over the grid. Copies are the same.
#[derive(Clone, Copy)]
pub struct Pointer {
    view: View,
    scroller: NodeRef<html::Div>,
    press: StoredValue<Option<Press>>,
    count: StoredValue<u32>,
}

impl Pointer {
    /// None is down.
    pub fn new(view: View, scroller: NodeRef<html::Div>) -> Self {
        Self { view, scroller, press: StoredValue::new(None), count: StoredValue::new(0) }
    }

    /// One goes down.
    pub fn down(self, event: &PointerEvent) {
        self.view.swept.set_value(false);
        // What was drawn before, by keys or by a finger to which a second one comes, is done.
        self.view.sweep.set_value(None);
        let number = self.count.get_value().wrapping_add(1);
        self.count.set_value(number);
        let is_mouse = event.pointer_type() == "mouse";
        let has_keys = event.shift_key() || event.ctrl_key() || event.meta_key();
        let at = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let id = at.and_then(|element| photo_of(&element));
        // A second finger means something else.
        let (Some(id), true, false) = (id, event.is_primary() && event.button() == 0, has_keys) else {
            self.press.set_value(None);
            return;
        };
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        self.press.set_value(Some(Press {
            number,
            pointer: event.pointer_id(),
            id,
            x,
            y,
            is_mouse,
            draws: false,
        }));
        if !is_mouse {
            spawn_local(async move {
                ui_kit::clock::sleep(REST_MS).await;
                let rests = self.press.try_with_value(|press| {
                    press.as_ref().is_some_and(|press| press.number == number && !press.draws)
                });
                if rests == Some(true) {
                    self.begin();
                }
            });
        }
    }

    /// It moves.
    pub fn moved(self, event: &PointerEvent) {
        let Some(press) = self.press.get_value().filter(|press| press.pointer == event.pointer_id()) else {
            return;
        };
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let moved = (x - press.x).hypot(y - press.y);
        match (press.draws, press.is_mouse) {
            (false, true) if moved > MOUSE_PX => self.begin(),
            (false, false) if moved > FINGER_PX => {
                self.press.set_value(None);
                return;
            }
            (false, _) => return,
            (true, _) => {}
        }
        self.press.update_value(|press| {
            if let Some(press) = press {
                (press.x, press.y) = (x, y);
            }
        });
        self.draw();
    }

    /// It goes up, or the browser takes it.
    pub fn up(self) {
        let drew = self.press.with_value(|press| press.as_ref().is_some_and(|press| press.draws));
        self.press.set_value(None);
        if drew {
            self.view.sweep.set_value(None);
            self.view.swept.set_value(true);
            let swept = self.view.swept;
            // The press that may follow comes at once; the next one by a key is one of its own.
            spawn_local(async move {
                ui_kit::clock::sleep(AFTER_MS).await;
                let _gone = swept.try_update_value(|swept| *swept = false);
            });
        }
    }

    /// While it draws, nothing scrolls, and a finger that rests opens no menu.
    pub fn holds_back(self, event: &Event) {
        let holds = self.press.with_value(|press| {
            press
                .as_ref()
                .is_some_and(|press| press.draws || (!press.is_mouse && event.type_() == "contextmenu"))
        });
        if holds {
            event.prevent_default();
        }
    }

    fn begin(self) {
        let Some(press) = self.press.get_value() else { return };
        self.press.set_value(Some(Press { draws: true, ..press.clone() }));
        if let Some(grid) = self.scroller.get_untracked() {
            let _ = grid.set_pointer_capture(press.pointer);
        }
        self.view.begin_sweep(&press.id, true);
        self.view.sweep_to(&press.id);
        self.scroll();
    }

    /// As far as the photo under it.
    fn draw(self) {
        let Some(press) = self.press.get_value().filter(|press| press.draws) else { return };
        let document = web::page::document();
        let under = document.and_then(|document| document.element_from_point(press.x as f32, press.y as f32));
        if let Some(id) = under.and_then(|element| photo_of(&element)) {
            self.view.sweep_to(&id);
        }
    }

    /// At an edge the grid scrolls on, frame by frame, for as long as it draws.
    fn scroll(self) {
        request_animation_frame(move || {
            let Some(press) = self.press.try_get_value().flatten().filter(|press| press.draws) else {
                return;
            };
            let Some(grid) = self.scroller.try_get_untracked().flatten() else { return };
            let edges = grid.get_bounding_client_rect();
            let by = if press.y < edges.top() + EDGE_PX {
                -STEP_PX
            } else if press.y > edges.bottom() - EDGE_PX {
                STEP_PX
            } else {
                0
            };
            if by != 0 {
                grid.set_scroll_top(grid.scroll_top() + by);
                self.draw();
            }
            self.scroll();
        });
    }
}

/// The id of the photo that an element is of.
fn photo_of(element: &Element) -> Option<String> {
    let spot = element.closest(".photo-cell[data-spot]").ok()??.get_attribute("data-spot")?;
    photo_at(&spot).map(str::to_owned)
}
