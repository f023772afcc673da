//! The name of a list or of a tag where a to-do's was expected: asked about, never taken for granted.

use crate::todo::plan::{Halt, Wants};
use crate::todo::rows::Todo;
use jiff::civil::DateTime;

use crate::text::{escape, quoted};
use crate::todo::answer::{count, numbered, tasks};
use crate::todo::find::same;
use crate::todo::intent::Intent;

/// The open to-dos of a list or with a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What was said.
    said: String,
    /// "in the list Groceries".
    place: String,
    /// The to-dos.
    pub todos: Vec<Todo>,
}

impl Group {
    /// The open to-dos of the list, or else with the tag, that has this name.
    pub fn called(said: &str, todos: &[Todo]) -> Option<Self> {
        let name = said.strip_prefix('#').unwrap_or(said);
        let name = ["the ", "my ", "all "].iter().find_map(|lead| name.strip_prefix(lead)).unwrap_or(name);
        let name = [" list", " tag", " stuff", " things", " todos", " tasks", " to-dos"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name);
        let open = |fits: &dyn Fn(&Todo) -> bool| -> Vec<Todo> {
            todos.iter().filter(|todo| !todo.done && fits(todo)).cloned().collect()
        };
        let group = |place: String, todos: Vec<Todo>| {
            (!todos.is_empty()).then(|| Self { said: said.to_owned(), place, todos })
        };
        let in_list = open(&|todo| same(&todo.list, name));
        let place = in_list.first().map(|todo| format!("in the list {}", escape(&todo.list)));
        place.and_then(|place| group(place, in_list)).or_else(|| {
            let tagged = open(&|todo| todo.tags.iter().any(|tag| same(tag, name)));
            let tag = tagged.first()?.tags.iter().find(|tag| same(tag, name))?.clone();
            group(format!("tagged \\#{}", escape(&tag)), tagged)
        })
    }

    /// "You have 2 open to-dos in the list Work:".
    pub fn shown(&self, now: Option<DateTime>) -> String {
        let open = count(self.todos.len()).replacen(' ', " open ", 1);
        format!("You have {open} {}:\n\n{}", self.place, numbered(&self.todos, now))
    }

    /// "There is no to-do “groceries”. Complete the 3 open to-dos in the list Groceries?"
    pub fn question(self, verb: &str, now: Option<DateTime>) -> Halt {
        let open = count(self.todos.len()).replacen(' ', " open ", 1);
        let text = format!(
            "There is no to-do {}. {verb} the {open} {}? (yes or no)\n\n{}",
            quoted(&self.said),
            self.place,
            tasks(&self.todos, now)
        );
        Halt::Ask { text, wants: Box::new(Wants::All(self)) }
    }
}

/// The question in the words of the command that led to it.
pub fn in_words(halt: Halt, intent: &Intent, now: Option<DateTime>) -> Halt {
    let verb = match intent {
        Intent::Complete(_) => "Complete",
        Intent::Delete(_) => "Delete",
        _ => return halt,
    };
    match halt {
        Halt::Ask { text, wants } => match *wants {
            Wants::All(group) => group.question(verb, now),
            wants => Halt::Ask { text, wants: Box::new(wants) },
        },
        halt => halt,
    }
}
