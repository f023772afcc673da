//! What was done with to-dos in a conversation, and not taken back.

use crate::todo::rows::Change;

/// What can be done to a to-do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It was added.
    Add,
    /// It was deleted.
    Delete,
    /// It was completed.
    Complete,
    /// It was opened again.
    Reopen,
    /// Something else about it was changed.
    Change,
}

impl Deed {
    /// What a change did; a repetition's next one came by itself.
    fn of(change: &Change) -> Option<Self> {
        Some(match (&change.before, &change.after) {
            (None, Some(_)) => Self::Add,
            (Some(_), None) => Self::Delete,
            (Some(before), Some(after)) if !before.done && after.done => Self::Complete,
            (Some(before), Some(after)) if before.done && !after.done => Self::Reopen,
            (Some(_), Some(_)) => Self::Change,
            (None, None) => return None,
        })
    }

    /// The word for it: "added".
    pub fn told(self) -> &'static str {
        match self {
            Self::Add => "added",
            Self::Delete => "deleted",
            Self::Complete => "completed",
            Self::Reopen => "opened again",
            Self::Change => "changed",
        }
    }
}

/// The deeds of a conversation, oldest first, without those that were taken back.
#[derive(Clone, Debug, Default)]
pub struct Deeds(Vec<(Deed, String)>);

impl Deeds {
    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes in what a call changed; an undo takes the deeds away that it turned around.
    pub fn absorb(&mut self, undoes: bool, changes: &[Change]) {
        let id = |change: &Change| change.after.as_ref().or(change.before.as_ref()).map(|t| t.id.clone());
        // The next one of a repetition came with the completion.
        let completes = changes.iter().any(|change| Deed::of(change) == Some(Deed::Complete));
        for change in changes {
            let (Some(deed), Some(id)) = (Deed::of(change), id(change)) else { continue };
            if undoes {
                let was = match deed {
                    Deed::Add => Deed::Delete,
                    Deed::Delete => Deed::Add,
                    Deed::Complete => Deed::Reopen,
                    Deed::Reopen => Deed::Complete,
                    Deed::Change => Deed::Change,
                };
                if let Some(at) = self.0.iter().rposition(|(deed, done)| *deed == was && *done == id) {
                    self.0.remove(at);
                }
            } else if !(completes && deed == Deed::Add) {
                self.0.push((deed, id));
            }
        }
    }

    /// The ids of the to-dos to which that was done; anything, where nothing is said.
    pub fn of(&self, deed: Option<Deed>) -> Vec<&String> {
        self.0.iter().filter(|(done, _)| deed.is_none_or(|deed| *done == deed)).map(|(_, id)| id).collect()
    }

    /// Every deed with its to-do's id, oldest first.
    pub fn all(&self) -> &[(Deed, String)] {
        &self.0
    }

    pub fn last_of(&self, id: &str) -> Option<Deed> {
        self.0.iter().rev().find(|(_, known)| known == id).map(|(deed, _)| *deed)
    }
}
