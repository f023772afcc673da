//! What the map is drawn with: of Leaflet what is used here. It is a file of the app beside the nets (`map/README.md`): no page loads it
//! before somebody opens the map, and it is kept from then on.

use std::cell::Cell;
use std::rc::Rc;

use futures::channel::oneshot;
use js_sys::{Array, Function, JSON};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use web::http::{self, NO_HEADERS};
use web::listener::Listener;
use web::value;
use web_sys::{Element, Event, HtmlElement};

use crate::geo::LatLon;
use crate::outlines::Outlines;
use crate::{OUTLINES, SCRIPT};

#[wasm_bindgen]
extern "C" {
    /// A map.
    #[derive(Clone)]
    pub type Map;
    #[wasm_bindgen(catch, js_namespace = L, js_name = map)]
    fn new_map(of: &HtmlElement, options: &JsValue) -> Result<Map, JsValue>;
    #[wasm_bindgen(method, js_name = setView)]
    fn set_view(this: &Map, at: &JsValue, zoom: f64);
    #[wasm_bindgen(method, js_name = fitBounds)]
    fn fit_bounds(this: &Map, bounds: &JsValue, options: &JsValue);
    /// Called whenever it was moved, or seen nearer or farther.
    #[wasm_bindgen(method)]
    pub fn on(this: &Map, event: &str, then: &Function);
    /// How near it is.
    #[wasm_bindgen(method, js_name = getZoom)]
    pub fn zoom(this: &Map) -> f64;
    #[wasm_bindgen(method, js_name = setZoom)]
    fn set_zoom(this: &Map, zoom: f64);
    #[wasm_bindgen(method, js_name = getCenter)]
    fn center(this: &Map) -> JsValue;
    #[wasm_bindgen(method)]
    fn project(this: &Map, at: &JsValue, zoom: f64) -> JsValue;
    /// Its element has another size.
    #[wasm_bindgen(method, js_name = invalidateSize)]
    pub fn resized(this: &Map);
    /// Takes it out of its element.
    #[wasm_bindgen(method, catch)]
    pub fn remove(this: &Map) -> Result<(), JsValue>;

    /// Something on a map.
    pub type Layer;
    #[wasm_bindgen(js_namespace = L, js_name = polygon)]
    fn new_polygon(rings: &JsValue, options: &JsValue) -> Layer;
    #[wasm_bindgen(js_namespace = L, js_name = polyline)]
    fn new_line(lines: &JsValue, options: &JsValue) -> Layer;
    #[wasm_bindgen(js_namespace = L, js_name = marker)]
    fn new_marker(at: &JsValue, options: &JsValue) -> Layer;
    #[wasm_bindgen(js_namespace = L, js_name = gridLayer)]
    fn new_tiles(options: &JsValue) -> Layer;
    #[wasm_bindgen(method, js_name = addTo)]
    fn add_to(this: &Layer, map: &Map);
    /// Takes it off its map.
    #[wasm_bindgen(method, js_name = remove)]
    pub fn take_off(this: &Layer);

    #[wasm_bindgen(js_namespace = L, js_name = divIcon)]
    fn new_icon(options: &JsValue) -> JsValue;
}

/// Loads what a map needs.
///
/// # Errors
/// When it cannot be had: there is no network, and it was never there before.
pub async fn load() -> Result<Outlines, ()> {
    let outlines = outlines().await.ok_or(())?;
    let is_there = || value::part(&js_sys::global(), "L").is_some();
    if !is_there() {
        script().await?;
    }
    if is_there() { Ok(outlines) } else { Err(()) }
}

async fn outlines() -> Option<Outlines> {
    let answer = http::answered(http::guarded(OUTLINES), "GET", NO_HEADERS, &[]).await.ok()?;
    if !answer.ok() {
        return None;
    }
    Outlines::read(&http::text(&answer).await.ok()?)
}

/// Runs the script, which leaves what it makes under the name `L`.
async fn script() -> Result<(), ()> {
    let document = web::page::document().ok_or(())?;
    let script = document.create_element("script").map_err(drop)?;
    script.set_attribute("src", SCRIPT).map_err(drop)?;
    let head = document.head().ok_or(())?;
    let is_loaded = loaded(&script, || drop(head.append_child(&script))).await;
    // What it made stays; one that failed is tried anew.
    script.remove();
    if is_loaded { Ok(()) } else { Err(()) }
}

