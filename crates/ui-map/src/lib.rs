//! The map of the world in the page: coasts and borders that are files of the app (ADR 0065), on which others put markers and lines.
//!
//! Start at [`world`], which draws it, and at [`Map`], which is what its owner works with once it is there. The map is a part of the page of
//! its own: two panels use it, and what two parts share would lie in the page's first file (ADR 0044).
//!
//! What it does not know: photos, trips, and what a marker is for.

mod geo;
mod leaflet;
mod outlines;
mod tiles;
mod words;
mod world;

use std::rc::Rc;

use leptos::prelude::*;
use ui_kit::parts::{part, place};
use web::http::{self, NO_HEADERS};
use web_sys::{Element, HtmlElement};

pub use geo::{LatLon, Sight, bounds};
pub use tiles::Tiles;

/// Leaflet itself. As a script and not as a module: a program in wasm can import none without JavaScript written for it.
const SCRIPT: &str = "photo/leaflet.js";

/// Land and borders.
const OUTLINES: &str = "photo/outlines.json";

/// Fetches what a map needs, for the worker to keep it: then there is a map without a network, too.
pub async fn keep() {
    for path in [SCRIPT, OUTLINES] {
        // What cannot be had now comes with the map.
        drop(http::answered(http::guarded(path), "GET", NO_HEADERS, &[]).await);
    }
}

/// A map that is drawn. Behind a pointer: what does it lies in the map's part of the page.
pub trait Map {
    /// The element it is in.
    fn element(&self) -> &HtmlElement;
    /// Looks at a point.
    fn look(&self, sight: Sight);
    /// Looks at all between two corners, but not nearer than this zoom.
    fn look_at_all(&self, corners: [LatLon; 2], nearest: u32);
    /// What it looks at.
    fn sight(&self) -> Sight;
    /// Where a point is on the whole map at zoom 0, in pixels to the right and down.
    fn on_map(&self, at: LatLon) -> [f64; 2];
    /// Whether the last press of the mouse or a finger moved it.
    fn was_dragged(&self) -> bool;
    /// Puts an element on it whose middle is at a point; `size_px` is how wide and high it is.
    fn put(&self, element: &Element, at: LatLon, size_px: u32) -> OnMap;
    /// Draws lines on it. Their colour is that of `class` in the style sheet.
    fn draw(&self, lines: &[Vec<LatLon>], class: &str) -> OnMap;
}

/// Something that stands on a map, as long as this lives.
pub struct OnMap(Option<Box<dyn FnOnce()>>);

impl Drop for OnMap {
    fn drop(&mut self) {
        if let Some(take_off) = self.0.take() {
            take_off();
        }
    }
}

/// A map as its owner holds it, from before it is drawn. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Holder {
    map: StoredValue<Option<Rc<dyn Map>>, LocalStorage>,
    is_drawn: RwSignal<bool>,
    /// Grows whenever it was moved, or is seen nearer or farther.
    pub moved: RwSignal<u32>,
}

impl Holder {
    /// Nothing is drawn yet.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "signals belong to whoever makes them: nothing is made unasked"
    )]
    pub fn new() -> Self {
        Self { map: StoredValue::new_local(None), is_drawn: RwSignal::new(false), moved: RwSignal::new(0) }
    }

    /// The map, once it is drawn. Followed.
    #[must_use]
    pub fn map(self) -> Option<Rc<dyn Map>> {
        if self.is_drawn.get() { self.map.get_value() } else { None }
    }

    /// The map, if it is drawn now. Not followed.
    #[must_use]
    pub fn now(self) -> Option<Rc<dyn Map>> {
        self.map.try_get_value().flatten()
    }
}

/// What a map is asked for with.
#[derive(Clone)]
pub struct Asked {
    /// What a screen reader says of it, with where the same is said in words.
    pub label: &'static str,
    /// Its name for the tests.
    pub testid: &'static str,
    /// Whose tiles are shown; nobody's where the person named none.
    pub tiles: Option<Tiles>,
    /// Is told while none of them comes.
    pub no_tiles: RwSignal<bool>,
    /// Who holds the map.
    pub holder: Holder,
    /// There is no map: it could not be had, or not be drawn.
    pub missing: Callback<()>,
}

part! {
    map,
    /// The map, with what it was asked for in its context.
    fn map_world() -> fn() -> AnyView {
        || view! { <world::World /> }.into_any()
    }
}

/// A map of the world.
#[component]
pub fn World(
    /// What it is asked for with.
    asked: Asked,
) -> impl IntoView {
    let missing = asked.missing;
    provide_context(asked);
    place(move || async move {
        let had = map_world().await;
        if had.is_err() {
            missing.try_run(());
        }
        had
    })
}
