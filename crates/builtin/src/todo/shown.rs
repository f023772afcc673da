//! Which to-dos the lines of an answer showed.
//!
//! A title is not enough: several to-dos may have the same one. The line says more (its box, its date, its list),
//! and an answer of ours has them in the order in which the tools gave them. What fits several after that stays
//! all of them, and who points at it is asked.

use crate::todo::rows::Todo;
use std::collections::BTreeSet;

use jiff::civil::DateTime;

use crate::conversation::Language;
use crate::german::piece;
use crate::text::unescape;
use crate::todo::answer::{due_piece, pieces};

/// What the conversation knows when an answer is read.
pub struct Sight<'k> {
    /// The to-dos, the deleted ones too.
    pub todos: &'k [&'k Todo],
    /// The ids that were deleted.
    pub gone: &'k BTreeSet<String>,
    /// The ids that the turn touched.
    pub touched: &'k [String],
    /// The ids in the order in which the turn's results had them.
    pub order: &'k [String],
    /// Now, to tell days in words.
    pub now: Option<DateTime>,
    /// What the answer is in.
    pub language: Language,
}

impl Sight<'_> {
    /// The to-dos that a line can be, none of which stands in the list above it; more than one where it says too
    /// little.
    pub fn meant_by(&self, item: &Item, above: &[Vec<String>]) -> Vec<String> {
        let bold = bold(item.text);
        let plain = unescape(bold.unwrap_or(item.text));
        let fits =
            |todo: &Todo| if bold.is_some() { plain == todo.title } else { plain.contains(&todo.title) };
        let free = |todo: &Todo| !above.iter().any(|ids| ids.len() == 1 && ids[0] == todo.id);
        let mut left: Vec<&Todo> =
            self.todos.iter().filter(|todo| fits(todo) && free(todo)).copied().collect();
        let longest = left.iter().map(|todo| todo.title.len()).max().unwrap_or_default();
        left.retain(|todo| todo.title.len() == longest);
        let gone = |todo: &Todo| self.gone.contains(&todo.id);
        // What was deleted before this turn can be in no list of it.
        narrow(&mut left, |todo| !gone(todo) || self.touched.contains(&todo.id));
        if let Some(done) = item.done {
            narrow(&mut left, |todo| todo.done == done);
        }
        let ours = item.done.is_some() && bold.is_some();
        if ours {
            let rest = bold.and_then(|bold| item.text.split_once(bold)).map_or("", |(_, rest)| rest);
            let rest = rest.trim_start_matches('*').split(" — ").next().unwrap_or_default();
            let said: Vec<&str> = rest.split(" · ").map(str::trim).filter(|p| !p.is_empty()).collect();
            let is_due = |p: &&str| p.starts_with("due ") || p.starts_with("fällig ");
            let (due, told): (Vec<&str>, Vec<&str>) = said.into_iter().partition(is_due);
            let own = |text: String| piece(&text, self.language);
            narrow(&mut left, |todo| {
                let pieces: Vec<String> = pieces(todo).into_iter().map(own).collect();
                pieces == told && due.is_empty() == todo.due.is_none()
            });
            narrow(&mut left, |todo| due_piece(todo, self.now).map(own).as_deref() == due.first().copied());
        } else {
            // Another model's words: what can be told by them is the list.
            let words = item.text.to_lowercase();
            narrow(&mut left, |todo| !todo.list.is_empty() && words.contains(&todo.list.to_lowercase()));
        }
        // A deletion is told by a line of a task list; in a list of what is there it has no place.
        narrow(&mut left, |todo| gone(todo) == item.task);
        let place = |todo: &&Todo| self.order.iter().position(|id| *id == todo.id);
        let alike = left.windows(2).all(|two| look_alike(two[0], two[1]));
        let first = left.iter().filter(|todo| place(todo).is_some()).min_by_key(|todo| place(todo));
        match first {
            Some(first) if alike || ours => vec![first.id.clone()],
            _ if alike => left.first().map(|todo| todo.id.clone()).into_iter().collect(),
            _ => left.into_iter().map(|todo| todo.id.clone()).collect(),
        }
    }
}

/// Keeps what fits, where anything does.
fn narrow(left: &mut Vec<&Todo>, fits: impl Fn(&Todo) -> bool) {
    if left.iter().any(|todo| fits(todo)) {
        left.retain(|todo| fits(todo));
    }
}

/// Whether two to-dos look the same on a line.
fn look_alike(a: &Todo, b: &Todo) -> bool {
    a.done == b.done && a.due == b.due && pieces(a) == pieces(b)
}

/// What stands between the first `**` and the next one; an escaped star is no part of either.
fn bold(item: &str) -> Option<&str> {
    let mut marks = Vec::new();
    let mut chars = item.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '*' if chars.next_if(|(_, next)| *next == '*').is_some() => marks.push(at),
            _ => {}
        }
    }
    item.get(marks.first()? + 2..*marks.get(1)?)
}

/// A line of a list: `1. …`, `- …`, `* …`, with or without a box.
pub struct Item<'t> {
    /// What stands after the sign and the box.
    pub text: &'t str,
    /// Whether the box is ticked, where there is one.
    done: Option<bool>,
    /// Whether the box is a task list's.
    task: bool,
}

impl<'t> Item<'t> {
    /// Reads a line; `None` where it is no list's.
    pub fn read(line: &'t str) -> Option<Self> {
        let line = line.trim();
        let item =
            ["- ", "* ", "• ", "– ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
                let digits = line.chars().take_while(char::is_ascii_digit).count();
                let rest = line.get(digits..).filter(|_| (1..=3).contains(&digits))?;
                [". ", ") "].iter().find_map(|mark| rest.strip_prefix(mark))
            })?;
        let item = item.trim_start();
        const BOXES: [(&str, bool, bool); 5] = [
            ("[ ] ", false, true),
            ("[x] ", true, true),
            ("[X] ", true, true),
            ("☐ ", false, false),
            ("☑ ", true, false),
        ];
        let boxed = BOXES.iter().find_map(|(mark, done, task)| {
            Some(Self { text: item.strip_prefix(mark)?.trim_start(), done: Some(*done), task: *task })
        });
        Some(boxed.unwrap_or(Self { text: item, done: None, task: false }))
    }
}
