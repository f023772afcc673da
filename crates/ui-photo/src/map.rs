//! The map of the world with a marker for photos that stand together. What it draws with comes when it is opened.

use std::cell::{Cell as Kept, RefCell};
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
use web::listener::Listener;
use web_sys::{Blob, Element, HtmlElement, HtmlImageElement, MouseEvent, ResizeObserver, Url};

use crate::found::Focus;
use crate::leaflet::{self, Layer, Map};
use crate::library::Cell;
use crate::spots::{Marker, Outlines, Point, Sight, Tiles, bounds, clusters, points};
use crate::words;

/// How large a marker is: what a finger can hit, in CSS pixels.
const MARKER_PX: u32 = 44;

/// How near the map goes: outlines are rough, tiles are not.
const NEAREST: u32 = 12;
const NEAREST_WITH_TILES: u32 = 18;

/// How near it goes by itself: a country around what is seen.
const AT_FIRST: u32 = 6;

/// How near one photo is shown.
const ONE_PHOTO: f64 = 9.0;
const ONE_PHOTO_WITH_TILES: f64 = 15.0;

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Coming,
    Drawn,
    Failed,
}

/// A map that is drawn, and what lives as long.
struct Drawn {
    map: Map,
    element: HtmlElement,
    /// The points at which photos were taken, of the photos that were there when they were made.
    points: RefCell<Vec<Point>>,
    markers: RefCell<Vec<Standing>>,
    /// Whether it looks at what it is to look at.
    has_looked: Kept<bool>,
    _moved: Closure<dyn Fn()>,
    _resized: Closure<dyn Fn()>,
    _tile: Option<Closure<dyn Fn(JsValue) -> HtmlElement>>,
    sizes: Option<ResizeObserver>,
}

