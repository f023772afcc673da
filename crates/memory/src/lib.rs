//! What a person asked to be remembered over all conversations (S0-63): its model and one file per tool.
//!
//! [`Memory`] is one sentence about the person or the way they want to be answered. Nothing gets here but by a tool
//! call that a person sees, can undo, and asked for: there is no code that reads conversations for it.
//!
//! The tools are called `user_memory_…`, the field's word for it, and not `memory_…`: that is how an agent's own
//! tools for stored results are called (`memory_read`), which have nothing to do with a person.

mod change;
pub mod exchange;
mod forget;
mod model;
mod save;
mod search;
mod update;
mod wire;

use mcp::Registry;
use store::Stage;

pub use change::{MemoryChange, changes_of};
pub use model::{Kind, MAX_MEMORIES, Memory};

/// Whether a tool is one of this domain.
#[must_use]
pub fn is_tool(name: &str) -> bool {
    name.starts_with("user_memory_")
}

/// What the tools say about themselves, made from their types; a test below keeps it true.
const LISTING: &str = include_str!("listing.json");

/// All tools of this domain, in the order in which a model reads them.
#[must_use]
pub fn tools() -> Registry<Stage> {
    Registry::new()
        .with_listed(save::UserMemorySave, LISTING)
        .with_listed(search::UserMemorySearch, LISTING)
        .with_listed(update::UserMemoryUpdate, LISTING)
        .with_listed(forget::UserMemoryForget, LISTING)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `listing.json` is what the types say. When a tool changed on purpose, run this with
    /// `SATCHEL_WRITE_LISTINGS=1` and look at the difference: it is what models and clients will read.
    #[test]
    fn the_listing_is_what_the_types_say() {
        let definitions = [
            mcp::definition::<Stage, save::UserMemorySave>(),
            mcp::definition::<Stage, search::UserMemorySearch>(),
            mcp::definition::<Stage, update::UserMemoryUpdate>(),
            mcp::definition::<Stage, forget::UserMemoryForget>(),
        ];
        if std::env::var_os("SATCHEL_WRITE_LISTINGS").is_some() {
            // A tool a line: no spaces to ship, and a difference can still be read.
            let lines = definitions.map(|definition| serde_json::to_string(&definition).unwrap());
            let text = format!("[\n{}\n]\n", lines.join(",\n"));
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/listing.json"), text).unwrap();
        } else {
            assert_eq!(tools().definitions(), definitions);
            assert!(definitions.iter().all(|tool| is_tool(&tool.name)));
            let lasting = definitions.iter().filter(|tool| tool.is_lasting());
            let lasting: Vec<&str> = lasting.map(|tool| tool.name.as_str()).collect();
            assert_eq!(lasting, ["user_memory_save", "user_memory_update"], "what is told to models later");
        }
    }
}
