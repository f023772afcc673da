//! The map as it is drawn: Leaflet over outlines, how it comes, and what is said where it cannot be had.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::memo;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web::http::{self, NO_HEADERS, ReferrerPolicy, RequestBuilder, RequestCredentials, RequestRedirect};
use web_sys::{Blob, Element, HtmlElement, HtmlImageElement, ResizeObserver, Url};

use crate::geo::{LatLon, Sight};
use crate::leaflet::{self, Layer};
use crate::outlines::Outlines;
use crate::tiles::Tiles;
use crate::{Asked, Map, OnMap, words};

/// How near the map goes: outlines are rough, tiles are not.
const NEAREST: u32 = 12;
const NEAREST_WITH_TILES: u32 = 18;

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Coming,
    Drawn,
    Failed,
}

/// A map that is drawn, and what lives as long.
struct Drawn {
    map: leaflet::Map,
    element: HtmlElement,
    _moved: Closure<dyn Fn()>,
    _resized: Closure<dyn Fn()>,
    _tile: Option<Closure<dyn Fn(JsValue) -> HtmlElement>>,
    sizes: Option<ResizeObserver>,
}

impl Drop for Drawn {
    fn drop(&mut self) {
        if let Some(sizes) = &self.sizes {
            sizes.disconnect();
        }
        // Its element is gone, or goes: nothing is to be done about what it throws.
        let _ = self.map.remove();
    }
}

/// The map that is asked for in the context.
#[component]
pub fn World() -> impl IntoView {
    let Asked { label, testid, tiles, no_tiles, holder, missing } = expect_context::<Asked>();
    let (place, state, tries) =
        (NodeRef::<html::Div>::new(), RwSignal::new(State::Coming), RwSignal::new(0_u32));
    no_tiles.set(false);
    let tiles = StoredValue::new(tiles);
    let moved = move || {
        let _gone = holder.moved.try_update(|moved| *moved = moved.wrapping_add(1));
    };
    ui_kit::effect(move |_| {
        tries.track();
        let Some(element) = place.get() else { return };
        spawn_local(async move {
            let made = match leaflet::load().await {
                Ok(world) => {
                    Drawn::make(&element, &world, tiles.try_get_value().flatten(), no_tiles, Rc::new(moved))
                }
                Err(()) => None,
            };
            // Whoever has gone on to something else has no place for it: then it is taken out again.
            let Some(made) = made.filter(|_| !state.is_disposed()) else {
                if state.try_set(State::Failed).is_none() {
                    let _gone = missing.try_run(());
                }
                return;
            };
            let made: Rc<dyn Map> = Rc::new(made);
            drop(holder.map.try_set_value(Some(made)));
            let _gone = state.try_set(State::Drawn);
            let _gone = holder.is_drawn.try_set(true);
        });
    });
    on_cleanup(move || {
        let _gone = holder.is_drawn.try_set(false);
        drop(holder.map.try_set_value(None));
    });
    let nearer = move |by: f64| {
        if let Some(map) = holder.now() {
            let Sight { at, zoom } = map.sight();
            map.look(Sight { at, zoom: zoom + by });
        }
    };
    let is_drawn = memo(move |_| state.get() == State::Drawn);
    view! {
        <div class="world" class:world-none=move || state.get() == State::Failed>
            <div
                node_ref=place
                class="world-map"
                role="region"
                aria-label=label
                data-testid=testid
                data-drawn=move || is_drawn.get().to_string()
            ></div>
            <Show when=move || is_drawn.get()>
                <div class="world-nearer" role="group" aria-label=words::map_size()>
                    <button type="button" class="button" aria-label=words::nearer() on:click=move |_| nearer(1.0)>"+"</button>
                    <button type="button" class="button" aria-label=words::farther() on:click=move |_| nearer(-1.0)>"−"</button>
                </div>
            </Show>
            <Show when=move || state.get() == State::Coming>
                <p class="world-says" role="status">{words::map_comes()}</p>
            </Show>
            <Show when=move || state.get() == State::Failed>
                <div class="notice notice-bad" role="alert">
                    <p>{words::no_map()}</p>
                    <button
                        type="button"
                        class="button"
                        on:click=move |_| {
                            state.set(State::Coming);
                            tries.update(|tries| *tries += 1);
                        }
                    >
                        {ui_kit::words::try_again()}
                    </button>
                </div>
            </Show>
        </div>
    }
}