/// Whether what an element loads comes, once `begin` has it begin.
pub async fn loaded(element: &Element, begin: impl FnOnce()) -> bool {
    let (tell, told) = oneshot::channel::<bool>();
    let tell = Rc::new(Cell::new(Some(tell)));
    let _ends = ["load", "error"].map(|name| {
        let tell = Rc::clone(&tell);
        Listener::on(element, name, move |_: Event| {
            if let Some(tell) = tell.take() {
                // Whoever waited has gone.
                let _ = tell.send(name == "load");
            }
        })
    });
    begin();
    told.await.unwrap_or_default()
}

/// Options, and whatever else is plain data.
fn plain(value: &Value) -> JsValue {
    JSON::parse(&value.to_string()).unwrap_or_default()
}

fn lat_lon(at: LatLon) -> JsValue {
    at.into_iter().map(JsValue::from).collect::<Array>().into()
}

impl Map {
    /// A map in an element, on which nothing is yet.
    ///
    /// # Errors
    /// When the element has one, or there is no Leaflet.
    pub fn of(element: &HtmlElement, options: &Value) -> Result<Self, JsValue> {
        new_map(element, &plain(options))
    }

    /// Looks at a point.
    pub fn look_at(&self, at: LatLon, zoom: f64) {
        self.set_view(&lat_lon(at), zoom);
    }

    /// Looks at all between two corners, but not nearer than this.
    pub fn look_at_all(&self, corners: [LatLon; 2], nearest: u32) {
        let corners = corners.into_iter().map(lat_lon).collect::<Array>();
        let options = serde_json::json!({ "maxZoom": nearest, "padding": [40, 40], "animate": false });
        self.fit_bounds(&corners, &plain(&options));
    }

    /// Nearer or farther by so many steps.
    pub fn nearer(&self, by: f64) {
        self.set_zoom(self.zoom() + by);
    }

    /// What it looks at, in degrees.
    pub fn middle(&self) -> LatLon {
        let middle = self.center();
        ["lat", "lng"].map(|part| value::number(&middle, part).unwrap_or_default())
    }

    /// Where a point is on the whole map at zoom 0.
    pub fn on_map(&self, at: LatLon) -> [f64; 2] {
        let point = self.project(&lat_lon(at), 0.0);
        ["x", "y"].map(|part| value::number(&point, part).unwrap_or_default())
    }

    /// Whether the last press of the mouse or a finger moved it.
    pub fn was_dragged(&self) -> bool {
        let dragging = value::part(self, "dragging");
        dragging.is_some_and(|of| value::call(&of, "moved", &[]).is_ok_and(|moved| moved.is_truthy()))
    }

    /// Draws the world. Its colours are those of the style sheet.
    pub fn draw(&self, world: &Outlines) {
        let drawn = |lines: &Vec<Vec<LatLon>>| JSON::parse(&serde_json::to_string(lines).unwrap_or_default());
        let options = |class: &str| plain(&serde_json::json!({ "className": class, "interactive": false }));
        if let (Ok(land), Ok(borders)) = (drawn(&world.land), drawn(&world.borders)) {
            new_polygon(&land, &options("world-land")).add_to(self);
            new_line(&borders, &options("world-border")).add_to(self);
        }
    }

    /// Puts an element on it whose middle is at a point.
    pub fn put(&self, element: &Element, at: LatLon, size: u32) -> Layer {
        let size = [size, size].into_iter().map(JsValue::from).collect::<Array>();
        let icon = value::object(&[
            ("html", element.into()),
            ("className", "world-at".into()),
            ("iconSize", size.into()),
        ]);
        // Whatever is pressed is in the element.
        let options = value::object(&[
            ("icon", new_icon(&icon)),
            ("interactive", false.into()),
            ("keyboard", false.into()),
        ]);
        let marker = new_marker(&lat_lon(at), &options);
        marker.add_to(self);
        marker
    }

    /// Draws lines on it, in the colour of a class of the style sheet.
    pub fn draw_lines(&self, lines: &[Vec<LatLon>], class: &str) -> Layer {
        let points = JSON::parse(&serde_json::to_string(lines).unwrap_or_default()).unwrap_or_default();
        let options = plain(&serde_json::json!({ "className": class, "interactive": false }));
        let line = new_line(&points, &options);
        line.add_to(self);
        line
    }

    /// Puts tiles on it, above the outlines: `tile` gives the element of each.
    pub fn put_tiles(&self, tile: &Closure<dyn Fn(JsValue) -> HtmlElement>) {
        // One world beside another would be asked for twice.
        let layer = new_tiles(&plain(&serde_json::json!({ "pane": "overlayPane", "noWrap": true })));
        value::set(&layer, "createTile", tile.as_ref());
        layer.add_to(self);
    }
}
