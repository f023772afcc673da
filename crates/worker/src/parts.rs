//! What of this program comes when it is wanted, from files of its own (docs/adr/0054-the-worker-in-parts.md): most starts of a
//! worker are for one call of an everyday tool.
//!
//! A part is made of functions that give back function pointers: what only those functions name lies in the part's file. A
//! build that is not split has all of it in one, and comes by it the same way.

use std::pin::pin;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use mcp::{NotLoaded, Server};
use store::IdbJournal;

use crate::browser;
use crate::hosted::Hosted;

/// The parts of the tools.
pub type Parts = tools::Parts<IdbJournal>;

/// The tools that work on the journal and on everything there is.
pub type WholeTools = tools::WholeTools<IdbJournal>;

/// Resources and prompts.
pub type Shown = tools::Shown;

/// The protocol beyond listing and calling tools.
pub type Rest = mcp::Rest<Hosted>;

/// Gives back the room of bytes that nothing needs. It fails with a sentence for the console.
pub type Collect = fn(Rc<Server<Hosted>>) -> LocalBoxFuture<'static, Result<(), String>>;

/// A part could not be had. The console says more.
#[derive(Clone, Copy, Debug)]
pub struct Lost;

impl From<wasm_split_helpers::SplitLoaderError> for Lost {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// A part by the function that brings it.
#[doc(hidden)]
pub fn had<T: 'static>(
    made: impl Future<Output = Result<fn() -> T, Lost>> + 'static,
) -> LocalBoxFuture<'static, Result<T, NotLoaded>> {
    made.map(|made| Ok(made.map_err(|Lost| NotLoaded)?())).boxed_local()
}

/// What comes in so many milliseconds, and is not there after that: what was begun goes on for the next one who wants it.
///
/// # Errors
/// When it could not be had, or not in time.
pub async fn within<T>(ms: i32, coming: impl Future<Output = Result<T, NotLoaded>>) -> Result<T, NotLoaded> {
    match select(pin!(coming), pin!(browser::sleep(ms))).await {
        Either::Left((had, _)) => had,
        Either::Right(((), _)) => Err(NotLoaded),
    }
}

/// A worker that serves an app's domains: what a program calls it, its title, and the list. Expands in the app's own package,
/// where the program is cut into parts; that is a `cdylib` and needs nothing but this library and its domains.
///
/// ```ignore
/// worker::app!("notes", "Notes", [Notes]);
/// ```
#[macro_export]
macro_rules! app {
    ($name:literal, $title:literal, [$($domain:expr),+ $(,)?]) => {
        const _: () = assert!(
            $crate::is_plain($name),
            "what programs call the app is of lowercase letters, digits and `_`: what it keeps is under names that begin so"
        );

        /// Says what is served. The module calls it as it starts.
        #[$crate::wasm_bindgen::prelude::wasm_bindgen(start, wasm_bindgen = $crate::wasm_bindgen)]
        pub fn start() {
            $crate::serve($crate::App {
                name: $name,
                title: $title,
                domains: &[$(&$crate::Bare($domain)),+],
                tools: || $crate::Parts {
                    whole: $crate::Part::later(|| $crate::had(whole())),
                    shown: $crate::Part::later(|| $crate::had(shown())),
                },
                protocol: || $crate::Part::later(|| $crate::had(rest())),
                collect: || $crate::had(collect()),
            });
        }

        // Undo, redo, history, files, saved copies. Each domain by its own type: a list of domains would name all that they have.
        $crate::part!(whole, whole, $crate::WholeTools, {
            $crate::WholeTools::guarded(vec![$($crate::Domain::files(&$domain)),+], vec![$(&&$domain),+])
        });
        // Giving room back, which reads as much as they do.
        $crate::part!(whole, collect, $crate::Collect, { $crate::collect as $crate::Collect });
        // Resources and prompts.
        $crate::part!(protocol, shown, $crate::Shown, {
            $crate::Shown::default()$(.with(&$domain))+
        });
        // The protocol beyond listing and calling tools.
        $crate::part!(protocol, rest, $crate::Rest, { $crate::Rest::here() });
    };
}

/// A function that comes with a part.
#[doc(hidden)]
#[macro_export]
macro_rules! part {
    ($part:ident, $name:ident, $made:ty, $body:block) => {
        #[cfg(split)]
        #[$crate::wasm_split_helpers::wasm_split($part, wasm_split_path = $crate::wasm_split_helpers, fallible)]
        fn $name() -> Result<fn() -> $made, $crate::Lost> {
            Ok(|| $body)
        }

        #[cfg(not(split))]
        async fn $name() -> Result<fn() -> $made, $crate::Lost> {
            Ok(|| $body)
        }
    };
}
