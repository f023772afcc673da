//! Text of models, of notes, of anyone as markdown, without trust: parsed into a small tree of our own, never into HTML.
//!
//! What is not in the tree cannot be shown: there is no raw HTML (it stays visible text), no
//! image (its description stays), and a link only with a scheme from a short list. The tree is
//! pure data, so the hostile cases are rows of a native test; `view` turns it into nodes.

mod growing;
mod links;
mod parse;
mod view;

pub use parse::parse;
pub use view::{Boxes, Markdown, Task, Words, whole};

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading, level 1 to 6.
    Heading(u8, Vec<Inline>),
    /// A code block, with the language its fence names (may be empty).
    Code {
        /// The language, for the label only.
        language: String,
        /// The code, as it is.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A list; numbered from `start` when there is one.
    List {
        /// The first number, for a numbered list.
        start: Option<u64>,
        /// The items.
        items: Vec<Item>,
    },
    /// A table; the first row is its head.
    Table {
        /// The head's cells.
        head: Vec<Vec<Inline>>,
        /// The body's rows.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A line across.
    Rule,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The box in front of a task item.
    pub mark: Mark,
    /// Where that box is written, in bytes from where the outermost block around it begins.
    pub at: usize,
    /// What the item says.
    pub blocks: Vec<Block>,
}

/// The box of a task-list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// An ordinary item.
    None,
    /// `[ ]`
    Open,
    /// `[x]`
    Done,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Text, exactly as it is shown.
    Text(String),
    /// Code in a line.
    Code(String),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Struck through.
    Strike(Vec<Inline>),
    /// A link whose address passed [`parse::safe_href`].
    Link {
        /// The address.
        href: String,
        /// What it says.
        inlines: Vec<Inline>,
    },
    /// What no tool result supports.
    Mark(Vec<Inline>),
    /// A line break.
    Break,
}

#[cfg(test)]
mod tests;
