//! The page itself: its document, what is in it, and where the focus is.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

/// The page's document.
#[must_use]
pub fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// An element by its id.
#[must_use]
pub fn by_id(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

/// The first element that a selector finds.
#[must_use]
pub fn first(selector: &str) -> Option<HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Brings the focus to the first element that a selector finds; false where there is none.
pub fn focus(selector: &str) -> bool {
    first(selector).map(|element| element.focus()).is_some()
}

/// What has the focus.
#[must_use]
pub fn focused() -> Option<Element> {
    document()?.active_element()
}

/// Whether nothing has the focus.
#[must_use]
pub fn nothing_has_focus() -> bool {
    focused().is_none_or(|element| element.tag_name() == "BODY")
}

/// Whether a media query holds; false where the browser cannot say.
#[must_use]
pub fn matches(query: &str) -> bool {
    let media = web_sys::window().and_then(|window| window.match_media(query).ok().flatten());
    media.is_some_and(|media| media.matches())
}

/// Whether nobody sees this page.
#[must_use]
pub fn is_hidden() -> bool {
    document().is_some_and(|document| {
        document.hidden() || document.visibility_state() == web_sys::VisibilityState::Hidden
    })
}

/// The page's own address, from which relative ones are read.
#[must_use]
pub fn base() -> String {
    document().and_then(|document| document.base_uri().ok().flatten()).unwrap_or_default()
}

/// The app's own address, a folder: without what the page was opened for.
#[must_use]
pub fn home() -> String {
    folder_of(&base()).to_owned()
}

fn folder_of(address: &str) -> &str {
    let place = address.split(['?', '#']).next().unwrap_or_default();
    place.rfind('/').map(|end| &place[..=end]).unwrap_or_default()
}

/// Loads the page again.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        let _ = window.location().reload();
    }
}

/// Goes to a place within the page: what stands behind the sign `#` of its address.
pub fn go_to(fragment: &str) {
    if let Some(window) = web_sys::window() {
        // Refused where the page may not navigate itself: then it stays where it is.
        let _ = window.location().set_hash(fragment);
    }
}
#[cfg(test)]
mod tests {
    use super::folder_of;

    #[test]
    fn the_apps_address_is_its_folder() {
        for base in ["http://a.test/app/", "http://a.test/app/?do=today", "http://a.test/app/index.html#/x"] {
            assert_eq!(folder_of(base), "http://a.test/app/");
        }
    }
}
