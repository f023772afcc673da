//! The map of the world with a marker for photos that stand together.

use std::cell::{Cell as Kept, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use ui_map::{Asked, Holder, Map, OnMap, Sight, Tiles, bounds};
use wasm_bindgen::JsCast;
use web::listener::Listener;
use web_sys::{Element, HtmlElement, MouseEvent};

use crate::found::Focus;
use crate::library::Cell;
use crate::spots::{Marker, Point, clusters, points};
use crate::words;

/// How large a marker is: what a finger can hit, in CSS pixels.
const MARKER_PX: u32 = 44;

/// How near it goes by itself: a country around what is seen.
const AT_FIRST: u32 = 6;

/// How near one photo is shown.
const ONE_PHOTO: f64 = 9.0;
const ONE_PHOTO_WITH_TILES: f64 = 15.0;

/// A map that is drawn, and what stands on it.
struct Drawn {
    map: Rc<dyn Map>,
    /// The points at which photos were taken, of the photos that were there when they were made.
    points: RefCell<Vec<Point>>,
    markers: RefCell<Vec<Standing>>,
    /// Whether it looks at what it is to look at.
    has_looked: Kept<bool>,
}

/// A marker that stands on the map.
struct Standing {
    says: Marker,
    button: Element,
    _pressed: Listener,
    _on_map: OnMap,
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
    let holder = Holder::new();
    let drawn = StoredValue::new_local(None::<Rc<Drawn>>);
    let is_tiled = tiles.is_some();
    // Photos, and where they are on the whole map.
    ui_kit::effect(move |_| {
        let Some(map) = holder.map() else {
            drawn.set_value(None);
            return;
        };
        let known = drawn.get_value();
        let drawn = known.unwrap_or_else(|| {
            let made = Rc::new(Drawn::on(map));
            drawn.set_value(Some(Rc::clone(&made)));
            made
        });
        cells.with(|cells| *drawn.points.borrow_mut() = points(cells, |at| drawn.map.on_map(at)));
        drawn.look(focus, is_tiled);
        holder.moved.update(|moved| *moved = moved.wrapping_add(1));
    });
    ui_kit::effect(move |_| {
        holder.moved.track();
        let Some(drawn) = drawn.get_value() else { return };
        cells.with_untracked(|cells| drawn.stand(cells, open));
        if !drawn.has_looked.get() {
            return;
        }
        focus.sight.set(Some(drawn.map.sight()));
        if let Some((photo, _)) = focus.on_map.get_untracked() {
            // Once: where it is not among those that are shown, nothing takes the focus later.
            focus.on_map.set(None);
            drawn.point_out(&photo);
        }
    });
    let missing = Callback::new(move |()| {
        if focus.on_map.with_untracked(Option::is_some) {
            // Without a map there is the list of places.
            focus.on_map.set(None);
            web::page::focus(".photo-place");
        }
    });
    let asked = Asked { label: words::map(), testid: "photo-map", tiles, no_tiles, holder, missing };
    view! { <ui_map::World asked /> }
}

impl Drawn {
    fn on(map: Rc<dyn Map>) -> Self {
        Self { map, points: RefCell::default(), markers: RefCell::default(), has_looked: Kept::new(false) }
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
            Some(sight) => self.map.look(sight),
            None => {
                if let Some(corners) = bounds(self.points.borrow().iter().map(|point| point.at)) {
                    self.map.look_at_all(corners, AT_FIRST);
                }
            }
        }
    }

    /// Has the markers stand that are to be seen, and no others.
    fn stand(&self, cells: &[Cell], open: Callback<(Vec<String>, String)>) {
        let sight = self.map.sight();
        let (middle, zoom) = (self.map.on_map(sight.at), sight.zoom);
        let size = [self.map.element().client_width(), self.map.element().client_height()].map(f64::from);
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
        markers.clear();
        markers.extend(says.into_iter().filter_map(|says| self.standing(says, open)));
        if had_focus {
            let _ = self.map.element().focus();
        }
    }

    /// A marker: a button with a small picture and the number of photos.
    fn standing(&self, says: Marker, open: Callback<(Vec<String>, String)>) -> Option<Standing> {
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
        let on_map = self.map.put(&button, says.at, MARKER_PX);
        let (map, photos, name) = (Rc::clone(&self.map), says.photos.clone(), says.name.clone());
        let pressed = Listener::on(&button, "click", move |event: MouseEvent| {
            // Where the map was drawn along by a marker, that was no press of it; a key has no such past.
            if event.detail() == 0 || !map.was_dragged() {
                open.run((photos.clone(), name.clone()));
            }
        });
        Some(Standing { says, button, _pressed: pressed, _on_map: on_map })
    }

    /// Brings the focus to the marker of a photo, or to the map where it has none.
    fn point_out(&self, photo: &String) {
        let markers = self.markers.borrow();
        let found = markers.iter().find(|standing| standing.says.photos.contains(photo));
        let button = found.and_then(|standing| standing.button.dyn_ref::<HtmlElement>());
        let _ = button.unwrap_or(self.map.element()).focus();
    }
}
