//! Parts of the page that come when they are wanted, from files of their own (docs/adr/0044-the-page-in-parts.md).
//!
//! A part is made of functions (`part!`) that give back function pointers: what only those functions name lies in the part's
//! file. Functions of one name share a file. A part that cannot be had is said, and asked for again.

use std::cell::RefCell;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web::page::document;

use crate::clock;
use crate::toast::Toasts;

/// A function that comes with a part: it gives back a function pointer, or [`NotLoaded`].
#[macro_export]
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
pub use crate::part;

/// A part could not be had: no network, or the page is of a build whose files are gone. The browser's console says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> Self {
        Self
    }
}

/// Gets a part that a run needs. A failure counts when it happens twice, with a pause between: the page may be being left
/// ([`clock::HELD_BACK_MS`]), and a worker may be ended while it answers.
///
/// # Errors
/// When the part cannot be had.
pub async fn for_run<T, F>(load: impl Fn() -> F) -> Result<T, NotLoaded>
where
    F: Future<Output = Result<T, NotLoaded>>,
{
    match load().await {
        Err(NotLoaded) => {
            clock::sleep(clock::HELD_BACK_MS).await;
            load().await
        }
        had => had,
    }
}

/// What draws a place of the page.
type Draw = fn() -> AnyView;

/// Asks for what draws it.
type Load = Arc<dyn Fn() -> LocalBoxFuture<'static, Result<Draw, NotLoaded>> + Send + Sync>;

/// Draws a dialog of a part from the first time that `is_open` says so. Where the part cannot be had a note says it, and
/// tries again; so does whatever opens the dialog.
pub fn dialog<F>(
    is_open: impl Fn() -> bool + 'static,
    load: impl Fn() -> F + Send + Sync + 'static,
) -> AnyView
where
    F: Future<Output = Result<Draw, NotLoaded>> + 'static,
{
    drawn_once(Box::new(is_open), Arc::new(move || load().boxed_local()))
}

/// Draws a place of the page from a part. Until it is there the place is empty.
pub fn place<F>(load: impl Fn() -> F + Send + Sync + 'static) -> AnyView
where
    F: Future<Output = Result<Draw, NotLoaded>> + 'static,
{
    dialog(|| true, load)
}

/// Draws a dialog of a part from the first time that `at` says where to open it. Where the part cannot be had it is not open:
/// what looks for it finds that out, and the note's way on opens it there.
pub fn dialog_at<T: Clone + Send + Sync + 'static, F>(
    at: RwSignal<Option<T>>,
    load: impl Fn() -> F + Send + Sync + 'static,
) -> AnyView
where
    F: Future<Output = Result<Draw, NotLoaded>> + 'static,
{
    let (toasts, part) = (Toasts::get(), RwSignal::new(None::<Draw>));
    let load: Load = Arc::new(move || load().boxed_local());
    crate::effect(move |_| {
        if at.with(Option::is_some) && part.with_untracked(Option::is_none) {
            let load = Arc::clone(&load);
            spawn_local(async move {
                match load().await {
                    Ok(draw) => {
                        if part.try_get_untracked() == Some(None) {
                            part.set(Some(draw));
                        }
                    }
                    Err(NotLoaded) => {
                        let Some(wanted) = at.try_get_untracked() else { return };
                        at.set(None);
                        say(toasts, Arc::new(move || at.set(wanted.clone()))).await;
                    }
                }
            });
        }
    });
    (move || part.get().map(|draw| draw())).into_any()
}

thread_local! {
    /// What is tried again when the note's button is pressed: several places may miss the same part, and there is one note.
    static AGAIN: RefCell<Vec<Arc<dyn Fn() + Send + Sync>>> = const { RefCell::new(Vec::new()) };
}

// One for all parts: what is not generic is compiled once.
fn drawn_once(is_wanted: Box<dyn Fn() -> bool>, load: Load) -> AnyView {
    let (toasts, part) = (Toasts::get(), RwSignal::new(None::<Draw>));
    crate::effect(move |_| {
        if is_wanted() && part.with_untracked(Option::is_none) {
            // Whoever wanted it may be gone when it comes.
            get(
                toasts,
                Arc::clone(&load),
                // Drawn once, however often it was asked for.
                Arc::new(move |draw| {
                    if part.try_get_untracked() == Some(None) {
                        part.set(Some(draw));
                    }
                }),
            );
        }
    });
    (move || part.get().map(|draw| draw())).into_any()
}

/// Does something that comes with a part. Where that cannot be had a note says it, and tries again.
pub fn act<T: 'static, F>(
    toasts: Toasts,
    load: impl Fn() -> F + Copy + Send + Sync + 'static,
    then: impl Fn(T) + Copy + Send + Sync + 'static,
) where
    F: Future<Output = Result<T, NotLoaded>> + 'static,
{
    spawn_local(async move {
        match load().await {
            Ok(part) => then(part),
            Err(NotLoaded) => say(toasts, Arc::new(move || act(toasts, load, then))).await,
        }
    });
}

fn get(toasts: Toasts, load: Load, then: Arc<dyn Fn(Draw) + Send + Sync>) {
    spawn_local(async move {
        match load().await {
            Ok(draw) => then(draw),
            Err(NotLoaded) => {
                say(toasts, Arc::new(move || get(toasts, Arc::clone(&load), Arc::clone(&then)))).await;
            }
        }
    });
}

/// Says that a part could not be had, with the way on: once more, or, where Satchel is another build by now, anew.
async fn say(toasts: Toasts, again: Arc<dyn Fn() + Send + Sync>) {
    if is_of_another_build().await {
        toasts.say_reload();
    } else {
        AGAIN.with_borrow_mut(|all| all.push(again));
        toasts.say_not_loaded(|| AGAIN.take().iter().for_each(|again| again()));
    }
}

/// Whether the page that a reload would bring starts with other scripts than this one did.
async fn is_of_another_build() -> bool {
    async fn start_of_page() -> Option<bool> {
        let script = document()?.query_selector("script[src]").ok()??.get_attribute("src")?;
        // With a query: without one the browser may answer by the routes of the worker that was in control before.
        let answer = JsFuture::from(web_sys::window()?.fetch_with_str("./?which")).await.ok()?;
        let answer: web_sys::Response = answer.dyn_into().ok()?;
        let page = JsFuture::from(answer.text().ok()?).await.ok()?.as_string()?;
        Some(answer.ok() && !page.contains(&script))
    }
    start_of_page().await.unwrap_or(false)
}
