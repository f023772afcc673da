//! Parts of the page that come when they are wanted, from files of their own (docs/adr/0044-the-page-in-parts.md).
//!
//! A part is made of functions (`part!`) that give back function pointers: what only those functions name lies in the part's
//! file. Functions of one name share a file. A part that cannot be had is said, and asked for again.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use crate::commands::document;
use crate::i18n;
use crate::toast::Toasts;

/// A function that comes with a part: it gives back a function pointer, or [`NotLoaded`].
macro_rules! part {
    ($part:ident, $(#[$doc:meta])* $vis:vis fn $name:ident() -> $type:ty $body:block) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// When the part cannot be had.
        #[leptos::wasm_split::wasm_split($part, wasm_split_path = leptos::wasm_split, fallible)]
        $vis fn $name() -> Result<$type, $crate::parts::NotLoaded> {
            Ok($body)
        }
    };
}
pub(crate) use part;

/// A part could not be had: no network, or the page is of a build whose files are gone. The browser's console says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> Self {
        Self
    }
}

/// Draws a dialog of a part from the first time that `is_open` says so. Where the part cannot be had a note says it, and
/// tries again; so does whatever opens the dialog.
pub fn dialog<D, F>(
    is_open: impl Fn() -> bool + 'static,
    load: impl Fn() -> F + Copy + Send + Sync + 'static,
    draw: impl Fn(D) -> AnyView + Send + 'static,
) -> impl IntoView
where
    D: Copy + Send + Sync + 'static,
    F: Future<Output = Result<D, NotLoaded>> + 'static,
{
    let (toasts, part) = (Toasts::get(), RwSignal::new(None::<D>));
    Effect::new(move |_| {
        if is_open() && part.with_untracked(Option::is_none) {
            get(toasts, part, load);
        }
    });
    move || part.get().map(&draw)
}

/// Draws a place of the page from a part. Until it is there the place is empty.
pub fn place<D, F>(
    load: impl Fn() -> F + Copy + Send + Sync + 'static,
    draw: impl Fn(D) -> AnyView + Send + 'static,
) -> impl IntoView
where
    D: Copy + Send + Sync + 'static,
    F: Future<Output = Result<D, NotLoaded>> + 'static,
{
    dialog(|| true, load, draw)
}

/// Asks for a part; one that cannot be had is said.
fn get<D, F>(toasts: Toasts, part: RwSignal<Option<D>>, load: impl Fn() -> F + Copy + Send + Sync + 'static)
where
    D: Send + Sync + 'static,
    F: Future<Output = Result<D, NotLoaded>> + 'static,
{
    spawn_local(async move {
        match load().await {
            // Whoever wanted it may be gone by now.
            Ok(drawn) => drop(part.try_set(Some(drawn))),
            Err(NotLoaded) => say(toasts, move || get(toasts, part, load)).await,
        }
    });
}

/// Says that a part could not be had, with the way on: once more, or, where Satchel is another build by now, anew.
async fn say(toasts: Toasts, again: impl Fn() + Send + Sync + 'static) {
    if is_of_another_build().await {
        toasts.say_with_action(i18n::PART_OF_ANOTHER_BUILD, i18n::RELOAD, || {
            if let Some(window) = web_sys::window() {
                let _ = window.location().reload();
            }
        });
    } else {
        toasts.say_with_action(i18n::PART_NOT_LOADED, i18n::TRY_AGAIN, again);
    }
}

/// Whether the page that a reload would bring starts with other scripts than this one did.
async fn is_of_another_build() -> bool {
    async fn start_of_page() -> Option<bool> {
        let script = document()?.query_selector("script[src]").ok()??.get_attribute("src")?;
        let answer = JsFuture::from(web_sys::window()?.fetch_with_str("./")).await.ok()?;
        let answer: web_sys::Response = answer.dyn_into().ok()?;
        let page = JsFuture::from(answer.text().ok()?).await.ok()?.as_string()?;
        Some(answer.ok() && !page.contains(&script))
    }
    start_of_page().await.unwrap_or(false)
}