impl Drawn {
    /// Draws the world in an element; none where that cannot be done.
    fn make(
        element: &HtmlElement,
        world: &Outlines,
        tiles: Option<Tiles>,
        no_tiles: RwSignal<bool>,
        moved: Rc<dyn Fn()>,
    ) -> Option<Self> {
        let nearest = if tiles.is_some() { NEAREST_WITH_TILES } else { NEAREST };
        // No more than asked for moves: markers are drawn anew at each step.
        let options = json!({
            "attributionControl": false, "zoomControl": false, "boxZoom": false, "zoomAnimation": false, "fadeAnimation": false,
            "inertia": !web::page::matches("(prefers-reduced-motion: reduce)"), "minZoom": 0, "zoomSnap": 0.5, "maxZoom": nearest,
            "maxBounds": [[-85.0, -180.0], [85.0, 180.0]], "maxBoundsViscosity": 1.0,
        });
        let map = leaflet::Map::of(element, &options).ok()?;
        map.look_at([20.0, 0.0], 1.0);
        map.draw(world);
        let tile = tiles.map(|tiles| tile_of(tiles, no_tiles));
        if let Some(tile) = &tile {
            map.put_tiles(tile);
        }
        let moved = Closure::<dyn Fn()>::new(move || moved());
        map.on("moveend", moved.as_ref().unchecked_ref());
        let of = map.clone();
        let resized = Closure::<dyn Fn()>::new(move || of.resized());
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(sizes) = &sizes {
            sizes.observe(element);
        }
        Some(Self { map, element: element.clone(), _moved: moved, _resized: resized, _tile: tile, sizes })
    }
}

/// What takes a layer off its map.
fn standing(layer: Layer) -> OnMap {
    OnMap(Some(Box::new(move || layer.take_off())))
}

impl Map for Drawn {
    fn element(&self) -> &HtmlElement {
        &self.element
    }

    fn look(&self, Sight { at, zoom }: Sight) {
        self.map.look_at(at, zoom);
    }

    fn look_at_all(&self, corners: [LatLon; 2], nearest: u32) {
        self.map.look_at_all(corners, nearest);
    }

    fn sight(&self) -> Sight {
        Sight { at: self.map.middle(), zoom: self.map.zoom() }
    }

    fn on_map(&self, at: LatLon) -> [f64; 2] {
        self.map.on_map(at)
    }

    fn was_dragged(&self) -> bool {
        self.map.was_dragged()
    }

    fn put(&self, element: &Element, at: LatLon, size_px: u32) -> OnMap {
        standing(self.map.put(element, at, size_px))
    }

    fn draw(&self, lines: &[Vec<LatLon>], class: &str) -> OnMap {
        standing(self.map.draw_lines(lines, class))
    }
}

/// What gives the tiles of a server. They are fetched and not named in a picture's address: the page's policy lets it read from where
/// the person says, and show pictures of its own alone (docs/adr/0065-a-map-without-a-network.md).
fn tile_of(tiles: Tiles, no_tiles: RwSignal<bool>) -> Closure<dyn Fn(JsValue) -> HtmlElement> {
    // One that does not come is a hole in the map; as long as none comes, that is said.
    let has_come = Rc::new(Cell::new(false));
    Closure::new(move |at: JsValue| {
        let part = |name: &str| web::value::number(&at, name).unwrap_or_default() as i32;
        let address = tiles.address(["z", "x", "y"].map(part));
        let image = HtmlImageElement::new().unwrap_or_else(|error| wasm_bindgen::throw_val(error));
        image.set_alt("");
        let (into, has_come) = (image.clone(), Rc::clone(&has_come));
        spawn_local(async move {
            let is_here = show_tile(&into, &address).await.is_some();
            has_come.set(has_come.get() || is_here);
            let _gone = no_tiles.try_set(!has_come.get());
        });
        image.unchecked_into()
    })
}

/// Fetches a tile, with nothing but its numbers, and shows it.
async fn show_tile(image: &HtmlImageElement, address: &str) -> Option<()> {
    let request = RequestBuilder::new(address)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .credentials(RequestCredentials::Omit)
        .redirect(RequestRedirect::Error);
    let answer = http::answered(request, "GET", NO_HEADERS, &[]).await.ok().filter(http::Response::ok)?;
    let bytes = Uint8Array::from(&*answer.binary().await.ok()?);
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&bytes)).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let is_shown = leaflet::loaded(image, || image.set_src(&address)).await;
    let _ = Url::revoke_object_url(&address);
    is_shown.then_some(())
}
