//! What a person looks for often, kept under a name on this device.

use serde::{Deserialize, Serialize};
use web::storage;

use super::many::Of;
use crate::live::Only;
use crate::model::View;

/// Where they are kept.
const KEY: &str = "satchel.filters";

/// So many are kept at most.
const MOST: usize = 50;

/// What is shown, under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// Its name; there is one of each.
    pub name: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    list: String,
    #[serde(default)]
    tag: String,
    #[serde(default)]
    view: String,
}

impl Saved {
    /// What makes it another one: its name, and what it shows.
    #[must_use]
    pub fn key(&self) -> String {
        let Self { name, text, list, tag, view } = self;
        [name, text, list, tag, view].map(String::as_str).join("\n")
    }

    /// What it shows.
    #[must_use]
    pub fn only(&self) -> Only {
        let Self { text, list, tag, view, .. } = self.clone();
        let view = View::ALL.into_iter().find(|one| one.word() == view).unwrap_or_default();
        Only { text, list, tag, view }
    }
}

/// All of them, in the order in which they were saved.
#[must_use]
pub fn all() -> Vec<Saved> {
    storage::local().read(KEY).unwrap_or_default()
}

/// Keeps what is shown under a name, in the place of what had it. Gives all there are now; none where it cannot be kept.
#[must_use]
pub fn keep(name: &str, only: &Only) -> Option<Vec<Saved>> {
    let mut all = without(name);
    let Only { text, list, tag, view } = only.clone();
    all.push(Saved { name: name.to_owned(), text, list, tag, view: view.word().to_owned() });
    (all.len() <= MOST && storage::local().write(KEY, &all)).then_some(all)
}

/// Forgets one. Gives those that are left.
#[must_use]
pub fn forget(name: &str) -> Vec<Saved> {
    let all = without(name);
    storage::local().write(KEY, &all);
    all
}

/// A list or a tag is called otherwise: those that show it go on to show it.
pub fn renamed(of: &Of, to: &str) {
    let mut all = all();
    for saved in &mut all {
        let field = match of {
            Of::List(_) => &mut saved.list,
            Of::Tag(_) => &mut saved.tag,
        };
        if field.to_lowercase() == of.name().to_lowercase() {
            to.clone_into(field);
        }
    }
    storage::local().write(KEY, &all);
}

fn without(name: &str) -> Vec<Saved> {
    let mut all = all();
    all.retain(|one| one.name != name);
    all
}
