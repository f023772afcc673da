//! What of this program comes when it is wanted, from files of its own (docs/adr/0054-the-worker-in-parts.md): most starts of a
//! worker are for one call of an everyday tool.
//!
//! A part is made of functions that give back function pointers: what only those functions name lies in the part's file. A
//! build that is not split has all of it in one, and comes by it the same way.

use domain::{Bare, Domain};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use mcp::{NotLoaded, Part, Rest};
use store::IdbJournal;
use tools::{Domains, Parts, Shown, WholeTools};

use crate::hosted::Hosted;

/// What is served: the assistants that ship with the app, as calls of their tools need them.
pub(crate) const DOMAINS: Domains = &[&Bare(todo::Todos), &Bare(memory::Memories)];

/// The parts of the tools.
pub(crate) fn of_tools() -> Parts<IdbJournal> {
    Parts { whole: Part::later(load_whole), shown: Part::later(load_shown) }
}

/// The part of the protocol.
pub(crate) fn of_protocol() -> Part<Rest<Hosted>> {
    Part::later(load_rest)
}

type Loading<T> = LocalBoxFuture<'static, Result<T, NotLoaded>>;

fn load_whole() -> Loading<WholeTools<IdbJournal>> {
    whole().map(|made| Ok(made.map_err(|Lost| NotLoaded)?())).boxed_local()
}

fn load_shown() -> Loading<Shown> {
    shown().map(|made| Ok(made.map_err(|Lost| NotLoaded)?())).boxed_local()
}

fn load_rest() -> Loading<Rest<Hosted>> {
    rest().map(|made| Ok(made.map_err(|Lost| NotLoaded)?())).boxed_local()
}

/// A part could not be had. The console says more.
struct Lost;

#[cfg(split)]
impl From<wasm_split_helpers::SplitLoaderError> for Lost {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// A function that comes with a part.
macro_rules! part {
    ($part:ident, $(#[$doc:meta])* fn $name:ident() -> $made:ty $body:block) => {
        #[cfg(split)]
        $(#[$doc])*
        #[wasm_split_helpers::wasm_split($part, fallible)]
        fn $name() -> Result<fn() -> $made, Lost> {
            Ok(|| $body)
        }

        #[cfg(not(split))]
        $(#[$doc])*
        async fn $name() -> Result<fn() -> $made, Lost> {
            Ok(|| $body)
        }
    };
}

part!(
    whole,
    /// Undo, redo, history, files and saved copies.
    fn whole() -> WholeTools<IdbJournal> {
        // Each by its own type: a list of domains would name all that they have.
        WholeTools::with_files(vec![todo::Todos.files(), memory::Memories.files()])
    }
);

part!(
    protocol,
    /// Resources and prompts.
    fn shown() -> Shown {
        Shown::default().with(&todo::Todos).with(&memory::Memories)
    }
);

part!(
    protocol,
    /// The protocol beyond listing and calling tools.
    fn rest() -> Rest<Hosted> {
        Rest::here()
    }
);