/// A marker that stands on the map.
struct Standing {
    says: Marker,
    layer: Layer,
    button: Element,
    _pressed: Listener,
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

/// What the map tells. Copies are the same.
#[derive(Clone, Copy)]
struct Hears {
    /// Counts how often it was moved.
    moved: RwSignal<u32>,
    /// The names and the ids of the photos of the marker that was pressed.
    open: Callback<(Vec<String>, String)>,
    /// No tile comes.
    no_tiles: RwSignal<bool>,
}

/// The map. Taken anew when the tiles are others.
#[component]
pub fn World(
    /// The photos that may be on it.
    cells: Memo<Vec<Cell>>,
    /// What it looks at, and looked at before.
    focus: Focus,
    /// Whose tiles are shown.
    tiles: Option<Tiles>,
    /// Is told when none of them comes.
    no_tiles: RwSignal<bool>,
    /// Shows photos: their ids, and what they are called together.
    open: Callback<(Vec<String>, String)>,
) -> impl IntoView {
    let (place, state, tries) =
        (NodeRef::<html::Div>::new(), RwSignal::new(State::Coming), RwSignal::new(0_u32));
    let drawn = StoredValue::new_local(None::<Rc<Drawn>>);
    let hears = Hears { moved: RwSignal::new(0), open, no_tiles };
    no_tiles.set(false);
    let is_tiled = tiles.is_some();
    let tiles = StoredValue::new(tiles);
    ui_kit::effect(move |_| {
        tries.track();
        let Some(element) = place.get() else { return };
        spawn_local(async move {
            let made = match leaflet::load().await {
                Ok(world) => Drawn::make(&element, &world, tiles.try_get_value().flatten(), hears),
                Err(()) => None,
            };
            let is_made = made.is_some();
            if !is_made && focus.on_map.with_untracked(Option::is_some) {
                // Without a map there is the list of places.
                focus.on_map.set(None);
                web::page::focus(".photo-place");
            }
            // Whoever has gone on to something else has no place for it: then it is taken out again.
            drop(drawn.try_set_value(made.map(Rc::new)));
            let _gone = state.try_set(if is_made { State::Drawn } else { State::Failed });
        });
    });
    // Photos, and where they are on the whole map.
    ui_kit::effect(move |_| {
        if state.get() != State::Drawn {
            return;
        }
        let Some(drawn) = drawn.get_value() else { return };
        cells.with(|cells| *drawn.points.borrow_mut() = points(cells, |at| drawn.map.on_map(at)));
        drawn.look(focus, is_tiled);
        hears.moved.update(|moved| *moved += 1);
    });
    ui_kit::effect(move |_| {
        hears.moved.track();
        let Some(drawn) = drawn.get_value() else { return };
        cells.with_untracked(|cells| drawn.stand(cells, hears));
        if !drawn.has_looked.get() {
            return;
        }
        focus.sight.set(Some(drawn.sight()));
        if let Some((photo, _)) = focus.on_map.get_untracked() {
            // Once: where it is not among those that are shown, nothing takes the focus later.
            focus.on_map.set(None);
            drawn.point_out(&photo);
        }
    });
    let nearer = move |by: f64| {
        if let Some(drawn) = drawn.get_value() {
            drawn.map.nearer(by);
        }
    };
    let is_drawn = memo(move |_| state.get() == State::Drawn);
    view! {
        <div class="photo-world" class:photo-world-none=move || state.get() == State::Failed>
            <div
                node_ref=place
                class="photo-map"
                role="region"
                aria-label=words::map()
                data-testid="photo-map"
                data-drawn=move || is_drawn.get().to_string()
            ></div>
            <Show when=move || is_drawn.get()>
                <div class="photo-nearer" role="group" aria-label=words::map_size()>
                    <button type="button" class="button" aria-label=words::nearer() on:click=move |_| nearer(1.0)>"+"</button>
                    <button type="button" class="button" aria-label=words::farther() on:click=move |_| nearer(-1.0)>"−"</button>
                </div>
            </Show>
            <Show when=move || state.get() == State::Coming>
                <p class="photo-map-says" role="status">{words::map_comes()}</p>
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
    fn make(element: &HtmlElement, world: &Outlines, tiles: Option<Tiles>, hears: Hears) -> Option<Self> {
        let nearest = if tiles.is_some() { NEAREST_WITH_TILES } else { NEAREST };
        // No more than asked for moves: markers are drawn anew at each step.
        let options = json!({
            "attributionControl": false, "zoomControl": false, "boxZoom": false, "zoomAnimation": false, "fadeAnimation": false,
            "inertia": !web::page::matches("(prefers-reduced-motion: reduce)"), "minZoom": 0, "zoomSnap": 0.5, "maxZoom": nearest,
            "maxBounds": [[-85.0, -180.0], [85.0, 180.0]], "maxBoundsViscosity": 1.0,
        });
        let map = Map::of(element, &options).ok()?;
        map.look_at([20.0, 0.0], 1.0);
        map.draw(world);
        let tile = tiles.map(|tiles| tile_of(tiles, hears.no_tiles));
        if let Some(tile) = &tile {
            map.put_tiles(tile);
        }
        let moved = Closure::<dyn Fn()>::new(move || {
            let _gone = hears.moved.try_update(|moved| *moved += 1);
        });
        map.on("moveend", moved.as_ref().unchecked_ref());
        let of = map.clone();
        let resized = Closure::<dyn Fn()>::new(move || of.resized());
        let sizes = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(sizes) = &sizes {
            sizes.observe(element);
        }
        Some(Self {
            map,
            element: element.clone(),
            points: RefCell::default(),
            markers: RefCell::default(),
            has_looked: Kept::new(false),
            _moved: moved,
            _resized: resized,
            _tile: tile,
            sizes,
        })
    }

    /// Looks at the photo that is to be pointed out, else at what it looked at before, else at all photos.
    fn look(&self, focus: Focus, is_tiled: bool) {
        if self.has_looked.replace(true) {
            return;
        }
        let photo = focus
            .on_map
            .get_untracked()
            .map(|(_, at)| Sight { at, zoom: if is_tiled { ONE_PHOTO_WITH_TILES } else { ONE_PHOTO } });
        match photo.or(focus.sight.get_untracked()) {
            Some(Sight { at, zoom }) => self.map.look_at(at, zoom),
            None => {
                if let Some(corners) = bounds(&self.points.borrow()) {
                    self.map.look_at_all(corners, AT_FIRST);
                }
            }
        }
    }

    fn sight(&self) -> Sight {
        Sight { at: self.map.middle(), zoom: self.map.zoom() }
    }

    /// Has the markers stand that are to be seen, and no others.
    fn stand(&self, cells: &[Cell], hears: Hears) {
        let (middle, zoom) = (self.map.on_map(self.map.middle()), self.map.zoom());
        let size = [self.element.client_width(), self.element.client_height()].map(f64::from);
        let found = clusters(&self.points.borrow(), zoom);
        let seen = found.iter().filter(|cluster| cluster.is_seen(middle, zoom, size));
        let mut says: Vec<Marker> = seen.map(|cluster| Marker::of(cluster, cells)).collect();
        // Whoever goes from one to the next by keyboard comes to the most photos first.
        order::sort_by(&mut says, |one, other| other.photos.len().cmp(&one.photos.len()));
        let mut markers = self.markers.borrow_mut();
        if markers.iter().map(|standing| &standing.says).eq(&says) {
            return;
        }
        let had_focus = web::page::focused().is_some_and(|on| markers.iter().any(|one| one.button == on));
        markers.drain(..).for_each(|standing| standing.layer.take_off());
        markers.extend(says.into_iter().filter_map(|says| self.standing(says, hears)));
        if had_focus {
            let _ = self.element.focus();
        }
    }

    /// A marker: a button with a small picture and the number of photos.
    fn standing(&self, says: Marker, hears: Hears) -> Option<Standing> {
        let document = web::page::document()?;
        let made = |name: &str, class: &str| {
            let element = document.create_element(name).ok()?;
            element.set_class_name(class);
            Some(element)
        };
        let button = made("button", "photo-spot")?;
        let count = says.photos.len();
        for (name, value) in [
            ("type", "button"),
            ("data-testid", "photo-spot"),
            ("aria-label", &words::photos_of(&says.name, count)),
            ("title", &says.name),
        ] {
            button.set_attribute(name, value).ok()?;
        }
        if !says.thumb.is_empty() {
            let image = made("img", "")?;
            for (name, value) in [("src", &*Cell::address(&says.thumb)), ("alt", ""), ("draggable", "false")]
            {
                image.set_attribute(name, value).ok()?;
            }
            button.append_child(&image).ok()?;
        }
        let number = made("span", "photo-spot-count")?;
        number.set_text_content(Some(&ui_kit::locale::number(count)));
        button.append_child(&number).ok()?;
        let layer = self.map.put(&button, says.at, MARKER_PX);
        let (map, photos, name) = (self.map.clone(), says.photos.clone(), says.name.clone());
        let pressed = Listener::on(&button, "click", move |event: MouseEvent| {
            // Where the map was drawn along by a marker, that was no press of it; a key has no such past.
            if event.detail() == 0 || !map.was_dragged() {
                hears.open.run((photos.clone(), name.clone()));
            }
        });
        Some(Standing { says, layer, button, _pressed: pressed })
    }

    /// Brings the focus to the marker of a photo, or to the map where it has none.
    fn point_out(&self, photo: &String) {
        let markers = self.markers.borrow();
        let found = markers.iter().find(|standing| standing.says.photos.contains(photo));
        let button = found.and_then(|standing| standing.button.dyn_ref::<HtmlElement>());
        let _ = button.unwrap_or(&self.element).focus();
    }
}

/// What gives the tiles of a server. They are fetched and not named in a picture's address: the page's policy lets it read from where
/// the person says, and show pictures of its own alone (docs/adr/0065-a-map-without-a-network.md).
fn tile_of(tiles: Tiles, no_tiles: RwSignal<bool>) -> Closure<dyn Fn(JsValue) -> HtmlElement> {
    // One that does not come is a hole in the map; as long as none comes, that is said.
    let has_come = Rc::new(Kept::new(false));
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
