//! Words for what history tells apart.

use super::Author;

/// When a change was made, and by whom.
#[must_use]
pub fn when_and_who(when: &str, author: Author) -> String {
    let who = match author {
        Author::Chat => "in a conversation",
        Author::Hand => "by hand",
        Author::Client => "by another program",
    };
    format!("{when} · {who}")
}
